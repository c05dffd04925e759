"""The inverse rule word by word, and the search of its thresholds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.detect.inverse_features import ALWAYS, PHI, SAFE
from phiscrub.experiments.words import NEVER, Sheet, alone, best_pairs, searched


def sheet(rng: np.random.Generator, words: int = 400) -> tuple[Sheet, np.ndarray[Any, Any]]:
    gold = rng.random(words) < 0.2
    verdicts = np.where(rng.random(words) < 0.6, SAFE, np.where(gold, ALWAYS, PHI)).astype(np.uint8)
    safe = np.clip(np.where(gold, 0.2, 0.95) + rng.normal(0, 0.15, words), 0, 1)
    return Sheet(verdicts, gold, gold & (rng.random(words) < 0.5)), safe


def test_points_are_those_of_the_rule_written_out() -> None:
    own, safe = sheet(np.random.default_rng(1))
    least = {SAFE: 0.8, PHI: 0.9, ALWAYS: NEVER}
    masked = [not s > least[v] for s, v in zip(safe.tolist(), own.verdicts.tolist(), strict=True)]
    hits = sum(m and g for m, g in zip(masked, own.gold.tolist(), strict=True))
    recall, precision, _ = own.ruled(safe, 0.8, 0.9)
    assert recall == pytest.approx(hits / own.gold.sum(), abs=1e-5)
    assert precision == pytest.approx(hits / sum(masked), abs=1e-5)


def test_searched_thresholds_reach_what_is_wanted_on_the_notes_they_were_chosen_on() -> None:
    rng = np.random.default_rng(2)
    (held, safe), (test, found) = sheet(rng), sheet(rng)
    targets = (0.95, 0.99)
    two = searched(held, safe, test, found, targets)
    one = alone(held, safe, test, found, targets)
    for row in (*two["targets"], *one["targets"]):
        assert row["held"][0] >= row["wanted"]
        assert row["low"] <= row["high"]
    assert two["curve"] == sorted(two["curve"])
    assert {row["wanted"] for row in two["targets"]} == set(targets)
    assert {row["wanted"] for row in one["targets"]} == set(targets)


SURE = st.sampled_from([0.0, 0.1, 0.5, 0.6, 0.9, 1.0])
WORDS = st.lists(st.tuples(st.sampled_from([SAFE, PHI, ALWAYS]), st.booleans(), SURE), min_size=1)


@settings(max_examples=150)
@given(WORDS.filter(lambda words: any(gold for _, gold, _ in words)))
def test_no_two_thresholds_are_better_than_those_that_are_found(
    words: list[tuple[int, bool, float]],
) -> None:
    verdicts, gold, told = (np.array(column) for column in zip(*words, strict=True))
    own, safe = Sheet(verdicts.astype(np.uint8), gold, gold), told.astype(np.float64)
    targets = (0.0, 0.3, 0.5, 0.8, 1.0)
    steps = (0.0, 0.05, 0.1, 0.3, 0.5, 0.55, 0.6, 0.7, 0.9, 0.95, 1.0)
    points = [own.ruled(safe, low, high) for low in steps for high in steps if low <= high]
    found = best_pairs(own, safe, targets)
    assert set(found) == set(targets)
    for target, (low, high) in found.items():
        assert low <= high
        recall, precision, _ = own.ruled(safe, low, high)
        assert recall >= target
        assert precision == max(p for r, p, _ in points if r >= target)
    one = best_pairs(own.unruled, safe, targets)
    assert all(low == high for low, high in one.values())


def test_rules_reach_what_the_network_reaches_alone() -> None:
    gold = np.array([True] * 10)  # the safe one is the one of which the network is surest
    verdicts = np.array([SAFE] + [PHI] * 9, dtype=np.uint8)
    own, safe = Sheet(verdicts, gold, gold), np.array([0.9, *np.linspace(0.1, 0.5, 9)])
    (row,) = searched(own, safe, own, safe, (0.999,))["targets"]
    assert (row["low"], row["high"], row["test"][0]) == (0.9, 0.9, 1.0)
