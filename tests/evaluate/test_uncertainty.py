from __future__ import annotations

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.beta import quantile, regularised
from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.tally import Tally, tally
from phiscrub.evaluate.uncertainty import (
    bootstrap,
    clusters,
    exact_bounds,
    f1,
    paired_bootstrap,
    precision,
    randomisation,
    recall,
)


def names(rows: list) -> list[str]:
    return [str(n) for n in range(len(rows))]


def of(rows: list) -> Tally:
    return tally(names(rows), rows)


def at_least(hits: int, size: int, share: float) -> float:
    return sum(comb(size, k) * share**k * (1 - share) ** (size - k) for k in range(hits, size + 1))


@given(st.integers(1, 40).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_exact_bounds_solve_the_binomial_tails(counts):
    part, whole = counts
    bounds = exact_bounds(part, whole)
    assert bounds.low <= part / whole <= bounds.high
    if part:
        assert at_least(part, whole, bounds.low) == pytest.approx(0.025, rel=1e-9)
    else:
        assert bounds.low == 0.0
    if part < whole:
        assert 1 - at_least(part + 1, whole, bounds.high) == pytest.approx(0.025, rel=1e-8)
    else:
        assert bounds.high == 1.0


def test_known_bounds():
    assert exact_bounds(20, 20).low == pytest.approx(0.025 ** (1 / 20))
    assert exact_bounds(0, 100).high == pytest.approx(1 - 0.025 ** (1 / 100))
    large = exact_bounds(999_000, 1_000_000)
    normal = 1.959964 * (0.999 * 0.001 / 1e6) ** 0.5
    assert large.low == pytest.approx(0.999 - normal, abs=2e-6)
    empty = exact_bounds(0, 0)
    assert (empty.value, empty.low, empty.high) == (None, 0.0, 1.0)


@given(st.floats(0.5, 50), st.floats(0.5, 50), st.floats(0.01, 0.99))
def test_the_beta_quantile_inverts_and_the_distribution_mirrors(a, b, p):
    x = quantile(a, b, p)
    assert regularised(a, b, x) == pytest.approx(p, abs=1e-9)
    assert regularised(b, a, 1 - x) == pytest.approx(1 - p, abs=1e-9)


def test_the_bootstrap_is_seeded_and_widens_with_the_spread():
    even, uneven = of([(9, 1, 0)] * 40), of([(18, 0, 0), (0, 2, 0)] * 20)
    assert even.total == uneven.total
    narrow = bootstrap(even, recall, seed=1)
    assert (narrow.value, narrow.low, narrow.high) == (0.9, 0.9, 0.9)
    wide = bootstrap(uneven, recall, seed=1)
    assert wide.low < 0.9 < wide.high
    assert wide == bootstrap(uneven, recall, seed=1)
    few = [bootstrap(uneven, recall, seed=seed, samples=30) for seed in (1, 2)]
    assert few[0] != few[1]
    assert bootstrap(of([]), recall, seed=1).value is None


def test_the_bootstrap_covers_as_often_as_it_says():
    random = np.random.default_rng(7)
    inside = 0
    for seed in range(200):
        hits = random.binomial(20, 0.8, size=60)
        found = bootstrap(
            of([(h, 20 - h, 0) for h in hits.tolist()]), recall, seed=seed, samples=400
        )
        inside += found.low <= 0.8 <= found.high
    assert 180 <= inside <= 198


def test_notes_of_one_patient_are_drawn_together():
    rows = [(10, 0, 0)] * 10 + [(0, 10, 0)] * 10
    patients = ["a"] * 10 + ["b"] * 10
    alone, together = (bootstrap(of(rows), recall, seed=3, subjects=s) for s in (None, patients))
    assert together.high - together.low > alone.high - alone.low
    assert clusters(of(rows), patients).tolist() == [[100, 0, 0], [0, 100, 0]]
    assert len(clusters(of(rows), [None] * 20)) == 20
    assert len(clusters(of(rows[:2]), [None, "0"])) == 2  # an unnamed one is no patient "0"
    with pytest.raises(SettingsError, match="1 patients given for 20"):
        clusters(of(rows), ["a"])


@given(st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=8))
def test_a_system_does_not_differ_from_itself(rows):
    one = of(rows)
    assert randomisation(one, one, f1, seed=1, samples=50) == 1.0
    same = paired_bootstrap(one, one, f1, seed=1, samples=50)
    assert (same.value, same.low, same.high, same.p) == (0.0, 0.0, 0.0, 1.0)


def test_a_clear_difference_is_found_and_a_chance_one_is_not():
    worse, better = of([(8, 2, 1)] * 50), of([(9, 1, 1)] * 50)
    assert randomisation(worse, better, recall, seed=1) < 0.01
    found = paired_bootstrap(worse, better, recall, seed=1)
    assert found.value == pytest.approx(0.1)
    assert found.p < 0.01
    assert found.low > 0
    mixed = of([(9, 1, 1), (7, 3, 1)] * 25), of([(7, 3, 1), (9, 1, 1)] * 25)
    assert randomisation(*mixed, recall, seed=1) > 0.5
    assert paired_bootstrap(*mixed, precision, seed=1).p > 0.5


def test_the_paired_p_value_is_two_sided():
    one, other = of([(0, 1, 0)] * 2), of([(1, 0, 0), (0, 1, 0)])
    # A quarter of the resamples have the second document twice, and so no difference.
    found = paired_bootstrap(one, other, recall, seed=5, samples=4000)
    assert found.p == pytest.approx(0.5, abs=0.03)


def test_randomisation_is_exact_on_few_documents():
    one, other = of([(0, 1, 0)] * 3), of([(1, 0, 0)] * 3)
    # Of the 8 ways to swap three documents, 2 give a difference as large.
    assert randomisation(one, other, recall, seed=5, samples=4000) == pytest.approx(0.25, abs=0.03)


def test_systems_must_be_scored_on_the_same_documents():
    with pytest.raises(SettingsError, match="different documents"):
        paired_bootstrap(of([(1, 0, 0)]), of([(1, 0, 0)] * 2), f1, seed=1)
    with pytest.raises(SettingsError, match="no documents"):
        randomisation(of([]), of([]), f1, seed=1)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_share(level):
    with pytest.raises(SettingsError, match="no confidence"):
        exact_bounds(1, 2, level)


def test_a_share_has_no_more_parts_than_cases():
    with pytest.raises(SettingsError, match="3 of 2"):
        exact_bounds(3, 2)
