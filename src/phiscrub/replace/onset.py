"""Dates as time to an index event, `onset + 7 days`: the wish of the inverse system (paper 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from types import MappingProxyType

from phiscrub.replace.datefields import DAY, MONTH
from phiscrub.replace.dates import Dates

CUE = re.compile(
    r"(?<!\w)(?:onset|index event|event date|inicio|debut|insjukn\w*|fecha de inicio)[^.\n]{0,30}$",
    re.I,
)
BIRTH = re.compile(
    r"(?<!\w)(?:dob|d\.o\.b|born|birth|nacimiento|nacid[oa]|född|födelse\w*)"
    r"[^.\n]{0,8}$",
    re.I,
)
REACH = 44
META = "onset"  # a note's metadata may name the day
WORDS = MappingProxyType(
    {
        "en": ("onset", ("day", "days"), ("month", "months"), ("year", "years")),
        "es": ("inicio", ("día", "días"), ("mes", "meses"), ("año", "años")),
        "sv": ("debut", ("dag", "dagar"), ("månad", "månader"), ("år", "år")),
    }
)
MONTHS_A_YEAR = 12


def index_day(dates: Dates, before: Sequence[str], stated: str = "") -> date | None:
    """Return a note's index day: the stated one, else one behind a cue word, else the first.

    A birth is never the first.

    `before` is the text in front of each date, in order.
    """
    if stated:
        read = Dates.of(dates.reader.calendar, [stated]).day(0)
        if read is not None:
            return read
    days = [dates.day(index) for index in range(len(before))]
    cued = (d for d, text in zip(days, before, strict=True) if d and CUE.search(text[-REACH:]))
    seen = (
        d for d, text in zip(days, before, strict=True) if d and not BIRTH.search(text[-REACH:])
    )
    return next(cued, next(seen, None))


def since(dates: Dates, index: int, onset: date, language: str) -> str | None:
    """Return how long after the onset a date is, as exactly as it says; None if unreadable."""
    name, day_words, month_words, year_words = WORDS.get(language, WORDS["en"])
    written = dates.written[index][1]
    day = dates.day(index)
    if day is not None:
        distance, words = (day - onset).days, day_words
    elif written is None or written.year is None:
        return None
    elif (month := written.value(MONTH)) is not None and written.value(DAY) is None:
        distance = (written.year - onset.year) * MONTHS_A_YEAR + month - onset.month
        words = month_words
    else:
        distance, words = written.year - onset.year, year_words
    if not distance:
        return name
    unit = words[abs(distance) != 1]
    return f"{name} {'+' if distance > 0 else '-'} {abs(distance)} {unit}"
