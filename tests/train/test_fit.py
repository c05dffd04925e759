from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from phiscrub.core.counts import Counts
from phiscrub.core.errors import InputError, MissingError, SettingsError
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.evaluate.entities import exact
from phiscrub.pipeline.load import load_pipeline
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train import crossval, curve
from phiscrub.train.corpus import Corpus
from phiscrub.train.examples import encode
from phiscrub.train.fit import Material, features_of, fit
from phiscrub.train.folds import by_document, deal
from phiscrub.train.reading import read
from phiscrub.train.steps import Step, best_step
from phiscrub.train.suggest import suggest
from phiscrub.train.tune import tune
from training_notes import RECIPE, corpus, recipe

TRAIN, DEV = corpus(40), corpus(15, seed=2, first=100)


def strict(fitted_on: object, notes: Corpus) -> Counts:
    tallies = exact(fitted_on.samples(notes.notes))  # type: ignore[attr-defined]
    return sum((tally.total for tally in tallies.values()), Counts())


def test_a_model_is_learnt_saved_and_runs_alone_as_a_pipeline(tmp_path: Path) -> None:
    steps: list[Step] = []
    fitted = fit(recipe(), "en", [TRAIN], DEV, steps.append)
    counts = strict(fitted, DEV)
    assert counts.f1 is not None
    assert counts.f1 > 0.9
    assert [step.iteration for step in steps] == list(range(1, len(steps) + 1))
    assert steps[-1].loss < steps[0].loss
    assert (steps[-1].f1 or 0) > 0.9

    fitted.save(tmp_path / fitted.recipe.name)
    pipeline = load_pipeline(str(tmp_path / fitted.recipe.name))
    documents = [note.document for note in DEV.notes]
    found = [note.mentions for note in pipeline.annotate(documents)]
    assert found == [sample.claims for sample in fitted.samples(DEV.notes)]


def test_a_model_is_called_as_its_folder_with_its_recipe_beside(tmp_path: Path) -> None:
    fit(recipe(), "en", [TRAIN], None).save(tmp_path / "ward:b+c")
    told = read_manifest(tmp_path / "ward:b+c", "")
    assert told.name == "ward-b-c"
    assert told.training["recipe"] == recipe().name


def test_the_manifest_says_what_it_learnt_from_and_what_was_cut(tmp_path: Path) -> None:
    fit(recipe(), "en", [TRAIN], None).save(tmp_path / "model")
    manifest = json.loads((tmp_path / "model" / "manifest.json").read_text())
    (data,) = manifest["data"]
    told = {"name": "seed-1", "licence": "invented", "notes": 40, "sha256": TRAIN.sha256}
    assert data == told
    assert "fewer than 2 notes" in manifest["training"]["cut"]
    assert manifest["training"]["training"]["c1"] == 0.05
    fit(recipe(), "en", [TRAIN], None).trimmed(0.02).save(tmp_path / "less")
    less = json.loads((tmp_path / "less" / "manifest.json").read_text())
    assert less["training"]["cut"] == manifest["training"]["cut"] + ", and weights below 0.02"


def test_a_word_of_one_note_alone_is_in_no_feature() -> None:
    rare = replace(TRAIN, notes=TRAIN.notes[:6])
    words = [word for note in rare.notes for word in note.document.text.lower().split()]
    once = {w for w in words if w.isalpha() and words.count(w) == 1}
    assert once
    model = fit(recipe(), "en", [rare], None).model
    values = {text.partition("]=")[2] for text in model.attributes}
    assert values
    assert not once & values


def test_examples_count_notes_not_tokens() -> None:
    spoken = recipe().spoken("en")
    templates, traits = features_of(spoken, "en")
    readings = read(TRAIN.notes[:5], get_tokenizer())
    examples = encode(readings, templates, traits, scheme("BIO"), "sentence")
    seen = dict(zip(examples.attributes, examples.seen().tolist(), strict=True))
    assert seen["lower[0]=dr"] == 5
    assert max(seen.values()) == 5
    assert len(examples.tags) == sum(len(reading.note.tokens) for reading in readings)
    every = np.ones(len(examples.attributes), dtype=bool)
    tags = [tag for _, own in examples.written(every) for tag in own]
    assert tags.count("B-DOCTOR") == tags.count("B-DATE") == 5


def test_training_stops_where_development_notes_gain_no_more() -> None:
    patient = recipe(RECIPE.replace("max_iterations = 40", "max_iterations = 200\npatience = 5"))
    fitted = fit(patient, "en", [TRAIN], DEV)
    weighed = fitted.weighed
    best = best_step(weighed.steps)
    assert weighed.stopped == f"no gain after iteration {best}"
    assert len(weighed.steps) == best + 5
    short = replace(patient, training=replace(patient.training, max_iterations=best))
    again = fit(short, "en", [TRAIN], None)
    assert np.array_equal(again.model.weights, fitted.model.weights)


def test_a_label_only_in_dev_does_not_enter_the_model() -> None:
    few = replace(
        TRAIN,
        notes=tuple(
            replace(n, mentions=tuple(m for m in n.mentions if m.label != "DATE"))
            for n in TRAIN.notes
        ),
    )
    assert fit(recipe(), "en", [few], DEV).model.labels == ("DOCTOR", "HOSPITAL")


def test_what_cannot_be_learnt_from_says_so() -> None:
    bare = replace(TRAIN, notes=tuple(replace(n, mentions=()) for n in TRAIN.notes))
    with pytest.raises(InputError, match="no annotated notes"):
        fit(recipe(), "en", [bare], None)
    with pytest.raises(InputError, match="no feature is seen in 2 notes"):
        fit(recipe(), "en", [replace(TRAIN, notes=TRAIN.notes[:1])], None)
    lacking = recipe(RECIPE.replace('words = ["lower', 'tongue = ["pos[0]"]\nwords = ["lower'))
    with pytest.raises((MissingError, SettingsError), match="pos"):
        fit(lacking, "sv", [TRAIN], None)


def test_the_search_keeps_what_gains_and_ends_in_time() -> None:
    material = Material.of(recipe(), "en", [TRAIN], DEV)
    seen: list[str] = []
    found = tune(material, DEV, 0.05, lambda trial: seen.append(trial.change))
    assert seen[0] == "as the recipe says"
    assert [trial.change for trial in found.trials] == seen
    kept = [trial.counts.f1 or 0 for trial in found.trials if trial.kept]
    assert kept == sorted(set(kept))
    assert strict(found.fitted, DEV).f1 == kept[-1]


def test_cross_validation_tests_every_note_once_and_resumes(tmp_path: Path) -> None:
    extra = replace(corpus(12, seed=3, first=200), name="extra")
    folds = tuple(deal(TRAIN, by_document(TRAIN), 3, 1))
    plan = crossval.Plan(
        recipe().quick(),
        "en",
        TRAIN,
        folds,
        ((extra, tuple(deal(extra, by_document(extra), 3, 1))),),
    )
    for number in range(3):
        target, more = plan.training(number)
        assert not {n.document.id for n in target.notes} & set(folds[number])
        assert len(more) == 8
    seen: list[int] = []
    done = crossval.run(plan, tmp_path, 1, lambda fold: seen.append(fold.number))
    assert seen == [0, 1, 2]
    assert sorted(name for fold in done for name in fold.found) == [
        n.document.id for n in TRAIN.notes
    ]
    rows = crossval.lines(crossval.samples(TRAIN, done))
    assert rows[-1].label == ""
    assert rows[-1].pooled.hit + rows[-1].pooled.missed == 120
    assert (rows[-1].f1.mean or 0) > 0.8

    (tmp_path / "fold-2.json").unlink()
    made = (tmp_path / "fold-1.json").stat().st_mtime_ns
    again = crossval.run(plan, tmp_path, 1, lambda _: None)
    assert [fold.found for fold in again] == [fold.found for fold in done]
    assert (tmp_path / "fold-1.json").stat().st_mtime_ns == made
    assert "Ortiz" not in (tmp_path / "fold-1.json").read_text()
    other = replace(plan, recipe=plan.recipe.tuned(c1=3.0))
    with pytest.raises(SettingsError, match="another cross-validation"):
        crossval.run(other, tmp_path, 1, lambda _: None)
    (tmp_path / "fold-1.json").write_text("[]")
    with pytest.raises(SettingsError, match="no fold"):
        crossval.run(plan, tmp_path, 1, lambda _: None)


def test_spread_leaves_out_what_is_undefined() -> None:
    assert crossval.Spread.of([None, None]) == crossval.Spread(None, None)
    assert crossval.Spread.of([0.5, None]) == crossval.Spread(0.5, None)
    assert crossval.Spread.of([0.25, 0.75]).mean == 0.5
    assert crossval.Spread.of([0.25, 0.75]).deviation == pytest.approx(0.35355, abs=1e-5)


def test_more_notes_teach_more() -> None:
    points = curve.learn(
        recipe().quick(), "en", TRAIN, DEV, sizes=(32, 2, 12), seed=1, tick=lambda _: None
    )
    assert [point.notes for point in points] == [2, 12, 32]
    assert (points[0].exact.f1 or 0) < (points[-1].exact.f1 or 0)
    with pytest.raises(SettingsError, match="asks for 41 notes, and there are 40"):
        curve.learn(recipe(), "en", TRAIN, DEV, sizes=(41,), seed=1, tick=lambda _: None)


def test_a_forecast_finds_the_curve_that_made_the_points() -> None:
    def point(notes: int) -> curve.Point:
        error = 0.02 + 0.9 * notes**-0.5
        wrong = round(100_000 * error)
        counts = Counts(100_000 - wrong, wrong, wrong)
        return curve.Point(notes, notes, counts, counts)

    made = curve.forecast([point(n) for n in (25, 50, 100, 200)])
    assert made is not None
    assert made.f1(400) == pytest.approx(1 - 0.02 - 0.9 / 20, abs=2e-3)
    assert curve.forecast([point(25), point(50)]) is None
    assert curve.default_sizes(400) == (25, 50, 100, 200, 400)
    assert curve.default_sizes(1) == (1,)


def test_suggested_are_unlike_notes_that_the_model_doubts() -> None:
    fitted = fit(recipe(), "en", [TRAIN], None)
    plain = [note.document for note in corpus(4, seed=5, first=300).notes]
    odd = "Zora Quist rang from Elm Court 7, asks for Doktor Mbeki, room B12 by Friday.\n"
    twin = [replace(plain[0], id=name, text=odd) for name in ("odd-1", "odd-2")]
    other = replace(plain[0], id="odd-3", text="Letter to Prof. Aino Virta, Turku, 3.4.2021.\n")
    pool = [*plain, *twin, other]
    found = suggest(pool, get_tokenizer(), fitted.tagger(), 3)
    assert {one.document for one in found[:2]} == {"odd-1", "odd-3"}
    gains = [one.gain for one in found]
    assert gains == sorted(gains, reverse=True)
    assert suggest(pool[::-1], get_tokenizer(), fitted.tagger(), 3) == found
    assert len(suggest(pool, get_tokenizer(), fitted.tagger(), 99)) == len(pool)
    assert suggest([], get_tokenizer(), fitted.tagger(), 5) == []
