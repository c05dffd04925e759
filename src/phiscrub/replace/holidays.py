"""Named days within words: `Thanksgiving`, `Memorial Day weekend`, `the week after Easter 2020`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from phiscrub.replace.calendar import Calendar
from phiscrub.replace.datefields import GLUE
from phiscrub.replace.people import fold

YEAR = re.compile(r"[, ]*(?:\b(?:of|del?) )?(?<!\d)((?:19|20)\d\d)(?!\d)")
DAY = re.compile(r" day$", re.I)  # of `Easter Day`
WORD = re.compile(r"\S+")
MOST = 12  # words that are looked at
BESIDE = GLUE | {"break", "eve", "holiday", "holidays", "morning", "night", "period", "time"}


@dataclass(frozen=True, slots=True)
class Holiday:
    """A named day, its words and those before and behind it, and whether its year is written."""

    day: date
    name: str
    before: str
    behind: str
    dated: bool

    @classmethod
    def find(cls, calendar: Calendar, words: str, near: date) -> Holiday | None:
        """Return the named day, of the year that is written or of the nearest."""
        year = YEAR.search(words)
        if year is not None:
            words = words[: year.start()] + words[year.end() :]
        places = [found.span() for found in WORD.finditer(words)]
        if len(places) > MOST:
            return None
        years = (int(year[1]),) if year else (near.year - 1, near.year, near.year + 1)
        beside = [fold(words[start:end]) in BESIDE for start, end in places]
        for length in range(len(places), 0, -1):
            for first in range(len(places) - length + 1):
                last = first + length
                if not all(beside[:first] + beside[last:]):
                    continue
                start, end = places[first][0], places[last - 1][1]
                named = DAY.sub("", words[start:end])
                found = [
                    calendar.holiday(words[start:end], y) or calendar.holiday(named, y)
                    for y in years
                ]
                days = [day for day in found if day is not None]
                if days:
                    day = min(days, key=lambda day: abs(day - near))
                    around = (words[:start].lstrip(), words[end:])
                    return cls(day, words[start:end], *around, year is not None)
        return None
