"""Which pipelines ship, and what a language and a mode mean."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import phiscrub
from phiscrub.core.errors import SettingsError
from phiscrub.pipeline.load import read_declaration
from phiscrub.pipeline.shipped import (
    FAST,
    MODES,
    RULES,
    languages,
    modes,
    pipeline_names,
    shipped,
)

FIGURES = Path(__file__).parent.parent.parent / "benchmarks" / "results" / "models"


def test_every_file_is_a_language_in_a_mode() -> None:
    assert set(pipeline_names()) == {f"{one}-{mode}" for one in languages() for mode in modes(one)}


@pytest.mark.parametrize("language", languages())
def test_a_language_has_all_modes_or_its_rules(language: str) -> None:
    assert modes(language) in (MODES, (RULES,))
    assert shipped(language) == f"{language}-{modes(language)[0]}"


@pytest.mark.parametrize("name", pipeline_names())
def test_a_mode_has_those_detectors_of_its_rules_that_were_heard_and_a_tagger(name: str) -> None:
    """What was heard is one entry a detector: who changes the rules must build the modes anew."""
    language, _, mode = name.partition("-")
    rules = [table["use"] for table in read_declaration(f"{language}-{RULES}")[0].detector]
    own, _ = read_declaration(name)
    uses = [table["use"] for table in own.detector]
    assert own.language == language
    if mode == RULES:
        assert uses == rules
        return
    figures = json.loads((FIGURES / f"{language}.json").read_text("utf-8"))
    heard = figures["modes"][mode]["combination"]["heard"]
    wanted = [use for use, labels in zip(rules, heard, strict=True) if labels != []]
    always = "patterns"  # a few rules are heard in every mode
    assert uses == [*wanted, always, "crf" if mode == FAST else "ensemble"]
    assert "subject" in uses


def test_what_is_none_of_ours_is_left_to_files() -> None:
    assert shipped("./ours.toml") is None
    assert shipped("en-rules") == "en-rules"


@pytest.mark.parametrize(
    ("name", "mode", "told"),
    [
        ("en", "quick", "no mode 'quick'"),
        ("./ours.toml", "safe", "'./ours.toml' has no modes"),
        ("en-rules", "safe", "'en-rules' has no modes"),
    ],
)
def test_what_is_no_mode_is_one_error(name: str, mode: str, told: str) -> None:
    with pytest.raises(SettingsError, match=told):
        shipped(name, mode)


def test_a_language_without_models_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phiscrub.pipeline.shipped.pipeline_names", lambda: ("xx-rules",))
    with pytest.raises(SettingsError, match=r"'xx' has no mode 'fast'.*it has rules"):
        shipped("xx", "fast")


def test_a_mode_by_the_front_door() -> None:
    pipeline = phiscrub.load("en", mode="rules")
    assert pipeline.scrub("Seen by Dr. Lena Ortiz.").text == "Seen by Dr. [DOCTOR-1]."
