"""Which words lie near."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from phiscrub.core.errors import InputError
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.vectors import Matrix, Vectors, unit


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Vectors at length 1, so that products are cosines."""

    vectors: Vectors
    units: Matrix = field(repr=False)

    @classmethod
    def of(cls, vectors: Vectors) -> Space:
        """Take vectors of any lengths."""
        return cls(vectors, vectors.units())

    def nearest(
        self, direction: Matrix, number: int, without: Collection[int] = ()
    ) -> list[tuple[str, float]]:
        """Return words by falling cosine with a direction; the more frequent first in a tie."""
        cosines = self.units @ unit(direction)
        cosines[list(without)] = -np.inf
        order = np.argsort(-cosines, kind="stable")[:number]
        return [
            (self.vectors.words[at], float(cosines[at]))
            for at in order.tolist()
            if np.isfinite(cosines[at])
        ]


def neighbours(
    embedding: Embedding, words: Iterable[str], number: int
) -> dict[str, list[tuple[str, float]]]:
    """Return each word's nearest words with their cosines, itself left out.

    Raises `InputError` for a word that has no vector of its own and no parts to make one of.
    """
    space = Space.of(embedding.vectors)
    index = embedding.vectors.index
    found = {}
    for word in words:
        rows, known = embedding.rows([word])
        if not known[0] and (embedding.subwords is None or not rows.any()):
            raise InputError(
                "a word has no vector in the vocabulary",
                where=embedding.name,
                hint="it is rarer than --min-count, or spelt otherwise; --subwords would help",
            )
        own = [index[piece] for piece in embedding.normalise.pieces(word) if piece in index]
        found[word] = space.nearest(rows[0], number, own)
    return found
