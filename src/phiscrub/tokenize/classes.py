"""Character classes, and runs of them, for whole batches of texts at once."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.batches import by_size
from phiscrub.core.tokens import Tokens

Codes = NDArray[np.uint32]  # code points, shape [characters]
Kinds = NDArray[np.uint8]  # a class a character, shape [characters]

SPACE, LETTER, DIGIT, FORMAT, OTHER = range(5)
UNKNOWN = 255
DENSE = 0x3000  # code points below are looked up in a table; it fills in about a millisecond
SLICE = 1 << 16  # characters looked up at once, so that indices stay in the cache
BATCH = 1 << 18  # characters worked on at once, so that memory does not grow with the batch
SEPARATOR = "\n"  # white space in every tokenizer: documents cannot touch each other


def kind(character: str) -> int:
    """Tell one character's class.

    `LETTER` is Unicode L and M (marks belong to the letter before them), `DIGIT` is Nd,
    `FORMAT` is Cf (soft hyphen, zero-width space and joiners, byte-order mark), `SPACE` is what
    `str.isspace` says; all else, control characters and lone surrogates included, is `OTHER`.
    """
    if character.isspace():
        return SPACE
    category = unicodedata.category(character)
    if category[0] in "LM":
        return LETTER
    return {"Nd": DIGIT, "Cf": FORMAT}.get(category, OTHER)


@cache
def _table(ask: Callable[[str], int]) -> Kinds:
    """Return what is said of code points below `DENSE`, and `UNKNOWN` once for all above."""
    return np.array([*(ask(chr(code)) for code in range(DENSE)), UNKNOWN], dtype=np.uint8)


def codes(text: str) -> Codes:
    """Return the text's code points; lone surrogates are code points too."""
    return np.frombuffer(text.encode("utf-32-le", errors="surrogatepass"), dtype="<u4")


def look_up(table: Kinds, points: Codes) -> Kinds:
    """Map code points through a table whose last entry stands for all that it does not hold."""
    kinds = np.empty(len(points), dtype=np.uint8)
    for at in range(0, len(points), SLICE):
        table.take(points[at : at + SLICE], mode="clip", out=kinds[at : at + SLICE])
    return kinds


def asked(ask: Callable[[str], int], points: Codes) -> Kinds:
    """Return what a function says of every character: a number below `UNKNOWN`."""
    kinds = look_up(_table(ask), points)
    rare = np.flatnonzero(kinds == UNKNOWN)
    if len(rare):
        distinct, where = np.unique(points[rare], return_inverse=True)
        known = np.array([ask(chr(code)) for code in distinct.tolist()], dtype=np.uint8)
        kinds[rare] = known[where]
    return kinds


def classify(points: Codes) -> Kinds:
    """Return the class of every code point."""
    return asked(kind, points)


def runs(kinds: Kinds) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return starts and ends of the runs of one class; `SPACE` gives none, `OTHER` never runs."""
    changes = np.ones(len(kinds), dtype=np.bool_)
    np.not_equal(kinds[1:], kinds[:-1], out=changes[1:])
    changes |= kinds == OTHER
    starts = np.flatnonzero(changes)
    ends = np.append(starts[1:], len(kinds))
    kept = kinds[starts] != SPACE
    return starts[kept], ends[kept]


def cut_all(texts: Sequence[str], kinds_of: Callable[[Codes], Kinds]) -> Iterator[Tokens]:
    """Cut every text into the runs of its classes; many texts are worked on as one array."""
    for group in by_size(texts, len, BATCH):
        starts, ends = runs(kinds_of(codes(SEPARATOR.join(group))))
        room = np.array([len(text) + len(SEPARATOR) for text in group])
        bases = np.cumsum(room) - room
        first = np.searchsorted(starts, bases)
        last = np.append(first[1:], len(starts))
        shift = np.repeat(bases, last - first)
        starts32 = (starts - shift).astype(np.int32)
        ends32 = (ends - shift).astype(np.int32)
        for text, low, high in zip(group, first.tolist(), last.tolist(), strict=True):
            yield Tokens(text, starts32[low:high], ends32[low:high])
