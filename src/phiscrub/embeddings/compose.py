"""Several embeddings as one: what the first lacks is taken from the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.vectors import Matrix, Vectors

PARTS, UNKNOWN = "parts of the word", "unknown"


@dataclass(frozen=True, slots=True)
class Composed:
    """Embeddings of as many dimensions each, the primary one first.

    Source: Kassaie 2016 composes vectors of a small corpus with pretrained ones. Raises
    `SettingsError` where there is none, or where dimensions or all but the names are the same.
    """

    embeddings: tuple[Embedding, ...]

    def __post_init__(self) -> None:
        if not self.embeddings:
            raise SettingsError("no vectors to compose", hint="name a file")
        primary = self.embeddings[0]
        for other in self.embeddings[1:]:
            if other.dimensions != primary.dimensions:
                raise SettingsError(
                    f"has vectors of {other.dimensions} dimensions, and {primary.name} of "
                    f"{primary.dimensions}",
                    where=other.name,
                    hint="vectors that are composed must have as many dimensions",
                )
        names = [embedding.name for embedding in self.embeddings]
        if len(set(names)) != len(names):
            raise SettingsError("vectors of one name are composed", hint="name others")

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return self.embeddings[0].dimensions

    @property
    def sources(self) -> tuple[str, ...]:
        """Where a vector may come from, by the numbers that `rows` gives."""
        return (*(embedding.name for embedding in self.embeddings), PARTS, UNKNOWN)

    def rows(self, words: Sequence[str]) -> tuple[Matrix, NDArray[np.int8]]:
        """Return a vector a word, and the number of its source.

        What no vocabulary has gets the mean of its parts' vectors from the first embedding that
        has subwords, else the primary's vector of unknown words.
        """
        count = len(self.embeddings)
        found = np.tile(self.embeddings[0].otherwise(), (len(words), 1))
        source = np.full(len(words), count + 1, dtype=np.int8)
        parted = next((e for e in self.embeddings if e.subwords is not None), None)
        if parted is not None:
            found, source = parted.rows(words)[0], np.full(len(words), count, dtype=np.int8)
        for number in reversed(range(count)):
            rows, known = self.embeddings[number].rows(words)
            found[known] = rows[known]
            source[known] = number
        return found, source

    def of(self, name: str, words: Iterable[str]) -> Embedding:
        """Return one embedding of all those words for which a vocabulary has a vector.

        Words stand in it as they are spelt in a text, so it spells none otherwise. Raises
        `InputError` where there is no such word.
        """
        asked = list(words)
        rows, source = self.rows(asked)
        there = source < len(self.embeddings)
        known = tuple(word for word, known in zip(asked, there.tolist(), strict=True) if known)
        about = {"composed": [embedding.name for embedding in self.embeddings]}
        return Embedding(name, Vectors(known, rows[there]), about=about)


@dataclass(frozen=True, slots=True)
class Share:
    """What one source gives: tokens of a text, and different words among them."""

    source: str
    tokens: int
    words: int


def shares(composed: Composed, counts: Mapping[str, int]) -> tuple[Share, ...]:
    """Tell from which source the words of a text get their vectors; a row a source."""
    words = list(counts)
    tokens = np.array([counts[word] for word in words], dtype=np.int64)
    _, source = composed.rows(words)
    return tuple(
        Share(name, int(tokens[source == number].sum()), int((source == number).sum()))
        for number, name in enumerate(composed.sources)
    )
