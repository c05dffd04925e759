"""The measures of the MEDDOCAN track, to the last digit.

Source: Marimon et al. 2019, and the behaviour of PlanTL-GOB-ES/MEDDOCAN-Evaluation-Script at
843152c. Duplicates collapse; the texts of the two sides are not compared.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from phiscrub.evaluate.tally import Tally, compared, tally

NER = "meddocan.subtrack1.ner"
STRICT = "meddocan.subtrack2.strict"
MERGED = "meddocan.subtrack2.merged"

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class MarkedText:
    """A document's text, the keys that sub-track 1 compares, and the places of sub-track 2.

    A key is ``(type, start, end)`` of numbers for brat and ``(element, start, end, TYPE)`` of
    raw strings for XML.
    """

    id: str
    text: str = field(repr=False)
    keys: frozenset[Hashable] = field(repr=False)
    places: frozenset[Place] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Leak:
    """The leak score: missed entities a sentence. None where a document's count is not known."""

    missed: int
    sentences: int | None

    @property
    def score(self) -> float | None:
        """Missed entities divided by sentences, 0 without sentences."""
        if self.sentences is None:
            return None
        return self.missed / self.sentences if self.sentences else 0.0


def score(pairs: Sequence[tuple[MarkedText, MarkedText]]) -> dict[str, Tally]:
    """Score ``(gold, system)`` pairs of documents: sub-track 1, then 2 strict and merged."""
    documents = [gold.id for gold, _ in pairs]
    return {
        NER: tally(documents, [compared(gold.keys, system.keys) for gold, system in pairs]),
        STRICT: tally(documents, [compared(gold.places, system.places) for gold, system in pairs]),
        MERGED: tally(documents, [_merged(gold, system) for gold, system in pairs]),
    }


def leak(ner: Tally, sentences: Mapping[str, int]) -> Leak:
    """Return the leak score of sub-track 1, given the sentences of each document."""
    counts = [sentences.get(document) for document in ner.documents]
    known = [count for count in counts if count is not None]
    return Leak(ner.total.missed, sum(known) if len(known) == len(counts) else None)


def merge(text: str, places: Iterable[Place]) -> set[Place]:
    """Join places with no letter or digit between them, from left to right.

    A join ends where its last place ends, so that one which holds another inside it shrinks.
    """
    joined: list[Place] = []
    for start, end in sorted(places):
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return set(joined)


def _merged(gold: MarkedText, system: MarkedText) -> tuple[int, int, int]:
    """Count strict and merged matches together, and what lies inside none of them."""
    hits = (gold.places & system.places) | (
        merge(gold.text, gold.places) & merge(system.text, system.places)
    )
    return len(hits), _outside(gold.places, hits), _outside(system.places, hits)


def _outside(places: Iterable[Place], holders: Iterable[Place]) -> int:
    """Count the places that no holder contains."""
    ordered = sorted(holders)
    starts = [start for start, _ in ordered]
    reach = [0, *accumulate((end for _, end in ordered), max)]  # the furthest end so far
    return sum(not (at := bisect_right(starts, start)) or reach[at] < end for start, end in places)
