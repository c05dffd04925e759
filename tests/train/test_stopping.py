from __future__ import annotations

from dataclasses import replace

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
