"""Vectors for words that were never seen, from the letters that they are made of."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.embeddings.vectors import Matrix, Numbers, Vectors

SHORTEST, LONGEST = 3, 6  # letters of a part, the marks of a word's edges included
RIDGE = 0.01
STEPS = 30
CHUNK = 1 << 18  # parts whose vectors are summed at once


@dataclass(frozen=True, slots=True, eq=False)
class Subwords:
    """A vector for each bucket that parts of words are hashed into, float32 ``[buckets, d]``.

    A word's vector is the mean of its parts'. The parts are those of fastText (Bojanowski et
    al. 2017): runs of 3 to 6 letters of ``<word>``. The table is not trained with the words but
    fitted to their vectors, whatever trained these. Source: Zhao, Mudgal and Liang 2018,
    Generalizing word embeddings using bag of subwords.
    """

    table: Matrix = field(repr=False)

    def row(self, word: str) -> Matrix:
        """Return a word's vector; zeros for no word."""
        places = parts(word, len(self.table))
        if not places:
            return np.zeros(self.table.shape[1], dtype=np.float32)
        return np.asarray(self.table[places].mean(axis=0), dtype=np.float32)

    @classmethod
    def fit(
        cls, vectors: Vectors, buckets: int, *, ridge: float = RIDGE, steps: int = STEPS
    ) -> Subwords:
        """Fit the table to words' vectors: least squares with a ridge, by conjugate gradients.

        Raises `SettingsError` where there is no bucket.
        """
        if buckets < 1:
            raise SettingsError("no bucket for parts of words", hint="give 1 or more")
        hashed = [parts(word, buckets) for word in vectors.words]
        rows = np.flatnonzero([len(found) for found in hashed])
        bag = _Bag.of([hashed[row] for row in rows.tolist()])
        fitted = _solve(bag, vectors.matrix[rows].astype(np.float64), ridge, steps)
        table = np.zeros((buckets, vectors.dimensions), dtype=np.float32)
        table[bag.buckets] = fitted
        return cls(table)


def parts(word: str, buckets: int) -> list[int]:
    """Return the bucket of every part of a word, repetitions included."""
    if not word:
        return []
    marked = f"<{word}>"
    return [
        zlib.crc32(marked[start : start + size].encode("utf-8", "surrogatepass")) % buckets
        for size in range(SHORTEST, LONGEST + 1)
        for start in range(len(marked) - size + 1)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class _Bag:
    """Which words have which buckets; `buckets` are those that are used, by rising number."""

    buckets: Numbers
    of_words: tuple[Numbers, Numbers]  # used bucket of each part, and where words begin
    of_buckets: tuple[Numbers, Numbers]  # word of each part, and where buckets begin
    sizes: np.ndarray  # parts of each word, as a column

    @classmethod
    def of(cls, hashed: Sequence[Sequence[int]]) -> _Bag:
        lengths = np.array([len(found) for found in hashed], dtype=np.int64)
        used, flat = np.unique(np.concatenate([*map(np.asarray, hashed)]), return_inverse=True)
        word = np.repeat(np.arange(len(hashed)), lengths)
        by_bucket = np.argsort(flat, kind="stable")
        many = np.bincount(flat, minlength=len(used))
        starts, firsts = np.cumsum(lengths) - lengths, np.cumsum(many) - many
        return cls(used, (flat, starts), (word[by_bucket], firsts), lengths[:, None])

    def words(self, table: np.ndarray) -> np.ndarray:
        """Return each word's mean over its buckets."""
        summed: np.ndarray = _sums(table, *self.of_words) / self.sizes
        return summed

    def back(self, rows: np.ndarray) -> np.ndarray:
        """Return what `words` carries back: the transposed map."""
        return _sums(rows / self.sizes, *self.of_buckets)


def _sums(table: np.ndarray, picks: Numbers, starts: Numbers) -> np.ndarray:
    """Sum the rows that each run of picks names; no run is empty."""
    sums = np.empty((len(starts), table.shape[1]))
    first = 0
    while first < len(starts):
        last = max(first + 1, int(np.searchsorted(starts, starts[first] + CHUNK)))
        end = starts[last] if last < len(starts) else len(picks)
        picked = table[picks[starts[first] : end]]
        sums[first:last] = np.add.reduceat(picked, starts[first:last] - starts[first], axis=0)
        first = last
    return sums


def _solve(bag: _Bag, wanted: np.ndarray, ridge: float, steps: int) -> np.ndarray:
    """Solve ``(A'A + ridge) x = A'wanted``, every dimension for itself."""

    def apply(x: np.ndarray) -> np.ndarray:
        product: np.ndarray = bag.back(bag.words(x)) + ridge * x
        return product

    return conjugate(apply, bag.back(wanted), steps)


def conjugate(
    apply: Callable[[np.ndarray], np.ndarray], wanted: np.ndarray, steps: int
) -> np.ndarray:
    """Solve ``apply(x) = wanted`` column by column, for a symmetric, positive definite map."""
    x = np.zeros_like(wanted)
    left = wanted.copy()
    way = left.copy()
    size = (left * left).sum(axis=0)
    for _ in range(steps):
        if not size.any():
            break
        moved = apply(way)
        along = (way * moved).sum(axis=0)
        step = np.divide(size, along, out=np.zeros_like(size), where=along > 0)
        x += step * way
        left -= step * moved
        smaller = (left * left).sum(axis=0)
        turn = np.divide(smaller, size, out=np.zeros_like(size), where=size > 0)
        way = left + turn * way
        size = smaller
    return x
