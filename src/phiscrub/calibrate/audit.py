"""How many cleaned notes to review, which, and what the review proves of all of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import floor

import numpy as np

from phiscrub.calibrate.bounds import (
    Values,
    betting_p,
    drawn_p,
    fewest_bad,
    least,
    most_bad,
    upper,
)
from phiscrub.core.beta import quantile
from phiscrub.core.errors import InputError, SettingsError


@dataclass(frozen=True, slots=True)
class Plan:
    """A sample of `size` out of `population` notes, drawn with `seed`.

    Where at most `allowed` of them leak, at most the share `bound` of all notes does, with the
    confidence.
    """

    population: int
    size: int
    bound: float
    confidence: float
    allowed: int
    seed: int

    @classmethod
    def of(cls, population: int, bound: float, confidence: float, allowed: int, seed: int) -> Plan:
        """Find the smallest sample; raise `SettingsError` where a number is out of range."""
        for name, value in (("bound", bound), ("confidence", confidence)):
            if not 0 < value < 1:
                raise SettingsError(f"{name} {value} is not between 0 and 1", hint="such as 0.005")
        if not 0 <= allowed <= floor(bound * population):
            raise SettingsError(
                f"{allowed} leaking notes among {population:,} are no share of at most {bound:g}",
                hint="allow fewer, or ask for a looser bound",
            )
        worst = floor(bound * population) + 1  # the fewest that are too many

        def enough(size: int) -> bool:
            if size >= population:
                return True
            return drawn_p(allowed, size, worst, population) <= 1 - confidence

        size = least(enough, allowed + 1, population) or population
        return cls(population, size, bound, confidence, allowed, seed)

    def places(self) -> tuple[int, ...]:
        """Return the numbers of the notes to review, from 0, in random order.

        In that order every beginning is a random sample as well.
        """
        chance = random.Random(self.seed)  # noqa: S311 - no secret
        return tuple(chance.sample(range(self.population), self.size))


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One reviewed note: how many identifying words were left in it, of how many words."""

    left: int
    words: int


@dataclass(frozen=True, slots=True)
class Share:
    """A share seen, the most that it is with the confidence, and a two-sided interval."""

    value: float
    at_most: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a review says.

    `notes` is the share of all sampled-from notes that leak, by the draw alone; `future` the same
    of notes still to come, if they are independent of each other and alike. `words` is the mean
    over the notes of the share of their words that is left and identifies: at most that with the
    confidence. Where the sample is not reviewed whole, all hold whenever and why ever the review
    ended, and none is as low as the bound asked for: only the whole sample shows that one.
    """

    reviewed: int
    is_whole: bool
    leaking: int
    left: int
    notes: Share
    future: Share
    words: float
    words_at_most: float
    is_within: bool


def verdict(plan: Plan, found: Sequence[Reviewed]) -> Verdict:
    """Judge a review of the first notes of a plan's sample; raise `InputError` where it is none.

    The whole sample has exact bounds. They are those of a number of notes fixed before; a review
    that may end when it looks good has bounds by betting with the stakes of the whole sample.
    """
    count, population = len(found), plan.population
    if not 0 < count <= plan.size:
        raise InputError(f"{count} notes are reviewed of a sample of {plan.size}")
    leaking = sum(one.left > 0 for one in found)
    tail = 1 - plan.confidence
    losses = np.array([min(1.0, one.left / one.words) if one.words else 0.0 for one in found])
    is_whole = count == plan.size
    if is_whole:
        notes, future = _drawn(leaking, count, population, tail), _future(leaking, count, tail)
    else:
        bad = np.array([float(one.left > 0) for one in found])
        notes, future = _ended(plan, bad, population), _ended(plan, bad, None)
    return Verdict(
        count,
        is_whole,
        leaking,
        sum(one.left for one in found),
        notes,
        future,
        float(losses.mean()),
        upper(lambda rate: betting_p(losses, rate, tail, population, plan.size), tail),
        is_whole and notes.at_most <= plan.bound,
    )


def _drawn(bad: int, cases: int, population: int, tail: float) -> Share:
    """Bound a share by the hypergeometric distribution."""
    return Share(
        bad / cases,
        most_bad(bad, cases, population, tail) / population,
        fewest_bad(bad, cases, population, tail / 2) / population,
        most_bad(bad, cases, population, tail / 2) / population,
    )


def _ended(plan: Plan, bad: Values, population: int | None) -> Share:
    """Bound a share by betting, whenever the review ended.

    It is above the plan's bound: else that would have two chances to be shown, here and by the
    whole sample, and so twice the error.
    """
    tail = 1 - plan.confidence
    above = (floor(plan.bound * plan.population) + 1) / plan.population

    def high(values: Values, tail: float) -> float:
        return upper(lambda rate: betting_p(values, rate, tail, population, plan.size), tail)

    value, at_most = float(bad.mean()), max(above, high(bad, tail))
    low = min(value, 1 - high(1 - bad, tail / 2))
    return Share(value, at_most, low, max(at_most, high(bad, tail / 2)))


def _future(bad: int, cases: int, tail: float) -> Share:
    """Bound a share by Clopper and Pearson 1934."""

    def high(tail: float) -> float:
        return quantile(bad + 1, cases - bad, 1 - tail) if bad < cases else 1.0

    low = quantile(bad, cases - bad + 1, tail / 2) if bad else 0.0
    return Share(bad / cases, high(tail), low, high(tail / 2))
