"""Networks that go on from others: from whose weights, which stay, and what those know already."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch

from network_recipes import network_recipe, weights_of
from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.train.fit import fit, material_of
from phiscrub.train.schedule import Run
from phiscrub.train.trained import Trained
from training_notes import corpus

TRAIN, DEV = corpus(30), corpus(12, seed=2, first=100)
FEW = replace(TRAIN, notes=TRAIN.notes[:10])


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def test_fine_tuning_begins_with_weights_and_leaves_frozen_ones(tmp_path: Path) -> None:
    first = fit(network_recipe("ours", ("epochs = 6", "epochs = 2")), "en", [TRAIN], None)
    first.save(tmp_path / "model")
    back = Trained.load(tmp_path / "model.weights")
    for key, weight in back.network.state_dict().items():
        assert torch.equal(weight, weights_of(first)[key])
    fewer = replace(
        TRAIN,
        name="fewer",
        notes=tuple(
            replace(n, mentions=tuple(m for m in n.mentions if m.label == "DATE"))
            for n in TRAIN.notes
        ),
    )
    run = Run(init=tmp_path / "model", frozen=("words", "places", "context.first"))
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 1"))
    tuned = fit(recipe, "en", [fewer], None, run=run)
    assert tuned.trained.labels == ("DATE",)  # type: ignore[attr-defined]
    tuned.save(tmp_path / "tuned")
    for name in ("tuned", "tuned.weights"):
        told = read_manifest(tmp_path / name, name)
        assert told.data == (fewer.stated, TRAIN.stated)
    assert read_manifest(tmp_path / "tuned", "tuned").training["begun_with"] == "model"
    for key, weight in weights_of(tuned).items():
        is_same = weight.shape == weights_of(first)[key].shape and torch.equal(
            weight, weights_of(first)[key]
        )
        assert is_same == key.startswith(run.frozen), key
    with pytest.raises(SettingsError, match="every weight is frozen"):
        fit(recipe, "en", [fewer], None, run=replace(run, frozen=("",)))
    with pytest.raises(SettingsError, match="is of architecture residual"):
        fit(network_recipe("elman"), "en", [fewer], None, run=run)


@pytest.mark.parametrize("role", ["init", "teachers"])
def test_what_it_builds_on_may_know_the_development_notes(role: str, tmp_path: Path) -> None:
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 1"))
    fit(recipe, "en", [TRAIN], None).save(tmp_path / "model")
    run = {
        "init": Run(init=tmp_path / "model"),
        "teachers": Run(teachers=(tmp_path / "model",)),
    }[role]
    whole = f"model has learned from {TRAIN.name}: 30 of 30 notes"
    for dev, told in ((TRAIN, [whole]), (DEV, []), (None, [])):
        material = material_of(recipe, "en", [FEW], dev, run)
        about = [line for line in material.notices if "has learned" in line]
        assert [line.partition(", so ")[0] for line in about] == told
