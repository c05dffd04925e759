"""The weights of a CRF: found step by step, kept where development notes gain no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import compress

import numpy as np

from phiscrub.core.counts import ratio
from phiscrub.core.errors import SettingsError
from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.tagging.crf_weights import CrfWeights
from phiscrub.detect.tagging.decode import posterior, viterbi
from phiscrub.train.begun import Begun
from phiscrub.train.chain import Chain
from phiscrub.train.crfsuite import Keep, perceptron
from phiscrub.train.examples import Examples
from phiscrub.train.lattice import Floats, Lattice, Singles
from phiscrub.train.owlqn import iterates
from phiscrub.train.recipe import PERCEPTRON, Training
from phiscrub.train.steps import Step, Weighed, best_step


def weigh(
    train: Examples,
    keep: Keep,
    dev: Examples | None,
    training: Training,
    tick: Callable[[Step], None],
    *,
    begun: Begun | None = None,
) -> Weighed:
    """Find the weights of the attributes that `keep` marks, and of those that are begun with.

    What is begun with is changed as little as pays: penalties are on the change. Where F1 on
    `dev` has risen and then not for the recipe's patience, training ends, and the weights are
    those of its best iteration. Raises `MissingError` without the package that finds them, and
    `SettingsError` where the perceptron is to begin with weights.
    """
    if training.algorithm == PERCEPTRON:
        if begun is not None:
            hint = "take training.algorithm = 'lbfgs'"
            raise SettingsError("the perceptron begins with no weights", hint=hint)
        return perceptron(train, keep, dev, training, tick)
    names, tags, known = tuple(compress(train.attributes, keep.tolist())), train.tag_names, None
    if begun is not None:
        names = tuple(dict.fromkeys((*begun.model.attributes, *names)))
        tags = tuple(dict.fromkeys((*tags, *begun.model.tags)))
        known = begun.tables(names, tags)
    chain = Chain.of(Lattice.of(train, names, tags), training.min_frequency, known)
    held = None if dev is None else Lattice.of(dev, names, tags)
    start = np.zeros(chain.size) if known is None else chain.joined(*known)
    since, steps = time.monotonic(), list[Step]()
    weights = kept = start
    for one in iterates(
        lambda change: chain.loss(start + change),
        np.zeros(chain.size),
        c1=training.c1,
        c2=training.c2 if begun is None else training.change,
        epsilon=training.epsilon,
        period=training.period,
        delta=training.delta,
    ):
        weights = start + one.weights
        f1 = None if held is None else _f1(held, *chain.parted(weights))
        steps.append(Step(len(steps) + 1, one.loss, f1, time.monotonic() - since))
        tick(steps[-1])
        best = best_step(steps)
        if best == len(steps):
            kept = weights
        if 0 < training.patience <= len(steps) - best and steps[best - 1].f1:
            stopped = f"no gain after iteration {best}"
            break
        if len(steps) >= training.max_iterations:
            kept, stopped = weights, f"all {training.max_iterations} iterations done"
            break
    else:
        kept, stopped = weights, f"converged after iteration {len(steps)}"
    return Weighed(_trained(chain, names, kept), tuple(steps), len(names), stopped)


def _trained(chain: Chain, names: tuple[str, ...], weights: Floats) -> CrfWeights:
    """Return the attributes that have weight, and the weights."""
    count = len(chain.lattice.tag_names)
    own = weights[: len(chain.pairs)]
    attribute, tag = np.divmod(chain.pairs[own != 0], count)
    sizes = np.bincount(attribute, minlength=len(names))
    return CrfWeights(
        tags=chain.lattice.tag_names,
        attributes=tuple(compress(names, sizes.tolist())),
        pointers=np.append(0, np.cumsum(sizes[sizes > 0])),
        columns=tag.astype(np.int32),
        weights=own[own != 0],
        transitions=chain.parted(weights)[1],
    )


def _f1(held: Lattice, states: Floats | Singles, turns: Floats) -> float:
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
