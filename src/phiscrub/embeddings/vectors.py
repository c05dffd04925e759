"""Words with their vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import InputError

Matrix = NDArray[np.float32]
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Vectors:
    """Different words, the most frequent first where that is known, and a vector each.

    `matrix` is float32, of shape ``[words, dimensions]``. `index` gives a word's row. The words
    stay out of the repr: a vocabulary can hold a name. Raises `InputError` where there is no
    word, no dimension, a word twice, or a number that is not finite.
    """

    words: tuple[str, ...] = field(repr=False)
    matrix: Matrix = field(repr=False)
    index: Mapping[str, int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        index = {word: at for at, word in enumerate(self.words)}
        if not self.words:
            raise InputError("an empty vocabulary: there are no vectors")
        if self.matrix.ndim != len(("words", "dimensions")) or not self.matrix.shape[1]:
            raise InputError("vectors without dimensions")
        if len(self.words) != len(self.matrix):
            raise InputError(f"{len(self.words)} words, and {len(self.matrix)} vectors")
        if len(index) != len(self.words):
            raise InputError("a word has two vectors")
        if not np.isfinite(self.matrix).all():
            raise InputError("a vector holds what is no finite number")
        object.__setattr__(self, "index", MappingProxyType(index))

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dimensions(self) -> int:
        """How many numbers a vector has."""
        return int(self.matrix.shape[1])

    def units(self) -> Matrix:
        """Return the vectors at length 1; a vector of zeros stays as it is."""
        return unit(self.matrix)


def unit(rows: Matrix) -> Matrix:
    """Return rows at length 1; a row of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)
