"""The few figures that systems are chosen by, each with how sure it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from phiscrub.core.counts import Counts
from phiscrub.evaluate.masking import ALL, DOCUMENTS, ENTITIES, Masking
from phiscrub.evaluate.tally import Tally
from phiscrub.evaluate.uncertainty import FIGURES, Interval, bootstrap, exact_bounds

FEW = 100  # cases below which resampled documents say less than exact bounds
SEED = 2014
STRICT = "entity.strict"
TOKENS = "masking.token.i2b2.any"
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

    Precision and recall of fewer than `FEW` cases, or without an error, have exact bounds, since
    no resample of documents would show an error that was not seen; all else is bootstrapped over
    documents, or over patients where those are known.
    """
    counts = tally.total
    value = getattr(counts, figure)
    if value is None:
        return Interval(None, 0.0, 1.0)
    cases = _cases(counts, figure)
    if cases is not None and (cases < FEW or counts.hit == cases):
        return exact_bounds(counts.hit, cases)
    return bootstrap(tally, FIGURES[figure], seed=seed, subjects=subjects)


def _cases(counts: Counts, figure: str) -> int | None:
    """Return what a share is a share of; None for F1, which is no share."""
    wrong = {"recall": counts.missed, "precision": counts.spurious}.get(figure)
    return None if wrong is None else counts.hit + wrong
