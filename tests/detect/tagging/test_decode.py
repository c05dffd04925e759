"""Forward-backward and Viterbi against all taggings, written out."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.detect.tagging.decode import n_best, posterior, viterbi


@dataclass(frozen=True)
class Chain:
    """Whole-number weights, so that sums are exact and ties are ties."""

    scores: np.ndarray
    starts: np.ndarray
    transitions: np.ndarray

    def taggings(self, sequence: int) -> list[tuple[float, tuple[int, ...]]]:
        """Return the score of every tagging of a sequence, the best first, ties as CRFsuite."""
        rows = self.scores[self.starts[sequence] : self.starts[sequence + 1]]
        found = []
        for tags in product(range(len(self.transitions)), repeat=len(rows)):
            score = sum(rows[i, tag] for i, tag in enumerate(tags))
            score += sum(self.transitions[a, b] for a, b in pairwise(tags))
            found.append((float(score), tags))
        return sorted(found, key=lambda way: (-way[0], way[1][::-1]))

    @property
    def sequences(self) -> range:
        return range(len(self.starts) - 1)


@st.composite
def chains(draw: st.DrawFn) -> Chain:
    tags = draw(st.integers(1, 4))
    lengths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=4))
    weight = st.integers(-3, 3) | st.integers(-40, 40)
    scores = draw(st.lists(weight, min_size=sum(lengths) * tags, max_size=sum(lengths) * tags))
    between = draw(st.lists(weight, min_size=tags * tags, max_size=tags * tags))
    return Chain(
        np.array(scores, dtype=np.float64).reshape(-1, tags),
        np.cumsum([0, *lengths]),
        np.array(between, dtype=np.float64).reshape(tags, tags),
    )


@settings(max_examples=60, deadline=None)
@given(chains())
def test_probabilities_are_those_of_all_taggings(chain: Chain) -> None:
    known = posterior(chain.scores, chain.starts, chain.transitions)
    for sequence in chain.sequences:
        ways = chain.taggings(sequence)
        powers = np.exp(np.array([score for score, _ in ways]) - ways[0][0])
        total = np.log(powers.sum()) + ways[0][0]
        assert known.log_totals[sequence] == pytest.approx(total, abs=1e-9)
        expected = np.zeros_like(known.proba[chain.starts[sequence] : chain.starts[sequence + 1]])
        for power, (_, tags) in zip(powers, ways, strict=True):
            expected[range(len(tags)), tags] += power / powers.sum()
        found = known.proba[chain.starts[sequence] : chain.starts[sequence + 1]]
        np.testing.assert_allclose(found, expected, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(chains())
def test_the_best_tagging_is_the_best_of_all_and_ties_break_as_in_crfsuite(chain: Chain) -> None:
    known = posterior(chain.scores, chain.starts, chain.transitions)
    found = viterbi(chain.scores, chain.starts, chain.transitions, known)
    expected = [tag for sequence in chain.sequences for tag in chain.taggings(sequence)[0][1]]
    assert found.tolist() == expected


@settings(max_examples=50, deadline=None)
@given(chains(), st.randoms(use_true_random=False))
def test_the_best_allowed_tagging_is_the_best_of_those_allowed(chain: Chain, chance) -> None:
    tags = len(chain.transitions)
    allowed = np.array([[chance.random() < 0.5 for _ in range(tags)] for _ in chain.scores])
    allowed[np.arange(len(allowed)), [chance.randrange(tags) for _ in allowed]] = True
    known = posterior(chain.scores, chain.starts, chain.transitions)
    found = viterbi(chain.scores, chain.starts, chain.transitions, known, allowed)
    expected: list[int] = []
    for sequence in chain.sequences:
        rows = allowed[chain.starts[sequence] : chain.starts[sequence + 1]]
        ways = [w for _, w in chain.taggings(sequence) if rows[range(len(w)), w].all()]
        expected += ways[0]
    assert found.tolist() == expected


@settings(max_examples=50, deadline=None)
@given(chains(), st.integers(1, 300))
def test_the_n_best_are_the_first_of_all(chain: Chain, count: int) -> None:
    for sequence in chain.sequences:
        rows = chain.scores[chain.starts[sequence] : chain.starts[sequence + 1]]
        found = n_best(rows, chain.transitions, count)
        ways = chain.taggings(sequence)
        assert [score for score, _ in found] == [score for score, _ in ways[:count]]
        assert len({tags for _, tags in found}) == min(count, len(ways))
        assert set(found) <= set(ways)


@pytest.mark.parametrize("tags", [1, 3, 45])
def test_the_heaviest_weights_that_a_model_may_have_overflow_nothing(tags: int) -> None:
    chance = np.random.default_rng(tags)
    starts = np.array([0, 50, 51, 120])
    scores = chance.choice([-1e6, 0.0, 1e6], size=(120, tags))
    transitions = chance.choice([-200.0, 200.0], size=(tags, tags))
    known = posterior(scores, starts, transitions)
    np.testing.assert_allclose(known.proba.sum(axis=1), 1.0, atol=1e-9)
    assert np.isfinite(known.log_totals).all()
    found = viterbi(scores, starts, transitions, known)
    best = [
        tag for a, b in ((0, 50), (50, 51), (51, 120)) for tag in plain(scores[a:b], transitions)
    ]
    assert found.tolist() == best


def plain(scores: np.ndarray, transitions: np.ndarray) -> list[int]:
    """Viterbi as in a textbook."""
    best, backs = scores[0], []
    for row in scores[1:]:
        ways = best[:, None] + transitions
        backs.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    tags = [int(best.argmax())]
    for back in reversed(backs):
        tags.append(int(back[tags[-1]]))
    return tags[::-1]


@pytest.mark.parametrize("spread", [0.1, 1.0, 4.0])
def test_long_and_unsure_sequences_are_decoded_as_in_a_textbook(spread: float) -> None:
    chance = np.random.default_rng(7)
    lengths = [1, 400, 3, 70, 2, 2, 1_500]
    starts = np.cumsum([0, *lengths])
    scores = chance.normal(scale=spread, size=(starts[-1], 9))
    transitions = chance.normal(scale=spread, size=(9, 9))
    found = viterbi(scores, starts, transitions, posterior(scores, starts, transitions))
    bounds = pairwise(starts)
    assert found.tolist() == [t for a, b in bounds for t in plain(scores[a:b], transitions)]


def test_nothing_is_decoded_to_nothing() -> None:
    scores, starts, transitions = np.zeros((0, 3)), np.zeros(1, dtype=np.int64), np.zeros((3, 3))
    known = posterior(scores, starts, transitions)
    assert known.proba.shape == (0, 3)
    assert len(viterbi(scores, starts, transitions, known)) == 0
    assert n_best(scores, transitions, 5) == [(0.0, ())]
