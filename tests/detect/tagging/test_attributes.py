"""The attributes of a CRF as text: those of each template together, and back."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from crf_models import charts, random_model, save, weights_of
from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.attributes import read_attributes, template_of, write_attributes
from phiscrub.detect.tagging.model import ATTRIBUTES, CrfModel

TEMPLATES = st.sampled_from(["word[0]", "lower[-1]|lower[0]", "gap[1]"])


@pytest.fixture(scope="module")
def model() -> CrfModel:
    return random_model(charts(2, seed=5)[0])


@settings(max_examples=200)
@given(st.lists(st.tuples(TEMPLATES, st.text()), max_size=8))
def test_attributes_of_any_words_come_back(pairs: list[tuple[str, str]]) -> None:
    texts = tuple(f"{name}={value}" for name, value in pairs)
    assert [template_of(text) for text in texts] == pairs
    data = write_attributes(texts)
    assert read_attributes(data, "here") == texts
    runs = sum(1 for _ in groupby(pairs, lambda pair: pair[0]))
    assert data.count(b"\n") == len(texts) + runs


def test_a_templates_name_is_written_once(model: CrfModel, tmp_path: Path) -> None:
    lines = (save(model, tmp_path / "own") / ATTRIBUTES).read_text("utf-8").splitlines()
    assert len(lines) == len(model.attributes) + len(model.templates)
    heads = [line for line in lines if line.partition(" ")[0] in model.templates]
    assert [head.partition(" ")[0] for head in heads] == list(model.templates)
    assert sum(int(head.partition(" ")[2]) for head in heads) == len(model.attributes)


def test_a_grouped_model_has_the_same_weights_in_the_order_of_its_templates(
    model: CrfModel,
) -> None:
    grouped = model.grouped()
    names = [template_of(text)[0] for text in grouped.attributes]
    assert [template_of(text)[0] for text in model.attributes] != names
    assert names == sorted(names, key=model.templates.index)
    assert weights_of(grouped) == weights_of(model)
    assert grouped.grouped().attributes == grouped.attributes
    assert np.array_equal(grouped.grouped().weights, grouped.weights)


@pytest.mark.parametrize(
    "data",
    [
        *(b"word[0] 1\na", b"\xff\n", b"word[0] 1\n\\n\n", b"word[0] 1\n\\\n"),
        *(b"word[0] 2\na\n", b"word[0] 0\n", b"word[0]=a\n", b"word 1\na\n"),
        *(b"word[0] 1\na\nb\n", b"word[0] 9999999999\na\n", b"\n"),
    ],
)
def test_what_is_no_list_of_attributes(data: bytes) -> None:
    with pytest.raises(SettingsError, match="is no list of attributes") as caught:
        read_attributes(data, "here")
    assert caught.value.where is not None
    assert caught.value.where.path == "here"
    assert caught.value.hint
