"""Many strings, wherever they stand by themselves in one text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

PIECE = re.compile(r"[^\W_]+")  # as `str.isalnum` has it
MARKS = 4  # signs at most between the end of one sentence and the first word of the next


def standing(text: str, strings: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield where each of some different strings stands, and the string, in no certain order.

    A string stands where no letter or digit touches it; one that has none itself is not found.
    One pass of the text asks at each run of letters and digits for the strings whose first run it
    is, by how much of them lies before it and how long they are.
    """
    known: set[str] = set()
    shapes: dict[str, set[tuple[int, int]]] = defaultdict(set)
    for string in strings:
        if first := PIECE.search(string):
            known.add(string)
            shapes[first[0]].add((first.start(), len(string)))
    for piece in PIECE.finditer(text) if known else ():
        for before, length in shapes.get(piece[0], ()):
            start = piece.start() - before
            end = start + length
            if start < 0 or end > len(text) or text[start:end] not in known:
                continue
            if not (text[max(0, start - 1) : start].isalnum() or text[end : end + 1].isalnum()):
                yield start, text[start:end]


def sentence_mark(text: str, place: int) -> str:
    """Return the mark, or line end, that ends what is before the sentence that begins at a place.

    Quotes, brackets, bullets and blanks may part them. Empty within a sentence.
    """
    before = text[max(0, place - MARKS) : place].rstrip(" \t\"'“‘(*-")
    mark = before[-1:] or "\n"
    return mark if mark in ".!?:;\n" else ""
