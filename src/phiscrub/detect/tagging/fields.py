"""Traits of what announces a token: the label of its field, and the heading of its section."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

import numpy as np

from phiscrub.core.note import Note
from phiscrub.detect.tagging.layout import Column, Layout
from phiscrub.lexicons.phrases import fold
from phiscrub.tokenize.sections import headings

REACH = 40  # characters of the longest label
MOST_WORDS = 5
STOP = re.compile(r"[.;|\t?!,]|\s{2,}|[-*•·]\s")  # what a label does not go back across
DIGITS = re.compile(r"\d+")
WORD = re.compile(r"[^\W\d_]+")


def section(layout: Layout) -> Column:
    """Return the heading that the token is under, folded, numbers as 0."""
    known: dict[str, int] = {}
    ids = np.zeros(len(layout), dtype=np.int32)
    for note, base in _bases(layout):
        names, under = headings(note)
        own = [known.setdefault(name, len(known)) for name in names]
        ids[base : base + len(under)] = np.array(own, dtype=np.int32)[under]
    return Column(tuple(map(normalised, known)), ids)


def field(layout: Layout) -> Column:
    """Return the label before the last colon on the token's line, folded, numbers as 0.

    A label that ends its line announces the next line where that has none of its own. What
    stands before the line's first colon, the label itself included, has no field.
    """
    known = {"": 0}
    ids = np.zeros(len(layout), dtype=np.int32)
    for note, base in _bases(layout):
        starts, _ = note.tokens.offsets()
        for label, begin, end in _fields(note.text):
            first, last = bisect_left(starts, begin), bisect_left(starts, end)
            ids[base + first : base + last] = known.setdefault(label, len(known))
    return Column(tuple(known), ids)


def normalised(label: str) -> str:
    """Return a label as it is compared: folded, numbers as 0, single blanks."""
    return " ".join(DIGITS.sub("0", fold(label)).split())


def _bases(layout: Layout) -> Iterator[tuple[Note, int]]:
    """Yield each note and the number of its first token."""
    frame = layout.frame
    return zip(frame.notes, frame.note_starts.tolist(), strict=False)


def _fields(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield ``(label, begin, end)`` of the stretches that labels announce, in order, disjoint."""
    if ":" not in text:
        return
    announced = ""
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        found = list(_labels(line)) if ":" in line else []
        if not found:
            if announced and line.strip():
                yield announced, start, end
                announced = ""
            start = end
            continue
        limits = [begin for begin, _, _ in found[1:]] + [len(line)]
        for (_, behind, label), limit in zip(found, limits, strict=True):
            if line[behind:limit].strip():
                yield label, start + behind, start + limit
        announced = "" if line[found[-1][1] :].strip() else found[-1][2]
        start = end


def _labels(line: str) -> Iterator[tuple[int, int, str]]:
    """Yield where a label begins, where its colon ends, and the label."""
    done = 0
    at = line.find(":")
    while at >= 0:
        label = _before(line, max(done, at - REACH), at)
        clock = line[at + 1 : at + 2].isdigit() and line[at - 1 : at].isdigit()
        if label and not clock and not line.startswith("//", at + 1):
            yield at - len(label), at + 1, normalised(label)
            done = at + 1
        at = line.find(":", at + 1)


def _before(line: str, low: int, colon: int) -> str:
    """Return the words before a colon that can be its label, as they stand, or ''.

    Where a value or prose can stand before, a label begins with a capital.
    """
    piece = STOP.split(line[low:colon].rstrip())[-1]
    words = list(WORD.finditer(piece))
    if not words:
        return ""
    if not low and len(words) <= MOST_WORDS:
        return piece[words[0].start() :]
    begins = [word.start() for word in words[-MOST_WORDS:] if word[0][0].isupper()]
    return piece[begins[-1] :] if begins else ""
