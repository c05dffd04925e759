"""Dates that several mentions write together: `March 3` and `5, 2021` of `March 3-5, 2021`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phiscrub.replace.datefields import Reader
from phiscrub.replace.written import DAY, DECADE, MONTH, Written

RANGE = re.compile(r"\s{0,4}[-–—]\s{0,4}|\s{1,4}(?:to|thru|through|until|al|a|till)\s{1,4}", re.I)
LIST = re.compile(r"\s{0,4}[,;&+]\s{0,4}|(?:\s{0,4},)?\s{1,4}(?:and|or|y|och)\s{1,4}", re.I)
DECADE_ENDING = re.compile(r"['’]?s(?!\w)", re.I)
REACH = 20  # characters behind a date that are looked at; nothing that joins two is so long
DATED = frozenset({DAY, MONTH})
MOST = 6  # dates that are read as one


def behind(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """Return what stands behind each date up to the next one, `REACH` characters at most."""
    starts = [*(start for start, _ in spans[1:]), len(text)]
    return [text[e : min(e + REACH, s)] for (_, e), s in zip(spans, starts, strict=False)]


def read_together(
    reader: Reader, words: Sequence[str], behind: Sequence[str]
) -> tuple[Written | None, ...]:
    """Read dates in order; `behind` is the text from the end of each to the next one's start.

    Days that lean on the month of another are parts of one `Written`; a year with `'s` behind it
    is a decade.
    """
    alone = [_alone(reader, *one) for one in zip(words, behind, strict=True)]
    told = [DATED & {f.kind for f in one.fields} if one else frozenset() for one in alone]
    read: list[Written | None] = []
    while len(read) < len(words):
        at = len(read)
        read += _parts(reader, words, behind, told, at) or [alone[at]]
    return tuple(read)


def _parts(
    reader: Reader,
    words: Sequence[str],
    behind: Sequence[str],
    told: Sequence[frozenset[str]],
    at: int,
) -> list[Written | None]:
    """Return the most dates from there on that are days of one month, none if one stands alone.

    `told` is which of day and month each has of its own: with both it leans on nobody.
    """
    last = at
    while last - at < MOST and last + 1 < len(words) and _joins(behind[last]):
        last += 1
    for end in range(last, at, -1):
        kinds = told[at : end + 1]
        if all(one == DATED for one in kinds) or not any(MONTH in one for one in kinds):
            continue
        whole, places = "", []
        for index in range(at, end + 1):
            places.append((len(whole), len(whole) + len(words[index])))
            whole += words[index] + behind[index] * (index < end)
        written = reader.read(whole)
        if written is None or sum(field.kind == MONTH for field in written.fields) != 1:
            continue
        parts = [replace(written, part=place) for place in places]
        if all(any(field.kind == DAY for field in part.own) for part in parts):
            return list(parts)
    return []


def _joins(behind: str) -> bool:
    return (RANGE.fullmatch(behind) or LIST.fullmatch(behind)) is not None


def _alone(reader: Reader, words: str, behind: str) -> Written | None:
    ending = DECADE_ENDING.match(behind)
    if ending and words.endswith("0"):
        written = reader.read(words + ending[0])
        if written and written.fields[-1].kind == DECADE:
            decade = replace(written.fields[-1], end=len(words))
            return Written(words, (*written.fields[:-1], decade))
    return reader.read(words)
