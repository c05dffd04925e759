"""Promises: who proves them, and how often one is given that does not hold."""

from __future__ import annotations

from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.calibrate.claim import Claim
from phiscrub.calibrate.ladder import LADDER, Rung, chosen, descend
from phiscrub.calibrate.losses import RISKS, Patients, risk
from phiscrub.core.counts import Counts
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.evaluate.masking import ALL

WORDS, PATIENTS = RISKS["words"], RISKS["patients"]
# Losses at three rungs of four kinds of patients; the third kind's do not grow.
KINDS = ((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.5, 0.0, 0.5), (0.0, 1.0, 1.0))


def ladder(patients, groups=(ALL,)):
    return [
        Rung(1 - at / 10, {g: np.array([p[at] for p in patients]) for g in groups}, Counts())
        for at in range(len(patients[0]))
    ]


def outcomes(claim, weights, count):
    """Every sample with its probability and the number of the rung that is taken, or None."""
    chances = [weight / sum(weights) for weight in weights]
    for draw in product(range(len(KINDS)), repeat=count):
        tried = list(descend(claim, ladder([KINDS[at] for at in draw])))
        yield prod(chances[at] for at in draw), sum(one.is_proved for one in tried) - 1


@settings(max_examples=12, deadline=None)
@given(
    st.lists(st.integers(0, 9), min_size=4, max_size=4).filter(any),
    st.sampled_from([0.4, 0.5, 0.6]),
    st.sampled_from([0.6, 0.75, None]),
)
def test_a_false_promise_is_as_rare_as_said(weights, recall, confidence):
    claim = Claim(recall, confidence, WORDS)
    truth = [
        sum(w * kind[at] for w, kind in zip(weights, KINDS, strict=True)) / sum(weights)
        for at in range(3)
    ]
    found = list(outcomes(claim, weights, 4))
    if confidence is None:
        assert sum(p * truth[at] for p, at in found if at >= 0) <= claim.rate + 1e-9
    else:
        false = sum(p for p, at in found if at >= 0 and truth[at] > claim.rate + 1e-9)
        assert false <= 1 - confidence + 1e-9


def test_promises_are_given():
    """The test above would pass if nothing ever was."""
    assert max(at for _, at in outcomes(Claim(0.4, 0.75, WORDS), (9, 1, 1, 1), 4)) == 2
    assert max(at for _, at in outcomes(Claim(0.5, None, WORDS), (9, 1, 1, 1), 4)) == 2


def test_binary_losses_have_exact_bounds():
    claim = Claim(0.95, 0.95, PATIENTS)
    assert claim.fewest() == 59
    losses = np.zeros(93)
    losses[0] = 1
    assert claim.proved(losses)
    assert not claim.proved(losses[:92])


@pytest.mark.parametrize("of", [WORDS, PATIENTS])
@pytest.mark.parametrize("confidence", [0.9, 0.95, None])
@pytest.mark.parametrize("recall", [0.8, 0.95, 0.995])
def test_the_fewest_are_the_fewest(of, confidence, recall):
    claim = Claim(recall, confidence, of)
    assert claim.proved(np.zeros(claim.fewest()))
    assert not claim.proved(np.zeros(claim.fewest() - 1))


def test_numbers_out_of_range_and_unknown_measures():
    with pytest.raises(SettingsError, match=r"recall 1.0 is not between 0 and 1"):
        Claim(1.0, 0.95, WORDS)
    with pytest.raises(SettingsError, match="confidence 95 "):
        Claim(0.9, 95, WORDS)
    with pytest.raises(SettingsError, match="no measure 'letters'; known: words"):
        risk("letters")


def test_every_group_must_prove_it():
    losses = {ALL: np.zeros(100), "NAME": np.zeros(100), "PROFESSION": np.zeros(20)}
    claim = Claim(0.95, 0.95, WORDS)
    assert not claim.holds(losses)
    assert claim.holds({**losses, "PROFESSION": np.zeros(63)})


def test_it_descends_to_the_last_proved_and_measures_no_further():
    asked = []

    def lazily():
        for rung in ladder([(0.0, 0.01, 1.0, 0.0)] * 100):
            asked.append(rung.threshold)
            yield rung

    claim = Claim(0.95, 0.95, WORDS)
    tried = list(descend(claim, lazily()))
    assert [one.is_proved for one in tried] == [True, True, False]
    assert asked == [1.0, 0.9, 0.8]
    assert chosen(claim, tried).rung.threshold == 0.9
    assert tried[1].recall() == pytest.approx(0.99)


def test_a_loss_never_falls():
    tried = list(descend(Claim(0.5, 0.5, WORDS), ladder([(0.2, 0.1, 0.3)] * 30)))
    assert [round(float(one.losses[ALL][0]), 3) for one in tried] == [0.2, 0.2, 0.3]


def refusal(claim, patients, groups=(ALL,), notes_each=1.0):
    tried = list(descend(claim, ladder(patients, groups)))
    with pytest.raises(InputError) as caught:
        chosen(claim, tried, notes_each)
    return str(caught.value)


def test_a_refusal_says_how_many_more():
    claim = Claim(0.95, 0.95, WORDS)
    lacking = claim.fewest() - 20
    told = refusal(claim, [(0.0, 0.0)] * 20)
    assert f"annotate {lacking} more notes" in told
    assert "even if nothing leaked, it takes 63" in told
    assert f"annotate {2 * lacking} more notes" in refusal(claim, [(0.0,)] * 20, notes_each=2)
    assert "of NAME do not prove" in refusal(claim, [(0.0,)] * 20, ("NAME",))


def drawn_alike(losses, number, seed):
    """The losses and further ones of the same kinds, in random order; no seed of the package's."""
    chance = np.random.default_rng(1_000 + seed)
    more = chance.choice(losses, number - len(losses))
    return chance.permutation(np.concatenate([losses, more]))


LEAKY = [
    (Claim(0.95, 0.95, WORDS), [0.6, *[0.0] * 19] * 4),
    (Claim(0.98, 0.95, WORDS), [0.2] * 6 + [0.0] * 94),
    (Claim(0.98, None, WORDS), [0.2] * 6 + [0.0] * 74),
    (Claim(0.9, 0.95, PATIENTS), [1.0] * 3 + [0.0] * 47),
]


@pytest.mark.parametrize(("claim", "losses"), LEAKY)
def test_so_many_patients_prove_it_if_further_ones_leak_alike(claim, losses):
    losses = np.array(losses)
    number = claim.wanted(losses)
    proved = sum(claim.proved(drawn_alike(losses, number, seed)) for seed in range(100))
    fewer = len(losses) + (number - len(losses)) // 2
    assert proved >= 75  # 90 of 100, but for the chance of 20 draws
    assert sum(claim.proved(drawn_alike(losses, fewer, seed)) for seed in range(100)) < proved


@pytest.mark.parametrize(("claim", "losses"), LEAKY)
def test_how_many_it_takes_does_not_hang_on_the_order(claim, losses):
    assert claim.wanted(np.array(losses)) == claim.wanted(np.array(losses[::-1]))


def test_a_refusal_goes_by_what_leaks():
    claim = Claim(0.95, 0.95, WORDS)
    losses = [0.6, *[0.0] * 19] * 4
    number = claim.wanted(np.array(losses))
    told = refusal(claim, [(loss,) for loss in losses])
    assert f"if further ones leak like these, it takes about {number:,}" in told
    assert f"annotate {number - len(losses):,} more notes" in told
    assert "nothing leaked" not in told


def test_below_the_fewest_a_refusal_says_both_numbers():
    claim = Claim(0.98, 0.95, WORDS)
    losses = [0.2] * 6 + [0.0] * 94
    number = claim.wanted(np.array(losses))
    told = refusal(claim, [(loss,) for loss in losses], notes_each=2)
    assert "even if nothing leaked, it takes 154; if further ones leak like these" in told
    assert "annotate at least 108 more notes" in told
    assert f"about {2 * (number - 100):,} if they leak like these" in told


def test_a_refusal_knows_when_no_number_helps():
    told = refusal(Claim(0.95, 0.95, WORDS), [(0.2,)] * 200)
    assert "no number of notes proves it" in told


@pytest.mark.parametrize("count", [25, 40, 62])
def test_what_is_hopeless_is_so_of_few_patients_too(count):
    told = refusal(Claim(0.95, 0.95, WORDS), [(0.2,)] * count)
    assert "is not above 0.95, so that no number of notes proves it" in told
    assert "the pipeline must find more" in told
    assert "more notes would" not in told


def test_of_what_may_be_chance_it_is_said_how_many_would_show_it():
    told = refusal(Claim(0.995, 0.95, WORDS), [(0.2,), *[(0.0,)] * 19], ("NAME",))
    assert "of NAME is not above 0.995" in told
    assert "at least 594 more notes would show whether so much leaks by chance alone" in told


def test_a_number_that_nobody_could_annotate_is_none():
    told = refusal(Claim(0.95, 0.95, WORDS), [(0.04999,)] * 3 + [(0.05,)] * 40)
    assert "is hardly above 0.95, so that no number of notes up to 100,000 proves it" in told


def test_losses_are_by_patient():
    table = np.array([[8, 2, 0], [0, 0, 5], [5, 0, 0], [10, 0, 1]])
    whose = Patients.of(["a", "b", "c", "d"], ["p", None, None, "p"])
    assert whose.count == 3
    assert sorted(whose.losses(table, WORDS).tolist()) == [0.0, 0.1]  # b has nothing to lose
    assert sorted(whose.losses(table, PATIENTS).tolist()) == [0.0, 1.0]
    again = Patients.of(["d", "c", "a", "b"], ["p", None, "p", None])
    assert again.losses(table[[3, 2, 0, 1]], WORDS).tolist() == whose.losses(table, WORDS).tolist()
    assert "p" not in repr(whose).replace("Patients", "")


def test_a_patient_is_no_note_of_the_same_name():
    assert Patients.of(["p", "q"], [None, "p"]).count == 2


def test_the_ladder_gets_less_careful():
    assert list(LADDER) == sorted(set(LADDER), reverse=True)
    assert all(0 < threshold < 1 for threshold in LADDER)
