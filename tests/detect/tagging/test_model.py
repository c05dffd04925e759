"""A model's folder: what was written is read, and anything else is one clear line."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crf_models import charts, random_model, save, weights_of
from phiscrub.core.errors import MissingError, OutputError, PhiscrubError, SettingsError
from phiscrub.core.tensors import narrowed, pack_tensors, unpack_tensors
from phiscrub.core.version import VERSION
from phiscrub.detect.tagging.manifest import (
    FILE,
    Manifest,
    read_folder,
    tokenizer_print,
    write_folder,
)
from phiscrub.detect.tagging.model import ATTRIBUTES, KINDS, WEIGHTS, CrfModel
from phiscrub.tokenize.registry import TOKENIZERS


@pytest.fixture(scope="module")
def model() -> CrfModel:
    return random_model(charts(2, seed=5)[0])


@pytest.fixture
def folder(model: CrfModel, tmp_path: Path) -> Path:
    return save(model, tmp_path / "models" / "own")


def same(left: CrfModel, right: CrfModel) -> bool:
    return all(
        np.array_equal(getattr(left, name), getattr(right, name)) for name in CrfModel.__slots__
    )


def test_a_saved_model_is_read_as_it_was(model: CrfModel, folder: Path) -> None:
    assert same(CrfModel.load(folder), model.grouped())
    assert sorted(f.name for f in folder.iterdir()) == sorted((FILE, ATTRIBUTES, WEIGHTS))
    assert [f.name for f in folder.parent.iterdir()] == ["own"]


def test_a_trimmed_model_has_the_same_weights_but_the_least(model: CrfModel) -> None:
    least = float(np.median(np.abs(model.weights)))
    trimmed = model.trimmed(least)
    assert weights_of(trimmed) == {k: w for k, w in weights_of(model).items() if abs(w) >= least}
    assert len(trimmed.weights) < len(model.weights)
    assert len(trimmed.attributes) < len(model.attributes)
    assert (np.diff(trimmed.pointers) > 0).all()
    assert same(model.trimmed(0.0), model)


def test_saving_again_replaces_the_model_and_gives_the_same_bytes(
    model: CrfModel, folder: Path
) -> None:
    before = {f.name: f.read_bytes() for f in folder.iterdir()}
    save(model, folder)
    assert {f.name: f.read_bytes() for f in folder.iterdir()} == before
    assert [f.name for f in folder.parent.iterdir()] == ["own"]


def test_a_folder_with_something_else_is_left_alone(model: CrfModel, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.txt").write_text("x")
    (tmp_path / "file").write_text("x")
    for name in ("notes", "file", "file/below"):
        with pytest.raises(OutputError) as caught:
            save(model, tmp_path / name)
        assert "\n" not in str(caught.value)
    assert (tmp_path / "notes" / "a.txt").read_text() == "x"
    assert sorted(f.name for f in tmp_path.iterdir()) == ["file", "notes"]


def test_a_failed_save_leaves_the_old_model(
    model: CrfModel, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = Path.rename

    def fail(self: Path, target: Path) -> Path:
        if self.name == "new":
            raise OSError(28, "No space left on device")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", fail)
    with pytest.raises(OutputError, match="No space left"):
        save(model, folder)
    monkeypatch.undo()
    assert same(CrfModel.load(folder), model.grouped())
    assert [f.name for f in folder.parent.iterdir()] == ["own"]


def refused(folder: Path, match: str, kind: type[PhiscrubError] = SettingsError) -> None:
    with pytest.raises(kind, match=match) as caught:
        CrfModel.load(folder)
    assert "\n" not in str(caught.value)
    assert caught.value.where is not None
    assert caught.value.hint


@pytest.mark.parametrize("name", [WEIGHTS, ATTRIBUTES])
def test_a_truncated_changed_or_missing_file(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for data in (whole[:-1], whole[: len(whole) // 2], b"", bytes(changed), whole + b"\0"):
        (folder / name).write_bytes(data)
        refused(folder, rf"{name}.* its sha256 differs")
    (folder / name).unlink()
    refused(folder, "cannot be read", MissingError)


def test_no_model(folder: Path) -> None:
    (folder / FILE).unlink()
    refused(folder, "is no model", MissingError)


def edited(folder: Path, edit: Callable[[dict[str, Any]], object]) -> None:
    table = json.loads((folder / FILE).read_text("utf-8"))
    edit(table)
    (folder / FILE).write_text(json.dumps(table), "utf-8")


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"format": 2}, "is of model format 2, and this phiscrub reads 1"),
        ({"format": True}, "model format"),
        ({"format": "1"}, "model format unknown"),
        ({"kind": "bilstm"}, "is a model of kind 'bilstm', not 'crf'"),
        ({"tokenizer": "words"}, "no tokenizer of this phiscrub: 'words'"),
        ({"tokenizer": "i2b2"}, "another version of tokenizer 'i2b2'"),
        ({"tokenizer_print": "0" * 64}, "another version of tokenizer 'clinical'"),
        ({"labels": []}, "no list of labels"),
        ({"labels": ["DATE"]}, "its labels are not those of its tags"),
        ({"settings": {}}, "its settings are not"),
        ({"settings": []}, "'settings' of another type"),
        ({"data": [{"name": "x"}]}, "an entry of 'data'"),
        ({"files": {}}, "does not list the files"),
        ({"files": {"../x.txt": "0" * 64}}, "without a plain name"),
        ({"files": {FILE: "0" * 64}}, "without a plain name"),
        ({"files": {WEIGHTS: 5}}, "without a plain name"),
        ({"extra": 1}, "missing or unknown keys: extra"),
    ],
)
def test_a_manifest_that_does_not_fit(folder: Path, change: dict[str, Any], match: str) -> None:
    edited(folder, lambda table: table.update(change))
    refused(folder, match)


@pytest.mark.parametrize(
    ("key", "value", "match"),
    [
        ("tags", ["O", "B-DATE", "B-DATE"], "tags"),
        ("tags", ["B-DATE", "I-DATE"], "tags"),
        ("tags", ["O", "DATE"], "tags"),
        ("tags", ["O", "B-DATE"], "tags"),
        ("tags", "O", "'tags' is not a list of strings"),
        ("scheme", "BEE", "no tag scheme"),
        ("scheme", 3, "'scheme' is not a string"),
        ("sequence", "page", "sequence"),
        ("templates", ["word[0]"], "templates that it does not name"),
        ("templates", ["word[0..1]"], "templates are not single"),
        ("templates", ["["], "no template"),
        ("detectors", ["x"], "'detectors' is not a list of tables"),
    ],
)
def test_settings_that_do_not_fit(folder: Path, key: str, value: object, match: str) -> None:
    edited(folder, lambda table: table["settings"].update({key: value}))
    refused(folder, match)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"a": NaN}', '{"format": 1, "format": 1}', "[" * 100_000, "9" * 9_999]
)
def test_a_manifest_that_is_no_json_object(folder: Path, text: str) -> None:
    (folder / FILE).write_text(text)
    refused(folder, "no plain JSON object")
    (folder / FILE).write_bytes(b"\xff")
    refused(folder, "is not UTF-8")


TENSORS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "pointers": lambda a: np.flip(a).copy(),
    "columns": lambda a: a + 6,
    "weights": lambda a: a * np.nan,
    "transitions": lambda a: a + 1e3,
}


def resigned(folder: Path, name: str, data: bytes) -> None:
    """Write a file as a forger would, with a hash that fits."""
    (folder / name).write_bytes(data)
    digest = hashlib.sha256(data).hexdigest()
    edited(folder, lambda table: table["files"].update({name: digest}))


@pytest.mark.parametrize("name", TENSORS)
def test_forged_weights(model: CrfModel, folder: Path, name: str) -> None:
    tensors = {key: getattr(model, key) for key in KINDS}
    tensors[name] = TENSORS[name](tensors[name])
    resigned(folder, WEIGHTS, pack_tensors(tensors))
    refused(folder, "weights|transition|transitions")
    tensors[name] = tensors[name][:-1]
    resigned(folder, WEIGHTS, pack_tensors(tensors))
    refused(folder, "weights|transition|transitions")


def test_whole_numbers_lie_in_the_smallest_type_and_come_back_in_their_own(model: CrfModel) -> None:
    wide = {name: getattr(model, name) for name in KINDS}
    packed = pack_tensors({name: narrowed(tensor) for name, tensor in wide.items()})
    assert len(packed) < len(pack_tensors(wide))
    for name, tensor in unpack_tensors(packed, KINDS, "here").items():
        assert tensor.dtype == wide[name].dtype
        assert np.array_equal(tensor, wide[name])
        assert not tensor.flags.writeable
    for most, kind in ((255, "u1"), (256, "i2"), (-1, "i2"), (1 << 15, "i4"), (1 << 31, "i8")):
        assert narrowed(np.array([0, most])).dtype == kind


def test_weights_take_half_the_room_where_that_loses_nothing(model: CrfModel) -> None:
    rounded = model.rounded()
    assert np.abs(rounded.weights / model.weights - 1).max() < 1e-7
    (small,) = unpack_tensors(
        pack_tensors({"x": narrowed(rounded.weights)}), {"x": "F64"}, ""
    ).values()
    assert narrowed(rounded.weights).dtype == "f4"
    assert small.dtype == "f8"
    assert np.array_equal(small, rounded.weights)
    assert narrowed(model.weights).dtype == "f8"
    assert narrowed(np.array([1e300])).dtype == "f8"


def test_numbers_of_another_family_are_refused(folder: Path, model: CrfModel) -> None:
    tensors = {name: getattr(model, name) for name in KINDS}
    for name, kind in (("columns", "f4"), ("columns", "i8"), ("weights", "i4"), ("pointers", "i1")):
        wrong = pack_tensors({**tensors, name: tensors[name].astype(kind)})
        resigned(folder, WEIGHTS, wrong)
        refused(folder, "of another type")


@pytest.mark.parametrize("text", [b"word[0] 2\na\na\n", b"word[0] 1\na\n" * 2, b"never[0] 1\na\n"])
def test_forged_attributes(folder: Path, text: bytes) -> None:
    resigned(folder, ATTRIBUTES, text)
    refused(folder, "attribute")


@pytest.mark.parametrize("text", [b"word[0]=a\n", b"\xff\n"])
def test_what_are_no_attributes(folder: Path, text: bytes) -> None:
    resigned(folder, ATTRIBUTES, text)
    refused(folder, "list of attributes")


def test_tokenizers_differ_in_their_prints() -> None:
    prints = {name: tokenizer_print(name) for name in TOKENIZERS}
    assert len(set(prints.values())) == len(TOKENIZERS)
    assert prints == {name: tokenizer_print(name) for name in TOKENIZERS}


def test_a_model_replaces_a_model_and_nothing_else(
    model: CrfModel, folder: Path, tmp_path: Path
) -> None:
    (folder / ".DS_Store").write_bytes(b"")
    save(model, folder)
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "n1.txt").write_text("a note")
    (notes / FILE).write_text('{"name": "a data set"}')
    (folder / "n1.txt").write_text("a note")
    for place, what in (
        (notes, "is there already and is no model"),
        (tmp_path / "not-there" / ".." / "notes", "is there already and is no model"),
        (folder, "n1.txt"),
    ):
        with pytest.raises(OutputError, match=what):
            save(model, place)
        assert (notes / "n1.txt").exists()
    assert (folder / "n1.txt").exists()


def test_another_kind_of_model_has_the_same_manifest(tmp_path: Path) -> None:
    own = Manifest(
        kind="other",
        name="m",
        language="en",
        label_set="i2b2-2014",
        labels=("DATE",),
        tokenizer="treebank",
        tokenizer_print=tokenizer_print("treebank"),
        settings={"size": 3},
    )
    write_folder(tmp_path / "m", own, {"net.onnx": b"abc"})
    found, files = read_folder(tmp_path / "m", "other", ["net.onnx"])
    assert files == {"net.onnx": b"abc"}
    assert found.settings == own.settings
    assert found.phiscrub == VERSION


arrays = st.sampled_from(
    [np.arange(6.0).reshape(2, 3), np.zeros((0, 4)), np.array(7.5), np.array([-0.0, 1e-300])]
)


@given(st.dictionaries(st.sampled_from("abc"), arrays, min_size=1))
def test_tensors_come_back(tensors: dict[str, np.ndarray]) -> None:
    found = unpack_tensors(pack_tensors(tensors), dict.fromkeys(tensors, "F64"), "x")
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert found[name].shape == tensor.shape
        assert found[name].tobytes() == tensor.tobytes()


@settings(max_examples=300)
@given(st.data())
def test_no_bytes_do_more_than_be_refused(data: st.DataObject) -> None:
    whole = bytearray(pack_tensors({"a": np.arange(4.0), "b": np.zeros((2, 1), dtype=np.int32)}))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, min(140, len(whole) - 1)))
        whole[place] = data.draw(st.integers(0, 255) | st.sampled_from(b'0123456789"[]{},-.e'))
    cut = bytes(whole[: data.draw(st.integers(0, len(whole)))])
    with suppress(SettingsError):
        found = unpack_tensors(cut, {"a": "F64", "b": "I32"}, "x")
        assert {name: array.nbytes for name, array in found.items()} == {"a": 32, "b": 8}


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "F64", "shape": [1 << 47, 1 << 47], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [-1], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [1.0], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [True], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [1], "data_offsets": [8, 0]},
        {"dtype": "F64", "shape": [0], "data_offsets": [0, 0]},
        {"dtype": "F64", "shape": [2], "data_offsets": [0, 16]},
        {"dtype": "F64", "shape": [1], "data_offsets": [0, 8, 9]},
        {"dtype": "I32", "shape": [2], "data_offsets": [0, 8]},
        {"dtype": "F64", "shape": [1]},
        [],
    ],
)
def test_headers_that_lie(entry: object) -> None:
    header = json.dumps({"a": entry}).encode()
    data = len(header).to_bytes(8, "little") + header + bytes(8)
    with pytest.raises(SettingsError, match=r"^x: "):
        unpack_tensors(data, {"a": "F64"}, "x")
