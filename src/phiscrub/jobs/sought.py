"""What was removed from the notes of a record, sought in what passes through with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from itertools import islice
from typing import cast

from phiscrub.core.labels import label_set, label_set_names
from phiscrub.formats.record import Record
from phiscrub.jobs.work import Outcome
from phiscrub.pipeline.shipped import languages
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.datefields import Reader as DateReader
from phiscrub.replace.written import DAY, MONTH

SHORTEST = 4  # letters and digits of a mention that is sought; less is met by chance
LONGEST_DAY = 40  # characters of a cell that is one day
DIGITS = re.compile(r"\d\d")
DAY_IN_DIGITS = re.compile(r"(?<!\d)\d{4}-?\d\d-?\d\d(?!\d)")
MOST_DAYS = 20  # of a cell that are read
WORD = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True, slots=True)
class Sought:
    """The words that are sought, in small letters, and those of dates, as they were written."""

    words: frozenset[str] = field(repr=False)
    dates: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, record: Record, outcomes: Sequence[Outcome]) -> Sought:
        """Gather what was removed from the record's notes."""
        removed = [
            one
            for note, done in zip(record.notes, outcomes, strict=True)
            for one in _removed(note.document.text, done)
        ]
        words = (words for words, _ in removed if sum(map(str.isalnum, words)) >= SHORTEST)
        dates = tuple(words for words, label in removed if label in _labels("DATE"))
        return cls(frozenset(map(str.casefold, words)), dates)

    def found_in(self, cells: Mapping[str, str]) -> list[str]:
        """Return the names of the cells that hold one of the words, or a day, however written."""
        days: set[date] | None = None
        found = []
        for name, cell in cells.items():
            told = cell.casefold()
            holds = any(_holds(told, words) for words in self.words)
            if self.dates and not holds and (held := _days_in(told)):
                if days is None:
                    days = {day for words in self.dates for day in _days(words)}
                holds = not days.isdisjoint(held)
            if holds:
                found.append(name)
        return found


def _removed(text: str, done: Outcome) -> Iterator[tuple[str, str]]:
    """Yield what was removed from a note and its label, of persons each of their names too."""
    kept = set(done.kept)
    for mention in done.found:
        if mention not in kept:
            words = text[mention.span.start : mention.span.end]
            yield words, mention.label
            if mention.label in _labels("NAME"):
                yield from ((name, mention.label) for name in WORD.findall(words))


@cache
def _labels(category: str) -> frozenset[str]:
    """Return the labels of a category in all label sets."""
    sets = map(label_set, label_set_names())
    return frozenset(
        label for one in sets for label in one.labels if one.category(label) == category
    )


def _days_in(cell: str) -> set[date]:
    """Return the days that a cell holds: the one that it is, and those in digits, year first."""
    found = [cell] if len(cell) <= LONGEST_DAY and DIGITS.search(cell) else []
    found += (digits[0] for digits in islice(DAY_IN_DIGITS.finditer(cell), MOST_DAYS))
    return {day for words in found for day in _days(words)}


def _days(words: str) -> Iterator[date]:
    """Yield the days that words may mean, in any language, the day or the month first."""
    for reader in _readers():
        read = reader.read(words)
        told = (read.year, read.value(MONTH), read.value(DAY)) if read is not None else ()
        if told and None not in told:
            with suppress(ValueError):  # the 30th of February
                yield date(*cast(tuple[int, int, int], told))


@cache
def _readers() -> tuple[DateReader, ...]:
    calendars = map(Calendar.load, languages())
    return tuple(DateReader(one, day_first=first) for one in calendars for first in (True, False))


def _holds(cell: str, words: str) -> bool:
    """Tell whether words stand in a cell, neither letter nor digit next to them."""
    at = cell.find(words)
    while at >= 0:
        end = at + len(words)
        if not (cell[at - 1 : at].isalnum() or cell[end : end + 1].isalnum()):
            return True
        at = cell.find(words, at + 1)
    return False
