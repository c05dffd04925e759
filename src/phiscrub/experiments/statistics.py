"""What the papers test: correlations and repeated measures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phiscrub.embeddings.study import two_sided

FEWEST = 3  # pairs of which a correlation says anything


@dataclass(frozen=True, slots=True)
class Correlation:
    """Pearson's r of so many pairs, and the two-sided p of its t test; None where undefined."""

    pairs: int
    r: float | None
    p: float | None


def pearson(xs: Sequence[float], ys: Sequence[float]) -> Correlation:
    """Correlate paired values; undefined for fewer than three pairs or where a side is constant."""
    count = len(xs)
    one, other = np.asarray(xs, dtype=np.float64), np.asarray(ys, dtype=np.float64)
    if count < FEWEST or not np.ptp(one) or not np.ptp(other):
        return Correlation(count, None, None)
    r = float(np.clip(np.corrcoef(one, other)[0, 1], -1.0, 1.0))
    freedom = count - 2
    if abs(r) == 1.0:
        return Correlation(count, r, 0.0)
    return Correlation(count, r, two_sided(r * math.sqrt(freedom / (1 - r * r)), freedom))
