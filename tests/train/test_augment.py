from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.train.augment import Augment, augmented
from phiscrub.train.fit import Material, fit
from training_notes import RECIPE, corpus, recipe

NOTES = corpus(12)
ASKED = f'{RECIPE}\naugment = {{ copies = 2, noise = "typos=.01" }}\n'


def test_each_note_is_followed_by_its_copies() -> None:
    grown = augmented(NOTES.notes, Augment(copies=2), "en", NOTES.label_set)
    assert grown.notes[::3] == NOTES.notes
    assert grown.origins[:7] == [0, 0, 0, 1, 1, 1, 2]
    for at, note in enumerate(grown.notes):
        own = NOTES.notes[at // 3]
        assert [m.label for m in note.mentions] == [m.label for m in own.mentions]
        assert (note.document.text == own.document.text) == (at % 3 == 0)
    assert augmented(NOTES.notes, Augment(copies=2), "en", NOTES.label_set) == grown


def test_none_are_made_unless_they_are_asked_for() -> None:
    assert recipe().augment is None
    assert augmented(NOTES.notes, None, "en", NOTES.label_set).notes == NOTES.notes


def test_copies_of_a_note_count_as_the_note_they_are_copies_of() -> None:
    alone = Material.of(recipe(), "en", [NOTES], None)
    grown = Material.of(recipe(ASKED), "en", [NOTES], None)
    assert len(grown.train.starts) > 2 * len(alone.train.starts)
    assert len(np.unique(grown.train.sources)) == len(np.unique(alone.train.sources)) == 12
    assert int(np.max(grown.train.seen())) == 12
    seen = dict(zip(alone.train.attributes, alone.train.seen().tolist(), strict=True))
    again = dict(zip(grown.train.attributes, grown.train.seen().tolist(), strict=True))
    unmarked = [name for name in seen if "=seen" in name]
    assert unmarked
    assert all(again[name] == seen[name] for name in unmarked)


def test_a_model_tells_of_its_copies_and_learns_from_no_development_ones(tmp_path: Path) -> None:
    dev = corpus(6, seed=2, first=100)
    fitted = fit(recipe(ASKED), "en", [NOTES], dev)
    fitted.save(tmp_path / "model")
    told = json.loads((tmp_path / "model" / "manifest.json").read_text())
    assert told["training"]["training"]["augment"]["copies"] == 2
    assert told["data"][0]["notes"] == 12
    material = Material.of(recipe(ASKED), "en", [NOTES], dev)
    assert material.dev is not None
    assert len(np.unique(material.dev.sources)) == len(dev)


@pytest.mark.parametrize(
    "table", ["{ copies = 0 }", '{ noise = "smudge=1" }', "{ layout = 2.0 }", "{ more = 1 }", "3"]
)
def test_wrong_settings_are_refused(table: str) -> None:
    with pytest.raises(SettingsError, match=r"augment|smudge"):
        recipe(f"{RECIPE}\naugment = {table}\n")


def test_a_network_reads_words_of_the_notes_and_learns_from_the_copies() -> None:
    pytest.importorskip("torch")
    pytest.importorskip("onnx")
    from network_recipes import network_recipe  # noqa: PLC0415 - torch is optional
    from phiscrub.train.network import NetworkMaterial  # noqa: PLC0415
    from phiscrub.train.schedule import Run  # noqa: PLC0415

    plain = network_recipe("ours")
    asked = replace(plain, schedule=replace(plain.schedule, augment=Augment(copies=1)))
    alone = NetworkMaterial.of(plain, "en", [NOTES], None, Run())
    grown = NetworkMaterial.of(asked, "en", [NOTES], None, Run())
    assert len(grown.train) == 2 * len(alone.train)
    words = [one._fresh(asked)[0].inputs.words for one in (alone, grown)]
    assert words[0] == words[1]
