"""The weights of a CRF: found step by step, kept where development notes gain no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import compress

import numpy as np

from phiscrub.core.counts import ratio
from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.tagging.crfsuite_file import Trained
from phiscrub.detect.tagging.decode import posterior, viterbi
from phiscrub.train.chain import Chain, Floats, Layout, Singles
from phiscrub.train.crfsuite import Keep, perceptron
from phiscrub.train.examples import Examples
from phiscrub.train.owlqn import iterates
from phiscrub.train.recipe import PERCEPTRON, Training
from phiscrub.train.steps import Step, Weighed, best_step


def weigh(
    train: Examples,
    keep: Keep,
    dev: Examples | None,
    training: Training,
    tick: Callable[[Step], None],
) -> Weighed:
    """Find the weights of the attributes that `keep` marks.

    Where F1 on `dev` has risen and then not for the recipe's patience, training ends, and the
    weights are those of its best iteration. Raises `MissingError` without the package that finds
    them.
    """
    if training.algorithm == PERCEPTRON:
        return perceptron(train, keep, dev, training, tick)
    names = tuple(compress(train.attributes, keep.tolist()))
    chain = Chain.of(Layout.of(train, names, train.tag_names), training.min_frequency)
    held = None if dev is None else Layout.of(dev, names, train.tag_names)
    begun, steps = time.monotonic(), list[Step]()
    kept, stopped = np.zeros(chain.size), ""
    for one in iterates(
        chain.loss,
        np.zeros(chain.size),
        c1=training.c1,
        c2=training.c2,
        epsilon=training.epsilon,
        period=training.period,
        delta=training.delta,
    ):
        f1 = None if held is None else _f1(held, *chain.parted(one.weights))
        steps.append(Step(len(steps) + 1, one.loss, f1, time.monotonic() - begun))
        tick(steps[-1])
        best = best_step(steps)
        if not best or best == len(steps):
            kept = one.weights
        if 0 < training.patience <= len(steps) - best and steps[best - 1].f1:
            stopped = f"no gain after iteration {best}"
            break
        if one.is_last or len(steps) >= training.max_iterations:
            kept, stopped = one.weights, _ending(len(steps), is_last=one.is_last)
            break
    return Weighed(_trained(chain, names, kept), tuple(steps), len(names), stopped)


def _trained(chain: Chain, names: tuple[str, ...], weights: Floats) -> Trained:
    """Return the attributes that have weight, and the weights."""
    count = len(chain.layout.tag_names)
    own = weights[: len(chain.pairs)]
    attribute, tag = np.divmod(chain.pairs[own != 0], count)
    sizes = np.bincount(attribute, minlength=len(names))
    return Trained(
        tags=chain.layout.tag_names,
        attributes=tuple(compress(names, sizes.tolist())),
        pointers=np.append(0, np.cumsum(sizes[sizes > 0])),
        columns=tag.astype(np.int32),
        weights=own[own != 0],
        transitions=chain.parted(weights)[1],
    )


def _f1(held: Layout, states: Singles, turns: Floats) -> float:
    """Return F1 over tokens inside mentions, tag by tag."""
    outside = held.tag_names.index(OUTSIDE)
    hits = found = 0
    for low, starts, scores in held.blocks(states):
        wide = scores.astype(np.float64)
        tags = viterbi(wide, starts, turns, posterior(wide, starts, turns))
        gold = held.tags[low : low + len(tags)]
        hits += int(((tags == gold) & (gold != outside)).sum())
        found += int((tags != outside).sum()) + int((gold != outside).sum())
    return ratio(2 * hits, found) or 0.0


def _ending(steps: int, *, is_last: bool) -> str:
    return f"converged after iteration {steps}" if is_last else f"all {steps} iterations done"
