"""The inverse rule word by word: what thresholds would mask, without masking it each time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.contracts import Tagger
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.inverse import by_word
from phiscrub.detect.inverse_features import PHI, SAFE, WordLists, Words, features
from phiscrub.evaluate.hipaa import CORRECTED, is_hipaa
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.reading import read

MISSES = np.logspace(-4.6, -1, 45)  # shares of gold words that a threshold that is tried may lose
NEVER = np.inf

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
    """Return how sure a tagger is of every word that it is nothing."""
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
    low, high = (_tried(safe[held.gold & (held.verdicts == kind)]) for kind in (SAFE, PHI))
    pairs = [(a, b) for a in low for b in high if a <= b]
    told = {pair: held.ruled(safe, *pair) for pair in pairs}
    return _chosen(told, lambda pair: test.ruled(found, *pair), targets)


def alone(
    held: Sheet, safe: Floats, test: Sheet, found: Floats, targets: Sequence[float]
) -> dict[str, Any]:
    """Return the same of one threshold for every word, without any rule."""
    told = {(t, t): held.point(~(safe > t)) for t in _tried(safe[held.gold])}
    return _chosen(told, lambda pair: test.point(~(found > pair[0])), targets)


def _chosen(
    told: Mapping[Pair, Point], measured: Callable[[Pair], Point], targets: Sequence[float]
) -> dict[str, Any]:
    rows, curve = list[dict[str, Any]](), set[Point]()
    grid = np.round(np.linspace(0.95, 0.999, 50), 4).tolist()
    for target in sorted({*targets, *grid}):
        fitting: list[Pair] = [pair for pair, point in told.items() if point[0] >= target]
        if not fitting:
            continue
        best = max(fitting, key=lambda pair: (told[pair][1], pair))
        point = measured(best)
        curve.add(point)
        if target in targets:
            row = {"wanted": target, "low": best[0], "high": best[1]}
            rows.append({**row, "held": told[best], "test": point})
    return {"targets": rows, "curve": sorted(curve)}


def _tried(safe: Floats) -> list[float]:
    """Return thresholds that lose few of the gold words that are so safe, or none."""
    if not len(safe):
        return [0.0]
    return sorted({float(safe.max()), *(float(np.quantile(safe, 1 - s)) for s in MISSES)})
