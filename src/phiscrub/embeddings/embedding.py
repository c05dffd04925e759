"""Vectors as they are used: for any word, known or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.embeddings.normalise import UNKNOWN, Normalise
from phiscrub.embeddings.subwords import Subwords
from phiscrub.embeddings.vectors import Matrix, Vectors

Known = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Embedding:
    """Vectors, how words are spelt in them, and what stands in for a word that they lack.

    `about` says how they came about: settings, text, counts; plain values, as JSON has them.
    """

    name: str
    vectors: Vectors
    normalise: Normalise = field(default_factory=Normalise)
    subwords: Subwords | None = None
    about: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self.vectors.dimensions

    def rows(self, words: Sequence[str]) -> tuple[Matrix, Known]:
        """Return a vector a word, and whether the vocabulary has the word.

        A word that is split has the mean of its pieces, if all are there. One that is not known
        has the mean of its parts' vectors where there are subwords, else the vector of ``UNK``,
        else zeros.
        """
        index, matrix = self.vectors.index, self.vectors.matrix
        found = np.tile(self.otherwise(), (len(words), 1))
        known = np.zeros(len(words), dtype=bool)
        for at, word in enumerate(words):
            pieces = self.normalise.pieces(word)
            places = [index[piece] for piece in pieces if piece in index]
            if places and len(places) == len(pieces):
                found[at] = matrix[places[0]] if len(places) == 1 else matrix[places].mean(axis=0)
                known[at] = True
            elif self.subwords is not None:
                found[at] = self.subwords.row("".join(pieces))
        return found, known

    def parted(self, buckets: int) -> Embedding:
        """Return the embedding with parts of words, hashed into so many buckets."""
        return replace(self, subwords=Subwords.fit(self.vectors, buckets))

    def otherwise(self) -> Matrix:
        """Return the vector of a word of which nothing is known: that of ``UNK``, or zeros."""
        at = self.vectors.index.get(UNKNOWN)
        if at is None:
            return np.zeros(self.dimensions, dtype=np.float32)
        found: Matrix = self.vectors.matrix[at]
        return found
