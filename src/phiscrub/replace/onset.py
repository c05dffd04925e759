"""Dates as time to an index event, `onset + 7 days`: the wish of the inverse system (paper 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from types import MappingProxyType

from phiscrub.replace.dates import Dates
from phiscrub.replace.written import DAY, MONTH, YEAR, YEAR2

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
        "en": ("onset", ("day", "days"), ("month", "months"), ("year", "years"), "to"),
        "es": ("inicio", ("día", "días"), ("mes", "meses"), ("año", "años"), "a"),
        "sv": ("debut", ("dag", "dagar"), ("månad", "månader"), ("år", "år"), "till"),
    }
)
MONTHS_A_YEAR = 12


def index_day(dates: Dates, before: Sequence[str], stated: str = "") -> date | None:
    """Return a note's index day: the stated one, else one behind a cue word, else the first.

    A birth is never the first.

    `before` is the text in front of each date, in order.
    """
    if stated:
        read = Dates.of(dates.reader.calendar, [stated], habit=dates.reader.habit).day(0)
        if read is not None:
            return read
    days = [dates.day(index) for index in range(len(before))]
    cued = (d for d, text in zip(days, before, strict=True) if d and CUE.search(text[-REACH:]))
    seen = (
        d for d, text in zip(days, before, strict=True) if d and not BIRTH.search(text[-REACH:])
    )
    return next(cued, next(seen, None))


def since(dates: Dates, index: int, onset: date, language: str) -> str | None:
    """Return how long after the onset a date is, as exactly as it says; None if unreadable.

    A range has both its ends: ``onset to onset + 2 days``.
    """
    name, day_words, month_words, year_words, to = WORDS.get(language, WORDS["en"])
    written = dates.written[index][1]
    if written is None:
        named = dates.day(index)
        days: Sequence[date] = () if named is None else (named,)
    else:
        days = dates.ends(index, DAY)
    if days:
        far, words = [(day - onset).days for day in days], day_words
    elif written is None or written.year is None:
        return None
    elif months := dates.ends(index, MONTH):
        far = [(day.year - onset.year) * MONTHS_A_YEAR + day.month - onset.month for day in months]
        words = month_words
    else:
        far = [day.year - onset.year for day in dates.ends(index, YEAR, YEAR2)]
        words = year_words
    told = [_distance(name, one, words) for one in dict.fromkeys(far)]
    return f" {to} ".join(told) if len(told) == 2 else ", ".join(told)  # noqa: PLR2004


def _distance(name: str, far: int, words: tuple[str, str]) -> str:
    if not far:
        return name
    return f"{name} {'+' if far > 0 else '-'} {abs(far)} {words[abs(far) != 1]}"
