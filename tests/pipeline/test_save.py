"""A declaration written is the declaration read."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.pipeline.load import Declaration, build, load_pipeline, read_declaration
from phiscrub.pipeline.save import moved, pipeline_text
from phiscrub.pipeline.shipped import pipeline_names

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
VALUES = st.recursive(
    TEXT | st.booleans() | st.integers(-(2**40), 2**40) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=8,
)
TABLES = st.dictionaries(TEXT, VALUES, max_size=4)


@given(TABLES, TABLES, TEXT)
def test_what_was_written_reads_the_same(tmp_path_factory, table, certificate, policy):
    declaration = Declaration(
        "en",
        ({"use": "a", **table}, {"use": "b"}),
        refiner=(table,),
        policy=policy or "i2b2",
        certificate=certificate,
    )
    file = tmp_path_factory.getbasetemp() / "written.toml"
    file.write_text(pipeline_text(declaration), "utf-8", newline="")
    assert read_declaration(str(file))[0] == declaration


def test_shipped_pipelines_stay_what_they_are(tmp_path):
    for name in pipeline_names():
        declaration, home = read_declaration(name)
        file = tmp_path / f"{name}.toml"
        file.write_text(pipeline_text(moved(declaration, home, tmp_path)), "utf-8")
        assert load_pipeline(str(file)).fingerprint == load_pipeline(name).fingerprint


def test_paths_go_on_leading_to_the_same_place(tmp_path: Path):
    (tmp_path / "a" / "pack").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    declaration = Declaration(
        "en",
        ({"use": "x", "packs": ["./pack", "en/dates", "./none"], "deep": {"at": "../a/pack"}},),
        policy="own.toml",
    )
    there = moved(declaration, tmp_path / "a", tmp_path / "b")
    assert there.detector[0]["packs"] == ["../a/pack", "en/dates", "./none"]
    assert there.detector[0]["deep"] == {"at": "../a/pack"}
    assert there.policy == "../a/own.toml"
    back = moved(there, tmp_path / "b", tmp_path / "a")
    assert back.detector[0]["packs"] == ["./pack", "en/dates", "./none"]
    assert back.policy == "./own.toml"


def test_a_certificate_changes_no_fingerprint():
    declaration, _ = read_declaration("en")
    sure = Declaration(
        **{
            n: getattr(declaration, n)
            for n in Declaration.__dataclass_fields__
            if n != "certificate"
        },
        certificate={"recall": 0.99},
    )
    assert build(sure).fingerprint == build(declaration).fingerprint
