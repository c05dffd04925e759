"""Scores of tags for every token, without ever writing an attribute down.

Words are scored once a distinct word, what tokens show by where they stand once a distinct
combination, and conjunctions by numbers. Every token's sum is taken in the same order, so that
the batch changes only speed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.frame import Frame, Round
from phiscrub.detect.tagging.known import Known, numbers_of
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.detect.tagging.templates import EDGE
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.weights import Floats, Ints, Weights
from phiscrub.detect.tagging.wordcache import Seen, WordCache

CHUNK = 2_048  # tokens whose scores stay in the processor's cache while tables are added up
MOST = 4_096  # combinations of values that the columns of one table can have


class Engine:
    """Scores tokens as a model does; `traits` are those that its templates ask for.

    Raises `SettingsError` where an attribute of the model is none of its template.
    """

    def __init__(self, model: CrfModel, traits: Traits) -> None:
        self._traits = traits
        self._weights = Weights(len(model.tags), model.pointers, model.columns, model.weights)
        self._known = known = Known.of(model)
        self._words = WordCache(traits, self._weights, known)
        self._placed_at = {
            name: [(o, table) for (trait, o), table in known.unigrams.items() if trait == name]
            for name in traits.note_names
        }

    def emissions(self, frame: Frame) -> Iterator[tuple[Round, Floats]]:
        """Yield, round by round, the summed state weights, float64 of shape ``[tokens, tags]``."""
        if not len(frame):
            return
        columns = [
            _Numbered(name, column.ids, numbers_of((*column.values, EDGE), vocabulary))
            for name, column in zip(
                self._traits.note_names, self._traits.of_notes(frame), strict=True
            )
            if (vocabulary := self._known.vocabularies.get(name)) is not None
        ]
        for own in frame.rounds():
            yield own, self._summed(own, [column.part(own.inside) for column in columns])

    def _summed(self, own: Round, columns: Sequence[_Numbered]) -> Floats:
        near = _Neighbours(own)
        seen = self._words.look_up(own.words)
        scores = self._conjoined(own, near, seen, columns)
        words = near.extended(seen.rows[own.word], edge=0)
        width = len(self._words.offsets)
        tables = [
            (seen.sums, words[near.at(offset)] * width + place)
            for place, offset in enumerate(self._words.offsets)
        ]
        tables += self._placed(near, columns)
        for low in range(0, len(own), CHUNK):
            part = slice(low, low + CHUNK)
            for table, rows in tables:
                scores[part] += table.take(rows[part], axis=0)
        return scores

    def _conjoined(
        self, own: Round, near: _Neighbours, seen: Seen, columns: Sequence[_Numbered]
    ) -> Floats:
        """Return what conjunctions add to each token."""
        rows = seen.rows[own.word]
        numbers = {
            name: near.extended(seen.parts[:, i][rows], edge=seen.parts[0, i])
            for i, name in enumerate(self._words.part_names)
        }
        for column in columns:
            numbers[column.name] = near.extended(column.numbers[column.ids], column.numbers[-1])
        conjunctions = self._known.conjunctions
        shifted = {
            (trait, offset): numbers[trait][near.at(offset)]
            for trait, offset in {part for c in conjunctions for part in c.template.parts}
        }
        found = [c.find([shifted[part] for part in c.template.parts]) for c in conjunctions]
        if not found:
            return np.zeros((len(own), self._weights.tags))
        tokens, attributes = map(np.concatenate, zip(*found, strict=True))
        return self._weights.summed(tokens, attributes, len(own))

    def _placed(self, near: _Neighbours, columns: Sequence[_Numbered]) -> list[tuple[Floats, Ints]]:
        """Return the tables of what tokens show by where they stand, and each token's rows.

        There are tables for each offset, and a row for each combination of values of some columns
        that tell something there; the last row stands for what lies beyond a sequence.
        """
        told: dict[int, list[_Told]] = {}
        for column in columns:
            for offset, table in self._placed_at[column.name]:
                told.setdefault(offset, []).append((column, table))
        combined: dict[tuple[str, ...], tuple[Ints, Ints]] = {}  # by the columns' names
        placed = []
        ordered = sorted(told.items(), key=lambda item: item[0])
        for offset, used in ((offset, part) for offset, all_ in ordered for part in _parted(all_)):
            names = tuple(column.name for column, _ in used)
            if names not in combined:
                combined[names] = _combinations([column for column, _ in used])
            one, kinds = combined[names]
            count = len(one) + 1
            attributes = [
                table[np.append(column.numbers[column.ids[one]], column.numbers[-1])]
                for column, table in used
            ]
            kind = np.tile(np.arange(count), len(attributes))
            sums = self._weights.summed(kind, np.concatenate(attributes), count)
            placed.append((sums, near.extended(kinds, edge=len(one))[near.at(offset)]))
        return placed


@dataclass(frozen=True, slots=True, eq=False)
class _Numbered:
    """A trait of every token: `ids` into `numbers`, the numbers of its values in the model.

    The last number is the edge's, which no token has.
    """

    name: str
    ids: NDArray[np.int32] = field(repr=False)
    numbers: Ints = field(repr=False)

    def part(self, inside: slice) -> _Numbered:
        """Return it of some tokens."""
        return _Numbered(self.name, self.ids[inside], self.numbers)


_Told = tuple[_Numbered, Ints]  # a column, and the attributes of its values at an offset


def _parted(used: Sequence[_Told]) -> Iterator[list[_Told]]:
    """Yield the columns of an offset by the table.

    What few values can be combined in few ways, which are weighed once each. How many there can
    be hangs on the model alone, as do the order of the sums and their last bits.
    """
    part: list[_Told] = []
    ways = 1
    for column, table in used:
        if part and ways * len(table) > MOST:
            yield part
            part, ways = [], 1
        part.append((column, table))
        ways *= len(table)
    yield part


class _Neighbours:
    """Where each token's neighbours stand; beyond its sequence that is one behind the last."""

    def __init__(self, own: Round) -> None:
        lengths = np.diff(own.starts)
        self._first = np.repeat(own.starts[:-1], lengths)
        self._end = np.repeat(own.starts[1:], lengths)
        self._places: dict[int, Ints] = {}

    def at(self, offset: int) -> Ints:
        """Return the place of each token's neighbour."""
        if offset not in self._places:
            place = np.arange(len(self._first)) + offset
            inside = (place >= self._first) & (place < self._end)
            self._places[offset] = np.where(inside, place, len(place))
        return self._places[offset]

    @staticmethod
    def extended(values: NDArray[np.integer], edge: int) -> Ints:
        """Return values by place, with the edge's behind them."""
        return np.append(values, edge).astype(np.int64, copy=False)


def _combinations(columns: Sequence[_Numbered]) -> tuple[Ints, Ints]:
    """Return a token of each distinct combination of values, and each token's combination."""
    kinds = np.zeros(len(columns[0].ids), dtype=np.int64)
    size = 1
    for column in columns:
        values = int(column.numbers.max()) + 2  # and one for those that the model does not know
        kinds = kinds * values + (column.numbers[column.ids] + 1)
        size *= values
    one = np.full(size, -1, dtype=np.int64)
    one[kinds] = np.arange(len(kinds))
    seen = one >= 0
    return one[seen], (np.cumsum(seen) - 1)[kinds]
