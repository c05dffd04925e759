"""The loss of a CRF and its gradient against all taggings, written out."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.train import lattice as laid
from phiscrub.train.chain import Chain
from phiscrub.train.examples import NONE, Examples
from phiscrub.train.lattice import Lattice

TEMPLATES = ("word[0]", "lower[-1]", "shape[0]", "lower[0]|shape[0]", "lower[-1]|lower[0]")
TAGS = ("O", "B-DATE", "I-DATE")
VALUES = 3  # of a template, beside none


@st.composite
def examples(draw: st.DrawFn) -> Examples:
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    size = sum(lengths)
    value = st.integers(NONE, VALUES - 1)
    rows = [[draw(value) for _ in TEMPLATES] for _ in range(size)]
    shown = np.array(rows, dtype=np.int32)
    before = np.arange(len(TEMPLATES), dtype=np.int32) * VALUES
    return Examples(
        templates=TEMPLATES,
        attributes=tuple(f"{name}={value}" for name in TEMPLATES for value in range(VALUES)),
        template=np.repeat(np.arange(len(TEMPLATES), dtype=np.int32), VALUES),
        shown=np.where(shown == NONE, NONE, shown + before),
        tag_names=TAGS,
        tags=np.array([draw(st.integers(0, len(TAGS) - 1)) for _ in range(size)]),
        starts=np.cumsum([0, *lengths]),
        sources=np.arange(len(lengths)),
    )


def in_full(own: Examples, names: tuple[str, ...], states: np.ndarray, turns: np.ndarray) -> float:
    """Return the negative log likelihood, from the score of each tagging of each sequence."""
    number = {text: at for at, text in enumerate(names)}
    total = 0.0
    for low, high in pairwise(own.starts.tolist()):
        rows = [
            [number[own.attributes[i]] for i in row if i != NONE and own.attributes[i] in number]
            for row in own.shown[low:high].tolist()
        ]

        def score(tags: tuple[int, ...], rows: list[list[int]] = rows) -> float:
            emitted = sum(states[i, tag] for row, tag in zip(rows, tags, strict=True) for i in row)
            return float(emitted + sum(turns[a, b] for a, b in pairwise(tags)))

        ways = [score(tags) for tags in product(range(len(TAGS)), repeat=high - low)]
        total += float(np.logaddexp.reduce(ways)) - score(tuple(own.tags[low:high].tolist()))
    return total


@pytest.mark.parametrize("tokens", [1, 3, 1000])
@settings(max_examples=40, deadline=None)
@given(own=examples(), seed=st.integers(0, 99), left=st.sets(st.integers(0, 14), max_size=14))
def test_the_loss_is_that_of_all_taggings_and_the_gradient_its_slope(
    tokens: int, own: Examples, seed: int, left: set[int]
) -> None:
    names = tuple(text for at, text in enumerate(own.attributes) if at not in left)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(laid, "TOKENS", tokens)
        patch.setattr(laid, "SIDE", 1)
        chain = Chain.of(Lattice.of(own, names, TAGS), 0.0)
        weights = np.random.default_rng(seed).normal(size=chain.size)
        loss, gradient = chain.loss(weights)
    assert loss == pytest.approx(in_full(own, names, *chain.parted(weights)), abs=1e-4, rel=1e-5)
    for at in range(chain.size):
        step = np.zeros(chain.size)
        step[at] = 1e-3
        ends = [in_full(own, names, *chain.parted(weights + s)) for s in (step, -step)]
        assert gradient[at] == pytest.approx((ends[0] - ends[1]) / 2e-3, abs=1e-3)


@settings(max_examples=60, deadline=None)
@given(own=examples(), least=st.integers(0, 3))
def test_what_stands_often_enough_has_a_weight(own: Examples, least: int) -> None:
    chain = Chain.of(Lattice.of(own, own.attributes, TAGS), least)
    seen = np.zeros((len(own.attributes), len(TAGS)), dtype=int)
    turns = np.zeros((len(TAGS), len(TAGS)), dtype=int)
    for row, tag in zip(own.shown.tolist(), own.tags.tolist(), strict=True):
        for attribute in row:
            if attribute != NONE:
                seen[attribute, tag] += 1
    for low, high in pairwise(own.starts.tolist()):
        for before, after in pairwise(own.tags[low:high].tolist()):
            turns[before, after] += 1
    states, between = chain.parted(np.ones(chain.size))
    assert np.array_equal(states > 0, seen >= max(1, least))
    assert np.array_equal(between > 0, turns >= max(1, least))


def test_a_tag_that_has_no_name_is_taken_for_none() -> None:
    own = Examples(
        *(("word[0]",), ("word[0]=a",), np.zeros(1, dtype=np.int32)),
        *(np.zeros((2, 1), dtype=np.int32), ("O", "B-DATE"), np.array([1, 0])),
        *(np.array([0, 2]), np.array([0])),
    )
    assert Lattice.of(own, own.attributes, ("I-CITY", "O")).tags.tolist() == [1, 1]
