"""The engine against attributes that are written out and summed one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crf_models import AWKWARD, TEMPLATES, attributes, charts, emissions, random_model, traits_of
from phiscrub.core.errors import SettingsError
from phiscrub.core.note import Note
from phiscrub.detect.tagging import wordcache
from phiscrub.detect.tagging.engine import Engine
from phiscrub.detect.tagging.frame import SEQUENCES, Frame
from phiscrub.detect.tagging.model import CrfModel
from tagging_notes import cut

WORDS = st.sampled_from(
    (*AWKWARD, "Ann", "ann", "Lee", "the", "3", "14", ".", "\n", "\n\n", "ward")
)
TEXTS = st.lists(st.lists(WORDS, max_size=12).map(" ".join), min_size=1, max_size=5)


def written(model: CrfModel, frame: Frame) -> np.ndarray:
    """Sum the weights of every token's attributes."""
    number = {text: i for i, text in enumerate(model.attributes)}
    rows = attributes(frame, traits_of(model.templates), model.parsed_templates())
    scores = np.zeros((len(frame), len(model.tags)))
    for token, texts in enumerate(text for row in rows for text in row):
        for a in (number[text] for text in texts if text in number):
            own = slice(model.pointers[a], model.pointers[a + 1])
            scores[token, model.columns[own]] += model.weights[own]
    return scores


@settings(max_examples=60, deadline=None)
@given(
    known=TEXTS,
    texts=TEXTS,
    templates=st.lists(st.sampled_from(TEMPLATES), min_size=1, unique=True),
    sequence=st.sampled_from(SEQUENCES),
    seed=st.integers(0, 9),
)
def test_scores_are_those_of_the_attributes(
    known: list[str], texts: list[str], templates: list[str], sequence: str, seed: int
) -> None:
    model = random_model(cut(*known), templates, seed)
    frame = Frame.of(cut(*known, *texts), sequence)
    found = emissions(Engine(model, traits_of(model.templates)), frame)
    np.testing.assert_allclose(found, written(model, frame), atol=1e-12)


def parts_of(notes: Sequence[Note], engine: Engine) -> np.ndarray:
    found = [emissions(engine, Frame.of([note], "sentence")) for note in notes]
    return np.concatenate(found)


def test_a_batch_changes_not_one_bit() -> None:
    notes, _ = charts(12, seed=3)
    model = random_model(notes[:6])
    engine = Engine(model, traits_of(model.templates))
    whole = emissions(engine, Frame.of(notes, "sentence"))
    assert (emissions(engine, Frame.of(notes, "sentence")) == whole).all()
    assert (parts_of(notes, Engine(model, traits_of(model.templates))) == whole).all()


def test_a_full_cache_starts_afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    notes, _ = charts(12, seed=4)
    model = random_model(notes[:6])
    whole = emissions(Engine(model, traits_of(model.templates)), Frame.of(notes, "sentence"))
    monkeypatch.setattr(wordcache, "BYTES", 0)
    for fewest in (1, 40, 150):
        monkeypatch.setattr(wordcache, "FEWEST", fewest)
        engine = Engine(model, traits_of(model.templates))
        assert (parts_of(notes, engine) == whole).all()
        assert (emissions(engine, Frame.of(notes, "sentence")) == whole).all()


def test_nothing_scores_nothing() -> None:
    model = random_model(cut("Ann Lee"))
    engine = Engine(model, traits_of(model.templates))
    assert emissions(engine, Frame.of([], "note")).shape == (0, len(model.tags))
    assert emissions(engine, Frame.of(cut("", " \n"), "note")).shape == (0, len(model.tags))


@pytest.mark.parametrize("attribute", ["lower[-1]|lower[0]=a", "lower[-1]|lower[0]=a|", "word[0]="])
def test_an_attribute_that_no_token_can_have_is_refused(attribute: str) -> None:
    model = random_model(cut("a"))
    odd = replace(
        model,
        attributes=(attribute,),
        pointers=np.array([0, 1]),
        columns=np.zeros(1, dtype=np.int32),
        weights=np.ones(1),
    )
    with pytest.raises(SettingsError, match="none of its template"):
        Engine(odd, traits_of(odd.templates))
