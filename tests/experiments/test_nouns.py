"""What all protocols share: tables, pictures, statistics, figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.evaluate.sample import Sample
from phiscrub.experiments import inverse_tables
from phiscrub.experiments.figures import figures, training_tokens, triple
from phiscrub.experiments.picture import DOTS, Frame, Series, draw
from phiscrub.experiments.statistics import pearson
from phiscrub.experiments.table import Table, side_by_side
from training_notes import corpus

FLOATS = st.lists(st.floats(-1e3, 1e3).map(lambda x: round(x, 3)), min_size=3, max_size=20)


# Tables and pictures


def test_a_table_shows_what_is_known() -> None:
    rows: Mapping[tuple[str, ...], Any] = {
        ("CRF",): ((0.95, None), None),
        ("a|b",): (None, (1, 5e-78)),
    }
    told = side_by_side("T", "about", ("system",), ("P", "p"), rows)
    lines = told.markdown().splitlines()
    assert lines[4:] == [
        "| system | paper P | paper p | ours P | ours p |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| CRF | 0.950 | – | – | – |",
        "| a\\|b | – | – | 1 | 5e-78 |",
    ]
    assert told.json()["rows"][0] == ("CRF", 0.95, None, None, None)
    assert "![T](t.svg)" in Table("T", "", ("a",), (), "t.svg").markdown()


def test_thresholds_are_told_apart_and_never_shown_lower_than_they_are() -> None:
    rows = (("a", 0.1, 0.99991), ("b", 0.99992, 0.9999931), ("c", None, 0.5))
    page = Table("T", "", ("system", "P", "high"), rows, exact=("high",)).markdown()
    assert page.splitlines()[-3:] == [
        "| a | 0.100 | 0.999910 |",
        "| b | 1.000 | 0.999994 |",
        "| c | – | 0.500000 |",
    ]
    few = Table("T", "", ("low", "high"), ((0.50002, 0.814), (0.50001, 1.0)), exact=("low", "high"))
    assert few.markdown().splitlines()[-2:] == ["| 0.50002 | 0.81400 |", "| 0.50001 | 1.00000 |"]


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own


def test_a_picture_is_xml_with_every_point_inside_its_frame() -> None:
    series = [
        Series("a < b", ((0.5, 0.2), (0.9, 0.4), (0.1, 9.0))),
        Series("c", ((0.5, 0.5),), DOTS),
    ]
    root = parsed(draw(series, "x & y", "up", Frame((0.0, 0.0), (1.0, 1.0))))
    circles = [e for e in root.iter() if e.tag.endswith("circle")]
    assert len(circles) == 3
    assert all(0 <= float(c.attrib["cx"]) <= 640 for c in circles)
    assert parsed(draw([Series("none", ())], "x", "y")) is not None


def test_curves_are_whole_however_low_they_begin() -> None:
    curve = [(0.62, 0.9, 0.5), (0.95, 0.8, 0.9), (0.999, 0.2, 1.0)]
    searched = {"systems": {"network with rules": {"curve": curve}}, "rules": (0.71, 0.3, 0.8)}
    root = parsed(inverse_tables.curves(searched))
    places = [float(e.attrib["cx"]) for e in root.iter() if e.tag.endswith("circle")]
    assert len(places) == 4
    assert len(set(places)) == 4
    assert all(70 <= at <= 620 for at in places)


# Statistics


@settings(max_examples=40)
@given(FLOATS, st.integers(0, 1000))
def test_pearson_is_numpys_and_bounded(xs: list[float], seed: int) -> None:
    ys = np.random.default_rng(seed).uniform(-1, 1, len(xs)).tolist()
    found = pearson(xs, ys)
    if found.r is None:
        assert np.std(xs) == 0
        return
    assert found.r == pytest.approx(np.corrcoef(xs, ys)[0, 1], abs=1e-9)
    assert found.p is not None
    assert 0 <= found.p <= 1
    assert pearson(ys, xs).r == pytest.approx(found.r, abs=1e-9)


def test_pearson_of_known_values() -> None:
    found = pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert (found.r, found.p) == (pytest.approx(0.8), pytest.approx(0.10409, abs=1e-5))
    assert pearson([1, 2], [1, 2]).r is None
    assert pearson([1, 2, 3], [2, 4, 6]).p == pytest.approx(0, abs=1e-6)


# Figures


def test_figures_count_mentions_categories_words_and_masking() -> None:
    text = "Dr. Ann Lee saw Bo Ek in May."
    gold = ((4, 11, "DOCTOR"), (16, 21, "PATIENT"), (25, 28, "DATE"))
    found = ((4, 7, "DOCTOR"), (16, 21, "DOCTOR"), (25, 28, "DATE"))
    told = figures([Sample("n", text, gold, found)], "i2b2-2014")
    assert told["mentions"]["all"] == [1, 2, 2]
    assert told["partly"]["DOCTOR"] == [1, 0, 1]
    assert told["categories"]["NAME"] == [1, 1, 1]  # the patient is taken for a doctor: a name
    assert told["tokens"]["DOCTOR"] == [1, 1, 2]
    assert told["masking"]["all"] == [4, 1, 0]  # Lee alone stays
    assert told["masking"]["hipaa.corrected"][:2] == [3, 0]  # a doctor's name is none of HIPAA's
    assert triple(told["masking"]["all"])[1] == 0.8


def test_words_to_learn_from_are_counted_by_label() -> None:
    assert training_tokens(corpus(5))["DOCTOR"] == 5
