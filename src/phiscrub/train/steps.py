"""How a training went, step by step, whatever was trained."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from phiscrub.detect.tagging.crf_weights import CrfWeights

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


@dataclass(frozen=True, slots=True)
class Weighed:
    """Weights of a CRF, the steps that led to them, and how many attributes there were to choose.

    `stopped` says why there were no more steps.
    """

    trained: CrfWeights
    steps: tuple[Step, ...]
    attributes: int
    stopped: str


def best_step(steps: Iterable[Step]) -> int:
    """Return the number, from 1, of the step after which nothing was gained; 0 without any."""
    best, at = -1.0, 0
    for number, step in enumerate(steps, 1):
        if (step.f1 or 0.0) > best + GAIN:
            best, at = step.f1 or 0.0, number
    return at
