"""Dates that several mentions write together: `March 3` and `5, 2021` of `March 3-5, 2021`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from phiscrub.replace.clock import without_times
from phiscrub.replace.datefields import Reader
from phiscrub.replace.holidays import Holiday
from phiscrub.replace.written import (
    DAY,
    DECADE,
    MONTH,
    QUARTER,
    SEASON,
    WEEK,
    YEAR,
    YEAR2,
    Field,
    Written,
)

_THE = r"(?:(?:the|el|den)\s{1,2})?"
RANGE = re.compile(
    rf"(?:\s{{0,4}}[-–—]\s{{0,4}}|\s{{1,4}}(?:to|thru|through|until|al|a|till)\s{{1,4}}){_THE}",
    re.I,
)
LIST = re.compile(
    rf"(?:\s{{0,4}}[,;&+]\s{{0,4}}|(?:\s{{0,4}},)?\s{{1,4}}(?:and|or|y|och)\s{{1,4}}){_THE}", re.I
)
APART = re.compile(r"[-/.]|,\s{0,2}|[^\S\n]{1,2}|\s{1,2}(?:of|del?)\s{1,2}", re.I)  # from a year
SIGN, SPACES = re.compile(r"[-/]"), re.compile(r"[^\S\n]+")
TAIL = re.compile(
    r"(?:\s{0,4}[-–—,;&+/]|\s{1,4}(?:to|thru|through|until|and|or|al?|y|till|och))\Z", re.I
)
DECADE_ENDING = re.compile(r"['’]?s(?!\w)", re.I)
REACH = 20  # characters behind a date that are looked at; nothing that joins two is so long
DATED, YEARS = frozenset({DAY, MONTH}), frozenset({YEAR, YEAR2})
PARTED = frozenset({MONTH, SEASON, QUARTER, WEEK})  # what a year apart may be of
MOST = 6  # dates that are read as one


def behind(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return what stands behind each date up to the next one, `REACH` characters at most."""
    starts = [*(start for start, _ in spans[1:]), len(text)]
    return [text[e : min(e + REACH, s)] for (_, e), s in zip(spans, starts, strict=False)]


def bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where a date begins and ends without spaces and what joins it to the next."""
    words = text[start:end].rstrip()
    tail = TAIL.search(words)
    last = tail.start() if tail else len(words)
    first = len(words) - len(words.lstrip())
    return (start + first, start + last) if first < last else (start, end)


def is_joint(between: str) -> bool:
    """Tell whether the text between two dates makes a range or a list of them."""
    return (RANGE.fullmatch(between) or LIST.fullmatch(between)) is not None


def read_together(
    reader: Reader, words: Sequence[str], behind: Sequence[str]
) -> tuple[Written | None, ...]:
    """Read dates in order; `behind` is the text from the end of each to the next one's start.

    Days that lean on the month of another are parts of one `Written`, and so are a date and its
    year; a year with `'s` behind it is a decade.
    """
    alone = [_alone(reader, *one) for one in zip(words, behind, strict=True)]
    told = [frozenset(f.kind for f in one.fields) if one else frozenset() for one in alone]
    read: list[Written | None] = []
    while len(read) < len(words):
        at = len(read)
        parts = _parts(reader, words, behind, told, at)
        read += parts or _named(reader, words, behind, alone, at) or [alone[at]]
    return tuple(read)


def _parts(
    reader: Reader,
    words: Sequence[str],
    behind: Sequence[str],
    told: Sequence[frozenset[str]],
    at: int,
) -> list[Written | None]:
    """Return the most dates from there on that are one, none if one stands alone.

    `told` is what each has of its own: with day and month it leans on nobody.
    """
    last = at
    while last - at < MOST and last + 1 < len(words) and _joins(behind[last], *told[last:][:2]):
        last += 1
    for end in range(last, at, -1):
        kinds = told[at : end + 1]
        dated = any(_is_year(one) for one in kinds)
        if not dated and (all(one >= DATED for one in kinds) or not any(MONTH in k for k in kinds)):
            continue
        whole, places = "", []
        for index in range(at, end + 1):
            places.append((len(whole), len(whole) + len(words[index])))
            whole += words[index] + behind[index] * (index < end)
        written = reader.read(whole)
        if written is None:
            continue
        parts = [replace(written, part=place) for place in places]
        if all(part.own for part in parts) and _are_one(parts, kinds):
            return list(parts)
    return []


def _are_one(parts: Sequence[Written], told: Sequence[frozenset[str]]) -> bool:
    """Tell whether parts are days of one month, with a year or without, or a time and its year."""
    kinds = Counter(field.kind for field in parts[0].fields)
    days = [part for part, kind in zip(parts, told, strict=True) if not _is_year(kind)]
    if kinds[MONTH] == 1 and all(any(f.kind == DAY for f in part.own) for part in days):
        numbers = [field.value for field in parts[0].fields if field.kind == DAY]
        rises = numbers == sorted(numbers)  # `28 March to the 2nd` is of two months
        return rises or RANGE.search(parts[0].words) is None
    if len(days) != 1 or len(parts) == 1:
        return False
    years = kinds[YEAR] + kinds[YEAR2]
    if years == 1:
        return sum(kinds[kind] for kind in PARTED) == 1
    return parts[0].winter is not None or kinds == {YEAR: 1, YEAR2: 1}


def _named(
    reader: Reader,
    words: Sequence[str],
    behind: Sequence[str],
    alone: Sequence[Written | None],
    at: int,
) -> list[Written | None]:
    """Return a named day, which is not read here, and its year behind it; none of others."""
    year = alone[at + 1] if at + 1 < len(words) else None
    if alone[at] or year is None or [f.kind for f in year.fields] != [YEAR]:
        return []
    written = year.fields[0]
    named = Holiday.find(reader.calendar, f"{words[at]} {written.value}", date(written.value, 7, 1))
    if named is None or not _is_apart(behind[at]):
        return []
    before = len(words[at] + behind[at])
    of_day = (
        Field(0, len(words[at]), kind, value)
        for kind, value in ((MONTH, named.day.month), (DAY, named.day.day))
    )
    moved = replace(written, start=written.start + before, end=written.end + before)
    whole = words[at] + behind[at] + words[at + 1]
    return [None, Written(whole, (*of_day, moved), part=(before, len(whole)))]


def _joins(behind: str, one: frozenset[str], two: frozenset[str]) -> bool:
    """Tell whether two dates may be one by what stands between."""
    if _is_year(two):
        return not _is_year(one) and _is_apart(behind)
    if _is_year(one):
        return SIGN.fullmatch(behind) is not None
    return is_joint(behind)


def _is_year(kinds: frozenset[str]) -> bool:
    return bool(kinds) and kinds <= YEARS


def _is_apart(behind: str) -> bool:
    """Tell whether that between a date and a year lets them be one: nothing, or a time of day."""
    return len(behind) < REACH and (
        APART.fullmatch(SPACES.sub(" ", without_times(behind))) is not None
    )


def _alone(reader: Reader, words: str, behind: str) -> Written | None:
    ending = DECADE_ENDING.match(behind)
    if ending and words.endswith("0"):
        written = reader.read(words + ending[0])
        if written and written.fields[-1].kind == DECADE:
            decade = replace(written.fields[-1], end=len(words))
            return Written(words, (*written.fields[:-1], decade))
    return reader.read(words)
