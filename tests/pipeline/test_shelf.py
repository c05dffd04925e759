from __future__ import annotations

from typing import Any

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.pipeline import shelf as shelves
from phiscrub.pipeline.load import Declaration, build
from phiscrub.pipeline.shelf import Shelf

PATTERNS: dict[str, Any] = {"use": "patterns", "packs": ["es/when"]}


def test_the_same_table_gives_the_same_detector() -> None:
    tools = Shelf("es", None)
    made = tools.detector(PATTERNS, "detector[0]")
    assert tools.detector({"packs": ["es/when"], "use": "patterns"}, "detector[1]") is made
    assert tools.detector(PATTERNS, "x", "meddocan") is made  # it has no label set of its own
    assert tools.detector({**PATTERNS, "packs": ["es/people"]}, "x") is not made


def test_what_is_heard_is_not_what_is_shared() -> None:
    tools = Shelf("es", None)
    routed = tools.detector({**PATTERNS, "map": {"FECHAS": "DATE"}}, "detector[0]")
    assert "DATE" in routed.labels
    assert "FECHAS" in tools.detector(PATTERNS, "detector[1]").labels


def test_a_detector_of_several_label_sets_is_one_a_set() -> None:
    tools = Shelf("es", None)
    hub = tools.detector({"use": "subject"}, "x")
    assert tools.detector({"use": "subject"}, "x", "meddocan") is not hub
    assert tools.detector({"use": "subject", "label_set": "i2b2-2014"}, "x", "meddocan") is hub


def test_errors_are_placed() -> None:
    tools = Shelf("es", None, "ours.toml")
    for table, what in (
        ({}, "'a.use' is missing"),
        ({"use": "no"}, "'a.use' names no detector"),
        ({**PATTERNS, "pack": 1}, "unknown key 'a.pack'"),
        ({**PATTERNS, "only": "DATE"}, "'a.only' is not a list"),
        ({**PATTERNS, "only": ["PHNE"]}, "'a.only' names no label of the detector: 'PHNE'"),
        ({**PATTERNS, "map": {"PHNE": "FAX"}}, "'a.map' names no label of the detector: 'PHNE'"),
        ({"use": "patterns", "packs": ["no"]}, "'a': no folder 'no' among the packs"),
    ):
        with pytest.raises(SettingsError, match=r"ours\.toml: ") as caught:
            tools.detector(table, "a")
        assert what in str(caught.value)


def test_a_detector_that_asks_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    class Loop:
        table = PATTERNS

        def build(self, tools: Shelf) -> object:
            return tools.detector(PATTERNS, "inner")

    monkeypatch.setattr(shelves.Declared, "of", lambda *_: Loop())
    with pytest.raises(SettingsError, match="'inner' asks for itself"):
        Shelf("es", None).detector(PATTERNS, "outer")


def test_a_pipeline_shares_its_detectors() -> None:
    pipeline = build(Declaration("es", ({"use": "subject"}, PATTERNS, PATTERNS), "meddocan"))
    (_, subject), (_, first), (_, second) = pipeline.detectors
    assert first is second
    assert "NOMBRE_SUJETO_ASISTENCIA" in subject.labels
