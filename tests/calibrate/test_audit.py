"""Samples of cleaned notes: as small as they may be, and what they prove."""

from __future__ import annotations

from math import comb, floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.calibrate.audit import Plan, Reviewed, verdict
from phiscrub.core.errors import InputError, SettingsError


def chance(allowed, size, worst, population):
    return sum(
        comb(worst, k) * comb(population - worst, size - k) for k in range(allowed + 1)
    ) / comb(population, size)


@given(st.integers(10, 400), st.floats(0.01, 0.3), st.sampled_from([0.8, 0.95, 0.99]), st.data())
def test_a_sample_is_the_smallest(population, bound, confidence, data):
    allowed = data.draw(st.integers(0, min(2, floor(bound * population))))
    size = Plan.of(population, bound, confidence, allowed, 1).size
    worst = floor(bound * population) + 1
    if size < population:
        assert chance(allowed, size, worst, population) <= 1 - confidence + 1e-9
    if size > allowed + 1:
        assert chance(allowed, size - 1, worst, population) > 1 - confidence - 1e-9


def test_known_sizes():
    assert Plan.of(10_000_000, 0.005, 0.95, 0, 1).size == 598
    assert Plan.of(1000, 0.005, 0.95, 0, 1).size == 393
    assert Plan.of(100, 0.005, 0.95, 0, 1).size == 95  # one leaking note is too many
    assert Plan.of(1, 0.005, 0.95, 0, 1).size == 1


def test_a_draw_is_random_seeded_and_in_random_order():
    plan = Plan.of(300, 0.05, 0.95, 0, 7)
    places = plan.places()
    assert len(set(places)) == plan.size
    assert set(places) <= set(range(300))
    assert list(places) != sorted(places)
    assert Plan.of(300, 0.05, 0.95, 0, 7).places() == places
    assert Plan.of(300, 0.05, 0.95, 0, 8).places() != places


def test_a_clean_review_shows_the_bound_and_a_leak_does_not():
    plan = Plan.of(1000, 0.01, 0.95, 0, 1)
    clean = verdict(plan, [Reviewed(0, 100)] * plan.size)
    assert clean.is_within
    assert clean.notes.at_most == 0.01
    assert clean.notes.low == clean.words == 0
    assert clean.future.at_most == pytest.approx(1 - 0.05 ** (1 / plan.size))
    leaky = verdict(plan, [Reviewed(3, 100), *[Reviewed(0, 100)] * (plan.size - 1)])
    assert not leaky.is_within
    assert (leaky.leaking, leaky.left) == (1, 3)
    assert leaky.words == pytest.approx(0.03 / plan.size)
    assert 0 < leaky.notes.low <= leaky.notes.value < leaky.notes.at_most <= leaky.notes.high
    assert leaky.words < leaky.words_at_most < leaky.notes.at_most


def test_allowed_leaks_are_allowed():
    plan = Plan.of(1000, 0.02, 0.95, 2, 1)
    found = [Reviewed(1, 50)] * 2 + [Reviewed(0, 50)] * (plan.size - 2)
    assert verdict(plan, found).is_within
    assert not verdict(plan, [Reviewed(1, 50), *found[:-1]]).is_within


def test_what_is_promised_of_all_notes_holds_over_all_draws():
    population, leaking = 14, 5
    plan = Plan.of(population, 0.3, 0.8, 0, 1)
    wrong = 0
    for seen in range(min(leaking, plan.size) + 1):
        found = [Reviewed(int(at < seen), 10) for at in range(plan.size)]
        draws = comb(leaking, seen) * comb(population - leaking, plan.size - seen)
        wrong += draws * (verdict(plan, found).notes.at_most < leaking / population)
    assert 0 < wrong / comb(population, plan.size) <= 0.2


def test_what_cannot_be_asked():
    for bad in ((0, 0.95, 0), (0.1, 1, 0), (0.01, 0.95, 2)):
        with pytest.raises(SettingsError):
            Plan.of(100, *bad, 1)
    plan = Plan.of(100, 0.1, 0.95, 0, 1)
    for count in (0, plan.size + 1):
        with pytest.raises(InputError):
            verdict(plan, [Reviewed(0, 1)] * count)
