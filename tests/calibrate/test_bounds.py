"""Bounds and p-values against enumeration of everything that can happen."""

from __future__ import annotations

from itertools import combinations, permutations, product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.calibrate import bounds
from phiscrub.calibrate.bounds import (
    betting_p,
    binomial_p,
    drawn_p,
    fewest_bad,
    least,
    most_bad,
    upper,
)

SLACK = 1e-9


@given(st.integers(1, 40), st.data(), st.floats(0.001, 0.999))
def test_binomial_p_is_the_sum(cases, data, rate):
    bad = data.draw(st.integers(0, cases))
    whole = sum(comb(cases, k) * rate**k * (1 - rate) ** (cases - k) for k in range(bad + 1))
    assert binomial_p(bad, cases, rate) == pytest.approx(min(1.0, whole), abs=1e-9)


@pytest.mark.parametrize("population", [1, 5, 8])
def test_drawn_p_counts_the_draws(population):
    for worst, cases in product(range(population + 1), range(1, population + 1)):
        draws = [sum(at < worst for at in d) for d in combinations(range(population), cases)]
        for bad in range(cases + 1):
            share = sum(found <= bad for found in draws) / len(draws)
            assert drawn_p(bad, cases, worst, population) == pytest.approx(share, abs=1e-9)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 5),
    st.lists(st.integers(1, 9), min_size=3, max_size=3),
    st.floats(0.02, 0.5),
)
def test_a_betting_p_is_small_as_seldom_as_it_says(count, weights, level):
    """Every sequence of losses, weighed by its probability, where the mean is just the rate."""
    values = (0.0, 0.5, 1.0)
    chances = [w / sum(weights) for w in weights]
    rate = sum(v * c for v, c in zip(values, chances, strict=True))
    small = sum(
        prod(chances[at] for at in draw)
        for draw in product(range(3), repeat=count)
        if betting_p(np.array([values[at] for at in draw]), rate, level) <= level
    )
    assert small <= level + SLACK


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.5, 1.0]), min_size=2, max_size=6),
    st.data(),
    st.floats(0.02, 0.5),
)
def test_it_is_too_where_none_is_drawn_twice(losses, data, level):
    size = data.draw(st.integers(1, len(losses)))
    rate = sum(losses) / len(losses)
    draws = [np.array(draw) for draw in permutations(losses, size)]
    ps = [betting_p(draw, rate, level, len(losses)) for draw in draws]
    assert sum(p <= level for p in ps) / len(ps) <= level + SLACK


def test_betting_proves_something():
    few = np.zeros(61)
    few[::20] = 0.04
    assert betting_p(few, 0.05, 0.05) > 0.05
    assert betting_p(np.tile(few, 2), 0.05, 0.05) < 0.05
    assert betting_p(np.ones(100), 0.5, 0.05) == 1.0
    assert betting_p(np.zeros(0), 0.5, 0.05) == 1.0
    # All of a population seen, and none bad: certain.
    assert betting_p(np.zeros(100), 0.011, 0.05, 100) < betting_p(np.zeros(100), 0.011, 0.05)


@pytest.mark.parametrize(
    ("population", "cases", "tail"), [(12, 5, 0.1), (9, 9, 0.05), (10, 1, 0.2)]
)
def test_bounds_of_a_draw_hold_as_often_as_they_say(population, cases, tail):
    for worst in range(population + 1):
        above = below = 0.0
        for bad in range(max(0, cases - population + worst), min(cases, worst) + 1):
            ways = (
                comb(worst, bad) * comb(population - worst, cases - bad) / comb(population, cases)
            )
            above += ways * (worst > most_bad(bad, cases, population, tail))
            below += ways * (worst < fewest_bad(bad, cases, population, tail))
        assert above <= tail + SLACK
        assert below <= tail + SLACK


def test_large_populations_are_counted_alike(monkeypatch):
    whole = drawn_p(3, 300, 60, 9000)
    monkeypatch.setattr(bounds, "COUNTED", 0)
    assert drawn_p(3, 300, 60, 9000) == pytest.approx(whole, rel=1e-8)
    assert drawn_p(0, 598, 50_001, 10_000_000) <= 0.05 < drawn_p(0, 597, 50_001, 10_000_000)


def test_bounds_of_a_whole_population_are_what_was_seen():
    assert most_bad(3, 20, 20, 0.05) == fewest_bad(3, 20, 20, 0.05) == 3


@given(st.integers(1, 10_000), st.integers(1, 10_000))
def test_least_finds_the_first(start, first):
    assert least(lambda n: n >= first, start) == max(start, first)
    assert least(lambda n: n >= first, 1, first) == first
    assert least(lambda _: False, start, 10_000) is None


def test_upper_inverts():
    rate = upper(lambda rate: binomial_p(0, 58, rate), 0.05)
    assert rate == pytest.approx(1 - 0.05 ** (1 / 58), abs=1e-12)
