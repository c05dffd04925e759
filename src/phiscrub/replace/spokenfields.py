"""The days and years of a date that are written in words."""

from __future__ import annotations

import re

from phiscrub.replace.calendar import Calendar
from phiscrub.replace.people import fold
from phiscrub.replace.spoken import SPOKEN_DAY, SPOKEN_YEAR, spoken_day, spoken_year
from phiscrub.replace.written import DAY, MONTH, YEAR, Field
from phiscrub.replace.yearwords import years_said

NTH_OF = re.compile(rf"{SPOKEN_DAY.pattern} of (?:the )?$", re.I)  # `twelfth of the ninth`


def spoken_fields(calendar: Calendar, words: str) -> tuple[list[Field], str]:
    """Return what English words and those of the calendar's language say, and the words less it."""
    fields = [
        Field(*said.span(), YEAR, spoken_year(said[0]), spoken=True)
        for said in SPOKEN_YEAR.finditer(words)
    ]
    words = SPOKEN_YEAR.sub(blanked, words)
    for said, year, form in list(years_said(calendar.language, words)):
        fields.append(Field(*said.span(), YEAR, year, form))
        words = words[: said.start()] + blanked(said) + words[said.end() :]
    for said in SPOKEN_DAY.finditer(words):
        kind = MONTH if NTH_OF.search(words[: said.start()]) else DAY
        fields.append(Field(*said.span(), kind, spoken_day(said[0]), spoken=True))
    words = SPOKEN_DAY.sub(blanked, words)
    for said in calendar.said.finditer(words):
        day = calendar.days[fold(said[0])]
        fields.append(Field(*said.span(), DAY, day.number + 1, day))
    return fields, calendar.said.sub(blanked, words)


def blanked(found: re.Match[str]) -> str:
    """Return as many blanks."""
    return " " * len(found[0])
