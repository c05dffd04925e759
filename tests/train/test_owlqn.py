"""Orthant-wise steps against minima that are known, and against CRFsuite's own."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.schemes import scheme
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.chain import Chain
from phiscrub.train.examples import Examples, encode
from phiscrub.train.fit import features_of
from phiscrub.train.lattice import Lattice
from phiscrub.train.owlqn import Floats, Iterate, iterates
from phiscrub.train.reading import read
from training_notes import corpus, recipe

EXACT = {"epsilon": 1e-9, "period": 10, "delta": 0.0}
number = st.floats(-5, 5, allow_nan=False)


@settings(max_examples=100, deadline=None)
@given(
    wanted=st.lists(number, min_size=1, max_size=6),
    c1=st.sampled_from([0.0, 0.5, 2.0]),
    c2=st.sampled_from([0.0, 0.25]),
    seed=st.integers(0, 99),
)
def test_the_minimum_of_a_bowl_is_found(
    wanted: list[float], c1: float, c2: float, seed: int
) -> None:
    chance = np.random.default_rng(seed)
    target, steep = np.array(wanted), chance.uniform(0.5, 2.0, size=len(wanted))

    def bowl(at: Floats) -> tuple[float, Floats]:
        off = at - target
        return float((steep * off * off).sum() / 2), steep * off

    start = np.zeros(len(target))
    *_, last = Iterate(start, 0.0), *iterates(bowl, start, c1=c1, c2=c2, **EXACT)
    shrunk = np.sign(target) * np.maximum(steep * np.abs(target) - c1, 0.0) / (steep + 2 * c2)
    assert last.weights == pytest.approx(shrunk, abs=1e-5)
    assert not np.any(last.weights[shrunk == 0])


def test_a_bent_valley_is_followed_to_its_end() -> None:
    def valley(at: Floats) -> tuple[float, Floats]:
        x, y = at
        slope = np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
        return float((1 - x) ** 2 + 100 * (y - x * x) ** 2), slope

    found = list(iterates(valley, np.array([-1.2, 1.0]), c1=0.0, c2=0.0, **EXACT))
    assert found[-1].weights == pytest.approx([1.0, 1.0], abs=1e-5)
    assert len(found) < 60


def test_a_step_to_where_nothing_is_a_number_is_shortened() -> None:
    def cliff(at: Floats) -> tuple[float, Floats]:
        if at[0] > 1.5:
            return -np.inf, np.array([np.nan])
        return float((at[0] - 1) ** 2), 2 * (at - 1)

    *_, last = iterates(cliff, np.array([-20.0]), c1=0.0, c2=0.0, **EXACT)
    assert last.weights == pytest.approx([1.0], abs=1e-5)


def test_without_a_period_the_loss_is_not_asked() -> None:
    chain = Chain.of(Lattice.of(EXAMPLES, EXAMPLES.attributes, EXAMPLES.tag_names), 0.0)
    ends = {"epsilon": 1e-5, "delta": 0.9}
    start = np.zeros(chain.size)
    short = list(iterates(chain.loss, start, c1=C1, c2=C2, period=2, **ends))
    long = list(iterates(chain.loss, start, c1=C1, c2=C2, period=0, **ends))
    assert len(short) < 10 < len(long)


def test_each_step_costs_less() -> None:
    chain = Chain.of(Lattice.of(EXAMPLES, EXAMPLES.attributes, EXAMPLES.tag_names), 0.0)
    found = list(own(chain, 1e-4))
    assert all(a.loss > b.loss for a, b in pairwise(found))
    assert len(list(own(chain, 1e-2))) < len(found)


def own(chain: Chain, delta: float) -> list[Iterate]:
    start = np.zeros(chain.size)
    return list(
        iterates(chain.loss, start, c1=C1, c2=C2, epsilon=1e-5, period=10, delta=delta),
    )


def encoded(notes: int) -> Examples:
    spoken = recipe().spoken("en")
    templates, traits = features_of(spoken, "en")
    readings = read(corpus(notes).notes, get_tokenizer())
    return encode(readings, templates, traits, scheme("BIO"), "sentence")


C1, C2 = 0.05, 0.02
EXAMPLES = encoded(12)


def test_the_way_and_its_end_are_those_of_crfsuite(tmp_path: Path) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite")
    trainer = pycrfsuite.Trainer("lbfgs", {"c1": C1, "c2": C2, "delta": 1e-5}, verbose=False)
    losses: list[float] = []

    def message(line: str) -> None:
        if trainer.logparser.feed(line) == "iteration":
            losses.append(trainer.logparser.last_iteration["loss"])

    trainer.message = message
    for rows, tags in EXAMPLES.written(np.ones(len(EXAMPLES.attributes), dtype=bool)):
        trainer.append(rows, tags)
    trainer.train(str(tmp_path / "model"))
    chain = Chain.of(Lattice.of(EXAMPLES, EXAMPLES.attributes, EXAMPLES.tag_names), 0.0)
    found = [one.loss for one in own(chain, 1e-5)]
    assert found[:8] == pytest.approx(losses[:8], rel=1e-3)
    assert found[-1] == pytest.approx(losses[-1], rel=1e-3)
