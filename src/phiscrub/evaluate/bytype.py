"""Counts of one measure, type by type, and the averages over types."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from phiscrub.core.counts import Counts, ratio

Chunk = tuple[int, int, str]  # first token, last token (inclusive), type
Average = tuple[float | None, float | None, float | None]  # precision, recall, F1


@dataclass(frozen=True, slots=True)
class ByType:
    """Counts by type, sorted by name. Averages treat what is undefined as 0."""

    counts: Mapping[str, Counts]

    @classmethod
    def of(cls, gold: AbstractSet[Chunk], found: AbstractSet[Chunk]) -> ByType:
        """Compare chunks: a hit has the place and the type of a gold one."""
        sides = (_types(gold & found), _types(gold - found), _types(found - gold))
        names = sorted({name for side in sides for name in side})
        return cls({name: Counts(*(side[name] for side in sides)) for name in names})

    @property
    def total(self) -> Counts:
        """The sum over the types."""
        return sum(self.counts.values(), Counts())

    @property
    def macro(self) -> Average:
        """The mean over types; None where there is no type."""
        weights = dict.fromkeys(self.counts, 1)
        return self._average(weights)

    @property
    def weighted(self) -> Average:
        """The mean over types, each weighing as many gold chunks as it has; 0 without any."""
        weights = {name: counts.hit + counts.missed for name, counts in self.counts.items()}
        return self._average(weights) if any(weights.values()) else (0.0, 0.0, 0.0)

    def _average(self, weights: Mapping[str, int]) -> Average:
        rows = [
            (weights[name], counts.precision or 0.0, counts.recall or 0.0, counts.f1 or 0.0)
            for name, counts in self.counts.items()
        ]
        whole = sum(row[0] for row in rows)
        precision, recall, f1 = (
            ratio(sum(row[0] * row[at] for row in rows), whole) for at in (1, 2, 3)
        )
        return precision, recall, f1


def _types(chunks: Iterable[Chunk]) -> Counter[str]:
    return Counter(kind for _, _, kind in chunks)
