"""The part `crf`: mentions with their probabilities, eagerness, and the next best readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crf_models import TAGS, charts, random_model, save, traits_of
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.note import Note
from phiscrub.detect.tagging.crf import CrfTagger, Settings, build
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from tagging_notes import cut

TEXT = "Seen by Dr Ann Lee in Boise"
TOOLS = Shelf("en", None)


def model_of(weights: dict[str, dict[str, float]], steps: dict[tuple[str, str], float]) -> CrfModel:
    """Write a model by hand: weights by attribute and tag, and by step from tag to tag."""
    model = random_model(cut("a"), ["word[0]"])
    transitions = np.zeros((len(TAGS), len(TAGS)))
    for (left, right), weight in steps.items():
        transitions[TAGS.index(left), TAGS.index(right)] = weight
    rows = [sorted((TAGS.index(tag), w) for tag, w in row.items()) for row in weights.values()]
    return replace(
        model,
        attributes=tuple(weights),
        pointers=np.cumsum([0, *map(len, rows)]),
        columns=np.array([column for row in rows for column, _ in row], dtype=np.int32),
        weights=np.array([weight for row in rows for _, weight in row], dtype=np.float64),
        transitions=transitions,
    )


NAMES = model_of(
    {
        "word[0]=Ann": {"B-PATIENT": 5.0, "O": 2.0},
        "word[0]=Lee": {"I-PATIENT": 2.0, "O": 2.5},
        "word[0]=Boise": {"B-CITY": 2.7, "O": 3.0},
        **{f"word[0]={word}": {"O": 6.0} for word in ("Seen", "by", "Dr", "in")},
    },
    {("B-PATIENT", "I-PATIENT"): 1.0, ("O", "I-PATIENT"): -2.0},
)


def words(note: Note, tagger: CrfTagger) -> list[tuple[str, str]]:
    (mentions,) = tagger.detect([note])
    return [(note.text[m.span.start : m.span.end], m.label) for m in mentions]


def test_mentions_with_the_lowest_probability_of_their_label() -> None:
    tagger = CrfTagger.of(NAMES, TOOLS)
    (note,) = cut(TEXT)
    assert words(note, tagger) == [("Ann Lee", "PATIENT")]
    ((mention,),) = tagger.detect([note])
    (scores,) = tagger.scores([note])
    assert scores.labels == ("O", "CITY", "DATE", "PATIENT")
    assert mention.score == pytest.approx(scores.proba[3:5, 3].min(), abs=1e-6)
    assert mention.source == "crf:random"
    assert tagger.labels == {"PATIENT", "DATE", "CITY"}
    assert tagger.tags([note]) == [["O", "O", "O", "B-PATIENT", "I-PATIENT", "O", "O"]]


def test_a_threshold_and_a_bias_make_it_find_more_or_less() -> None:
    (note,) = cut(TEXT)
    both = [("Ann Lee", "PATIENT"), ("Boise", "CITY")]
    assert words(note, CrfTagger.of(NAMES, TOOLS, threshold=0.9)) == both
    assert words(note, CrfTagger.of(NAMES, TOOLS, threshold=0.01)) == []
    assert words(note, CrfTagger.of(NAMES, TOOLS, bias={"CITY": 1.0})) == both
    assert words(note, CrfTagger.of(NAMES, TOOLS, bias={"PATIENT": -4.0})) == []
    assert [w for w, _ in words(note, CrfTagger.of(NAMES, TOOLS, threshold=1.0))] != []


@settings(max_examples=30, deadline=None)
@given(st.floats(0, 1), st.integers(0, 50))
def test_with_a_threshold_a_token_is_left_alone_just_where_that_is_likely_enough(
    threshold: float, seed: int
) -> None:
    notes, _ = charts(2, seed, lines=4)
    tagger = CrfTagger.of(random_model(notes, seed=seed), TOOLS, threshold=threshold)
    for tags, scores in zip(tagger.tags(notes), tagger.scores(notes), strict=True):
        for tag, outside in zip(tags, scores.proba[:, 0].tolist(), strict=True):
            if abs(outside - threshold) > 1e-6:  # scores are float32
                assert (tag == "O") == (outside >= threshold)


def test_the_next_best_readings() -> None:
    tagger = CrfTagger.of(NAMES, TOOLS)
    first, second = cut(f"{TEXT}\n\n{TEXT}", "")
    readings = tagger.n_best(first, 4)
    assert len(readings) == len(first.sentences)
    assert tagger.n_best(second, 4) == []
    (found,) = tagger.detect([first])
    assert tuple(m for ways in readings for m in ways[0].mentions) == found
    for ways in readings:
        probabilities = [way.proba for way in ways]
        assert probabilities == sorted(probabilities, reverse=True)
        assert len({way.mentions for way in ways}) == len(ways)
        assert 0.2 < sum(probabilities) <= 1.0 + 1e-9
    spans = [[first.text[m.span.start : m.span.end] for m in w.mentions] for w in readings[-1][:2]]
    assert spans == [["Ann Lee"], ["Ann Lee", "Boise"]]


def test_batching_changes_only_speed() -> None:
    notes, _ = charts(9, seed=8)
    model = random_model(notes[:5])
    tagger = CrfTagger.of(model, TOOLS)
    alone = [CrfTagger.of(model, TOOLS).detect([note])[0] for note in notes]
    assert list(tagger.detect(notes)) == alone
    assert list(tagger.detect([*notes[4:], *notes[:4]])) == [*alone[4:], *alone[:4]]
    assert sum(map(len, alone)) > len(notes)
    together = np.concatenate([scores.proba for scores in tagger.scores(notes)])
    single = np.concatenate([tagger.scores([note])[0].proba for note in notes])
    np.testing.assert_allclose(together, single, atol=1e-6)


def test_notes_without_words() -> None:
    tagger = CrfTagger.of(NAMES, TOOLS)
    assert list(tagger.detect([])) == []
    assert list(tagger.detect(cut("", "  \n", TEXT)))[:2] == [(), ()]
    assert [s.proba.shape for s in tagger.scores(cut("", TEXT))] == [(0, 4), (7, 4)]


def test_a_loaded_model_finds_the_same(tmp_path: Path) -> None:
    notes, _ = charts(4, seed=9)
    model = random_model(notes)
    folder = save(model, tmp_path / "model")
    loaded = build(Settings(model="./model"), Shelf("en", tmp_path))
    assert list(loaded.detect(notes)) == list(CrfTagger.of(model, TOOLS).detect(notes))
    file = tmp_path / "own.toml"
    file.write_text(
        'language = "en"\n[[detector]]\nuse = "crf"\nmodel = "./model"\nbias = { CITY = 2 }\n'
    )
    pipeline = load_pipeline(str(file))
    (found,) = pipeline.annotate([Document("x", notes[0].text)])
    assert found.mentions
    before = pipeline.fingerprint
    save(replace(model, name="renamed"), folder)
    assert load_pipeline(str(file)).fingerprint != before


def test_labels_of_another_set() -> None:
    (note,) = cut(TEXT)
    tagger = CrfTagger.of(NAMES, TOOLS, labels="hipaa")
    assert words(note, tagger) == [("Ann Lee", "NAME")]
    assert tagger.labels == {"NAME", "DATE", "GEOGRAPHIC"}
    (scores,) = tagger.scores([note])
    assert scores.labels == ("O", *sorted(tagger.labels))


@pytest.mark.parametrize("name", ["i2b2", "treebank"])
def test_notes_of_another_tokenizer_are_refused(name: str) -> None:
    notes = get_tokenizer(name).tokenize([Document("x", TEXT)])
    tagger = CrfTagger.of(NAMES, TOOLS)
    calls: Sequence[object] = (tagger.detect, tagger.scores, tagger.tags)
    for call in calls:
        with pytest.raises(SettingsError, match=f"needs tokenizer 'clinical'.*'{name}'") as caught:
            call(notes)  # type: ignore[operator]
        assert 'use = "clinical"' in caught.value.hint


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ({"threshold": 1.5}, "'threshold' is no probability"),
        ({"threshold": float("nan")}, "'threshold' is no probability"),
        ({"bias": {"DOCTOR": 1.0}}, "'bias.DOCTOR' is for a label that model random does not give"),
        ({"bias": {"CITY": float("nan")}}, "'bias.CITY' is not within 100 of 0"),
        ({"bias": {"CITY": 1e9}}, "'bias.CITY' is not within 100 of 0"),
        ({"labels": "klingon"}, "no label set"),
    ],
)
def test_settings_that_do_not_fit(given: dict[str, object], match: str) -> None:
    with pytest.raises(SettingsError, match=match):
        CrfTagger.of(NAMES, TOOLS, **given)  # type: ignore[arg-type]


def test_a_model_of_another_language_is_refused() -> None:
    with pytest.raises(SettingsError, match="model random is for language 'en', and this is 'es'"):
        CrfTagger.of(NAMES, Shelf("es", None))


def test_no_text_in_reprs() -> None:
    tagger = CrfTagger(NAMES, traits_of(NAMES.templates))
    (note,) = cut(TEXT)
    for value in (tagger, NAMES, tagger.n_best(note, 2), tagger.scores([note])):
        assert not any(word in repr(value) for word in ("Ann", "Lee", "Boise"))
