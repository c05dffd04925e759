"""What a model knows of words, worked out once a word and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock

import numpy as np

from phiscrub.detect.tagging.known import Known, numbers_of
from phiscrub.detect.tagging.templates import EDGE
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.weights import Floats, Ints, Weights

BYTES = 64_000_000  # of remembered sums; the cache starts afresh when it is full
FEWEST = 1_000  # words


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """What the words of a batch show; row 0 stands for what lies beyond a sequence.

    `rows` is int64, each word's row. `sums` is float64 of shape ``[rows * offsets, tags]``: what
    the word at an offset adds to a token's scores, offset by offset; `parts` is int64 of shape
    ``[rows, traits]``: the word's values in conjunctions.
    """

    rows: Ints = field(repr=False)
    sums: Floats = field(repr=False)
    parts: Ints = field(repr=False)


class WordCache:
    """Sums and values by word; its memory is bounded, and safe to share between threads."""

    def __init__(self, traits: Traits, weights: Weights, known: Known) -> None:
        names = {n: i for i, n in enumerate(traits.word_names) if n in known.vocabularies}
        self._traits, self._weights = traits, weights
        self._vocabularies = [(i, known.vocabularies[name]) for name, i in names.items()]
        self.offsets = tuple(sorted({o for trait, o in known.unigrams if trait in names}))
        place = {offset: i for i, offset in enumerate(self.offsets)}
        self._tables = [
            (names[trait], place[offset], table)
            for (trait, offset), table in known.unigrams.items()
            if trait in names
        ]
        conjoined = {trait for c in known.conjunctions for trait, _ in c.template.parts}
        self.part_names = tuple(name for name in names if name in conjoined)
        self._parts = [names[name] for name in self.part_names]
        width = max(1, weights.tags * len(self.offsets))
        self._room = max(FEWEST, BYTES // (width * np.dtype(np.float64).itemsize))
        self._lock = Lock()
        self._clear(self._room)

    def look_up(self, words: Sequence[str]) -> Seen:
        """Return what the words show; new ones are worked out together."""
        with self._lock:
            known = self._rows
            new = [word for word in words if word not in known]
            if len(known) + 1 + len(new) > len(self._part_rows):
                self._clear(max(self._room, len(words) + 1))
                known, new = self._rows, list(words)
            if new:
                first = len(known) + 1
                self._learn([self._traits.of_word(word) for word in new], first)
                known.update(zip(new, range(first, first + len(new)), strict=True))
            rows = np.fromiter(map(known.__getitem__, words), dtype=np.int64, count=len(words))
            return Seen(rows, self._sums, self._part_rows)

    def _clear(self, room: int) -> None:
        """Make room for so many rows; what was handed out before stays as it is."""
        self._rows: dict[str, int] = {}
        self._sums: Floats = np.empty((room * len(self.offsets), self._weights.tags))
        self._part_rows: Ints = np.empty((room, len(self._parts)), dtype=np.int64)
        self._learn([(EDGE,) * len(self._traits.word_names)], 0)

    def _learn(self, shown: Sequence[Sequence[str]], first: int) -> None:
        """Work out rows from `first` on, one for each word by the values of its traits."""
        columns = list(zip(*shown, strict=True))
        numbers = {trait: numbers_of(columns[trait], known) for trait, known in self._vocabularies}
        count, width = len(shown), len(self.offsets)
        word = np.arange(count, dtype=np.int64)
        pairs = [
            (word * width + place, table[numbers[trait]]) for trait, place, table in self._tables
        ]
        if pairs:
            rows, attributes = map(np.concatenate, zip(*pairs, strict=True))
            sums = self._weights.summed(rows, attributes, count * width)
            self._sums[first * width : (first + count) * width] = sums
        for i, trait in enumerate(self._parts):
            self._part_rows[first : first + count, i] = numbers[trait]
