"""Examples laid out for training: what tokens show, once a distinct row of it.

Most of what a token shows it shares with other tokens: the attributes of one offset are laid out
once a distinct row of them, and scores are added up over rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import MissingError
from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.tagging.templates import parse_templates
from phiscrub.train.examples import NONE, Examples

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

TOKENS, SIDE = 16_384, 16  # go together: of sequences of like length; at least so many sequences
KEYS = 7  # the seed of the numbers by which rows are told apart


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Attributes of some templates: `matrix`, ``[rows, attributes]``, holds each distinct row once.

    `row` says which of them a token shows.
    """

    matrix: Any = field(repr=False)
    row: Ints = field(repr=False)

    def tokens(self) -> Any:
        """Return the matrix ``[rows, tokens]`` of which row is whose."""
        order, count = np.argsort(self.row, kind="stable"), self.matrix.shape[0]
        bounds = np.append(0, np.cumsum(np.bincount(self.row, minlength=count)))
        there = np.ones(len(order), dtype=np.float32)
        return type(self.matrix)((there, order, bounds), shape=(count, len(order)))


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """Sequences laid out to be scored: the longest first, token behind token.

    `tags` are numbers of `tag_names`, `attributes` how many there are.
    """

    tag_names: tuple[str, ...]
    attributes: int
    shared: tuple[Shared, ...] = field(repr=False)
    tags: Ints = field(repr=False)
    starts: Ints = field(repr=False)

    @classmethod
    def of(cls, examples: Examples, attributes: Sequence[str], tag_names: Sequence[str]) -> Self:
        """Lay out examples with the numbers of some attributes; the others are left out.

        A tag without a name is taken for O.
        """
        known = {text: at for at, text in enumerate(attributes)}
        own = [known.get(text, NONE) for text in (*examples.attributes, "")]  # the last is for none
        numbered = np.array(own, dtype=np.int32)
        lengths = np.diff(examples.starts)
        order = np.argsort(-lengths, kind="stable")
        starts = np.append(0, np.cumsum(lengths[order]))
        moved = np.repeat(examples.starts[order] - starts[:-1], lengths[order])
        token = moved + np.arange(starts[-1])
        number = {tag: at for at, tag in enumerate(tag_names)}
        tags = np.array([number.get(t, number[OUTSIDE]) for t in examples.tag_names])
        keys = np.random.default_rng(KEYS).integers(1 << 63, size=len(attributes) + 1)
        keys[NONE] = 0
        shared = tuple(
            _shared([numbered[examples.shown[token, column]] for column in columns], keys)
            for columns in _groups(examples.templates)
        )
        return cls(tuple(tag_names), len(attributes), shared, tags[examples.tags[token]], starts)

    def blocks(self, states: Floats | Singles) -> Iterator[tuple[int, Ints, Singles]]:
        """Yield the first token of sequences that go together, where each begins, and scores.

        `states`, ``[attributes, tags]``, are weights; scores are ``[tokens, tags]``.
        """
        scored = [one.matrix @ states for one in self.shared]
        first = 0
        while first < len(self.starts) - 1:
            low = int(self.starts[first])
            many = low + max(TOKENS, SIDE * int(self.starts[first + 1] - low))
            end = int(np.searchsorted(self.starts, many, side="right")) - 1
            high = int(self.starts[end])
            scores = np.zeros((high - low, len(self.tag_names)), dtype=np.float32)
            for one, own in zip(self.shared, scored, strict=True):
                scores += own[one.row[low:high]]
            yield low, self.starts[first : end + 1] - low, scores
            first = end

    def counts(self) -> tuple[Ints, Ints]:
        """Return how often each attribute stands at each tag, and each tag before each other."""
        count = len(self.tag_names)
        seen = np.zeros(self.attributes * count, dtype=np.int64)
        for one in self.shared:
            pairs, times = np.unique(one.row * count + self.tags, return_counts=True)
            shown = one.matrix[pairs // count]
            sizes = np.diff(shown.indptr)
            at = shown.indices.astype(np.int64) * count + np.repeat(pairs % count, sizes)
            np.add.at(seen, at, np.repeat(times, sizes))
        before, after = turns_of(self.tags, self.starts)
        return seen, np.bincount(before * count + after, minlength=count**2)


def turns_of(tags: Ints, starts: Ints) -> tuple[Ints, Ints]:
    """Return the tags of all tokens but the last of sequences, and those behind them."""
    inner = np.ones(len(tags), dtype=np.bool_)
    inner[starts[:-1]] = False
    return tags[:-1][inner[1:]], tags[1:][inner[1:]]


def _groups(templates: Sequence[str]) -> list[list[int]]:
    """Return the columns that go together: single traits of an offset, and all of several."""
    groups: dict[int | None, list[int]] = {}
    for column, template in enumerate(parse_templates(templates)):
        offsets = [offset for _, offset in template.parts]
        groups.setdefault(offsets[0] if len(offsets) == 1 else None, []).append(column)
    return list(groups.values())


def _shared(columns: Sequence[NDArray[np.int32]], keys: Ints) -> Shared:
    """Lay out what columns show, once a distinct row; the sum of their `keys` tells rows apart."""
    try:
        from scipy.sparse import csr_array  # noqa: PLC0415 - optional
    except ImportError:
        raise MissingError(
            "training a CRF needs the package scipy", hint="pip install 'phiscrub[crf]'"
        ) from None
    key = np.zeros(len(columns[0]), dtype=np.int64)
    for shown in columns:
        key += keys[shown]  # wraps around
    _, first, row = np.unique(key, return_index=True, return_inverse=True)
    table = np.stack([shown[first] for shown in columns], axis=1)
    pointers = np.append(0, np.cumsum((table != NONE).sum(axis=1)))
    indices = table[table != NONE]
    ones = np.ones(len(indices), dtype=np.float32)
    matrix = csr_array((ones, indices, pointers), shape=(len(first), len(keys) - 1))
    return Shared(matrix, row)
