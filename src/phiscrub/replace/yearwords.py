"""Years that are written in Spanish and Swedish words: `mil novecientos ochenta y cuatro`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from phiscrub.replace.calendar import Word
from phiscrub.replace.people import fold
from phiscrub.replace.saidnumbers import (
    DIGITS,
    SPANISH_TENS,
    SWEDISH_TEENS,
    SWEDISH_TENS,
    TEENS,
    TWENTIES,
)

YEARS = "years"
FIRST, LAST = 1700, 2200  # that can be said
READ = range(1850, 2060)  # that are heard as years
HUNDREDS = ("", "cien", "doscientos", *(("",) * 4), "setecientos", "ochocientos", "novecientos")


def years_said(language: str, words: str) -> Iterator[tuple[re.Match[str], int, Word]]:
    """Yield what says a year in words of a language, the year, and how others are said so."""
    pattern, known = _known(language)
    for said in pattern.finditer(words):
        yield said, *known[fold(said[0])]


def said_in(form: Word, year: int) -> str:
    """Return a year as others are said."""
    return form.forms[year - FIRST]


@cache
def _known(language: str) -> tuple[re.Pattern[str], Mapping[str, tuple[int, Word]]]:
    ways = WAYS.get(language, ())
    known: dict[str, tuple[int, Word]] = {}
    forms: set[str] = set()
    for at, way in enumerate(ways):
        said = tuple(map(way, range(FIRST, LAST + 1)))
        word = Word(YEARS, at, said, language)
        for year in READ:
            form = said[year - FIRST]
            forms |= {form, fold(form)}
            known.setdefault(fold(form), (year, word))
    found = "|".join(sorted(forms, key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)" if found else r"(?!)", re.IGNORECASE), known


def _spanish(year: int) -> str:
    thousands, rest = divmod(year, 1000)
    hundreds, rest = divmod(rest, 100)
    hundred = "ciento" if hundreds == 1 and rest else HUNDREDS[hundreds]
    return " ".join(filter(None, ("dos" * (thousands > 1), "mil", hundred, _spanish_below(rest))))


def _spanish_below(number: int) -> str:
    """Return a number under 100, `` for 0."""
    tens, ones = divmod(number, 10)
    digit = DIGITS[1][ones]
    if tens < 2:  # noqa: PLR2004
        return TEENS[ones] if tens else digit * bool(ones)
    if tens == 2 and ones:  # noqa: PLR2004
        return TWENTIES[ones - 1]
    return SPANISH_TENS[tens - 2] + f" y {digit}" * bool(ones)


def _swedish_below(number: int) -> str:
    """Return a number under 100, `` for 0."""
    tens, ones = divmod(number, 10)
    digit = DIGITS[2][ones] * bool(ones)
    if tens < 2:  # noqa: PLR2004
        return SWEDISH_TEENS[ones] if tens else digit
    return SWEDISH_TENS[tens - 2] + digit


def _swedish(parts: str, *, thousand: bool) -> Callable[[int], str]:
    """Return how Swedish says a year with a mark between its parts: `nitton hundra åttiofyra`."""
    first, last = parts.split("hundra")

    def say(year: int) -> str:
        century, rest = divmod(year, 100)
        before = _swedish_below(century) + first + "hundra"
        if thousand and century == 20:  # noqa: PLR2004
            before = "tvåtusen"
        return before + (last + _swedish_below(rest)) * bool(rest)

    return say


WAYS: Mapping[str, tuple[Callable[[int], str], ...]] = {
    "es": (_spanish,),
    "sv": (
        _swedish("hundra", thousand=True),
        _swedish("hundra", thousand=False),
        _swedish("hundra ", thousand=True),
        _swedish(" hundra ", thousand=False),
    ),
}
