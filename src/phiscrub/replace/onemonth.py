"""Days of one month in digits: `3/12-14/2012`, `12-14/3/2012`, `4/12, 13 and 14`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from phiscrub.replace.written import DAY, MONTH, YEAR2

MONTHS_A_YEAR, LAST_DAY = 12, 31
SPANNED = r"\s?(?:[-–—]|to)\s?\d{1,2}"
ADDED = r"(?:\s?(?:[,;&+]|(?<=\s)(?:and|or|y|och)(?=\s))\s?\d{1,2})"
MONTH_DAYS = re.compile(rf"\d{{1,2}}([/.])\d{{1,2}}(?:{SPANNED}|{ADDED}+)(?:\1\d{{4}})?")
DAYS_MONTH = re.compile(
    rf"\d{{1,2}}(?:{SPANNED}|{ADDED}+)([/.])\d{{1,2}}(?:\1(?:\d{{4}}|\d\d)| \d{{4}})?"
)
NUMERIC = re.compile(r"\d+")


def one_month(words: str, values: Sequence[int], *, day_first: bool) -> tuple[str, ...]:
    """Return what the numbers of a range or list of days are, () if words are none.

    `values` are the numbers without a year of four digits.
    """
    kinds: tuple[str, ...]
    if MONTH_DAYS.fullmatch(words):
        month, *days = values
        kinds, sure = (MONTH, *[DAY] * len(days)), not day_first or days[0] > MONTHS_A_YEAR
    elif found := DAYS_MONTH.fullmatch(words):
        days = list(values[: len(NUMERIC.findall(words[: found.start(1)]))])
        month = values[len(days)]
        kinds = (*[DAY] * len(days), MONTH, YEAR2)[: len(values)]
        whole = words.count("/") + words.count(".") > 1
        sure = day_first or (days[-1] > MONTHS_A_YEAR and whole)
    else:
        return ()
    rises = days == sorted(set(days)) and days[-1] <= LAST_DAY
    return kinds if sure and rises and month <= MONTHS_A_YEAR else ()
