from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.evaluate import entities
from phiscrub.evaluate.headline import FEW, headlines, summed, sure
from phiscrub.evaluate.masking import measure
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.tally import tally
from phiscrub.evaluate.uncertainty import FIGURES, bootstrap, exact_bounds

ROWS = st.lists(st.tuples(*[st.integers(0, 40)] * 3), min_size=1, max_size=6)


@given(rows=ROWS, figure=st.sampled_from(sorted(FIGURES)))
def test_bounds_hold_the_figure(rows, figure):
    counted = tally([str(at) for at in range(len(rows))], rows)
    found = sure(counted, figure)
    assert found.value == getattr(counted.total, figure)
    assert 0 <= found.low <= found.high <= 1
    if found.value is not None and sum(map(sum, rows)) < FEW:
        assert found.low <= found.value <= found.high


def test_few_cases_and_those_without_an_error_have_exact_bounds():
    few, whole = tally(["a"], [[19, 1, 0]]), tally(["a", "b"], [[300, 0, 0], [200, 0, 0]])
    assert sure(few, "recall") == exact_bounds(19, 20)
    assert sure(whole, "recall") == exact_bounds(500, 500)
    assert 0.99 < sure(whole, "f1").low < 1
    assert sure(few, "f1").value == few.total.f1
    many = tally(["a", "b", "c"], [[90, 10, 3], [80, 2, 0], [99, 7, 1]])
    for figure, function in FIGURES.items():
        assert sure(many, figure, seed=1) == bootstrap(many, function, seed=1)


def test_a_figure_without_cases_says_nothing():
    found = sure(tally(["a"], [[0, 0, 0]]), "recall")
    assert (found.value, found.low, found.high) == (None, 0.0, 1.0)


def test_headlines_are_the_measures():
    text = "Ann Lee of Falls City"
    gold = ((0, 7, "NAME"), (11, 21, "CITY"))
    samples = (
        Sample("a", text, gold, ((0, 7, "NAME"), (11, 16, "CITY"))),
        Sample("b", text, gold[:1], ((0, 7, "CITY"), (8, 10, "CITY"))),
    )
    exact = entities.exact(samples)
    found = {line.name: line for line in headlines(exact, measure(samples))}
    shares = [getattr(line.tally.total, line.figure) for line in found.values()]
    assert shares == [pytest.approx(x) for x in (2 / 7, 5 / 6, 5 / 6, 2 / 3, 1 / 2)]
    whole = summed(exact, ("a", "b"))
    assert np.array_equal(whole.table, sum(one.table for one in exact.values()))
