"""The few figures that systems are chosen by, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from phiscrub.evaluate.masking import ALL, DOCUMENTS, ENTITIES, TOKENS, Masking
from phiscrub.evaluate.tally import Tally
from phiscrub.evaluate.uncertainty import FIGURES, Interval, bootstrap, exact_bounds

FEW = 100  # cases below which resampled documents say less than exact bounds
SEED = 2014
STRICT = "entity.strict"
# What is wrong in the eyes of each figure.
WRONG = MappingProxyType(
    {"precision": ("spurious",), "recall": ("missed",), "f1": ("missed", "spurious")}
)
# Measure, figure, what people call it.
CHOSEN = (
    (STRICT, "f1", "Strict F1 (place and label)"),
    (TOKENS, "recall", "Token masking recall"),
    (TOKENS, "precision", "Token masking precision"),
    (ENTITIES, "recall", "Entities of which nothing is left"),
    (DOCUMENTS, "recall", "Documents of which nothing is left"),
)


@dataclass(frozen=True, slots=True)
class Headline:
    """One figure (`precision`, `recall` or `f1`) of one measure, under the name to show."""

    measure: str
    figure: str
    name: str
    tally: Tally

    def interval(self, subjects: Sequence[str | None] | None = None) -> Interval:
        """Return the figure with its bounds."""
        return sure(self.tally, self.figure, subjects)


def headlines(labels: Mapping[str, Tally], masking: Masking) -> tuple[Headline, ...]:
    """Return the figures of a system from its exact tallies by label and its masking."""
    found = {name: masking.tallies[name, ALL] for name in (TOKENS, ENTITIES, DOCUMENTS)}
    found[STRICT] = summed(labels, found[TOKENS].documents)
    return tuple(
        Headline(measure, figure, name, found[measure]) for measure, figure, name in CHOSEN
    )


def summed(labels: Mapping[str, Tally], documents: tuple[str, ...]) -> Tally:
    """Add up tallies of the same documents."""
    table = np.zeros((len(documents), 3), dtype=np.int64)
    for tally in labels.values():
        table += tally.table
    return Tally(documents, table)


def sure(
    tally: Tally, figure: str, subjects: Sequence[str | None] | None = None, *, seed: int = SEED
) -> Interval:
    """Return a figure with its 95 % bounds.

    Figures of fewer than `FEW` cases, or without an error, have exact bounds, since no resample
    of documents would show an error that was not seen; all else is bootstrapped over documents,
    or over patients where those are known.
    """
    counts = tally.total
    if getattr(counts, figure) is None:
        return Interval(None, 0.0, 1.0)
    cases = counts.hit + sum(getattr(counts, wrong) for wrong in WRONG[figure])
    if cases >= FEW and counts.hit < cases:
        return bootstrap(tally, FIGURES[figure], seed=seed, subjects=subjects)
    share = exact_bounds(counts.hit, cases)
    if figure != "f1":
        return share
    return Interval(counts.f1, _f1(share.low), _f1(share.high), share.level)


def _f1(share: float) -> float:
    """Turn the share of hits among all gold or found ones into F1, which rises with it."""
    return 2 * share / (1 + share)
