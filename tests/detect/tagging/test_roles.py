"""A name has one role in all of a note, the one that its mentions together tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import SettingsError
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.ensemble import Agreed
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.readout import Readout
from phiscrub.detect.tagging.roles import LEAST, NAMED, Roles
from tagging_notes import cut

ROLES = ("PATIENT", "DOCTOR")
STYLE = scheme("BIO")
TAGS = STYLE.tags(("CITY", *ROLES))
LABELS = [None if tag == "O" else tag[2:] for tag in TAGS]
WORDS = ("Ann", "ann", "ANN", "Lee", "lee", "Al", "of", "7")


def by_hand(frame: Frame, proba: np.ndarray) -> np.ndarray:
    """Compare each token with each."""
    columns = [[i for i, label in enumerate(LABELS) if label == role] for role in ROLES]
    own = np.array([[row[c].sum() for c in columns] for row in proba]).reshape(-1, len(ROLES))
    mass = own.sum(axis=1)
    note = np.repeat(np.arange(len(frame.notes)), np.diff(frame.note_starts))
    words = [frame.words[w].lower() for w in frame.word]
    found = own.copy()
    for i, word in enumerate(words):
        if mass[i] < NAMED or len(word) < 3 or not word.isalpha():
            continue
        told, count = np.zeros(len(ROLES)), 0
        for j, other in enumerate(words):
            if note[i] == note[j] and word == other and mass[j] >= NAMED:
                share = np.log(np.maximum(own[j] / mass[j], LEAST))
                told += share * (1.0 if i == j else mass[j])
                count += 1
        told = np.exp(told - told.max())
        if count > 1:
            found[i] = told / told.sum() * mass[i]
    return found


@given(st.lists(st.lists(st.sampled_from(WORDS), max_size=8), max_size=4), st.integers(0, 99))
def test_it_is_what_comparing_each_with_each_gives(notes: list[list[str]], seed: int) -> None:
    frame = Frame.of(cut(*(" ".join(words) for words in notes)), "note")
    proba = np.random.default_rng(seed).dirichlet(np.full(len(TAGS), 0.3), len(frame))
    roles = Roles(LABELS, ROLES)
    pooled = proba @ roles.which
    roles.share(frame, pooled)
    assert np.allclose(pooled, by_hand(frame, proba))
    assert np.allclose(pooled.sum(axis=1), (proba @ roles.which).sum(axis=1))


def told(*rows: tuple[str, float]) -> tuple[Frame, np.ndarray, np.ndarray]:
    """Lay out words of one note, with the probability that each is a patient's, else a doctor's."""
    frame = Frame.of(cut(" ".join(word for word, _ in rows)), "note")
    proba = np.zeros((len(rows), len(TAGS)))
    proba[:, TAGS.index("B-PATIENT")] = [p for _, p in rows]
    proba[:, TAGS.index("B-DOCTOR")] = [1 - p for _, p in rows]
    return frame, proba, proba.argmax(axis=1)


def labels(roles: Sequence[str], *rows: tuple[str, float]) -> list[tuple[str, float]]:
    model = Agreed("m", "i2b2-2014", "clinical", "BIO", "note", TAGS, ("CITY", "DOCTOR", "PATIENT"))
    frame, proba, tags = told(*rows)
    (found,) = Readout(model, "m", roles=roles).by_note(tags, frame, proba)
    return [(mention.label, mention.score) for mention in found]


def test_the_surer_mention_decides_for_all() -> None:
    rows = ("Bhatt", 0.02), ("BHATT", 0.6), ("Lee", 0.6)
    assert [label for label, _ in labels((), *rows)] == ["DOCTOR", "PATIENT", "PATIENT"]
    _, second, third = found = labels(ROLES, *rows)
    assert [label for label, _ in found] == ["DOCTOR", "DOCTOR", "PATIENT"]
    assert second[1] > 0.9
    assert third[1] == 0.6


def test_a_role_is_a_label_of_the_model() -> None:
    with pytest.raises(SettingsError, match="NURSE"):
        Roles(LABELS, ("PATIENT", "NURSE"))
