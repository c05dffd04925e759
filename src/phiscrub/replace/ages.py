"""Ages: kept, or grouped by five years; the oldest are one group either way."""

from __future__ import annotations

import re
from enum import StrEnum

from phiscrub.replace.casing import like
from phiscrub.replace.shorten import SMALL_UNIT
from phiscrub.replace.spoken import TENS, UNITS

BAND, OLDEST = 5, 89
WHOLE = re.compile(r"(?<![\d.,])(?P<whole>\d{1,3})(?:[.,]\d+|\s?[¼½¾])?(?![\d.,]\d|\d)")
OLD_POINT = re.compile(r"(?<![\d.,])(?:9|1\d)\d[.,]\Z")
REACH = 5  # characters before an age that may be the rest of its number
SPELLED = re.compile(
    rf"(?<!\w)(?P<tens>{'|'.join(TENS)})(?P<rest>[- ]?(?:{'|'.join(UNITS[1:10])}))?(?!\w)", re.I
)
_teens = "|".join(sorted(UNITS[1:], key=len, reverse=True))
_below = rf"(?:{'|'.join(TENS)})(?:[- ](?:{'|'.join(UNITS[1:10])}))?|{_teens}"
_ett = "ett|en|två|tre|fyra|fem|sex|sju|åtta|nio"
OLD = {  # words for ages above 89, by what stands for all of them
    "ninety": re.compile(
        rf"(?<!\w)(?:(?:an?|one)[- ])?hundred(?:[- ](?:and[- ])?(?:{_below}))?(?!\w)", re.I
    ),
    "noventa": re.compile(
        r"(?<!\w)(?:noventa(?:\s+y\s+(?!medi[oa])|i)[a-zé]+|"
        r"cien(?:to(?:\s+(?!años?\b)[a-zéó]+(?:\s+y\s+[a-z]+)?)?)?)(?!\w)",
        re.I,
    ),
    "nittio": re.compile(
        rf"(?<!\w)(?:nittio\s?(?:{_ett})|"
        rf"(?:ett\s?)?hundra(?:\s?(?:och\s)?(?:tio|elva|tolv|{_ett}))?)(?=år|(?!\w))",
        re.I,
    ),
    "nonagenarian": re.compile(r"(?<!\w)(?:super)?centenarian", re.I),
    "nonagenari": re.compile(r"(?<!\w)(?:super)?centenari(?=[oa]s?(?!\w))", re.I),
}


class Ages(StrEnum):
    """What becomes of ages."""

    KEEP = "keep"
    GROUP = "group"


def age(words: str, ages: Ages, before: str = "") -> str:
    """Return an age as it may stand: 90 for all above 89; grouped, the multiple of five below.

    Days, weeks and months, and ages that cannot be read as years, stay. `before` is the text in
    front: the `5` of `92.5` becomes 0.
    """

    def years(found: re.Match[str]) -> str:
        value = int(found["whole"])
        if SMALL_UNIT.match(words, found.end()):
            return found[0]
        if value > OLDEST:
            return str(OLDEST + 1)
        return str(value // BAND * BAND) if ages is Ages.GROUP and value >= BAND else found[0]

    def spelled(found: re.Match[str]) -> str:
        if SMALL_UNIT.match(found.string, found.end()):
            return found[0]
        if found["tens"].lower() == "ninety":
            return found["tens"]
        rest = found["rest"] or ""
        if ages is not Ages.GROUP or not rest:
            return found[0]
        if UNITS.index(rest.lstrip("- ").lower()) < BAND:
            return found["tens"]
        sign = rest[0] if rest[0] in "- " else ""
        return found["tens"] + sign + like(rest.lstrip("- "), UNITS[BAND])

    if OLD_POINT.search(before[-REACH:]):
        words = re.sub(r"^\d+", "0", words)
    words = WHOLE.sub(years, words)
    for put, old in OLD.items():
        words = old.sub(lambda found, put=put: _ninety(found, put), words)  # type: ignore[misc]
    return SPELLED.sub(spelled, words)


def _ninety(found: re.Match[str], put: str) -> str:
    return found[0] if SMALL_UNIT.match(found.string, found.end()) else like(found[0], put)
