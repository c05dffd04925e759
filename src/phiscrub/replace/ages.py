"""Ages: kept, or grouped by five years; the oldest are one group either way."""

from __future__ import annotations

import re
from enum import StrEnum

from phiscrub.replace.casing import like
from phiscrub.replace.shorten import SMALL_UNIT
from phiscrub.replace.spoken import TENS, UNITS

BAND, OLDEST = 5, 89
WHOLE = re.compile(r"(?<![\d.,])\d{1,3}(?![\d.,]\d|\d)")
SPELLED = re.compile(
    rf"(?<!\w)(?P<tens>{'|'.join(TENS)})(?P<rest>[- ]?(?:{'|'.join(UNITS[1:10])}))?(?!\w)", re.I
)


class Ages(StrEnum):
    """What becomes of ages."""

    KEEP = "keep"
    GROUP = "group"


def age(words: str, ages: Ages) -> str:
    """Return an age as it may stand: 90 for all above 89; grouped, the multiple of five below.

    Days, weeks and months, and ages that cannot be read as years, stay.
    """

    def years(found: re.Match[str]) -> str:
        value = int(found[0])
        if SMALL_UNIT.match(words, found.end()):
            return found[0]
        if value > OLDEST:
            return str(OLDEST + 1)
        return str(value // BAND * BAND) if ages is Ages.GROUP and value >= BAND else found[0]

    def spelled(found: re.Match[str]) -> str:
        if found["tens"].lower() == "ninety":
            return found["tens"]
        rest = found["rest"] or ""
        if ages is not Ages.GROUP or not rest:
            return found[0]
        if UNITS.index(rest.lstrip("- ").lower()) < BAND:
            return found["tens"]
        sign = rest[0] if rest[0] in "- " else ""
        return found["tens"] + sign + like(rest.lstrip("- "), UNITS[BAND])

    return SPELLED.sub(spelled, WHOLE.sub(years, words))
