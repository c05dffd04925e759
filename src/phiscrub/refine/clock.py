"""Dates that are none: times of day, and the years of cars; and stamps that go on behind the day.

A bedside record says `1917` and `1949` as it says `0338`, which no pattern of a date can tell from
years. Those above and below do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels
from phiscrub.core.toolbox import Toolbox
from phiscrub.lexicons.terms import terms_of

STAMP = re.compile(
    r"(?P<day>(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?"
)
TIME = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
YEAR = re.compile(r"(?:19|20)\d\d|['’]\d\d")
FIRST = re.compile(r"^[ \t|>*-]*(\d{4})(?![\w/.-])(?!:\d)", re.MULTILINE)  # of a line
CUE = re.compile(r"(?:\b(?:at|by|til|till|until|from|around)|@)[ ]?$", re.IGNORECASE)
NO_YEAR = r"(?<![\w/.-])(?<!\bin )(?<!\bof )(?<!since )(?<!until )(?<!, )"  # stands before a car's
LATE_HOURS = ("19", "20")  # which may be a century
FEWEST = 3  # lines with a time in front that make a record of times
STEADY = 100  # within so much of the line before, where all may be years
FILE = "cars.txt"
NEAR = 8  # characters before a time that may say so


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels of dates, and those that a car's name may be taken for.

    `lists` is a folder among the lexicons with makes and models, by default the language's own.
    `label_set` is the set that labels are of; empty, it is not known.
    """

    labels: tuple[str, ...] = ("DATE",)
    names: tuple[str, ...] = ()
    lists: str = ""
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Clock:
    """Read the makes and models of cars; raise `LabelError` for a label that the set lacks."""
    check_labels(settings.label_set, labels=settings.labels, names=settings.names)
    folder = toolbox.folder("lexicons", settings.lists or toolbox.language)
    words = sorted(terms_of(folder / FILE), key=lambda x: (-len(x), x))
    car = "|".join(r"[ -]?".join(map(re.escape, word.split())) for word in words)
    return Clock(
        frozenset(settings.labels),
        frozenset(settings.names),
        re.compile(rf"{NO_YEAR}(?:(?:19|20)\d\d|['’]?\d\d)[ ](?:{car})(?:[ ](?:{car}))?\b", re.I),
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """Trims stamps to their day; drops times of day and a car's year, make and model.

    A year is a time where it begins a line of a record of times: `FEWEST` lines or more begin
    with four figures, all of which can be times, and one of them no year, or each a little later
    than that before. In such a note it is one behind `at`, `by` or `until`, too, if nobody alive
    would say it of a year: before 1960.
    """

    labels: frozenset[str]
    names: frozenset[str]
    car: re.Pattern[str] = field(repr=False)

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions that stand, trimmed."""
        text = note.text
        dates = [text[m.span.start : m.span.end] for m in mentions if m.label in self.labels]
        if not any(YEAR.match(date) for date in dates):
            return tuple(mentions)
        cars = [match.span() for match in self.car.finditer(text)]
        lines = _lines(text)
        kept = []
        for mention in mentions:
            start, end = mention.span.start, mention.span.end
            if mention.label in self.labels:
                stamp = STAMP.fullmatch(text, start, end)
                if stamp:
                    kept.append(replace(mention, span=Span(*stamp.span("day"))))
                    continue
                if lines and TIME.fullmatch(text, start, end) and _is_time(text, start, lines):
                    continue
            if mention.label in self.labels | self.names and any(
                first <= start and end <= last for first, last in cars
            ):
                continue
            kept.append(mention)
        return tuple(kept)


def _lines(text: str) -> frozenset[int]:
    """Return where the times in front of lines begin, if they are times."""
    found = [(match.start(1), match[1]) for match in FIRST.finditer(text)]
    if len(found) < FEWEST or not all(TIME.fullmatch(figures) for _, figures in found):
        return frozenset()
    values = [int(figures) for _, figures in found]
    steps = [after - before for before, after in pairwise(values)]
    told = any(not figures.startswith(LATE_HOURS) for _, figures in found)
    if not told and not all(0 <= step <= STEADY for step in steps):
        return frozenset()
    return frozenset(start for start, _ in found)


def _is_time(text: str, start: int, lines: frozenset[int]) -> bool:
    if start in lines:
        return True
    return "1900" <= text[start : start + 4] < "1960" and bool(
        CUE.search(text, max(0, start - NEAR), start)
    )
