"""The registry is a table; this is its golden list. A new part is a change here too."""

from __future__ import annotations

from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import phiscrub
from phiscrub.core.errors import SettingsError
from phiscrub.pipeline.registry import PARTS, get_part

OWN = """
from dataclasses import dataclass

@dataclass(frozen=True)
class Settings:
    how: str = "fails"

def build(settings, toolbox):
    if settings.how == "fails":
        raise ValueError(settings.how)
    return Detector(settings.how)

@dataclass(frozen=True)
class Detector:
    how: str
    labels = frozenset({"IDNUM"})

    def detect(self, notes):
        return {"few": [], "many": [()] * (len(notes) + 1), "none": None, "right": [()]}[self.how]
"""

GOLDEN = {
    "detector": {
        *("columns", "crf", "ensemble", "gazetteer", "hl7", "inverse", "names", "neural"),
        "patterns",
        *("short_dates", "stacked", "subject"),
    },
    "refiner": {
        "aged",
        "boundary",
        "clock",
        "excluded",
        "medical",
        "recut",
        "relabel",
        "repeat",
        "spelled",
    },
    "combiner": {"ranked", "vote"},
    "replacer": {"phi", "remove", "stars", "surrogates", "tags", "templates"},
}


def test_the_list_of_parts() -> None:
    assert {kind: set(names) for kind, names in PARTS.items()} == GOLDEN


@pytest.mark.parametrize("path", [path for names in PARTS.values() for path in names.values()])
def test_a_part_is_settings_and_build(path: str) -> None:
    module = import_module(path)
    assert is_dataclass(module.Settings)
    assert callable(module.build)


def test_an_unknown_part_is_an_error_with_choices() -> None:
    with pytest.raises(SettingsError, match="names no detector") as caught:
        get_part("detector", "magic", "detector[0].use", "own.toml")
    assert "patterns" in caught.value.hint


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A package with parts of its own, and a pipeline file that can be written beside it."""
    (tmp_path / "own_parts.py").write_text(OWN)
    (tmp_path / "own_parts_empty.py").write_text("")
    (tmp_path / "own_parts-1.dist-info").mkdir()
    (tmp_path / "own_parts-1.dist-info" / "entry_points.txt").write_text(
        "[phiscrub.parts]\ndetector.badges = own_parts\ndetector.gone = own_parts_gone\n"
        "detector.empty = own_parts_empty\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path / "own.toml"


@pytest.mark.parametrize(
    ("use", "message"),
    [
        ("badges", "'detector[0]': badges cannot be built: ValueError in own_parts, line 10"),
        ("gone", "'detector[0].use': gone cannot be loaded: ModuleNotFoundError"),
        ("empty", "'detector[0].use': empty has no Settings and build"),
    ],
)
def test_what_fails_in_a_part_of_another_package_is_told_as_its_own(
    own: Path, use: str, message: str
) -> None:
    own.write_text(f'language = "en"\n[[detector]]\nuse = "{use}"\n')
    with pytest.raises(SettingsError) as caught:
        phiscrub.load(str(own))
    assert str(caught.value).startswith(f"{own}: {message}")
    assert "own_parts" in str(caught.value)


@pytest.mark.parametrize(("how", "count"), [("few", 0), ("many", 2), ("none", None)])
def test_a_detector_that_does_not_answer_for_each_note_is_named(
    own: Path, how: str, count: int | None
) -> None:
    own.write_text(f'language = "en"\n[[detector]]\nuse = "badges"\nhow = "{how}"\n')
    told = "no list" if count is None else f"{count} answers"
    with pytest.raises(SettingsError, match=f"detector badges gave {told} for 1 note"):
        phiscrub.load(str(own)).scrub("Seen by Dr. Lee")
    own.write_text('language = "en"\n[[detector]]\nuse = "badges"\nhow = "right"\n')
    assert phiscrub.load(str(own)).scrub("Seen by Dr. Lee").text == "Seen by Dr. Lee"
