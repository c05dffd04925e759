"""How a training went, step by step, whatever was trained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

GAIN = 1e-4  # of a measure that counts as one


@dataclass(frozen=True, slots=True)
class Step:
    """One iteration or epoch: the training loss, and what it is worth on development notes.

    `f1` is the measure that training is judged by, in a CRF F1 over tokens inside mentions; None
    without development notes. `seconds` count from the start of training.
    """

    iteration: int
    loss: float
    f1: float | None
    seconds: float


def best_step(steps: Iterable[Step]) -> int:
    """Return the number, from 1, of the step after which nothing was gained; 0 without any."""
    best, at = -1.0, 0
    for number, step in enumerate(steps, 1):
        if (step.f1 or 0.0) > best + GAIN:
            best, at = step.f1 or 0.0, number
    return at
