"""What stands beside the notes of a table and passes through, and whether it identifies too."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import date
from functools import cache
from itertools import islice
from typing import cast

from phiscrub.core.labels import label_set, label_set_names
from phiscrub.formats.choose import NAME
from phiscrub.formats.record import Reader, Record
from phiscrub.jobs.read import Entry
from phiscrub.jobs.work import Outcome
from phiscrub.pipeline.shipped import languages
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.datefields import Reader as DateReader
from phiscrub.replace.written import DAY, MONTH

SAMPLE = 200  # rows that are looked at
LONGEST = 100_000  # characters of a cell that are looked at
SHORTEST = 4  # letters and digits of a mention that is sought; less is met by chance
WORDS = 15  # that a cell must have to look like a note
SHARE = 0.1  # of a column's cells that must look so
LONGEST_DAY = 40  # characters of a cell that is one day
DIGITS = re.compile(r"\d\d")
DAY_IN_DIGITS = re.compile(r"(?<!\d)\d{4}-?\d\d-?\d\d(?!\d)")
MOST_DAYS = 20  # of a cell that are read
WORD = re.compile(r"[^\W\d_]{2,}")
NAMELESS = "a column without a proper name"


def looked_at(
    found: Iterator[Entry], reader: Reader, tell: Callable[[str], None]
) -> Iterator[Entry]:
    """Yield the entries; behind the first rows, tell each column whose cells look like notes."""
    filled: Counter[str] = Counter()
    long: Counter[str] = Counter()
    for _, entry in zip(range(SAMPLE), found, strict=False):
        if isinstance(entry[1], Record):
            for name, cell in reader.about(entry[1]).items():
                filled[name] += bool(cell.strip())
                long[name] += len(WORD.findall(cell)) >= WORDS
        yield entry
    for name, count in long.items():
        if count and count >= SHARE * filled[name]:
            tell(_shown(name))
    yield from found


class Beside:
    """Tells columns that hold what was removed from the note in their row.

    It looks at the first rows from which something was removed.
    """

    def __init__(self, reader: Reader, tell: Callable[[str], None]) -> None:
        self._reader, self._tell, self._left = reader, tell, SAMPLE

    def look(self, record: Record, outcomes: Sequence[Outcome]) -> None:
        """Look at a row."""
        if not self._left:
            return
        removed = [
            one
            for note, done in zip(record.notes, outcomes, strict=True)
            for one in _removed(note.document.text, done)
        ]
        sought = {
            words.casefold() for words, _ in removed if sum(map(str.isalnum, words)) >= SHORTEST
        }
        if not sought:
            return
        self._left -= 1
        dates = (words for words, label in removed if label in _labels("DATE"))
        days = {day for words in dates for day in _days(words)}
        for name, cell in self._reader.about(record).items():
            told = cell[:LONGEST].casefold()
            if any(_holds(told, words) for words in sought) or (days and days & _days_in(told)):
                self._tell(_shown(name))


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


def _shown(name: str) -> str:
    return name if NAME.fullmatch(name) else NAMELESS
