"""A number right behind a person's name is that person's age: `Jaro Novak 19 ACL`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels
from phiscrub.core.toolbox import Toolbox

# Nothing that makes the number an amount, a time, a day or a house.
NO_AGE = r"""
    (?![\w%°'’"+]|[./:,–-]\d|[ ]?[/x×%°:=+]|[ ]?[-–][ ]?\d)
    (?![ ]{0,2}(?:mg|mcg|ml|g|units?|kg|lbs?|cm|mm|in|ft|bpm|beats|days?|weeks?|wks?|months?|mos?
        |hrs?|hours?|h|mins?|minutes|am|pm|times|tabs?|tablets?|caps?|puffs?|doses?|of|to|or|on|at
        |percent|points?|pts|visits?|beds?|patients|steps|feet|degrees|packs?|ppd|st|nd|rd|th
        |(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}|for|were|are|have
        |children|kids|sons|daughters|siblings|brothers|sisters)(?!\w))
    (?![ ](?-i:(?:[A-Z][\w'’-]+[ ]){1,2})(?:st|street|ave|avenue|rd|road|dr|drive|ln|lane|way|ct
        |court|blvd|cl|close|pl|place|terrace|crescent|gardens?|row|hill)(?!\w))
"""
# A full age behind a comma, in brackets or in the next cell; behind one word a blank is too little,
# as scores and drugs have one: `Braden 13`.
AGE = (
    rf"(?:(?-i:[MF]),?[ ]?)?(?P<age>1[01]\d|[1-9]\d)(?:(?=[mfMF](?!\w))|{NO_AGE})"
    r"|(?P<decade>[2-9]0['’]?s)(?!\w)"
)
BEHIND = re.compile(
    rf"""["”]?(?:,[ ]{{1,2}}|[ ]{{2,8}}|[ ]?[|/][ ]?|[ ]?\()(?:now[ ]|aged?[ ])?(?:{AGE})""",
    re.IGNORECASE | re.VERBOSE,
)
BEHIND_TWO = re.compile(rf"""["”]?[ ](?:now[ ]|aged?[ ])?(?:{AGE})""", re.IGNORECASE | re.VERBOSE)
BEHIND_ONE = re.compile(r"[ ](?P<age>[1-9]\d)[mfMF](?!\w)")
# One figure is an age only of someone's child or brother, and where a word follows.
BEHIND_KIN = re.compile(
    rf"""["”]?[ ,(]{{1,2}}(?P<age>\d\d?)(?=[ ][a-z]{{3,}}|[,;)]|[.]?[ ]?\n){NO_AGE}""",
    re.VERBOSE,
)
KIN_BEFORE = re.compile(
    r"\b(?:(?:step|half|grand)?-?(?:son|daughter|brother|sister|child)|sons|daughters|brothers|"
    r"sisters|children|kids|dtr|dau|bro|sis|sib|twin|nephew|niece|cousin|grandchild|baby|and|&)"
    r":?[ ]$",
    re.IGNORECASE,
)
KIN_REACH = 16  # characters before a name in which its kinship stands
SCORE = 0.56
SOURCE = "aged"


@dataclass(frozen=True, slots=True)
class Settings:
    """The labels of the names whose age may follow, and the label of an age.

    `label_set` is the set that these are of; empty, it is not known.
    """

    labels: tuple[str, ...]
    age: str = "AGE"
    label_set: str = ""


def build(settings: Settings, _: Toolbox) -> Aged:
    """Make the refiner; raise `LabelError` for a label that the set lacks."""
    check_labels(settings.label_set, labels=settings.labels, age=(settings.age,))
    return Aged(frozenset(settings.labels), settings.age)


@dataclass(frozen=True, slots=True)
class Aged:
    """Adds an age behind each name that a number of that kind follows, as the name's source."""

    labels: frozenset[str]
    age: str = "AGE"

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions and the ages beside them."""
        ages = {
            (span, mention.source)
            for mention in mentions
            if mention.label in self.labels
            for span in _behind(note.text, mention.span.start, mention.span.end)
        }
        found = (
            Mention(Span(*span), self.age, SCORE, f"{SOURCE}:{source}")
            for span, source in sorted(ages)
        )
        return (*mentions, *found)


def _behind(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where the age behind a name stands, if any."""
    match = BEHIND.match(text, end) or (BEHIND_TWO if " " in text[start:end] else BEHIND_ONE).match(
        text, end
    )
    if match is None and KIN_BEFORE.search(text, max(0, start - KIN_REACH), start):
        match = BEHIND_KIN.match(text, end)
    if match is not None:
        yield match.span(match.lastgroup or 0)
