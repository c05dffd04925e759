"""The search for better penalties and feature groups, on development notes, within a time."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial

from phiscrub.core.counts import Counts
from phiscrub.evaluate.entities import exact
from phiscrub.train.corpus import Corpus
from phiscrub.train.fit import AnyFitted, AnyMaterial
from phiscrub.train.recipe import Recipe

FACTORS = (0.3, 3.0)
STEPS = (-0.1, 0.1)
LARGEST = 0.9  # a dropout
SMALLEST = 1e-3  # a penalty of zero is tried as this
MINUTE = 60.0

Move = Callable[[Recipe], tuple[str, Recipe]]


@dataclass(frozen=True, slots=True)
class Trial:
    """One change that was tried, its exact counts on the development notes, and whether it stays.

    `seconds` is what it took.
    """

    change: str
    counts: Counts
    kept: bool
    seconds: float


@dataclass(frozen=True, slots=True, eq=False)
class Tuned:
    """The best model of a search and every trial on the way."""

    fitted: AnyFitted
    trials: tuple[Trial, ...] = field(repr=False)


def tune(
    material: AnyMaterial, dev: Corpus, minutes: float, tick: Callable[[Trial], None]
) -> Tuned:
    """Change one thing at a time, keep what raises strict F1 on `dev`, until the time is up.

    A round tries both penalties three times larger and smaller (of a network the rate, and more
    and less dropout), and leaving out each group of features, each on top of what stays; rounds
    go on while one gained. A trial is not begun that would end behind the budget, by the slowest
    so far; the first always is.
    """
    begun = time.monotonic()
    best, first = _try(material, dev, material.recipe, "as the recipe says", None)
    trials, tried, top = [first], {_key(material.recipe)}, first.counts.f1 or 0.0
    tick(first)
    rounds_left = True
    while rounds_left:
        rounds_left = False
        for move in _moves(material.recipe):
            change, recipe = move(best.recipe)
            if _key(recipe) in tried or not (recipe.network or recipe.stack or recipe.templates):
                continue
            if time.monotonic() - begun + max(t.seconds for t in trials) > MINUTE * minutes:
                return Tuned(best, tuple(trials))
            tried.add(_key(recipe))
            fitted, trial = _try(material, dev, recipe, change, top)
            trials.append(trial)
            tick(trial)
            if trial.kept:
                best, top, rounds_left = fitted, trial.counts.f1 or 0.0, True
    return Tuned(best, tuple(trials))


def _try(
    material: AnyMaterial, dev: Corpus, recipe: Recipe, change: str, to_beat: float | None
) -> tuple[AnyFitted, Trial]:
    begun = time.monotonic()
    fitted = material.fit(recipe, lambda _: None)
    tallies = exact(fitted.samples(dev.notes))
    counts = sum((tally.total for tally in tallies.values()), Counts())
    kept = to_beat is None or (counts.f1 or 0.0) > to_beat
    return fitted, Trial(change, counts, kept, time.monotonic() - begun)


def _moves(recipe: Recipe) -> Iterator[Move]:
    if recipe.network is not None:
        for factor in FACTORS:
            yield partial(_rate, factor)
        for step in STEPS:
            yield partial(_dropout, step)
            yield partial(_word_dropout, step)
    elif recipe.stack is not None:
        yield from (partial(_penalty, factor) for factor in FACTORS)
    elif recipe.training.algorithm == "lbfgs":
        for factor in FACTORS:
            yield partial(_c1, factor)
            yield partial(_c2, factor)
    for group in recipe.features:
        yield partial(_without, group)


def _c1(factor: float, recipe: Recipe) -> tuple[str, Recipe]:
    value = float(f"{max(recipe.training.c1, SMALLEST) * factor:.2g}")
    return f"c1 = {value:g}", recipe.tuned(c1=value)


def _c2(factor: float, recipe: Recipe) -> tuple[str, Recipe]:
    value = float(f"{max(recipe.training.c2, SMALLEST) * factor:.2g}")
    return f"c2 = {value:g}", recipe.tuned(c2=value)


def _penalty(factor: float, recipe: Recipe) -> tuple[str, Recipe]:
    own = recipe.stack
    if own is None:
        return "", recipe
    value = float(f"{max(own.penalty, SMALLEST) * factor:.2g}")
    return f"penalty = {value:g}", replace(recipe, stack=replace(own, penalty=value))


def _rate(factor: float, recipe: Recipe) -> tuple[str, Recipe]:
    value = float(f"{recipe.schedule.rate * factor:.2g}")
    return f"rate = {value:g}", replace(recipe, schedule=replace(recipe.schedule, rate=value))


def _dropout(step: float, recipe: Recipe) -> tuple[str, Recipe]:
    own = recipe.network
    if own is None:
        return "", recipe
    value = _share(own.dropout + step)
    return f"dropout = {value:g}", replace(recipe, network=replace(own, dropout=value))


def _word_dropout(step: float, recipe: Recipe) -> tuple[str, Recipe]:
    value = _share(recipe.schedule.word_dropout + step)
    schedule = replace(recipe.schedule, word_dropout=value)
    return f"word_dropout = {value:g}", replace(recipe, schedule=schedule)


def _share(value: float) -> float:
    return min(LARGEST, max(0.0, round(value, 2)))


def _without(group: str, recipe: Recipe) -> tuple[str, Recipe]:
    return f"without {group}", recipe.tuned(without=[group])


def _key(recipe: Recipe) -> str:
    return json.dumps(recipe.stated(), sort_keys=True)
