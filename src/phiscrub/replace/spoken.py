"""Days, years and numbers that are written in English words."""

from __future__ import annotations

import re

ORDINALS = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
    "twenty-first",
    "twenty-second",
    "twenty-third",
    "twenty-fourth",
    "twenty-fifth",
    "twenty-sixth",
    "twenty-seventh",
    "twenty-eighth",
    "twenty-ninth",
    "thirtieth",
    "thirty-first",
]
UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
SPOKEN_DAY = re.compile(
    r"(?<!\w)(?:" + "|".join(o.replace("-", "[- ]") for o in reversed(ORDINALS)) + r")(?!\w)", re.I
)
_below = "|".join((*sorted(UNITS[1:], key=len, reverse=True), "oh", "o"))
_tens = f"(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(UNITS[1:10])}))?"
SPOKEN_YEAR = re.compile(
    rf"(?<!\w)(?:two thousand(?: and)?(?: (?:{_tens}|{_below}))?|"
    rf"(?:nineteen|eighteen|twenty)[- ](?:hundred|oh[- ](?:{_below})|{_tens}|(?:{_below})))(?!\w)",
    re.I,
)
SHORT_YEAR = re.compile(  # `ninety six`, more than a month has days
    rf"\s*(?:{'|'.join(TENS[2:])})(?:[- ](?:{'|'.join(UNITS[1:10])}))?\s*", re.I
)


def spoken_day(words: str) -> int:
    """Return the day of a month that an ordinal in words names."""
    return ORDINALS.index(words.lower().replace(" ", "-")) + 1


def spoken_year(words: str) -> int:
    """Return the year that words name, as `SPOKEN_YEAR` finds them."""
    parts = [p for p in re.split(r"[- ]", words.lower()) if p not in ("and", "oh", "o")]
    if parts[:2] == ["two", "thousand"]:
        return 2000 + _number(parts[2:])
    century = _number(parts[:1]) * 100
    return century + (0 if parts[1:] == ["hundred"] else _number(parts[1:]))


def short_year(words: str) -> int | None:
    """Return the year of two digits that words are, None where they may be a day or a month."""
    if SHORT_YEAR.fullmatch(words) is None:
        return None
    return _number(re.split(r"[- ]", words.lower().strip()))


def _number(parts: list[str]) -> int:
    return sum((TENS.index(part) + 2) * 10 if part in TENS else UNITS.index(part) for part in parts)


def spell(number: int) -> str:
    """Return a number under 100 in English words."""
    if number < len(UNITS):
        return UNITS[number]
    tens, rest = divmod(number, 10)
    return TENS[tens - 2] + (f" {UNITS[rest]}" if rest else "")


def spell_year(year: int) -> str:
    """Return a year in English words."""
    century, rest = divmod(year, 100)
    if century == 20 and rest < 10:  # noqa: PLR2004
        return f"two thousand and {spell(rest)}" if rest else "two thousand"
    if not rest:
        return f"{spell(century)} hundred"
    return f"{spell(century)} {'oh ' * (rest < 10)}{spell(rest)}"  # noqa: PLR2004
