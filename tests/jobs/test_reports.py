"""No report replaces a file that phiscrub did not write as one."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from phiscrub.jobs import run as run_module

NOTE = "Seen by Dr. Ortiz.\n"
BAD = os.fsdecode(b"bad\xff.txt")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder with notes, a table and an unrelated file, and return it."""
    here = tmp_path / "here"
    (here / "in" / "ward").mkdir(parents=True)
    for name in ("a.txt", "other.txt", "in/a.txt", "in/ward/b.txt"):
        (here / name).write_text(NOTE)
    (here / "t.csv").write_text("id,text\n1,Dr. Ortiz\n")
    monkeypatch.chdir(here)
    return here


def tree(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


@pytest.mark.parametrize(
    "given",
    [
        "scrub a.txt -o o.txt --audit a.txt",
        "scrub a.txt -o o.txt --audit ./in/../a.txt",
        "scrub a.txt -o o.txt --audit o.txt",
        "scrub a.txt -o o.txt --quarantine o.txt",
        "scrub a.txt -o o.txt --quarantine other.txt",
        "scrub a.txt -o o.txt --audit other.txt",
        "scrub a.txt -o o.txt --audit in",
        "scrub a.txt -o o.txt --audit x.jsonl --quarantine x.jsonl",
        "scrub a.txt -o o.txt --audit o.txt.quarantine.jsonl",
        "scrub in -o out --audit in/x.jsonl",
        "scrub in -o out --audit out/ward/b.txt",
        "scrub in -o out --audit out/ward",
        "scrub in -o out --audit out",
        "scrub in -o out.jsonl --to jsonl --audit out.jsonl/x",
        "scrub t.csv -o out --to text --audit out/1.txt",
        "scrub t.csv -o out --to brat --audit out/1.ann",
        "scrub in -o out --to brat --audit out/a.ann",
        "scrub t.csv -o out.csv --quarantine t.csv",
        "detect a.txt -o o.jsonl --quarantine a.txt",
        "convert t.csv -o o.jsonl --to jsonl --quarantine t.csv",
        "subjects t.csv -o t.csv",
        "subjects in -o in/who.csv",
    ],
)
def test_refused_before_anything_is_written(given: str, small: Path, notes: Path) -> None:
    before = tree(notes)
    words = given.split()
    pipeline = () if words[0] == "convert" else ("-p", small)
    ended = phiscrub(*words, *pipeline, *(() if words[0] == "subjects" else ("-q",)))
    assert ended.code == 2, ended.err
    assert len(ended.err.splitlines()) == 1
    assert "so that nothing is lost" in ended.err
    assert tree(notes) == before


@pytest.mark.parametrize(
    "given",
    [
        "evaluate --gold in --system in --json in/a.txt",
        "evaluate --gold in --system in --html in/new.html",
        "compare --gold in --system in --system in --json in/a.txt",
        "agreement in in --json in/a.txt",
        "crossval phiscrub-crf --data t.csv --report t.csv",
        "curve phiscrub-crf --data t.csv --picture t.csv",
        "calibrate small.toml --data t.csv --recall 0.9 -o t.csv",
        "train phiscrub-crf --train in -o in/model",
        "embed train in -o in/vectors.vec",
        "audit-sample in -o in/review",
    ],
)
def test_no_command_writes_into_what_it_reads(given: str, small: Path, notes: Path) -> None:
    before = tree(notes)
    ended = phiscrub(*given.replace("small.toml", str(small)).split())
    assert ended.code == 2, ended.err
    assert "so that nothing is lost" in ended.err.splitlines()[-1]
    assert tree(notes) == before


def test_a_rerun_replaces_its_own_reports(small: Path, notes: Path) -> None:
    (notes / "in" / "broken.txt").write_bytes(b"a\0b")
    command = ("scrub", "in", "-o", "out", "-p", small, "--audit", "audit.jsonl", "-q")
    assert phiscrub(*command).code == 3
    before = tree(notes)
    assert phiscrub(*command).code == 3
    assert tree(notes) == before
    (notes / "in" / "broken.txt").write_text("fine")
    assert phiscrub(*command).code == 0
    assert not (notes / "out.quarantine.jsonl").exists()


def test_a_report_may_stand_beside_the_notes_of_the_output(small: Path, notes: Path) -> None:
    command = ("scrub", "in", "-o", "out", "-p", small, "--audit", "out/audit.jsonl", "-q")
    assert phiscrub(*command).code == 0
    assert phiscrub(*command).code == 0
    rows = map(json.loads, (notes / "out" / "audit.jsonl").read_text().splitlines())
    assert [row["row"] for row in rows] == ["input", "output", "note"] * 2 + ["end"]


def test_a_linkage_file_replaces_nothing(small: Path, notes: Path) -> None:
    pytest.importorskip("cryptography")
    key = notes / "key"
    key.write_text("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=")
    command = ("scrub", "a.txt", "-o", "o.txt", "-p", small, "--replace", "surrogates")
    command = (*command, "--linkage-key", key, "-q", "--linkage")
    for taken in ("other.txt", "a.txt", "o.txt", "key"):
        assert phiscrub(*command, taken).code == 2
    assert (notes / "other.txt").read_text() == NOTE
    assert phiscrub(*command, "new.enc").code == 0
    written = (notes / "new.enc").read_bytes()
    assert phiscrub(*command, "new.enc").code == 2
    assert (notes / "new.enc").read_bytes() == written


def test_names_that_are_no_utf8(small: Path, notes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        (notes / "in" / BAD).write_text(NOTE)
    except OSError:
        pytest.skip("the file system takes only UTF-8")
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    (notes / "in" / os.fsdecode(b"z\xff.txt")).write_bytes(b"a\0b")  # kept back
    command = ("scrub", "in", "-o", "out", "-p", small, "--audit", "audit.jsonl", "--json", "-q")
    original = run_module.Run._account

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(run_module.Run, "_account", stop)
    assert phiscrub(*command).code == 130
    monkeypatch.setattr(run_module.Run, "_account", original)
    ended = phiscrub(*command, "--resume")
    assert ended.code == 3
    assert json.loads(ended.out)["written"] == 3
    rows = [json.loads(line) for line in (notes / "audit.jsonl").read_text().splitlines()]
    sources = [os.fsencode(row["source"]) for row in rows if row["row"] == "note"]
    assert sources[1] == b"in/bad\xff.txt"
    assert (notes / "out" / BAD).read_text() == "Seen by Dr. [DOCTOR-1].\n"
    listed = json.loads((notes / "out.quarantine.jsonl").read_text())
    assert os.fsencode(listed["source"]) == b"in/z\xff.txt"
