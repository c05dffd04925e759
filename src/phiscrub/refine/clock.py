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
from phiscrub.lexicons.words import load_words

STAMP = re.compile(
    r"(?P<day>(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))(?:[01]\d|2[0-3])[0-5]\d(?:[0-5]\d)?"
)
TIME = re.compile(r"(?:[01]\d|2[0-3])[0-5]\d")
YEAR = re.compile(r"(?:19|20)\d\d|['’]\d\d")
FIRST = re.compile(r"^[ \t|>*-]*(\d{4})(?![\w/.-])(?!:\d)", re.MULTILINE)  # of a line
CUE = re.compile(r"(?:\b(?:at|by|til|till|until|from|around)|@)[ ]?$", re.IGNORECASE)
CUE_SURE = re.compile(r"(?:\bat|@)[ ]?$", re.IGNORECASE)
NO_YEAR = r"(?<![\w/.-])(?<!\bin )(?<!\bof )(?<!since )(?<!until )(?<!, )"  # stands before a car's
NO_HOUSE = (
    r"(?![ ](?:surg|medical|hospital|clinic|cent(?:er|re)|health|general|high|school|vista|county))"
)
# Before the year of a car, or behind its name, where a town is called so too.
CAR_BEFORE = re.compile(
    r"(?:\b(?:an?|his|her|their|my|our|old|new|rental|drove|driving|driver|white|black|silver|gr[ae]y|"
    r"red|blue|green)|:)[ ]$",
    re.IGNORECASE,
)
CAR_BEHIND = re.compile(r",?[ ](?:truck|pick-?up|sedan|suv|van|plate|reg)\b", re.IGNORECASE)
REMEMBERED = range(1930, 2030)  # years that patients and their notes speak of
FEWEST = 3  # lines with a time in front that make a record of times
NEXT = 240  # minutes within which the next line of a record comes
DAY = 24 * 60
FILE = "cars.txt"
NEAR = 8  # characters before a time that may say so
REACH = 12  # and before the year of a car


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
        re.compile(
            rf"{NO_YEAR}(?:(?:19|20)\d\d|['’]?\d\d)[ ]((?:{car})(?:[ ](?:{car}))?)\b{NO_HOUSE}",
            re.I,
        ),
        frozenset(words) & load_words(folder, "place").keys(),
    )


@dataclass(frozen=True, slots=True)
class Clock:
    """Trims stamps to their day; drops times of day and a car's year, make and model.

    A year is a time where it begins a line of a record of times: `FEWEST` lines or more begin
    with four figures, all of which can be times, at least half of them no year that anybody
    remembers, and it comes within hours of one that is a time. In such a note it is one behind
    `at`, `by` or `until`, too, if nobody alive would say it of a year. A car that is called as
    one of `towns` is one where something else tells that it is a car.
    """

    labels: frozenset[str]
    names: frozenset[str]
    car: re.Pattern[str] = field(repr=False)
    towns: frozenset[str] = field(repr=False)

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions that stand, trimmed."""
        text = note.text
        dates = [text[m.span.start : m.span.end] for m in mentions if m.label in self.labels]
        if not any(YEAR.match(date) for date in dates):
            return tuple(mentions)
        cars = [match.span() for match in self.car.finditer(text) if self._is_car(text, match)]
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

    def _is_car(self, text: str, match: re.Match[str]) -> bool:
        return match[1].lower() not in self.towns or bool(
            CAR_BEFORE.search(text, max(0, match.start() - REACH), match.start())
            or CAR_BEHIND.match(text, match.end())
        )


def _lines(text: str) -> frozenset[int]:
    """Return where the times in front of lines begin, if they are times."""
    found = [(match.start(1), match[1]) for match in FIRST.finditer(text)]
    told = [int(figures) not in REMEMBERED for _, figures in found]
    if len(found) < FEWEST or 2 * sum(told) < len(found):
        return frozenset()
    if not all(TIME.fullmatch(figures) for _, figures in found):
        return frozenset()
    minutes = [int(figures[:2]) * 60 + int(figures[2:]) for _, figures in found]
    follows = [(after - before) % DAY <= NEXT for before, after in pairwise(minutes)]
    for at, near in enumerate(follows):
        told[at + 1] |= told[at] and near
    for at in reversed(range(len(follows))):
        told[at] |= told[at + 1] and follows[at]
    return frozenset(start for (start, _), is_told in zip(found, told, strict=True) if is_told)


def _is_time(text: str, start: int, lines: frozenset[int]) -> bool:
    if start in lines:
        return True
    year = text[start : start + 4]
    cue = CUE if int(year) < REMEMBERED.start else CUE_SURE
    return "1900" <= year < "1960" and bool(cue.search(text, max(0, start - NEAR), start))
