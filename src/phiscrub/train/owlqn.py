"""Minimising a smooth loss plus penalties on its weights, by orthant-wise quasi-Newton steps.

Source: Andrew and Gao 2007, "Scalable training of L1-regularized log-linear models"; line search
and ends as in libLBFGS, so that with `c1` above 0 a training takes the same way as CRFsuite's but
for rounding: on many notes the two are told apart early (benchmarks/results/crf_training.md).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Loss = Callable[[Floats], tuple[float, Floats]]

MEMORY = 6  # pairs of steps and changes of the gradient that tell of the curvature
SLOPE, SHRINK, TRIES = 1e-4, 0.5, 20  # of the line search


@dataclass(frozen=True, slots=True, eq=False)
class Iterate:
    """Weights that a step led to, float64, and what they cost, penalties and all."""

    weights: Floats = field(repr=False)
    loss: float


def iterates(
    loss: Loss, start: Floats, *, c1: float, c2: float, epsilon: float, period: int, delta: float
) -> Iterator[Iterate]:
    """Yield the weights after each step, until there is nothing more to gain.

    `loss` gives value and gradient; `c1` times the sum of absolute weights and `c2` times that of
    squared ones are added. The last step is where the gradient is below `epsilon` of the weights,
    where the loss fell by less than the share `delta` in `period` steps (0: that is not asked), or
    behind which no smaller loss was found.
    """

    def smooth(weights: Floats) -> tuple[float, Floats]:
        value, gradient = loss(weights)
        return value + c2 * float(weights @ weights), gradient + 2 * c2 * weights

    def whole(value: float, weights: Floats) -> float:
        return value + c1 * float(np.abs(weights).sum())

    weights = start
    value, gradient = smooth(weights)
    total = whole(value, weights)
    memory = deque[tuple[Floats, Floats, float]](maxlen=MEMORY)
    past = [total]
    while True:
        slope = _subgradient(weights, gradient, c1)
        direction = _direction(slope, memory)
        if c1:
            direction[direction * slope >= 0] = 0.0
        orthant = np.where(weights == 0, -np.sign(slope), np.sign(weights))
        size = 1.0 if memory else 1.0 / max(float(np.linalg.norm(slope)), 1e-12)
        for _ in range(TRIES):
            tried = weights + size * direction
            if c1:
                tried[tried * orthant < 0] = 0.0
            value, own = smooth(tried)
            reached = whole(value, tried)
            is_number = np.isfinite(reached) and np.isfinite(own).all()
            if is_number and reached <= total + SLOPE * float((tried - weights) @ slope):
                break
            size *= SHRINK
        else:
            return
        step, change = tried - weights, own - gradient
        curvature = float(step @ change)
        if curvature > 0:
            memory.append((step, change, curvature))
        weights, gradient, total = tried, own, reached
        past.append(total)
        length = max(1.0, float(np.linalg.norm(weights)))
        is_flat = np.linalg.norm(_subgradient(weights, gradient, c1)) <= epsilon * length
        stands = 0 < period < len(past) and past[-1 - period] - total < delta * total
        yield Iterate(weights, total)
        if is_flat or stands:
            return


def _subgradient(weights: Floats, gradient: Floats, c1: float) -> Floats:
    """Return the gradient of the whole loss, at 0 the one of the side where it falls."""
    if not c1:
        return gradient
    at_zero = np.sign(gradient) * np.maximum(np.abs(gradient) - c1, 0.0)
    return np.where(weights == 0, at_zero, gradient + c1 * np.sign(weights))


def _direction(slope: Floats, memory: deque[tuple[Floats, Floats, float]]) -> Floats:
    """Return where to go: down the slope, bent by the curvature (two loops of L-BFGS)."""
    direction = -slope
    shares = []
    for step, change, curvature in reversed(memory):
        share = float(step @ direction) / curvature
        direction -= share * change
        shares.append(share)
    if memory:
        _, change, curvature = memory[-1]
        direction *= curvature / float(change @ change)
    for (step, change, curvature), share in zip(memory, reversed(shares), strict=True):
        direction += (share - float(change @ direction) / curvature) * step
    return direction
