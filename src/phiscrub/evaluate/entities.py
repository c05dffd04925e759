"""Mentions of each label: found exactly, found in part, and taken for another label."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate

import numpy as np

from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.evaluate.tally import Tally

NOTHING = ""  # in a confusion: no mark on this side

Rows = Mapping[str, tuple[int, int, int]]  # by label: hit, missed, spurious


def exact(samples: Sequence[Sample]) -> dict[str, Tally]:
    """Count mentions by label; a hit has the place and the label of a gold one, once each."""
    return _tallies(samples, _exact)


def partial(samples: Sequence[Sample]) -> dict[str, Tally]:
    """Count mentions by label; one of the same label that shares a character is enough.

    Gold mentions are hit or missed, found ones that touch no gold one of their label spurious.
    """
    return _tallies(samples, _partial)


def confusion(samples: Sequence[Sample]) -> Counter[tuple[str, str]]:
    """Count ``(gold label, found label)`` of mentions that share a character.

    `NOTHING` stands on a side where there is none.
    """
    seen: Counter[tuple[str, str]] = Counter()
    for sample in samples:
        gold, found = sorted(set(sample.gold)), sorted(set(sample.found))
        touched: set[Mark] = set()
        for one, others in _overlaps(gold, found):
            seen.update((one[2], other[2]) for other in others)
            seen[one[2], NOTHING] += not others
            touched.update(others)
        seen.update((NOTHING, mark[2]) for mark in found if mark not in touched)
    return seen


def _tallies(samples: Sequence[Sample], count: Callable[[Sample], Rows]) -> dict[str, Tally]:
    labels = sorted({mark[2] for sample in samples for mark in (*sample.gold, *sample.found)})
    column = {label: at for at, label in enumerate(labels)}
    table = np.zeros((len(samples), len(labels), 3), dtype=np.int64)
    for row, sample in enumerate(samples):
        for label, counts in count(sample).items():
            table[row, column[label]] = counts
    documents = tuple(sample.id for sample in samples)
    return {label: Tally(documents, table[:, at]) for label, at in column.items()}


def _exact(sample: Sample) -> Rows:
    gold, found = set(sample.gold), set(sample.found)
    sides = [_labels(side) for side in (gold & found, gold - found, found - gold)]
    labels = {label for side in sides for label in side}
    return {label: (sides[0][label], sides[1][label], sides[2][label]) for label in labels}


def _partial(sample: Sample) -> Rows:
    gold, found = _by_label(sample.gold), _by_label(sample.found)
    rows = {}
    for label in gold.keys() | found.keys():
        one, other = gold.get(label, []), found.get(label, [])
        # What is on both sides touches itself, so that only the rest has to be looked up.
        same = {mark for mark in set(one) & set(other) if mark[0] < mark[1]}
        hit, claimed = len(same), len(same)
        hit += sum(bool(near) for _, near in _overlaps([m for m in one if m not in same], other))
        claimed += sum(
            bool(near) for _, near in _overlaps([m for m in other if m not in same], one)
        )
        rows[label] = hit, len(one) - hit, len(other) - claimed
    return rows


def _labels(marks: Iterable[Mark]) -> Counter[str]:
    return Counter(mark[2] for mark in marks)


def _by_label(marks: Iterable[Mark]) -> dict[str, list[Mark]]:
    sides: dict[str, list[Mark]] = {}
    for mark in sorted(set(marks)):
        sides.setdefault(mark[2], []).append(mark)
    return sides


def _overlaps(marks: Sequence[Mark], others: Sequence[Mark]) -> Iterator[tuple[Mark, list[Mark]]]:
    """Yield each mark with those of the sorted others that share a character with it."""
    starts = [other[0] for other in others]
    reach = list(accumulate((other[1] for other in others), max))  # the furthest end so far
    for mark in marks:
        near = others[bisect_right(reach, mark[0]) : bisect_left(starts, mark[1])]
        yield mark, [other for other in near if max(mark[0], other[0]) < min(mark[1], other[1])]
