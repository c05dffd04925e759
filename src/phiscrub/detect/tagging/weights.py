"""Sparse weights of attributes, summed for many rows at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Weights:
    """Rows of weights, one an attribute, for a number of tags; as in `CrfModel`."""

    tags: int
    pointers: NDArray[np.int64] = field(repr=False)
    columns: NDArray[np.int32] = field(repr=False)
    weights: Floats = field(repr=False)

    def summed(self, rows: Ints, attributes: Ints, count: int) -> Floats:
        """Return float64 ``[count, tags]``: to each row the weights of its attributes, added up.

        `rows` and `attributes` are pairs; a negative attribute is none. Weights are added in the
        order of the pairs, so that what else is in a batch cannot change a sum's last bit.
        """
        known = attributes >= 0
        rows, attributes = rows[known], attributes[known]
        starts = self.pointers[attributes]
        sizes = self.pointers[attributes + 1] - starts
        ends = np.cumsum(sizes)
        places = np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + sizes, sizes)
        cells = np.repeat(rows * self.tags, sizes) + self.columns[places]
        flat = np.bincount(cells, self.weights[places], count * self.tags)
        return flat.astype(np.float64, copy=False).reshape(count, self.tags)
