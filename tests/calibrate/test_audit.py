"""Samples of cleaned notes: as small as they may be, and what they prove."""

from __future__ import annotations

import random
from functools import cache
from math import comb, floor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.calibrate.audit import Plan, Reviewed, verdict
from phiscrub.calibrate.bounds import betting_p
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


def draws(plan, worst, times):
    """Yield samples of notes of which just so many leak, 1 for a leaking one."""
    chance = random.Random(5)
    notes = [1] * worst + [0] * (plan.population - worst)
    for _ in range(times):
        yield chance.sample(notes, plan.size)


def test_whoever_stops_where_it_looks_good_is_wrong_as_seldom_as_said():
    """The reviewer judges after each note and stops at "kept"; one leaking note too many is there.

    Judging each beginning as a sample of its size is wrong in 9 % of these draws.
    """
    plan = Plan.of(60, 0.2, 0.95, 3, 1)

    @cache
    def is_kept(leaking, count):
        found = [Reviewed(1, 9)] * leaking + [Reviewed(0, 9)] * (count - leaking)
        return verdict(plan, found).is_within

    wrong, times = 0, 3000
    for draw in draws(plan, 13, times):
        # With more than 3 it never is kept, of few notes or of all: not asked, for speed.
        seen = [sum(draw[:count]) for count in range(1, plan.size + 1)]
        wrong += any(is_kept(bad, at) for at, bad in enumerate(seen, 1) if bad <= plan.allowed)
    assert 0 < wrong / times <= 0.05 + 0.008  # two standard errors


def test_bounds_of_a_review_that_ends_early_hold_whenever_it_ends():
    plan = Plan.of(60, 0.2, 0.95, 3, 1)
    truth, wrong, times = 13 / 60, 0, 3000
    for draw in draws(plan, 13, times):
        losses = np.array(draw, dtype=float)
        ps = [
            betting_p(losses[:at], truth, 0.05, plan.population, plan.size)
            for at in (plan.size // 2, plan.size)
        ]
        assert ps[0] >= ps[1]  # the last is the least of all: it ever failed if it fails there
        wrong += ps[1] <= 0.05
    assert wrong / times <= 0.05 + 0.008


def test_a_review_that_ends_early_says_something_but_never_that_the_bound_is_kept():
    plan = Plan.of(1000, 0.05, 0.95, 3, 1)
    most = plan.size - 1
    half, nearly = (verdict(plan, [Reviewed(0, 50)] * n) for n in (plan.size // 2, most))
    assert [half.is_whole, half.is_within, nearly.is_within] == [False] * 3
    assert 0.05 < nearly.notes.at_most <= half.notes.at_most < 0.12
    assert nearly.future.at_most >= nearly.notes.at_most
    leaky = verdict(plan, [Reviewed(int(at % 7 == 3), 50) for at in range(most)])
    assert 0 < leaky.notes.low < leaky.leaking / most < leaky.notes.at_most <= leaky.notes.high
    whole = verdict(plan, [Reviewed(0, 50)] * plan.size)
    assert whole.is_whole
    assert whole.is_within


def test_what_cannot_be_asked():
    for bad in ((0, 0.95, 0), (0.1, 1, 0), (0.01, 0.95, 2)):
        with pytest.raises(SettingsError):
            Plan.of(100, *bad, 1)
    plan = Plan.of(100, 0.1, 0.95, 0, 1)
    for count in (0, plan.size + 1):
        with pytest.raises(InputError):
            verdict(plan, [Reviewed(0, 1)] * count)
