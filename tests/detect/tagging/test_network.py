"""The folder of a network: read as it was written, and hostile ones refused in one line."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.inputs import Inputs, Shown
from phiscrub.detect.tagging.manifest import TrainedOn
from phiscrub.detect.tagging.network import FILES, NetworkModel

TAGS = ("O", "B-CITY", "I-CITY")


@pytest.fixture
def model() -> NetworkModel:
    return NetworkModel(
        name="made up",
        language="en",
        label_set="i2b2-2014",
        tokenizer="clinical",
        scheme="BIO",
        sequence="sentence",
        tags=TAGS,
        detectors=({"use": "names"},),
        inputs=Inputs(
            words=("a", "line\u2028break", "\\", "\ud800"),
            characters=("\n", "é", " "),
            traits=(Shown("gap", 3, values=("blank", "")), Shown("lower", 4, 64, 2)),
            lower=True,
            digits="split",
            post_space=3,
        ),
        output="crf",
        words=b"words",
        top=b"top",
        transitions=np.arange(9.0).reshape(3, 3),
    )


@pytest.fixture
def folder(model: NetworkModel, tmp_path: Path) -> Path:
    data = [TrainedOn("invented", "CC0-1.0", 3)]
    model.save(tmp_path / "m", data=data, training={"epochs": 3}, created="2025-01-01")
    return tmp_path / "m"


def edited(folder: Path, **changes: Any) -> None:
    file = folder / "manifest.json"
    table = json.loads(file.read_text("utf-8"))
    table["settings"].update(changes)
    file.write_text(json.dumps(table), "utf-8")


def test_a_saved_model_is_read_as_it_was(model: NetworkModel, folder: Path) -> None:
    found = NetworkModel.load(folder)
    for name in NetworkModel.__slots__:
        own, other = getattr(model, name), getattr(found, name)
        if name == "inputs":
            assert (own.words, own.characters, own.traits, own.stated()) == (
                *(other.words, other.characters, other.traits),
                other.stated(),
            )
        else:
            assert np.array_equal(own, other), name
    assert {file.name for file in folder.iterdir()} == {*FILES, "manifest.json"}


@pytest.mark.parametrize("name", FILES)
def test_a_changed_file_is_refused(folder: Path, name: str) -> None:
    with (folder / name).open("ab") as file:
        file.write(b"more")
    with pytest.raises(SettingsError, match="sha256 differs"):
        NetworkModel.load(folder)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"more": 1}, "its settings are not"),
        ({"tags": ["O", "B-CITY", "B-CITY"]}, "not distinct tags"),
        ({"tags": ["O", "B-CITY"]}, "transitions are not between"),
        ({"tags": 3}, "'tags' is not a list of strings"),
        ({"sequence": "page"}, "its sequence is none of"),
        ({"scheme": "magic"}, "no tag scheme"),
        ({"output": "magic"}, "its output is none of"),
        ({"output": "softmax"}, "transitions that its output does not know"),
        ({"window": 15}, "which know no transitions"),
        ({"window": -1}, "leave words out"),
        ({"window": True}, "'window' is not a whole number"),
        ({"stride": 0}, "leave words out"),
        ({"window": 10**9}, "too long"),
        ({"detectors": ["x"]}, "'detectors' is not a list of tables"),
        ({"inputs": {}}, "its inputs are not those"),
        ({"inputs": []}, "'inputs' is not a table"),
    ],
)
def test_settings_that_do_not_fit(folder: Path, changes: dict[str, Any], told: str) -> None:
    edited(folder, **changes)
    with pytest.raises(SettingsError, match=told) as caught:
        NetworkModel.load(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("weight", [np.nan, np.inf, 201.0])
def test_transitions_that_are_no_weights(model: NetworkModel, weight: float) -> None:
    with pytest.raises(SettingsError, match="is not within 200"):
        replace(model, transitions=np.full((3, 3), weight))
