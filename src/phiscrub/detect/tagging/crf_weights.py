"""The weights of a CRF as a trainer found them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class CrfWeights:
    """What training learnt, as `CrfModel` holds it; tags are in the order of the trainer."""

    tags: tuple[str, ...]
    attributes: tuple[str, ...] = field(repr=False)
    pointers: NDArray[np.int64] = field(repr=False)
    columns: NDArray[np.int32] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)
    transitions: NDArray[np.float64] = field(repr=False)
