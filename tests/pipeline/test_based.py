"""Pipeline files with a base, and that the pages' files lose nothing of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.pipeline.load import load_pipeline, read_declaration
from phiscrub.pipeline.save import moved

TOP = Path(__file__).parent.parent.parent
NUMBER = "Labs drawn for BH-4471903 today, tel 406-555-0182.\n"


def blocks(page: str) -> list[str]:
    text = (TOP / "docs" / "how-to" / page).read_text("utf-8")
    return re.findall(r"^```toml\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    """Write the files of the page on rules of one's own; return the pipeline's."""
    for block in blocks("own-rules.md"):
        name = re.match(r"# (\S+)\n", block)
        assert name is not None
        file = tmp_path / name[1]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(block, "utf-8")
    return tmp_path / "our-pipeline.toml"


def written(file: Path, text: str) -> str:
    file.write_text(text, "utf-8")
    return str(file)


def test_the_page_on_rules_adds_to_what_ships(ours: Path) -> None:
    own, en = load_pipeline(str(ours)), load_pipeline("en")
    for file in sorted((TOP / "examples" / "gold").glob("*.txt")):
        text = file.read_bytes().decode("utf-8", "replace")  # one is of an old machine
        found, shipped = ({m.span for m in p.scrub(text).cover} for p in (own, en))
        assert shipped <= found, file.name
    assert "[MEDICALRECORD-1] today" in own.scrub(NUMBER).text
    assert "[IDNUM-1] today" in en.scrub(NUMBER).text


def test_every_page_on_parts_of_ones_own_names_a_base() -> None:
    for page in ("own-rules.md", "own-detector.md"):
        (pipeline,) = (block for block in blocks(page) if "[[detector]]" in block)
        assert re.search(r'^base = "en"', pipeline, re.MULTILINE)


def test_what_is_added_stands_behind_and_is_believed_first(tmp_path: Path) -> None:
    text = 'base = "en"\nmode = "fast"\n[[detector]]\nuse = "patterns"\npacks = ["./our"]\n'
    added = '[[refiner]]\nuse = "boundary"\n[[detector]]\nuse = "crf"\nmodel = "en-crf"\n'
    own, home = read_declaration(written(tmp_path / "own.toml", text + added))
    fast, _ = read_declaration("en-fast")
    (tmp_path / "our").mkdir()
    crf = {"use": "crf", "model": "en-crf"}
    assert own.detector == (*fast.detector, {"use": "patterns", "packs": ["./our"]}, crf)
    assert own.refiner == (*fast.refiner, {"use": "boundary"})
    assert own.combiner["prefer"]["DATE"] == ["patterns:./our", *fast.combiner["prefer"]["DATE"]]
    assert set(own.combiner["prefer"]) == set(fast.combiner["prefer"])
    there = moved(own, home, tmp_path / "else")
    assert there.combiner["prefer"]["DATE"][0] == "patterns:../our"
    kept = 'combiner = { use = "ranked" }\npolicy = "research"\n'
    own, _ = read_declaration(written(tmp_path / "own.toml", 'base = "en-fast"\n' + kept))
    assert own.combiner == {"use": "ranked"}
    assert own.policy == "research"
    assert own.detector == fast.detector


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('base = "xx"', "'base' names no shipped pipeline"),
        ('base = "./own.toml"', "'base' names no shipped pipeline"),
        ('base = "en"\nmode = "slow"', "no mode 'slow'"),
        ('base = "en"\nlanguage = "sv"', "'base' is for language 'en'"),
        ('base = "en"\ndetector = 3', "'detector' is no list of tables"),
        ('language = "en"\nmode = "fast"', "unknown key 'mode'.*'mode' needs a 'base'"),
    ],
)
def test_what_is_no_base_is_refused_by_the_file(tmp_path: Path, text: str, what: str) -> None:
    file = written(tmp_path / "own.toml", text + "\n")
    with pytest.raises(SettingsError, match=what) as raised:
        read_declaration(file)
    assert "own.toml" in str(raised.value)
