"""The registry is a table; this is its golden list. A new part is a change here too."""

from __future__ import annotations

from dataclasses import is_dataclass
from importlib import import_module

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.pipeline.registry import PARTS, get_part

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
