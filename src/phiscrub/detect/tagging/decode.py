"""From scores to probabilities and to the best tags, for many sequences at once.

A linear-chain CRF as in Lafferty, McCallum and Pereira 2001. All sequences of a batch go side by
side, the longest first, so that those still going on are always the first rows and nothing is
padded.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.weights import Floats, Ints

SLACK = 1e-6  # far above rounding, far below what a tag must lack to be ruled out in practice
ROWS = 256  # sequences at a time whose every transition is weighed: the table stays small
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Posterior:
    """What a CRF thinks of each token, float64 of shape ``[tokens, tags]``, and how sure it is.

    `log_totals`, float64 of shape ``[sequences]``, are the logarithms of what a sequence's
    scores, as powers of e, add up to over all its taggings.
    """

    proba: Floats = field(repr=False)
    log_totals: Floats = field(repr=False)


def posterior(scores: Floats, starts: Ints, transitions: Floats) -> Posterior:
    """Run scaled forward-backward; `starts` are first tokens of sequences, as in `Frame`."""
    steps = _Steps.of(starts)
    highest = scores.max(axis=1, keepdims=True) if len(scores) else np.zeros((0, 1))
    local = np.exp(scores - highest)[steps.order]
    onward = np.exp(transitions)
    forward, scale = np.empty_like(local), np.empty((len(local), 1))
    before: Floats | None = None
    for low, high in pairwise(steps.bounds):
        rows = forward[low:high]
        if before is None:
            rows[:] = local[low:high]
        else:
            np.matmul(before[: high - low], onward, out=rows)
            rows *= local[low:high]
        scale[low:high] = rows.sum(axis=1, keepdims=True)
        rows /= scale[low:high]
        before = rows
    proba = np.empty_like(forward)
    back = onward.T.copy()
    after = np.empty((0, scores.shape[1]))
    for low, high in reversed(list(pairwise(steps.bounds))):
        backward = np.ones((high - low, scores.shape[1]))
        np.matmul(after, back, out=backward[: len(after)])
        np.multiply(forward[low:high], backward, out=proba[low:high])
        backward *= local[low:high]
        backward /= scale[low:high]
        after = backward
    placed = np.empty_like(proba)
    placed[steps.order] = proba
    logs = np.empty(len(scores))
    logs[steps.order] = np.log(scale[:, 0])
    return Posterior(placed, _totals(logs + highest[:, 0], starts))


def viterbi(
    scores: Floats,
    starts: Ints,
    transitions: Floats,
    known: Posterior,
    allowed: Bools | None = None,
) -> Ints:
    """Return the number of each token's tag in the best tagging of its sequence.

    Of two equally good taggings the one with the lower tag at the last token where they differ
    is taken, as CRFsuite does. `known` is the posterior of the same scores; where `allowed`, of
    shape ``[tokens, tags]``, is False, a tag cannot be; each token must be allowed one.

    The best tagging is at least as probable as that of each token's likeliest tags, and no tag
    of it can be less probable than the whole. This rules out nearly all tags; only the stretches
    of tokens that still have several are decoded.
    """
    if not len(scores):
        return np.zeros(0, dtype=np.int64)
    weighed = known.proba if allowed is None else np.where(allowed, known.proba, -1.0)
    tags: Ints = weighed.argmax(axis=1).astype(np.int64)
    is_first = np.zeros(len(scores), dtype=bool)
    is_first[starts[:-1]] = True
    is_last = np.append(is_first[1:], True)
    steps = scores[np.arange(len(scores)), tags]
    steps[1:] += np.where(is_first[1:], 0.0, transitions[tags[:-1], tags[1:]])
    least = np.exp(_totals(steps, starts) - known.log_totals - SLACK)
    possible = weighed >= np.repeat(least, np.diff(starts))[:, None]
    is_open = possible.sum(axis=1) > 1
    firsts = np.flatnonzero(is_open & (is_first | ~np.append(False, is_open[:-1])))
    lasts = np.flatnonzero(is_open & (is_last | ~np.append(is_open[1:], False)))
    if not len(firsts):
        return tags
    bounds = np.append(0, np.cumsum(lasts - firsts + 1))
    local = np.where(possible[is_open], scores[is_open], -np.inf)
    led = ~is_first[firsts]
    local[bounds[:-1][led]] += transitions[tags[firsts[led] - 1]]
    closed = ~is_last[lasts]
    closing = np.zeros((len(lasts), scores.shape[1]))
    closing[closed] = transitions.T[tags[lasts[closed] + 1]]
    tags[is_open] = _decode(local, bounds, transitions, closing)
    return tags


def _decode(scores: Floats, starts: Ints, transitions: Floats, closing: Floats) -> Ints:
    """Run Viterbi; `closing`, ``[sequences, tags]``, is added to the scores of the last tokens.

    What is best before a tag is only looked up on the way back, for the tags of the way.
    """
    steps = _Steps.of(starts)
    best = scores[steps.order]
    bounds = list(pairwise(steps.bounds))
    for (low, _), (first, end) in pairwise(bounds):
        best[first:end] += _best_onward(best[low : low + end - first], transitions)
    found = np.empty(len(best), dtype=np.int64)
    closing = closing[steps.sequences]
    after = found[:0]
    for low, high in reversed(bounds):
        onward = np.concatenate((transitions.T[after], closing[len(after) : high - low]))
        after = found[low:high] = (best[low:high] + onward).argmax(axis=1)
    placed = np.empty_like(found)
    placed[steps.order] = found
    return placed


def _best_onward(before: Floats, transitions: Floats) -> Floats:
    """Return for each row and tag the best of what can stand before it."""
    best = np.empty_like(before)
    for low in range(0, len(before), ROWS):
        part = slice(low, low + ROWS)
        np.max(before[part, :, None] + transitions, axis=1, out=best[part])
    return best


def n_best(scores: Floats, transitions: Floats, count: int) -> list[tuple[float, tuple[int, ...]]]:
    """Return the best taggings of one sequence, ``(score, tags)``, falling; fewer if there are.

    `scores` is of shape ``[tokens, tags]``, without which there is one tagging: none.
    """
    if not len(scores):
        return [(0.0, ())]
    tags = scores.shape[1]
    best = scores[0][:, None]  # [tags, ways]: the scores of each tag's best ways to it, falling
    backs: list[tuple[int, NDArray[np.intp]]] = []
    for row in scores[1:]:
        ways = (best[:, :, None] + transitions[:, None, :]).reshape(-1, tags)
        order = np.argsort(-ways, axis=0, kind="stable")[:count]
        backs.append((best.shape[1], order))
        best = np.take_along_axis(ways, order, axis=0).T + row[:, None]
    found = []
    for place in np.argsort(-best, axis=None, kind="stable")[:count].tolist():
        tag, way = divmod(place, best.shape[1])
        taken = [tag]
        for width, order in reversed(backs):
            tag, way = divmod(int(order[way, tag]), width)
            taken.append(tag)
        found.append((float(best.flat[place]), tuple(reversed(taken))))
    return found


@dataclass(frozen=True, slots=True, eq=False)
class _Steps:
    """Sequences side by side, the longest first: step after step, the tokens of each step.

    `order` are the tokens in this order, `bounds` where in it the steps begin and the last ends,
    and `sequences` the sequences in theirs.
    """

    order: Ints
    bounds: list[int]
    sequences: Ints

    @classmethod
    def of(cls, starts: Ints) -> _Steps:
        lengths = np.diff(starts)
        sequences = np.argsort(-lengths, kind="stable")
        rank = np.empty_like(sequences)
        rank[sequences] = np.arange(len(sequences))
        step = np.arange(starts[-1]) - np.repeat(starts[:-1], lengths)
        order = np.lexsort((np.repeat(rank, lengths), step))
        bounds = np.append(0, np.cumsum(np.bincount(step)))
        return cls(order, bounds.tolist(), sequences)


def _totals(values: Floats, starts: Ints) -> Floats:
    """Return the sum of each sequence's values."""
    if not len(values):
        return np.zeros(0)
    return np.add.reduceat(values, starts[:-1])
