"""What a sample proves of a rate: p-values and bounds that hold for samples of any size."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, exp, lgamma, log

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.beta import regularised

Values = NDArray[np.float64]
MOST = 1 << 30  # of what is counted up to
COUNTED = 10_000  # a population up to which draws are counted in whole numbers
HALVINGS = 40  # of a rate in [0, 1]


def binomial_p(bad: int, cases: int, rate: float) -> float:
    """Return the most probable that so few bad cases are where at least `rate` of all are bad.

    Cases are independent; the p-value is exact.
    """
    return 1.0 if bad >= cases else 1.0 - regularised(bad + 1, cases - bad, rate)


def drawn_p(bad: int, cases: int, worst: int, population: int) -> float:
    """Return the same where `cases` are drawn, none twice, of a `population` with `worst` bad ones.

    Exact, whatever the cases have to do with each other: only the draw is left to chance.
    """
    good = population - worst
    if population <= COUNTED:
        ways = sum(comb(worst, k) * comb(good, cases - k) for k in range(min(bad, cases) + 1))
        return ways / comb(population, cases)
    low, high = max(0, cases - good), min(bad, worst, cases)
    whole = _log_choose(population, cases)
    return sum(
        exp(_log_choose(worst, k) + _log_choose(good, cases - k) - whole)
        for k in range(low, high + 1)
    )


def betting_p(
    losses: Values,
    rate: float,
    level: float,
    population: int | None = None,
    planned: int | None = None,
) -> float:
    """Return a p-value against a mean loss of at least `rate`; losses are in [0, 1], in any order.

    The order must not hang on the losses. With a `population`, the losses are of cases drawn from
    so many, none twice, and the mean is theirs. With the number `planned`, fixed before the first
    was seen, it holds at whatever moment the losses ended, though they decided it. It is tightest
    where what is asked is whether it is at most `level`. Source: Waudby-Smith and Ramdas 2024, 4.2
    and 5: what a gambler who bets on small losses wins. Each stake depends on earlier losses
    only, as in Bates et al. 2021.
    """
    count = len(losses)
    if not count:
        return 1.0
    places = np.arange(1, count + 1)
    means = (0.5 + np.cumsum(losses)) / (1 + places)
    spread = (0.25 + np.cumsum((losses - means) ** 2)) / (1 + places)
    before = np.append(0.25, spread[:-1])
    stakes = np.minimum(1.0, np.sqrt(2 * log(1 / level) / ((planned or count) * before)))
    expected = np.full(count, rate)
    if population is not None:
        seen = np.append(0.0, np.cumsum(losses)[:-1])
        left = population - places + 1
        expected = np.maximum(0.0, (population * rate - seen) / left)
    with np.errstate(divide="ignore"):
        wealth = np.cumsum(np.log(1 + stakes * (expected - losses)))
    return float(exp(-max(0.0, wealth.max())))


def least(holds: Callable[[int], bool], start: int, most: int = MOST) -> int | None:
    """Return the least number from `start` up to `most` that holds, None where none does.

    What holds for a number is taken to hold for every greater one.
    """
    low, high = start - 1, start
    while not holds(high):
        if high >= most:
            return None
        low, high = high, min(most, 2 * high + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def upper(p_value: Callable[[float], float], level: float) -> float:
    """Return the least rate, rounded up, that every p-value from there on is at most `level` at."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if p_value(middle) <= level else (middle, high)
    return high


def most_bad(bad: int, cases: int, population: int, tail: float) -> int:
    """Return the most bad ones that a population may have where a draw shows `bad` of `cases`.

    More would show so few with a probability of at most `tail`.
    """
    top = population - (cases - bad)
    beyond = least(lambda k: k > top or drawn_p(bad, cases, k, population) <= tail, bad)
    return top if beyond is None else beyond - 1


def fewest_bad(bad: int, cases: int, population: int, tail: float) -> int:
    """Return the fewest bad ones; fewer would show so many with a probability of at most `tail`."""
    good = most_bad(cases - bad, cases, population, tail)
    return population - good


def _log_choose(whole: int, part: int) -> float:
    return lgamma(whole + 1) - lgamma(part + 1) - lgamma(whole - part + 1)
