"""What an epoch is worth: counts on development notes, by tokens' positions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.counts import Counts
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.schemes import OUTSIDE, Scheme
from phiscrub.detect.tagging.weights import Ints
from phiscrub.evaluate.hipaa import CORRECTED, is_hipaa
from phiscrub.train.rows import Positions

MINDED = 0.01  # what precision counts beside recall


@dataclass(frozen=True, slots=True, eq=False)
class Judge:
    """Counts by one of the measures of `Schedule`; `positions` are gold.

    `counted` are the tags whose leaks count; for ``hipaa_recall`` only those that HIPAA names.
    """

    positions: Positions = field(repr=False)
    tags: tuple[str, ...]
    style: Scheme
    counted: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(
        cls, positions: Positions, tags: tuple[str, ...], style: Scheme, names: str, measure: str
    ) -> Judge:
        """Build for tags of labels of the set `names`."""
        counted = np.array([tag != OUTSIDE for tag in tags], dtype=np.bool_)
        if measure == "hipaa_recall":
            own, hub = label_set(names), label_set(HUB)
            for at, tag in enumerate(tags):
                kind = None if tag == OUTSIDE else own.translate(style.split(tag, 0)[1], hub)
                counted[at] = kind is not None and is_hipaa(hub.category(kind), kind, CORRECTED)
        return cls(positions, tags, style, counted)

    def entities(self, tags: Ints) -> Counts:
        """Count mentions whose place and label are right."""
        gold, found = self._chunks(self.positions.tags), self._chunks(tags)
        hits = len(gold & found)
        there = len(np.unique(self.positions.chunk[self.positions.chunk > 0]))
        return Counts(hits, there - hits, len(found) - hits)

    def masked(self, tags: Ints) -> Counts:
        """Count positions that are hidden, whatever they are called."""
        gold = self.positions.chunk > 0
        told = tags != self.tags.index(OUTSIDE)
        own = self.positions.tags
        counts = gold & np.where(own >= 0, self.counted[own], True)
        hits = int((counts & told).sum())
        return Counts(hits, int(counts.sum()) - hits, int((told & ~gold).sum()))

    def _chunks(self, tags: Ints) -> set[tuple[int, int, str]]:
        """Return the chunks of all sequences; only stretches with tags are looked at."""
        outside = self.tags.index(OUTSIDE)
        chunks = set()
        is_told = tags != outside
        for low, high in pairwise(self.positions.starts.tolist()):
            if is_told[low:high].any():
                own = [self.tags[t] if t >= 0 else OUTSIDE for t in tags[low:high].tolist()]
                chunks |= {(low + a, low + b, label) for a, b, label in self.style.chunks(own)}
        return chunks


def score(counts: Counts, measure: str, least_precision: float) -> float:
    """Return what epochs are compared by.

    To a recall a hundredth of the precision is added, so that of two like ones the more precise
    is better; a recall bought with less than the least precision is below 0.
    """
    if measure == "entity_f1":
        return counts.f1 or 0.0
    precision = counts.precision or 0.0
    value = (1 - MINDED) * (counts.recall or 0.0) + MINDED * precision
    return value if precision >= least_precision else value - 1.0


def names_of(tags: Sequence[str], style: Scheme) -> list[str]:
    """Return the label of each tag, O for O."""
    return [tag if tag == OUTSIDE else style.split(tag, 0)[1] for tag in tags]
