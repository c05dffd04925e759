"""Counts of one measure, document by document."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.counts import Counts, ratio

Table = NDArray[np.int64]  # shape [documents, 3]: hit, missed, spurious


@dataclass(frozen=True, slots=True)
class Macro:
    """Means over documents with their population standard deviations; None without documents.

    A document with nothing to divide by counts as 0, as the i2b2 script has it. `f1` is the
    harmonic mean of the two means, and None where both are 0.
    """

    precision: float | None
    precision_sd: float | None
    recall: float | None
    recall_sd: float | None

    @property
    def f1(self) -> float | None:
        """The harmonic mean of mean precision and mean recall."""
        if self.precision is None or self.recall is None:
            return None
        return ratio(2 * self.precision * self.recall, self.precision + self.recall)


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """One row of hit, missed and spurious a document: what totals and intervals come from."""

    documents: tuple[str, ...]
    table: Table = field(repr=False)

    @property
    def total(self) -> Counts:
        """The sum over the documents: what micro figures come from."""
        return Counts(*self.table.sum(axis=0).tolist())

    @property
    def macro(self) -> Macro:
        """The mean over the documents."""
        if not self.documents:
            return Macro(None, None, None, None)
        hit, missed, spurious = self.table.T
        precision, recall = divided(hit, hit + spurious), divided(hit, hit + missed)
        return Macro(
            float(precision.mean()),
            float(precision.std()),
            float(recall.mean()),
            float(recall.std()),
        )

    def by_document(self) -> dict[str, Counts]:
        """Return the counts of each document."""
        rows = self.table.tolist()
        return {name: Counts(*row) for name, row in zip(self.documents, rows, strict=True)}


def compared(gold: AbstractSet[object], system: AbstractSet[object]) -> tuple[int, int, int]:
    """Count hit, missed and spurious of two sides that are sets."""
    hit = len(gold & system)
    return hit, len(gold) - hit, len(system) - hit


def tally(documents: Sequence[str], rows: Sequence[Sequence[int]]) -> Tally:
    """Build from one ``(hit, missed, spurious)`` a document."""
    return Tally(tuple(documents), np.array(rows, dtype=np.int64).reshape(-1, 3))


def divided(parts: NDArray[np.int64], wholes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Divide element by element; 0 where there is nothing to divide by."""
    quotients = np.zeros(parts.shape, dtype=np.float64)
    np.divide(parts, wholes, out=quotients, where=wholes != 0)
    return quotients
