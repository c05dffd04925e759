"""What the text of a note tells of its patient: age, sex and country."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from phiscrub.core.span import Span
from phiscrub.replace.british import is_british
from phiscrub.replace.pronouns import HER, PRONOUN

US, UK = "us", "uk"
REACH = 30  # characters beside an age that say whose it is
AGED = re.compile(
    r"(?<![\d.,/-])\d{1,3}[- ]?"
    r"(?:(?:(?:year|yr|month|week|day)s?[- ]old|y[./ ]?o|årig)(?!\w)|y\.o\.)",
    re.I,
)
AGED_ES = re.compile(r"(?:mujer|varón|hombre|niñ[oa]) (?:\w+ ){0,2}?de (\d{1,3}) años(?!\w)", re.I)
DIGITS = re.compile(r"\d{1,3}(?!\d)")
SMALL = re.compile(
    r"\d{1,3}[\s-]?(?:(?P<months>months?|mos?|mes(?:es)?|mån\w*)"
    r"|weeks?|wks?|days?|semanas?|días?|veck\w*|dag\w*)(?!\w)",
    re.I,
)
MONTHS = 12  # of a year
KIN = (
    r"(?<!\w)(?:mother|mom|mum|father|dad|parents?|sister|brother|siblings?|daughter|son|child|kid"
    r"|children|twins?|aunt|uncle|niece|nephew|cousin|wife|husband|partner|boyfriend|girlfriend"
    r"|grand\w+|madre|padre|herman[oa]s?|hij[oa]s?|espos[oa]|marido|abuel[oa]s?|t[íi][oa]|niet[oa]s?"
    r"|mamma\w*|mor|pappa\w*|syster|bror|dotter\w*|sonen|barn|make|maken|hustru\w*|sambo)(?!\w)"
)
NOT_NOW = r"(?<!\w)(?:was|were|at|age|of|ha(?:s|d|ve) an?|with an?|until|los|hace|desde|vid|för)"
SOMEBODY_ELSE = re.compile(rf"{KIN}[^.\n]*$|{NOT_NOW}\s$", re.I)
OF_KIN = re.compile(rf"\W*(?:[\w-]+\W{{1,2}}){{0,2}}?{KIN}", re.I)
SEXES = (
    r"(?:(?P<her>female|woman|lady|girl|mujer|niña|kvinna|flicka)"
    r"|(?P<his>male|man|gentleman|boy|varón|hombre|niño|pojke))"
)
BEHIND = re.compile(
    rf"\W{{0,3}}(?:(?:[\w-]+\W{{1,2}}){{0,4}}?{SEXES}|(?P<f>(?:[rl]h|[wb])?f)|(?P<m>(?:[rl]h|[wb])?m))(?!\w)",
    re.I,
)
BEFORE = re.compile(rf"(?<!\w){SEXES}\W+(?:\w+\W+){{0,2}}$", re.I)
AMERICAN = re.compile(
    r"(?<!\w)(?:Medicare|Medicaid|Social Security|Tylenol|[Aa]cetaminophen|[Aa]lbuterol"
    r"|emergency room|primary care physician|pounds|lbs|Fahrenheit|[A-Z]{2},? \d{5}"
    r"|\(?[2-9]\d\d\)?[ .-]{1,2}\d{3}[.-]\d{4}|[Aa]nemi[ac]|[Ee]dema\w*|[Hh]em[ao]\w{3,}"
    r"|[Dd]iarrhea|[Pp]ediatr\w+|[Ee]soph\w+|[Gg]ynec\w+|[Oo]rthoped\w+|tumors?|color|[Cc]enter|labor)(?!\w)"
)
BRITISH = re.compile(
    r"(?<!\w)(?:A&E|[Pp]aracetamol|[Ss]albutamol|[Aa]naemi[ac]|[Oo]edema\w*|[Hh]aem\w+|[Dd]iarrhoea"
    r"|[Pp]aediatr\w+|[Oo]esoph\w+|[Gg]ynaec\w+|[Oo]rthopaed\w+|tumours?|colour|[Cc]entre|labour)"
    r"(?!\w)"
)


def told_age(text: str, marked: Sequence[Span]) -> int | None:
    """Return the patient's age in years, out of words such as `33-year-old` and marked ages."""
    for start, _ in _ages(text, marked):
        digits = DIGITS.search(text, start)
        if digits:
            small, number = SMALL.match(text, digits.start()), int(digits[0])
            if small:
                return number // MONTHS if small["months"] else 0
            return number
    return None


def told_sex(text: str, marked: Sequence[Span]) -> bool | None:
    """Tell whether the patient is a woman, by the word beside the age, else by the pronouns."""
    for start, end in _ages(text, marked):
        before, behind = text[max(0, start - REACH) : start], text[end : end + 2 * REACH]
        found = BEHIND.match(behind) or BEFORE.search(before)
        if found:
            return bool((found.lastgroup or "") in ("her", "f"))
    said = [found[0].lower() in HER for found in PRONOUN.finditer(text)]
    return 2 * sum(said) > len(said) if said else None


def told_country(text: str) -> str:
    """Return where an English note was written, `us` or `uk`, or nothing where it may be either."""
    if is_british(text):
        return UK
    british, american = len(BRITISH.findall(text)), len(AMERICAN.findall(text))
    return UK if british > american else US if american > british else ""


def _ages(text: str, marked: Sequence[Span]) -> Iterator[tuple[int, int]]:
    """Yield where ages stand that are the patient's and of the day of the note."""
    places = {span.start: span.end for span in marked}
    places |= {found.start(): found.end() for found in AGED.finditer(text)}
    places |= {found.start(1): found.end(1) for found in AGED_ES.finditer(text)}
    for start, end in sorted(places.items()):
        others = SOMEBODY_ELSE.search(text[max(0, start - REACH) : start])
        if (
            not others
            and not OF_KIN.match(text[end : end + REACH])
            and DIGITS.search(text, start, end)
        ):
            yield start, end
