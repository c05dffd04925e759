"""Scores of tags for every token, without ever writing an attribute down.

Words are scored once a distinct word, what tokens show by where they stand once a distinct
combination, and conjunctions by numbers. Every token's sum is taken in the same order, so that
the batch changes only speed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.conjunctions import Conjunction, Known, vocabularies_of
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.model import CrfModel, template_of
from phiscrub.detect.tagging.templates import EDGE, Template
from phiscrub.detect.tagging.traits import Column, Traits
from phiscrub.detect.tagging.weights import Floats, Ints, Weights
from phiscrub.detect.tagging.wordcache import Seen, WordCache, numbers_of

CHUNK = 2_048  # tokens whose scores stay in the processor's cache while tables are added up
WIDEST = 1 << 62


class Engine:
    """Scores tokens as a model does; `traits` are those that its templates ask for.

    Raises `SettingsError` where an attribute of the model is none of its template.
    """

    def __init__(self, model: CrfModel, traits: Traits) -> None:
        self._traits = traits
        self._weights = Weights(len(model.tags), model.pointers, model.columns, model.weights)
        unigrams, known = _by_template(model)
        vocabularies = vocabularies_of(known)
        self._conjunctions = [Conjunction.of(t, found, vocabularies) for t, found in known]
        self._words = WordCache(traits, self._weights, unigrams, vocabularies)
        self._vocabularies = vocabularies
        self._unigrams = {
            name: [(o, found) for (trait, o), found in unigrams.items() if trait == name]
            for name in traits.note_names
        }

    def emissions(self, frame: Frame) -> Floats:
        """Return the summed state weights, float64 of shape ``[tokens, tags]``."""
        if not len(frame):
            return np.zeros((0, self._weights.tags))
        near = _Neighbours(frame)
        seen = self._words.look_up(frame.words)
        columns = dict(zip(self._traits.note_names, self._traits.of_notes(frame), strict=True))
        scores = self._conjoined(frame, near, seen, columns)
        words = near.extended(seen.rows[frame.word], edge=0)
        width = len(self._words.offsets)
        tables = [
            (seen.sums, words[near.at(offset)] * width + place)
            for place, offset in enumerate(self._words.offsets)
        ]
        tables += self._placed(near, columns)
        for low in range(0, len(frame), CHUNK):
            part = slice(low, low + CHUNK)
            for table, rows in tables:
                scores[part] += table.take(rows[part], axis=0)
        return scores

    def _conjoined(
        self, frame: Frame, near: _Neighbours, seen: Seen, columns: Mapping[str, Column]
    ) -> Floats:
        """Return what conjunctions add to each token."""
        rows = seen.rows[frame.word]
        numbers = {
            name: near.extended(seen.parts[:, i][rows], edge=seen.parts[0, i])
            for i, name in enumerate(self._words.part_names)
        }
        for name, column in columns.items():
            if name in self._vocabularies:
                values = numbers_of((*column.values, EDGE), self._vocabularies[name])
                numbers[name] = near.extended(values[column.ids], edge=values[-1])
        shifted: dict[tuple[str, int], Ints] = {}
        for conjunction in self._conjunctions:
            for trait, offset in conjunction.template.parts:
                if (trait, offset) not in shifted:
                    shifted[trait, offset] = numbers[trait][near.at(offset)]
        found = [c.find([shifted[part] for part in c.template.parts]) for c in self._conjunctions]
        if not found:
            return np.zeros((len(frame), self._weights.tags))
        tokens, attributes = map(np.concatenate, zip(*found, strict=True))
        return self._weights.summed(tokens, attributes, len(frame))

    def _placed(
        self, near: _Neighbours, columns: Mapping[str, Column]
    ) -> list[tuple[Floats, Ints]]:
        """Return the tables of what tokens show by where they stand, and each token's rows.

        There is a table for each offset and a row for each combination of values; the last row
        stands for what lies beyond a sequence.
        """
        used = [(columns[name], offsets) for name, offsets in self._unigrams.items() if offsets]
        if not used:
            return []
        first, kinds = _combinations([column for column, _ in used])
        by_offset: dict[int, list[Ints]] = {}
        for column, offsets in used:
            value = np.append(column.ids[first], len(column.values))
            for offset, known in offsets:
                numbers = numbers_of((*column.values, EDGE), known)
                by_offset.setdefault(offset, []).append(numbers[value])
        rows = near.extended(kinds, edge=len(first))
        count = len(first) + 1
        tables = []
        for offset, attributes in sorted(by_offset.items()):
            kind = np.tile(np.arange(count), len(attributes))
            table = self._weights.summed(kind, np.concatenate(attributes), count)
            tables.append((table, rows[near.at(offset)]))
        return tables


class _Neighbours:
    """Where each token's neighbours stand; beyond its sequence that is one behind the last."""

    def __init__(self, frame: Frame) -> None:
        lengths = np.diff(frame.starts)
        self._first = np.repeat(frame.starts[:-1], lengths)
        self._end = np.repeat(frame.starts[1:], lengths)
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


def _by_template(
    model: CrfModel,
) -> tuple[
    dict[tuple[str, int], dict[str, int]],
    list[tuple[Template, Known]],
]:
    """Sort the model's attributes: by trait, offset and value, and those of conjunctions."""
    unigrams: dict[tuple[str, int], dict[str, int]] = {}
    conjunctions: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    templates = {template.name: template for template in model.parsed_templates()}
    for number, attribute in enumerate(model.attributes):
        name, written = template_of(attribute)
        template = templates[name]
        values = template.values(written)
        if len(values) != len(template.parts) or not all(values):
            raise SettingsError(
                f"has an attribute that is none of its template {name}",
                hint="fetch or train the model again",
            )
        if len(values) == 1:
            unigrams.setdefault(template.parts[0], {})[values[0]] = number
        else:
            conjunctions.setdefault(name, []).append((values, number))
    return unigrams, [(templates[name], known) for name, known in conjunctions.items()]


def _combinations(columns: Sequence[Column]) -> tuple[Ints, Ints]:
    """Return a token of each distinct combination of values, and each token's combination."""
    kinds = np.zeros(len(columns[0].ids), dtype=np.int64)
    size = 1
    for column in columns:
        if size * len(column.values) >= WIDEST:
            _, kinds = np.unique(kinds, return_inverse=True)
            size = len(kinds)
        kinds = kinds * len(column.values) + column.ids
        size *= len(column.values)
    _, first, kinds = np.unique(kinds, return_index=True, return_inverse=True)
    return first.astype(np.int64), kinds.astype(np.int64)
