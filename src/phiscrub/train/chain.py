"""What weights of a linear-chain CRF cost on notes, and which way they should go.

Source: Lafferty, McCallum and Pereira 2001. Most of what a token shows it shares with other
tokens: the attributes of one offset are laid out once a distinct row of them, scores are added up
over rows, and only chains are followed token by token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
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

TOKENS = 16_384  # of sequences of like length that are followed side by side
KEYS = 7  # the seed of the numbers by which rows are told apart


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Attributes of some templates: `matrix`, ``[rows, attributes]``, holds each distinct row once.

    `row` says which of them a token shows, `tokens`, ``[rows, tokens]``, the same as a matrix.
    """

    matrix: Any = field(repr=False)
    row: Ints = field(repr=False)
    tokens: Any = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
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

    def blocks(self, states: Singles) -> Iterator[tuple[int, Ints, Singles]]:
        """Yield the first token of sequences that go together, where each begins, and scores.

        `states`, ``[attributes, tags]``, are weights; scores are ``[tokens, tags]``.
        """
        scored = [one.matrix @ states for one in self.shared]
        first = 0
        while first < len(self.starts) - 1:
            low = int(self.starts[first])
            end = int(np.searchsorted(self.starts, low + TOKENS, side="right")) - 1
            end = max(first + 1, end)
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
        before, after = _turns(self.tags, self.starts)
        return seen, np.bincount(before * count + after, minlength=count**2)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The weights of a CRF as one row, and what they cost on notes.

    First come those of `pairs` (the number of an attribute times that of tags, plus a tag), then
    those of `turns` (a tag times that of tags, plus the tag behind it).
    """

    layout: Layout
    pairs: Ints = field(repr=False)
    turns: Ints = field(repr=False)

    @classmethod
    def of(cls, layout: Layout, least: float) -> Self:
        """Give a weight to all that stands in the notes at least so often."""
        pairs, turns = (np.flatnonzero(own >= max(1.0, least)) for own in layout.counts())
        return cls(layout, pairs, turns)

    @property
    def size(self) -> int:
        """How many weights there are."""
        return len(self.pairs) + len(self.turns)

    def parted(self, weights: Floats) -> tuple[Singles, Floats]:
        """Return weights as tables: ``[attributes, tags]``, and ``[tags, tags]`` of turns."""
        count = len(self.layout.tag_names)
        states = np.zeros(self.layout.attributes * count, dtype=np.float32)
        states[self.pairs] = weights[: len(self.pairs)]
        turns = np.zeros(count**2)
        turns[self.turns] = weights[len(self.pairs) :]
        return states.reshape(-1, count), turns.reshape(count, count)

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return the negative log likelihood of the tags, and its gradient."""
        states, turns = self.parted(weights)
        layout = self.layout
        astray = np.empty((len(layout.tags), len(layout.tag_names)), dtype=np.float32)
        met = np.zeros(turns.shape)
        total = 0.0
        for low, starts, scores in layout.blocks(states):
            tags = layout.tags[low : low + len(scores)]
            cost, proba, expected = _followed(scores, starts, turns, tags)
            proba[np.arange(len(tags)), tags] -= 1.0
            astray[low : low + len(scores)] = proba
            met += expected
            total += cost
        slope = np.zeros(states.shape, dtype=np.float32)
        for one in layout.shared:
            slope += one.matrix.T @ (one.tokens @ astray)
        return total, np.concatenate([slope.ravel()[self.pairs], met.ravel()[self.turns]])


def _turns(tags: Ints, starts: Ints) -> tuple[Ints, Ints]:
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
    counts = np.append(0, np.cumsum(np.bincount(row, minlength=len(first))))
    there = np.ones(len(row), dtype=np.float32)
    order = np.argsort(row, kind="stable")
    return Shared(matrix, row, csr_array((there, order, counts), shape=(len(first), len(row))))


def _followed(
    scores: Singles, starts: Ints, turns: Floats, tags: Ints
) -> tuple[float, Singles, Floats]:
    """Return what chains cost, probabilities ``[tokens, tags]``, and turns less those seen.

    Sequences go side by side, the longest first, so that those still going on come first.
    """
    lengths = np.diff(starts)
    longest = int(lengths[0])
    alive = np.searchsorted(-lengths, -np.arange(longest), side="left")
    bounds = np.append(0, np.cumsum(alive))
    order = np.concatenate([starts[:count] + at for at, count in enumerate(alive)])
    highest = scores.max(axis=1, keepdims=True)
    local = np.exp(scores - highest)[order]
    onward = np.exp(turns).astype(np.float32)
    forward, scale = np.empty_like(local), np.empty((len(local), 1), dtype=np.float32)
    for at, (low, high) in enumerate(pairwise(bounds)):
        rows = local[low:high].copy()
        if at:
            rows *= forward[bounds[at - 1] : bounds[at - 1] + high - low] @ onward
        scale[low:high] = rows.sum(axis=1, keepdims=True)
        forward[low:high] = rows / scale[low:high]
    proba = np.empty_like(forward)
    met = np.zeros(turns.shape)
    after = np.empty((0, scores.shape[1]), dtype=np.float32)
    for low, high in reversed(list(pairwise(bounds))):
        backward = np.ones((high - low, scores.shape[1]), dtype=np.float32)
        backward[: len(after)] = after @ onward.T
        met += forward[low : low + len(after)].T @ after
        proba[low:high] = forward[low:high] * backward
        after = backward * local[low:high] / scale[low:high]
    met *= onward
    led = _turns(tags, starts)
    np.add.at(met, led, -1.0)
    gold = scores[np.arange(len(tags)), tags].sum(dtype=np.float64) + turns[led].sum()
    total = float(np.log(scale, dtype=np.float64).sum() + highest.sum(dtype=np.float64) - gold)
    placed = np.empty_like(proba)
    placed[order] = proba
    return total, placed, met
