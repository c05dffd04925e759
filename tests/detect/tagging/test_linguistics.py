from __future__ import annotations

import sys

import pytest

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from tagging_notes import shown


@pytest.mark.parametrize(
    ("trait", "package"), [("pos", "textblob"), ("chunk", "textblob"), ("lemma", "simplemma")]
)
def test_a_missing_package_is_named(
    trait: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (package, "textblob.en"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingError, match=f"pip install {package}"):
        Traits.of([trait], Shelf("en", None))


@pytest.mark.parametrize("trait", ["pos", "chunk"])
def test_languages_without_a_parser_are_told(trait: str) -> None:
    with pytest.raises(SettingsError, match="for language 'sv'; leave the traits"):
        Traits.of([trait], Shelf("sv", None))


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # textblob leaves its lexicon open
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_parts_of_speech_and_chunks() -> None:
    pytest.importorskip("textblob")
    text = "Mr. Smith saw the old ward and/or left."
    pos, chunk = dict(shown("pos", text)), dict(shown("chunk", text))
    assert [pos[word] for word in ("Smith", "saw", "the")] == ["NNP", "VBD", "DT"]
    assert [chunk[word] for word in ("the", "old", "ward")] == ["B-NP", "I-NP", "I-NP"]
    assert pos["/"]
