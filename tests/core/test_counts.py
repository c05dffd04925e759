from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.counts import Counts

counts = st.builds(Counts, *[st.integers(0, 99)] * 3)


@given(counts, counts, counts)
def test_counts_add_in_any_order(one, other, third):
    assert one + other == other + one
    assert (one + other) + third == one + (other + third)
    assert one + Counts() == one


@given(counts)
def test_ratios_are_derived(c):
    if c.hit:
        p, r = c.hit / (c.hit + c.spurious), c.hit / (c.hit + c.missed)
        assert (c.precision, c.recall) == (p, r)
        assert c.f1 == pytest.approx(2 * p * r / (p + r))
    else:
        assert not c.f1


def test_what_is_undefined_is_none():
    assert (Counts().precision, Counts().recall, Counts().f1) == (None, None, None)
    assert (Counts(missed=1).precision, Counts(missed=1).recall, Counts(missed=1).f1) == (
        None,
        0,
        0,
    )
