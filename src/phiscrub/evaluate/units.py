"""Many texts as one array of characters, and the units that masking is counted in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.batches import by_size
from phiscrub.tokenize.classes import BATCH, SEPARATOR, Codes, Kinds, asked, codes

Places = NDArray[np.int64]
Bits = NDArray[np.bool_]

ASCII_WORD, WORD, VISIBLE, ALNUM = (1 << bit for bit in range(4))

# The tokenizers of the masking measures: runs of [a-zA-Z0-9], of \w and of \S.
TOKENIZERS: Mapping[str, int] = MappingProxyType(
    {"i2b2": ASCII_WORD, "word": WORD, "space": VISIBLE}
)


def _properties(character: str) -> int:
    alnum = character.isalnum()
    return (
        ASCII_WORD * (alnum and character.isascii())
        | WORD * (alnum or character == "_")
        | VISIBLE * (not character.isspace())
        | ALNUM * alnum
    )


def properties(points: Codes) -> Kinds:
    """Return the bits of every character: `ASCII_WORD`, `WORD`, `VISIBLE` and `ALNUM`."""
    return asked(_properties, points)


@dataclass(frozen=True, slots=True, eq=False)
class Units:
    """Tokens or characters of a batch: starts and ends, and the document that each is of."""

    starts: Places
    ends: Places
    documents: Places


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """Texts side by side: what each character is, and where each text begins and ends."""

    first: int  # the number of the first document
    kinds: Kinds
    begins: Places
    ends: Places

    @property
    def size(self) -> int:
        """How many documents it has."""
        return len(self.begins)

    def tokens(self, bit: int) -> Units:
        """Return the runs of characters that have the property."""
        has = np.zeros(len(self.kinds) + 2, dtype=np.int8)
        has[1:-1] = (self.kinds & bit) != 0
        steps = np.diff(has)
        return self._units(np.flatnonzero(steps == 1), np.flatnonzero(steps == -1))

    def characters(self, bit: int) -> Units:
        """Return the characters that have the property, one by one."""
        starts = np.flatnonzero((self.kinds & bit) != 0)
        return self._units(starts, starts + 1)

    def _units(self, starts: Places, ends: Places) -> Units:
        edges = np.searchsorted(starts, [*self.begins.tolist(), len(self.kinds)])
        return Units(starts, ends, np.repeat(np.arange(self.size), np.diff(edges)))


def batches(texts: Sequence[str]) -> Iterator[Batch]:
    """Cut a corpus into batches of about `BATCH` characters."""
    first = 0
    for group in by_size(texts, len, BATCH):
        yield _batch(first, group)
        first += len(group)


def _batch(first: int, texts: Sequence[str]) -> Batch:
    sizes = np.array([len(text) for text in texts], dtype=np.int64)
    ends = np.cumsum(sizes + len(SEPARATOR)) - len(SEPARATOR)
    return Batch(first, properties(codes(SEPARATOR.join(texts))), ends - sizes, ends)


def running(bits: Bits) -> Places:
    """Return how many bits are set before each place, and in all at the last."""
    total = np.zeros(len(bits) + 1, dtype=np.int64)
    np.cumsum(bits, out=total[1:])
    return total


Groups = Callable[[str], Sequence[str]]  # a label's groups: its type, its category, subsets
