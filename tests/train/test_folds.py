from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import PACK
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.train.crossval import Plan
from phiscrub.train.folds import (
    by_document,
    by_patient,
    by_piece,
    deal,
    joined_by_patient,
    set_aside,
)
from phiscrub.train.recipe import load_recipe
from training_notes import corpus


@given(st.integers(4, 40), st.integers(2, 4), st.integers(0, 9), st.integers(4, 9))
def test_every_note_is_in_one_fold_and_no_patient_in_two(
    number: int, folds: int, seed: int, patients: int
) -> None:
    made = corpus(number, patients=patients)
    groups = by_patient(made)
    dealt = deal(made, groups, folds, seed)
    assert sorted(sum(map(list, dealt), [])) == [n.document.id for n in made.notes]  # noqa: RUF017
    assert all(dealt)
    held = [{groups[name] for name in ids} for ids in dealt]
    assert sum(map(len, held)) == len(set().union(*held))
    assert deal(made, groups, folds, seed) == dealt


def test_folds_are_of_like_size_and_hang_on_the_seed() -> None:
    made = corpus(40)
    dealt = deal(made, by_document(made), 4, 1)
    sizes = [made.only(ids).characters for ids in dealt]
    assert max(sizes) - min(sizes) < 200
    assert deal(made, by_document(made), 4, 2) != dealt


def test_too_few_notes_or_folds() -> None:
    made = corpus(3)
    with pytest.raises(SettingsError, match="3 notes, fewer than 5 folds"):
        deal(made, by_document(made), 5, 1)
    with pytest.raises(SettingsError, match="--folds is 1"):
        deal(made, by_document(made), 1, 1)
    with pytest.raises(SettingsError, match="2 groups, fewer than 3 folds"):
        deal(made, by_patient(corpus(3, patients=2)), 3, 1)


def test_a_note_of_no_known_patient() -> None:
    with pytest.raises(SettingsError, match="n000 does not say whose it is"):
        by_patient(corpus(3))


def test_what_is_set_aside_is_about_the_share() -> None:
    made = corpus(50)
    ids = set_aside(made, by_document(made), 0.2, 1)
    assert 0.18 <= made.only(ids).characters / made.characters <= 0.25
    assert len(made.only(ids)) + len(made.without(ids)) == len(made)


def test_pieces_of_a_note_stay_in_one_fold_unless_pieces_are_dealt() -> None:
    made = corpus(6, patients=3)
    long = [replace(n, document=replace(n.document, text=n.document.text * 4)) for n in made.notes]
    cut = replace(made, notes=tuple(long)).cut(1)
    assert len(cut) == 24
    folds = deal(cut, by_document(cut), 3, 1)
    held = [{cut.origin(name) for name in ids} for ids in folds]
    assert sum(map(len, held)) == len(set().union(*held)) == 6
    pieces = deal(cut, by_piece(cut), 12, 1)
    assert len(pieces) == 12
    with pytest.raises(SettingsError, match="6 groups, fewer than 12 folds"):
        deal(cut, by_document(cut), 12, 1)


def test_pieces_of_official_notes_are_of_their_patient() -> None:
    notes = tuple(Annotated(Document(f"{n}-01", "one\ntwo\n")) for n in (110, 111))
    cut = replace(corpus(1), notes=notes).cut(1)
    assert set(by_patient(cut).values()) == {"110", "111"}


def test_groups_of_one_patient_are_joined_and_all_others_stay() -> None:
    made = corpus(4)
    named = dict(
        zip(("n000", "n001", "n002", "n003"), ("110-01", "other", "110-02-", "111-01"), strict=True)
    )
    notes = tuple(
        replace(n, document=replace(n.document, id=named[n.document.id])) for n in made.notes
    )
    copy = replace(notes[2], document=replace(notes[2].document, id="111-02"))
    whole = replace(made, notes=(*notes, copy))  # a copy of 110's note is called 111's
    groups = joined_by_patient(whole, by_document(whole))
    assert groups["110-01"] == groups["110-02-"] == groups["111-01"] == groups["111-02"]
    assert groups["other"] == "other"
    assert joined_by_patient(made, by_document(made)) == by_document(made)


def test_copies_of_a_note_stay_in_one_fold() -> None:
    made = corpus(4)
    copy = replace(made.notes[0], document=replace(made.notes[0].document, id="copy"))
    doubled = replace(made, notes=(copy, *made.notes))
    groups = by_document(doubled)
    assert groups["copy"] == groups["n000"] != groups["n001"]


def test_copies_stay_together_when_cut_and_whatever_their_blanks() -> None:
    made = corpus(4)
    first = made.notes[0].document
    text = first.text.replace(" for ", "  for\n").replace("hospital. ", "hospital.\n\n")
    copy = Annotated(Document("copy", text))
    doubled = replace(made, notes=(copy, *made.notes))
    assert by_document(doubled)["copy"] == by_document(doubled)["n000"]
    cut = doubled.cut(1)
    assert sum(cut.origin(n.document.id) == "copy" for n in cut.notes) > 1
    for folds in (2, 4):
        sides = [
            {cut.origin(name) for name in ids} for ids in deal(cut, by_document(cut), folds, 1)
        ]
        assert any({"copy", "n000"} <= side for side in sides)
        assert sum(map(len, sides)) == 5


def test_folds_of_other_rules_are_of_another_cross_validation(tmp_path) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "pack.toml").write_text(PACK)
    made = corpus(8)
    heard = ({"use": "patterns", "packs": [str(pack)]},)
    recipe = replace(load_recipe("phiscrub-crf"), detectors=heard, variants={})
    plan = Plan(recipe, "en", made, tuple(deal(made, by_document(made), 2, 1)))
    before = plan.identity
    assert plan.identity == before
    (pack / "pack.toml").write_text(PACK.replace("PHONE", "FAX"))
    assert plan.identity != before
