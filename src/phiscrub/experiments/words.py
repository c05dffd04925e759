"""The inverse rule word by word: what thresholds would mask, without masking it each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.contracts import Tagger
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.inverse import by_word
from phiscrub.detect.inverse_features import ALWAYS, PHI, SAFE, WordLists, Words, features
from phiscrub.evaluate.hipaa import CORRECTED, is_hipaa
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.reading import read

NEVER = np.inf
HOW = "best precision of all pairs"  # what a search's result hangs on beside words and recalls

Floats = NDArray[np.float64]
Pair = tuple[float, float]
Point = tuple[float, float, float]  # recall, precision, HIPAA recall


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """The words of notes: the rules' verdict, what is gold, and what HIPAA names of it."""

    verdicts: NDArray[np.uint8] = field(repr=False)
    gold: NDArray[np.bool_] = field(repr=False)
    hipaa: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, corpus: Corpus, lists: WordLists, tokenizer: str) -> Sheet:
        """Ask the rules about every word of notes."""
        parts = list(_rows(corpus, lists, tokenizer))
        verdicts, gold, hipaa = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls(verdicts, gold, hipaa)

    @property
    def unruled(self) -> Sheet:
        """The same words without a rule: one threshold is for all."""
        return replace(self, verdicts=np.full_like(self.verdicts, SAFE))

    def point(self, masked: NDArray[np.bool_]) -> Point:
        """Return the figures of what is masked; 0 where there is nothing to divide by."""
        hits = int((masked & self.gold).sum())
        by_hipaa = int((masked & self.hipaa).sum())
        return (
            round(hits / max(1, int(self.gold.sum())), 5),
            round(hits / max(1, int(masked.sum())), 5),
            round(by_hipaa / max(1, int(self.hipaa.sum())), 5),
        )

    def ruled(self, safe: Floats, low: float, high: float) -> Point:
        """Return the figures of the inverse rule at two thresholds."""
        return self.point(~(safe > np.array([low, high, NEVER])[self.verdicts]))

    def rules(self) -> Point:
        """Return the figures of the rules alone."""
        return self.point(self.verdicts != SAFE)


def _rows(corpus: Corpus, lists: WordLists, tokenizer: str) -> Iterator[tuple[Any, Any, Any]]:
    named, hub = label_set(corpus.label_set), label_set(HUB)
    for reading in read(corpus.notes, get_tokenizer(tokenizer)):
        words = Words.of(reading.note)
        marks = np.zeros((2, len(reading.note.text) + 1), dtype=np.int64)
        for mention in reading.gold:
            told = named.translate(mention.label, hub) or ""
            of_hipaa = bool(told) and is_hipaa(hub.category(told), told, CORRECTED)
            marks[: 1 + of_hipaa, mention.span.start : mention.span.end] = 1
        before = np.concatenate([np.zeros((2, 1), dtype=np.int64), marks.cumsum(axis=1)], axis=1)
        gold, hipaa = before[:, words.ends] > before[:, words.starts]
        yield lists.verdicts(features(reading.note, words, lists)), gold, hipaa


def safety(corpus: Corpus, tagger: Tagger, tokenizer: str) -> Floats:
    """Return how sure a tagger is of every word that it is nothing, ``[words]``, from 0 to 1."""
    notes = [reading.note for reading in read(corpus.notes, get_tokenizer(tokenizer))]
    told = zip(notes, tagger.scores(notes), strict=True)
    return np.concatenate(
        [by_word(note, Words.of(note), own)[:, own.labels.index(OUTSIDE)] for note, own in told]
    )


def searched(
    held: Sheet, safe: Floats, test: Sheet, found: Floats, targets: Sequence[float]
) -> dict[str, Any]:
    """Choose two thresholds on held-out notes for each recall; return their figures on both.

    `curve` is what a fine grid of such recalls gives on the tested notes, by rising recall.
    """
    grid = np.round(np.linspace(0.95, 0.999, 50), 4).tolist()
    rows, curve = list[dict[str, Any]](), set[Point]()
    for target, pair in best_pairs(held, safe, sorted({*targets, *grid})).items():
        point = test.ruled(found, *pair)
        curve.add(point)
        if target in targets:
            row = {"wanted": target, "low": pair[0], "high": pair[1]}
            rows.append({**row, "held": held.ruled(safe, *pair), "test": point})
    return {"targets": rows, "curve": sorted(curve)}


def alone(
    held: Sheet, safe: Floats, test: Sheet, found: Floats, targets: Sequence[float]
) -> dict[str, Any]:
    """Return the same of one threshold for every word, without any rule."""
    return searched(held.unruled, safe, test.unruled, found, targets)


def best_pairs(own: Sheet, safe: Floats, targets: Sequence[float]) -> dict[float, Pair]:
    """Return the thresholds, low <= high, with the best precision that reach each recall.

    A recall that none reach is left out. A threshold is tried where it just masks a gold word of
    its kind, the higher one also where the lower one stands: all others mask more, but no more
    gold. Of pairs that are as good the higher is taken.
    """
    low, high, always = (_Kind.of(own, safe, kind) for kind in (SAFE, PHI, ALWAYS))
    sure, ruled_out = always.masked(np.array([NEVER]))
    hits, masked = high.masked(high.tried)
    precise = np.full(len(targets), -1.0)
    pairs: list[Pair] = [(0.0, 0.0)] * len(targets)
    for least, *of_low in zip(low.tried.tolist(), *low.masked(low.tried), strict=True):
        floor = high.masked(np.array([least]))
        gold = sure + of_low[0] + np.maximum(hits, floor[0])
        precision = gold / np.maximum(1, ruled_out + of_low[1] + np.maximum(masked, floor[1]))
        onward = np.maximum.accumulate(precision[::-1])[::-1]  # the best from each one up
        first = np.searchsorted(gold / max(1, own.gold.sum()), targets)
        for at in np.flatnonzero(np.append(onward, -2.0)[first] >= precise):
            top = np.flatnonzero(precision == onward[first[at]])[-1]
            precise[at] = onward[first[at]]
            pairs[at] = (least, max(least, float(high.tried[top])))
    return {t: pair for t, pair, p in zip(targets, pairs, precise, strict=True) if p >= 0}


@dataclass(frozen=True, slots=True, eq=False)
class _Kind:
    """How sure a tagger is of the words that rules call alike, and of the gold ones: sorted."""

    every: Floats
    gold: Floats

    @classmethod
    def of(cls, own: Sheet, safe: Floats, kind: int) -> _Kind:
        is_kind = own.verdicts == kind
        return cls(np.sort(safe[is_kind]), np.sort(safe[is_kind & own.gold]))

    @property
    def tried(self) -> Floats:
        """The thresholds that just mask a gold word, and the lowest there is."""
        return np.unique(np.append(self.gold, 0.0))

    def masked(self, thresholds: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count the gold words and all words that each threshold masks."""
        gold, every = (np.searchsorted(of, thresholds, "right") for of in (self.gold, self.every))
        return gold, every
