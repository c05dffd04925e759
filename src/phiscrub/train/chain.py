"""What weights of a linear-chain CRF cost on notes, and which way they should go.

Source: Lafferty, McCallum and Pereira 2001.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Self

import numpy as np

from phiscrub.train.lattice import Floats, Ints, Lattice, Singles, turns_of

Tables = tuple[Floats | Singles, Floats]


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """The weights of a CRF as one row, and what they cost on notes.

    First come those of `pairs` (the number of an attribute times that of tags, plus a tag), then
    those of `turns` (a tag times that of tags, plus the tag behind it).
    """

    lattice: Lattice
    pairs: Ints = field(repr=False)
    turns: Ints = field(repr=False)
    tokens: tuple[Any, ...] = field(repr=False)

    @classmethod
    def of(cls, lattice: Lattice, least: float, known: Tables | None = None) -> Self:
        """Give a weight to all that stands in the notes at least so often, or has one in `known`.

        `known` are tables as `parted` gives them.
        """
        pairs, turns = (own >= max(1.0, least) for own in lattice.counts())
        if known is not None:
            pairs |= known[0].ravel() != 0
            turns |= known[1].ravel() != 0
        tokens = tuple(one.tokens() for one in lattice.shared)
        return cls(lattice, np.flatnonzero(pairs), np.flatnonzero(turns), tokens)

    @property
    def size(self) -> int:
        """How many weights there are."""
        return len(self.pairs) + len(self.turns)

    def joined(self, states: Floats | Singles, turns: Floats) -> Floats:
        """Return the weights that tables hold, as one row; the opposite of `parted`."""
        return np.concatenate([states.ravel()[self.pairs], turns.ravel()[self.turns]])

    def parted(self, weights: Floats) -> Tables:
        """Return weights as tables: ``[attributes, tags]``, and ``[tags, tags]`` of turns."""
        count = len(self.lattice.tag_names)
        states = np.zeros(self.lattice.attributes * count, dtype=np.float32)
        states[self.pairs] = weights[: len(self.pairs)]
        turns = np.zeros(count**2)
        turns[self.turns] = weights[len(self.pairs) :]
        return states.reshape(-1, count), turns.reshape(count, count)

    def loss(self, weights: Floats) -> tuple[float, Floats]:
        """Return the negative log likelihood of the tags, and its gradient."""
        states, turns = self.parted(weights)
        lattice = self.lattice
        astray = np.empty((len(lattice.tags), len(lattice.tag_names)), dtype=np.float32)
        met = np.zeros(turns.shape)
        total = 0.0
        for low, starts, scores in lattice.blocks(states):
            tags = lattice.tags[low : low + len(scores)]
            cost, proba, expected = _followed(scores, starts, turns, tags)
            proba[np.arange(len(tags)), tags] -= 1.0
            astray[low : low + len(scores)] = proba
            met += expected
            total += cost
        slope = np.zeros(states.shape, dtype=np.float32)
        for one, tokens in zip(lattice.shared, self.tokens, strict=True):
            slope += one.matrix.T @ (tokens @ astray)
        return total, self.joined(slope, met)


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
    led = turns_of(tags, starts)
    np.add.at(met, led, -1.0)
    gold = scores[np.arange(len(tags)), tags].sum(dtype=np.float64) + turns[led].sum()
    total = float(np.log(scale, dtype=np.float64).sum() + highest.sum(dtype=np.float64) - gold)
    placed = np.empty_like(proba)
    placed[order] = proba
    return total, placed, met
