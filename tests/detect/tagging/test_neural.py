"""The part `neural`: the same tags however notes are batched or cut, and eagerness."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from network_models import NETWORKS, NOTES, fresh, runnable, save
from phiscrub.core.document import Document
from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.note import Note
from phiscrub.detect.tagging import frame, neural, typecache
from phiscrub.detect.tagging.network import NetworkModel
from phiscrub.detect.tagging.neural import NeuralTagger
from phiscrub.detect.tagging.windows import NONE, sliding
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.pipeline.voters import voters
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.export import export
from tagging_notes import cut

TOOLS = Shelf("en", None)
EMPTY = cut("", "Ann", "\n\n")


def tagger(name: str, **given: object) -> NeuralTagger:
    return NeuralTagger.of(runnable(name), TOOLS, **given)  # type: ignore[arg-type]


def proba(one: NeuralTagger, notes: Sequence[Note]) -> np.ndarray:
    return np.concatenate([scores.proba for scores in one.tag_scores(notes)])


@pytest.mark.parametrize("name", NETWORKS)
def test_a_batch_changes_only_speed(name: str) -> None:
    notes = [*NOTES, *EMPTY]
    together = tagger(name)
    others = (tagger(name, batch_tokens=1), tagger(name, batch_tokens=37, threads=2))
    found = together.detect(notes)
    assert any(found)
    for other in others:
        assert [other.detect([note])[0] for note in reversed(notes)] == list(reversed(found))
        np.testing.assert_allclose(proba(other, notes), proba(together, notes), atol=1e-6)


@pytest.mark.parametrize("name", NETWORKS)
def test_scores_are_the_probabilities_of_labels(name: str) -> None:
    one = tagger(name)
    (scores,) = one.scores(NOTES[:1])
    (by_tag,) = one.tag_scores(NOTES[:1])
    assert scores.labels == ("O", *sorted(one.labels))
    for column, label in enumerate(scores.labels):
        own = [
            at for at, tag in enumerate(by_tag.labels) if tag in (label, f"B-{label}", f"I-{label}")
        ]
        np.testing.assert_allclose(
            scores.proba[:, column], by_tag.proba[:, own].sum(axis=1), atol=1e-6
        )
    for mention in one.detect(NOTES[:1])[0]:
        inside = NOTES[0].tokens.within(mention.span)
        lowest = min(scores.proba[at, scores.labels.index(mention.label)] for at in inside)
        assert mention.score == pytest.approx(lowest, abs=2e-6)


@pytest.mark.parametrize("name", ["bilstm", "windows", "residual"])
def test_long_notes_are_read_in_rounds(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    found, rows = tagger(name).detect(NOTES), proba(tagger(name), NOTES)
    monkeypatch.setattr(frame, "ROUND", 7)
    assert tagger(name).detect(NOTES) == found
    blocks = list(tagger(name).tag_rows(NOTES))
    assert len(blocks) > len(NOTES)
    np.testing.assert_allclose(np.concatenate(blocks), rows, atol=1e-6)


@pytest.mark.parametrize("name", ["bilstm", "dilated"])
def test_a_note_too_long_to_be_read_whole_is_cut_at_sentences(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no sentence is too long, reading notes whole, cut, is reading sentences."""
    model = runnable(name)
    by_sentence = NeuralTagger.of(model, TOOLS)
    whole = NeuralTagger.of(replace(model, sequence="note"), TOOLS)
    texts = ["One two Ann. " * 3, "Boise is far. " * 5]
    notes = get_tokenizer("clinical").tokenize([Document(str(i), t) for i, t in enumerate(texts)])
    assert {len(note.sentences) for note in notes} == {3, 5}
    monkeypatch.setattr(neural, "LONGEST", 4)
    assert whole.tags(notes) == by_sentence.tags(notes)


def test_a_sentence_too_long_is_cut_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    notes = cut(" ".join(["Ann Lee of Boise"] * 9))
    by_word = export(fresh("elman", traits=["classes 4"]), NOTES[:1], whole=False).model
    monkeypatch.setattr(neural, "LONGEST", 4)
    (found,) = NeuralTagger.of(by_word, TOOLS).tags(notes)
    assert found == found[:4] * 9


def test_windows_are_read_as_one_after_the_other() -> None:
    """The reference scores each window by itself and merges by the paper's three rules."""
    one = tagger("windows")
    model, length = one.model, one.model.window
    seen = [dict(arrays) for arrays in one.fed(NOTES[:1])]
    vectors = np.concatenate([arrays["vectors"] for arrays in seen])
    notes = np.concatenate([arrays["notes"] for arrays in seen])
    mask = np.concatenate([arrays["mask"] for arrays in seen])
    encoded = one._encoder.encode(neural.Frame.of(NOTES[:1], "sentence"))
    windows = sliding(encoded.starts, length, 1)
    assert ((windows != NONE) == mask).all()
    best: dict[int, tuple[bool, int, np.ndarray]] = {}
    for row, positions in enumerate(windows):
        scores = one._top.run(
            vectors=vectors[row : row + 1], notes=notes[row : row + 1], mask=mask[row : row + 1]
        )[0]
        for place, position in enumerate(positions.tolist()):
            is_phi = model.tags[int(scores[place].argmax())] != "O"
            if position != NONE and (is_phi, place) >= best.get(position, (False, -1))[:2]:
                best[position] = (is_phi, place, scores[place])
    expected = [model.tags[int(best[at][2].argmax())] for at in encoded.firsts.tolist()]
    assert one.tags(NOTES[:1]) == [expected]
    assert set(expected) > {"O"}


def test_eagerness() -> None:
    plain = tagger("bilstm-crf")
    (certain,) = tagger("bilstm-crf", threshold=0.0).detect(NOTES[:1])
    (eager,) = tagger("bilstm-crf", threshold=1.0).tags(NOTES[:1])
    assert certain == ()
    assert "O" not in eager
    label = sorted(plain.labels)[0]
    (never,) = tagger("bilstm-crf", bias={label: -90.0}).detect(NOTES[:1])
    assert label in {m.label for m in plain.detect(NOTES[:1])[0]}
    assert label not in {m.label for m in never}


def test_a_full_cache_starts_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    found = tagger("bilstm").detect(NOTES)
    monkeypatch.setattr(typecache, "BYTES", 0)
    monkeypatch.setattr(typecache, "FEWEST", 5)
    monkeypatch.setattr(typecache, "BATCH", 3)
    small = tagger("bilstm")
    for _ in range(2):
        assert [small.detect([note])[0] for note in NOTES] == list(found)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"threshold": 1.5}, "no probability"),
        ({"bias": {"MAGIC": 1.0}}, "does not give"),
        ({"threads": 0}, "'threads' is not from 1"),
        ({"batch_tokens": 0}, "'batch_tokens' is not from 1"),
    ],
)
def test_settings_out_of_range(given: dict[str, object], told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        tagger("bilstm", **given)


def test_other_languages_and_tokenizers_are_refused() -> None:
    with pytest.raises(SettingsError, match="is for language 'en'"):
        NeuralTagger.of(runnable("bilstm"), Shelf("es", None))
    notes = get_tokenizer("treebank").tokenize([Document("1", "Ann")])
    with pytest.raises(SettingsError, match="needs tokenizer 'clinical'"):
        tagger("bilstm").detect(notes)


def test_without_onnxruntime(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "onnxruntime", None)
    with pytest.raises(MissingError, match="needs the package onnxruntime; pip install"):
        tagger("bilstm")


@pytest.mark.parametrize("name", ["words.onnx", "top.onnx"])
@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "no ONNX model that can be run"),
        (b"magic", "no ONNX model that can be run"),
        (b"\x0a\x08location", "weights in files of their own"),
        (None, "no half of a network"),
    ],
)
def test_bytes_that_are_no_such_half(name: str, data: bytes | None, told: str) -> None:
    model = runnable("bilstm")
    swapped = {"words": model.top} if name == "words.onnx" else {"top": model.words}
    half = {name.removesuffix(".onnx"): data} if data is not None else swapped
    with pytest.raises(SettingsError, match=f"'{name}'.*{told}"):
        NeuralTagger.of(replace(model, **half), TOOLS)  # type: ignore[arg-type]


def test_halves_of_two_networks_do_not_fit() -> None:
    other = runnable("jordan")
    with pytest.raises(SettingsError, match=r"'top.onnx' cannot read its inputs"):
        NeuralTagger.of(replace(runnable("bilstm"), top=other.top), TOOLS).detect(NOTES)
    model = runnable("bilstm")
    tags = model.tags[:-2]
    short = replace(model, tags=tags, transitions=np.zeros((len(tags), len(tags))))
    with pytest.raises(SettingsError, match=r"'top.onnx' gives no 5 numbers"):
        NeuralTagger.of(short, TOOLS).detect(NOTES)


def test_a_saved_model_is_a_pipeline(tmp_path: Path) -> None:
    folder = save(runnable("bilstm-crf"), tmp_path / "model")
    loaded = load_pipeline(str(folder))
    found = loaded.annotate([note.document for note in NOTES])
    expected = tagger("bilstm-crf").detect(NOTES)
    assert [[m.span for m in own.mentions] for own in found] == [
        sorted(m.span for m in own) for own in expected
    ]
    assert {m.source for own in found for m in own.mentions} == {"neural:bilstm-crf"}
    assert voters([{"use": "neural", "model": str(folder)}], TOOLS) == ("neural:bilstm-crf",)


def test_nothing_of_a_note_is_shown(tmp_path: Path) -> None:
    model = NetworkModel.load(save(runnable("bilstm"), tmp_path / "model"))
    words = [word for word in model.inputs.words if len(word) > 5]
    assert words
    assert all(word not in repr(model) for word in words)
