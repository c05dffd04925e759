"""Recall against precision, as the least score of what counts as found rises."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.core.counts import Counts
from phiscrub.evaluate.sample import Sample


@dataclass(frozen=True, slots=True)
class Point:
    """The exact matches of all labels among mentions with at least this score."""

    least: float
    counts: Counts


def curve(samples: Sequence[Sample]) -> tuple[Point, ...]:
    """Return a point a score, the highest first; nothing where scores are not known or all alike.

    A mark that was claimed several times has its best score.
    """
    whole, best = 0, list[tuple[float, bool]]()
    for sample in samples:
        gold = set(sample.gold)
        whole += len(gold)
        scores: dict[tuple[int, int, str], float] = {}
        for claim in sample.claims:
            mark = claim.span.start, claim.span.end, claim.label
            scores[mark] = max(claim.score, scores.get(mark, 0.0))
        best += [(score, mark in gold) for mark, score in scores.items()]
    best.sort(key=lambda row: -row[0])
    points: list[Point] = []
    hit = 0
    for rank, (score, right) in enumerate(best, 1):
        hit += right
        if rank == len(best) or best[rank][0] < score:
            points.append(Point(score, Counts(hit, whole - hit, rank - hit)))
    return tuple(points) if len(points) > 1 else ()
