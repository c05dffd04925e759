"""The beta distribution, as far as exact binomial bounds and t tests need it."""

from __future__ import annotations

from math import exp, lgamma, log, log1p

STEPS = 400  # of the continued fraction, at least; large a and b get more
TINY = 1e-300
CLOSE = 3e-16
HALVINGS = 80  # of [0, 1]: below the spacing of floats


def regularised(a: float, b: float, x: float) -> float:
    """Return the probability that a beta(a, b) variable is at most x.

    Source: Numerical Recipes, 3rd edition, 6.4 (modified Lentz).
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(a, b, x) / a
    return 1 - front * _fraction(b, a, 1 - x) / b


def quantile(a: float, b: float, probability: float) -> float:
    """Return the x that a beta(a, b) variable stays under with the probability, by bisection."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        if regularised(a, b, middle) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _fraction(a: float, b: float, x: float) -> float:
    c = 1.0
    d = 1 / _away(1 - (a + b) * x / (a + 1))
    value = d
    for m in range(1, max(STEPS, int(10 * (a + b) ** 0.5)) + 1):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away(1 + term * d)
            c = _away(1 + term / c)
            value *= d * c
        if abs(d * c - 1) < CLOSE:
            break
    return value


def _away(value: float) -> float:
    return value if abs(value) > TINY else TINY
