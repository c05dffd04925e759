"""Notes of several languages, each by its own pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command import phiscrub
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.pipeline.auto import Auto
from phiscrub.pipeline.languages import Languages
from phiscrub.pipeline.load import load_any, load_pipeline
from phiscrub.pipeline.shipped import languages

CORPUS = Path(__file__).parent.parent.parent / "corpus"
TELLS = Languages.load()
NOTES = {
    "en": "The patient was seen today by Dr. Lena Ortiz for follow up.",
    "es": "Acude a consulta la paciente, remitida por la Dra. Elena Ríos Vega.",
    "sv": "Patienten kommer på återbesök till dr Anna Lindqvist och mår bra.",
}


@pytest.fixture(scope="module")
def auto() -> Auto:
    loaded = load_any("auto", "rules")
    assert isinstance(loaded, Auto)
    return loaded


def test_every_shipped_language_can_be_told() -> None:
    assert set(TELLS.words.values()) == set(languages())


@pytest.mark.parametrize("language", languages())
def test_invented_notes_are_told(language: str) -> None:
    texts = [file.read_text("utf-8") for file in sorted((CORPUS / language).rglob("*.txt"))]
    assert len(texts) >= 30
    wrong = sum(TELLS.of(text) != language for text in texts)
    assert wrong <= max(1, len(texts) // 100)


@given(st.text())
def test_any_text_is_of_some_language(text: str) -> None:
    assert TELLS.of(text) in languages()


@pytest.mark.parametrize("pipeline", ["auto", "es"])
def test_surrogates_choose_words_by_the_labels_of_the_notes_own_language(pipeline: str) -> None:
    changes = {"replacer": {"use": "surrogates"}, "output_labels": "i2b2-2014"}
    made = load_any(pipeline, "rules", **changes)
    text = "Varón de 63 años. Acude con su mujer y su hijo. Su madre vive en Getafe."
    (redaction,) = made.redact([Document("n", text)])
    assert redaction.text.startswith("Varón de 63 años. Acude con su mujer y su hijo. Su madre ")
    assert "Getafe" not in redaction.text
    known = set(label_set("i2b2-2014").labels)
    assert {mention.label for mention in redaction.cover} <= known
    (told,) = load_any(pipeline, "rules", output_labels="i2b2-2014").redact([Document("n", text)])
    assert redaction.cover == told.cover


def test_each_note_goes_its_own_way_and_comes_back_in_order(auto: Auto) -> None:
    order = ["sv", "en", "es", "en", "sv"]
    documents = [Document(str(at), NOTES[name]) for at, name in enumerate(order)]
    found = auto.redact(documents)
    assert [redaction.document for redaction in found] == documents
    for redaction, name in zip(found, order, strict=True):
        alone = load_pipeline(name, "rules", output_labels="i2b2-2014")
        assert redaction == alone.redact([redaction.document])[0]
        assert "[" in redaction.text
    assert [one.text for one in auto.scrub_many(NOTES[name] for name in order)] == [
        redaction.text for redaction in found
    ]
    assert auto.covers(documents) == [Cover.of(note.mentions) for note in auto.annotate(documents)]
    assert auto.explain(documents[0]).cover.mentions


def test_auto_on_the_command_line() -> None:
    ended = phiscrub("scrub", "-p", "auto", "--mode", "rules", "-q", stdin=NOTES["sv"].encode())
    assert ended.code == 0
    assert "Lindqvist" not in ended.out.decode()


def test_no_models_of_a_language_stop_a_mode_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phiscrub.pipeline.load.languages", lambda: ("xx",))
    monkeypatch.setattr("phiscrub.pipeline.shipped.pipeline_names", lambda: ("xx-rules",))
    with pytest.raises(SettingsError, match="'xx' has no mode 'safe'"):
        load_any("auto", "safe")
