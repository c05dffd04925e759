"""A CRF that begins with what another has learned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from crf_models import weights_of
from phiscrub.core.errors import InputError, MissingError, SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.train.corpus import Corpus
from phiscrub.train.fit import Fitted, Material, fit
from phiscrub.train.schedule import Run
from training_notes import RECIPE, corpus, recipe

PERCEPTRON = RECIPE.replace("c1 = 0.05\nc2 = 0.05", 'algorithm = "ap"')


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("begun") / "known"
    trained(corpus(30)).save(folder)
    return folder


def trained(notes: Corpus, init: Path | None = None, text: str = RECIPE) -> Fitted:
    fitted = fit(recipe(text), "en", [notes], None, run=Run(init=init))
    assert isinstance(fitted, Fitted)
    return fitted


def with_reasons(notes: Corpus) -> Corpus:
    """Mark the last sentence's first word, by a label of its own."""

    def marked(text: str) -> Mention:
        start = text.index(". ", text.index("hospital")) + 2
        return Mention(Span(start, text.index(" ", start)), "PROFESSION")

    return replace(
        notes,
        name="marked",
        notes=tuple(
            replace(note, mentions=(*note.mentions, marked(note.document.text)))
            for note in notes.notes
        ),
    )


def test_what_new_notes_do_not_show_stays_as_it_was(known: Path) -> None:
    few = corpus(4, seed=5, first=400)
    before = trained(corpus(30)).model
    after = trained(few, known).model
    shown = set(trained(few, text=RECIPE + "min_count = 1\n").model.attributes)
    old, new = weights_of(before), weights_of(after)
    unseen = {key for key in old if key[0] not in shown}
    assert unseen
    tags = {at: after.tags.index(tag) for at, tag in enumerate(before.tags)}
    for attribute, tag in unseen:
        assert new[attribute, tags[tag]] == pytest.approx(old[attribute, tag], abs=1e-6)


def test_the_same_notes_again_change_little_and_others_are_found_too(known: Path) -> None:
    again = trained(corpus(30), known).model
    before = trained(corpus(30)).model
    assert np.abs(again.weights).sum() < 1.2 * np.abs(before.weights).sum()
    free = RECIPE + "change = 0.05\n"
    fitted = trained(with_reasons(corpus(12, seed=7, first=500)), known, free)
    assert set(fitted.model.tags) > set(before.tags)
    for sample in fitted.samples(with_reasons(corpus(5, seed=8, first=600)).notes):
        assert set(sample.found) == set(sample.gold)


def test_the_dearer_a_change_is_the_less_changes(known: Path) -> None:
    old = weights_of(trained(corpus(30)).model)
    few = with_reasons(corpus(6, seed=12, first=950))

    def changed(cost: str) -> float:
        model = trained(few, known, RECIPE + f"change = {cost}\n").model
        new = weights_of(model)
        tags = {tag: at for at, tag in enumerate(model.tags)}
        names = trained(corpus(30)).model.tags
        own = {(text, tags[names[tag]]): weight for (text, tag), weight in old.items()}
        return sum(abs(weight - own.get(key, 0.0)) for key, weight in new.items())

    assert changed("0.01") > 1.2 * changed("1.0") > 1.2 * 1.2 * changed("30.0") > 0


def test_fewer_notes_teach_as_much_with_what_is_known(known: Path) -> None:
    few, unseen = corpus(3, seed=9, first=700), corpus(20, seed=10, first=800).notes

    def missed(fitted: Fitted) -> int:
        return sum(len(set(one.gold) - set(one.found)) for one in fitted.samples(unseen))

    assert missed(trained(few, known)) < missed(trained(few))


def test_the_manifest_names_all_notes_and_what_was_begun_with(known: Path, tmp_path: Path) -> None:
    trained(corpus(6, seed=11, first=900), known).save(tmp_path / "own")
    told = json.loads((tmp_path / "own" / "manifest.json").read_text("utf-8"))
    assert [one["name"] for one in told["data"]] == ["seed-11", "seed-1"]
    assert told["training"]["begun_with"] == "known"
    trained(corpus(30), known).save(tmp_path / "again")
    told = json.loads((tmp_path / "again" / "manifest.json").read_text("utf-8"))
    assert [one["name"] for one in told["data"]] == ["seed-1"]


def test_what_was_begun_with_may_know_the_development_notes(known: Path) -> None:
    for dev, told in ((corpus(30), ["known has learned from seed-1: 30 of 30 notes"]), (None, [])):
        material = Material.of(recipe(), "en", [corpus(6, seed=13, first=1000)], dev, known)
        about = [line for line in material.notices if "has learned" in line]
        assert [line.partition(", so ")[0] for line in about] == told


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (RECIPE.replace('words = ["lower[-2..2]"]\n', ""), "features or detectors"),
        (RECIPE + '[[detector]]\nuse = "gazetteer"\n', "features or detectors"),
        (RECIPE.replace('"BIO"', '"BIOES"'), "is for scheme 'BIO', and this is 'BIOES'"),
        (RECIPE.replace('"sentence"', '"line"'), "is for sequence 'sentence'"),
        (PERCEPTRON, "begins with no weights"),
    ],
)
def test_a_model_that_does_not_fit_is_refused(known: Path, text: str, reason: str) -> None:
    with pytest.raises(SettingsError, match=reason) as caught:
        trained(corpus(6), known, text)
    assert caught.value.hint


def test_only_a_crf_of_the_language_and_its_labels_will_do(known: Path, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="is for language 'en', and this is 'es'"):
        fit(recipe(), "es", [corpus(6)], None, run=Run(init=known))
    other = replace(corpus(6), label_set="meddocan")
    with pytest.raises((SettingsError, InputError), match="label set"):
        fit(recipe(), "en", [other], None, run=Run(init=known))
    with pytest.raises(SettingsError, match="is of kind 'network'"):
        trained(corpus(6), Path("en-tagger"))
    with pytest.raises((MissingError, SettingsError)):
        trained(corpus(6), tmp_path / "none")
