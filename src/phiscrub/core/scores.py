"""What a tagger thinks of every token."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import AnnotationError

MATRIX = 2
ROUNDING = 1e-3  # float32 softmax over a few hundred labels stays well inside this


@dataclass(frozen=True, slots=True, eq=False)
class TokenScores:
    """Label probabilities of one note: `proba` is float32 of shape ``[tokens, labels]``.

    Nothing is negative and rows sum to 1. Raises `AnnotationError` where the shape or a row does
    not fit.
    """

    labels: tuple[str, ...]
    proba: NDArray[np.float32] = field(repr=False)

    def __post_init__(self) -> None:
        if self.proba.ndim != MATRIX or self.proba.shape[1] != len(self.labels):
            raise AnnotationError(
                f"scores of shape {self.proba.shape} given for {len(self.labels)} labels"
            )
        if self.proba.size and self.proba.min() < 0:
            raise AnnotationError("a token score is negative")
        if len(self.proba) and not np.allclose(self.proba.sum(axis=1), 1.0, atol=ROUNDING):
            raise AnnotationError("a row of token scores does not sum to 1")
