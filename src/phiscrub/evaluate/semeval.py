"""The four modes of SemEval-2013 task 9.1, as nervaluate 1.1.0 pairs entities.

Source: Segura-Bedmar, Martínez and Herrero-Zazo 2013 (after MUC-5), and
https://github.com/MantisAI/nervaluate at fce0139. Its merge of several documents loses the half
credit of partial matches (corrected upstream in pull request 109); ours keeps it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from phiscrub.core.counts import ratio
from phiscrub.evaluate.bytype import Chunk

MODES = ("strict", "exact", "partial", "ent_type")
SHARE = 100  # an overlap pairs where it is at least one hundredth of the gold entity


@dataclass(frozen=True, slots=True)
class Outcome:
    """How entities fared in one mode; `+` adds documents. Ratios give partial matches half."""

    correct: int = 0
    incorrect: int = 0
    partial: int = 0
    missed: int = 0
    spurious: int = 0

    def __add__(self, other: Outcome) -> Outcome:
        return Outcome(
            self.correct + other.correct,
            self.incorrect + other.incorrect,
            self.partial + other.partial,
            self.missed + other.missed,
            self.spurious + other.spurious,
        )

    @property
    def actual(self) -> int:
        """How many entities were found."""
        return self.correct + self.incorrect + self.partial + self.spurious

    @property
    def possible(self) -> int:
        """How many there are."""
        return self.correct + self.incorrect + self.partial + self.missed

    @property
    def precision(self) -> float | None:
        """Credit over what was found."""
        return ratio(self.correct + 0.5 * self.partial, self.actual)

    @property
    def recall(self) -> float | None:
        """Credit over what there is."""
        return ratio(self.correct + 0.5 * self.partial, self.possible)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both."""
        return ratio(2 * self.correct + self.partial, self.actual + self.possible)


def score(gold: Sequence[Sequence[Chunk]], found: Sequence[Sequence[Chunk]]) -> dict[str, Outcome]:
    """Score found entities document by document, in every mode."""
    totals = dict.fromkeys(MODES, Outcome())
    for one, other in zip(gold, found, strict=True):
        for mode, outcome in compare(one, other).items():
            totals[mode] += outcome
    return totals


def compare(gold: Sequence[Chunk], found: Sequence[Chunk]) -> dict[str, Outcome]:
    """Score one document. Chunks end with their last token, so touching ones do not overlap.

    Each found entity, in order, takes the first gold one that is not taken and shares enough
    with it, be there a better one behind it or not.
    """
    pairs = _pairs(gold, found)
    missed, spurious = len(gold) - len(pairs), len(found) - len(pairs)
    same_place = [one[:2] == other[:2] for one, other in pairs]
    same_type = [one[2] == other[2] for one, other in pairs]
    right = {
        "strict": sum(map(bool.__and__, same_place, same_type)),
        "exact": sum(same_place),
        "partial": sum(same_place),
        "ent_type": sum(same_type),
    }
    return {
        mode: Outcome(
            correct=right[mode],
            incorrect=0 if mode == "partial" else len(pairs) - right[mode],
            partial=len(pairs) - right[mode] if mode == "partial" else 0,
            missed=missed,
            spurious=spurious,
        )
        for mode in MODES
    }


def reads(*sides: Sequence[Sequence[str]]) -> bool:
    """Tell whether the tags are of the kind that `entities` reads, and nervaluate takes."""
    known = {tag for sentences in sides for tags in sentences for tag in tags}
    return all(tag == "O" or tag.startswith(("B-", "I-")) for tag in known)


def entities(tags: Sequence[str]) -> list[Chunk]:
    """Read B, I and O leniently, as conlleval does: an I that goes on with nothing opens one."""
    found: list[Chunk] = []
    last = "O"
    for at, tag in enumerate(tags):
        if tag != "O":
            if last != "O" and tag[2:] == last[2:] and tag[0] != "B":
                found[-1] = (found[-1][0], at, tag[2:])
            else:
                found.append((at, at, tag[2:]))
        last = tag
    return found


def _pairs(gold: Sequence[Chunk], found: Sequence[Chunk]) -> list[tuple[Chunk, Chunk]]:
    """Pair entities; gold ones may stand in any order and overlap."""
    by_start = sorted(range(len(gold)), key=lambda index: gold[index][0])
    starts = [gold[index][0] for index in by_start]
    reach = list(accumulate((gold[index][1] for index in by_start), max))
    taken: set[int] = set()
    pairs = []
    for entity in found:
        near = by_start[bisect_left(reach, entity[0]) : bisect_right(starts, entity[1])]
        for index in sorted(near):
            if index not in taken and _shares(gold[index], entity):
                taken.add(index)
                pairs.append((gold[index], entity))
                break
    return pairs


def _shares(gold: Chunk, found: Chunk) -> bool:
    common = min(gold[1], found[1]) - max(gold[0], found[0]) + 1
    return common > 0 and common * SHARE >= gold[1] - gold[0] + 1
