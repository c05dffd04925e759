from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from phiscrub.core.errors import MissingError
from phiscrub.core.mention import Annotated
from phiscrub.train.fit import fit
from training_notes import RECIPE, corpus, recipe


def test_development_notes_without_finds_do_not_end_training_before_it_has_begun() -> None:
    """F1 of zero from the first iteration on is no gain, and no sign that all is learnt."""
    patient = recipe(RECIPE.replace("max_iterations = 40", "max_iterations = 30\npatience = 2"))
    dev = corpus(3, seed=2, first=100)
    bare = replace(dev, notes=tuple(Annotated(note.document) for note in dev.notes))
    weighed = fit(patient, "en", [corpus(20)], bare).weighed
    assert len(weighed.steps) > 10
    assert not weighed.stopped.startswith("no gain")


def test_the_manifest_counts_pieces_where_notes_were_cut(tmp_path) -> None:
    fit(recipe(), "en", [corpus(20).cut(1)], None).save(tmp_path / "model")
    assert "fewer than 2 pieces" in (tmp_path / "model" / "manifest.json").read_text("utf-8")


PERCEPTRON = RECIPE.replace("c1 = 0.05\nc2 = 0.05", 'algorithm = "ap"\npatience = 3')


def test_the_weights_are_those_of_the_best_iteration() -> None:
    dev = corpus(6, seed=2, first=100)
    patient = recipe(RECIPE.replace("max_iterations = 40", "max_iterations = 200\npatience = 5"))
    fitted = fit(patient, "en", [corpus(20)], dev)
    best = len(fitted.steps) - 5
    assert fitted.stopped == f"no gain after iteration {best}"
    few = recipe(RECIPE.replace("max_iterations = 40", f"max_iterations = {best}"))
    again = fit(few, "en", [corpus(20)], None)
    assert again.stopped == f"all {best} iterations done"
    assert fitted.model.attributes == again.model.attributes
    assert fitted.model.weights == pytest.approx(again.model.weights)
    assert fitted.model.transitions == pytest.approx(again.model.transitions)


def test_the_perceptron_learns_until_it_errs_no_more() -> None:
    pytest.importorskip("pycrfsuite")
    fitted = fit(recipe(PERCEPTRON), "en", [corpus(30)], None)
    assert fitted.stopped.startswith("converged")
    for sample in fitted.samples(corpus(5, seed=3, first=200).notes):
        assert set(sample.gold) <= set(sample.found)


def test_the_perceptron_stops_where_development_notes_gain_no_more() -> None:
    pytest.importorskip("pycrfsuite")
    known = corpus(30)
    bare = tuple(Annotated(note.document) for note in corpus(8, seed=4, first=300).notes)
    mixed = replace(known, notes=known.notes + bare)
    fitted = fit(recipe(PERCEPTRON), "en", [mixed], corpus(6, seed=2, first=100))
    assert fitted.stopped.startswith("no gain after iteration")
    assert len(fitted.steps) < 40


@pytest.mark.parametrize(
    ("text", "package", "told"),
    [(RECIPE, "scipy", "scipy"), (PERCEPTRON, "pycrfsuite", "python-crfsuite")],
)
def test_without_its_package_training_says_which(
    text: str, package: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [own for own in sys.modules if own.partition(".")[0] == package] or [package]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingError, match=f"needs the package {told}") as caught:
        fit(recipe(text), "en", [corpus(10)], None)
    assert "phiscrub[crf]" in caught.value.hint
