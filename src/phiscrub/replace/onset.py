"""Dates as time to an index event, `onset + 7 days`: the wish of the inverse system (paper 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from types import MappingProxyType

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError
from phiscrub.replace.births import is_birth
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates
from phiscrub.replace.written import DAY, MONTH, YEAR, YEAR2

CUE = re.compile(
    r"(?<!\w)(?:onset|index event|event date|inicio|debut|insjukn\w*|fecha de inicio)[^.\n]{0,30}$",
    re.I,
)
VISIT = re.compile(
    r"(?<!\w)(?:seen|visit\w*|adm(?:it\w*|ission)?|presented|encounter|clinic|consult\w*|"
    r"date of service|dos|vist[oa]|ingres\w*|inskriven|besök\w*)[^.\n]{0,24}$",
    re.I,
)
PAST = re.compile(
    r"(?<!\w)(?:d\.|died|death|deceased|father|mother|brother|sister|history|h/o|s/p|prior|"
    r"previous\w*|since|fallec\w*|muri[óo]|padre|madre|desde|avliden|avled|dog|sedan)"
    r"[^.\n]{0,24}$",
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


def stated(document: Document) -> str:
    """Return the index day that a note's metadata give, or that is known of its patient."""
    subject = document.subject
    return document.meta.get(META, "") or (subject.onset if subject else "")


def stated_day(calendar: Calendar, words: str, *, habit: bool | None = None) -> date | None:
    """Return the day that is given, None for no words; raises `InputError` where it is no day."""
    if not words:
        return None
    day = Dates.of(calendar, [words], habit=habit).day(0)
    if day is None:
        what = "the onset in its metadata, or of its patient, names no day"
        raise InputError(what, hint="write it as 2021-04-12")
    return day


def cued_days(dates: Dates, before: Sequence[str]) -> list[date]:
    """Return the days behind a cue word; `before` is the text in front of each date, in order."""
    days = [dates.day(index) for index in range(len(before))]
    return [d for d, text in zip(days, before, strict=True) if d and CUE.search(text[-REACH:])]


def guessed_day(dates: Dates, before: Sequence[str]) -> date | None:
    """Return the first day behind words of a visit, else the first that is not of the past.

    A birth is never the first.
    """
    told = [(dates.day(index), text[-REACH:]) for index, text in enumerate(before)]
    days = [(day, text) for day, text in told if day is not None and not is_birth(text)]
    visits = (day for day, text in days if VISIT.search(text))
    present = (day for day, text in days if not PAST.search(text))
    return next(visits, next(present, days[0][0] if days else None))


def index_day(dates: Dates, before: Sequence[str]) -> date | None:
    """Return a note's own index day: the first one behind a cue word, else a guess."""
    return next(iter(cued_days(dates, before)), guessed_day(dates, before))


def is_guessed(calendar: Calendar, document: Document, spans: Sequence[tuple[int, int]]) -> bool:
    """Tell whether nothing gives the index day of a note with dates at these places."""
    if stated(document):
        return False
    dates, places = Dates.in_text(calendar, document.text, spans)
    before = [document.text[max(0, start - REACH) : start] for _, start, _ in places]
    return not cued_days(dates, before) and guessed_day(dates, before) is not None


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
