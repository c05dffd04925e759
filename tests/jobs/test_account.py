"""The audit says which record became what, and shows where a line of it is gone."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from command import phiscrub, small_pipeline

TABLE = (
    'id,note\n7,"Dr. Ortiz,\n555-0101"\n\n7,Dr. Gomez called\n8,a,b,c\n9,"Dr. Lopez"\n9,none\n9,\n'
)
LINES = '{"id": "7", "text": "Dr. Ortiz"}\n\n{"id": "7", "text": "Dr. Gomez"}\n'
ARRAY = '[\n  {"id": "7", "text": "Dr. Ortiz"},\n  {"id": "8", "text": "Dr. Gomez"}\n]\n'


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read(path: Path) -> dict[str, list[dict[str, Any]]]:
    """Read the rows by what they are of; check that the last one is right about them."""
    *above, last = path.read_bytes().splitlines(keepends=True)
    end = json.loads(last)
    assert end["row"] == "end"
    assert (end["rows"], end["rows_sha256"]) == (len(above), sha256(b"".join(above)))
    told: dict[str, list[dict[str, Any]]] = {"end": [end]}
    for row in map(json.loads, above):
        told.setdefault(row["row"], []).append(row)
    words = path.read_text()
    assert not any(word in words for word in ("Ortiz", "Gomez", "Lopez", "0101"))
    return told


@pytest.mark.parametrize("workers", [1, 2])
def test_rows_of_a_table(workers: int, small: Path, tmp_path: Path) -> None:
    source, out, audit = tmp_path / "in.csv", tmp_path / "out.csv", tmp_path / "audit.jsonl"
    source.write_text(TABLE)
    ended = phiscrub("scrub", source, "-o", out, "-p", small, "--audit", audit, "-w", workers)
    assert ended.code == 3
    assert "2 ids of several notes of one file" in ended.err
    told = read(audit)
    places = [(row["note"], row["record"], row["line"]) for row in told["note"]]
    assert places == [("7", 1, 2), ("7", 3, 5), ("9", 5, 7), ("9", 6, 8), ("9", 7, 9)]
    (kept,) = told["kept back"]
    assert (kept["source"], kept["record"], kept["line"]) == (str(source), 4, 6)
    for kind, path in (("input", source), ("output", out)):
        (row,) = told[kind]
        data = path.read_bytes()
        assert (row["file"], row["bytes"], row["sha256"]) == (str(path), len(data), sha256(data))
    (end,) = told["end"]
    assert (end["notes"], end["written"], end["quarantined"]) == (6, 5, 1)
    assert (end["duplicate_ids"], end["mentions"]) == (2, {"DOCTOR": 3, "PHONE": 1})


@pytest.mark.parametrize(
    ("name", "data", "places"),
    [
        ("csv", TABLE, [(1, 2), (3, 5), (5, 7), (6, 8), (7, 9)]),
        ("jsonl", LINES, [(1, 1), (3, 3)]),
        ("json", ARRAY, [(1, 2), (2, 3)]),
        ("text", "Dr. Ortiz\n", [(1, None)]),
    ],
)
def test_standard_input_and_output(
    name: str, data: str, places: list[tuple[int, int | None]], small: Path, tmp_path: Path
) -> None:
    audit = tmp_path / "audit.jsonl"
    command = ("scrub", "-", "--from", name, "-p", small, "--audit", audit, "-q")
    ended = phiscrub(*command, stdin=data.encode())
    told = read(audit)
    assert [(row["record"], row["line"]) for row in told["note"]] == places
    assert [row["file"] for row in told["input"]] == ["standard input"]
    assert told["input"][0]["sha256"] == sha256(data.encode())
    (out,) = told["output"]
    assert (out["file"], out["bytes"]) == ("standard output", len(ended.out))
    assert out["sha256"] == sha256(ended.out)


def test_only_its_owner_may_read_it(small: Path, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text(TABLE)
    audit = tmp_path / "audit.jsonl"
    phiscrub("scrub", tmp_path / "in.csv", "-o", tmp_path / "o.csv", "-p", small, "--audit", audit)
    lists = [audit, *tmp_path.glob("*.quarantine.jsonl")]
    assert [file.stat().st_mode & 0o777 for file in lists] == [0o600, 0o600]


def test_a_folder_of_notes_and_tables(small: Path, tmp_path: Path) -> None:
    folder, out, audit = tmp_path / "in", tmp_path / "out", tmp_path / "audit.jsonl"
    (folder / "b").mkdir(parents=True)
    (folder / "a.txt").write_text("Dr. Ortiz")
    (folder / "b" / "a.txt").write_text("Dr. Gomez")
    (folder / "bad.txt").write_bytes(b"\x00\x01")
    (folder / "t.csv").write_text("id,note\n1,Dr. Ortiz\n")
    (folder / "u.csv").write_text('id,note\n1,Dr. Ortiz\n2,"never closed\n')
    (folder / "m.txt").write_text("Dr. Ortiz, 555-0101")
    (folder / "m.ann").write_text("")
    out.mkdir()
    (out / "u.csv").write_text("of an earlier run")
    assert phiscrub("scrub", folder, "-o", out, "-p", small, "--audit", audit, "-q").code == 3
    told = read(audit)
    seen = {row["file"]: row["sha256"] for row in told["input"]}
    assert seen == {str(p): sha256(p.read_bytes()) for p in folder.rglob("*") if p.is_file()}
    wrote = {row["file"]: row["sha256"] for row in told["output"]}
    files = {p for p in out.rglob("*") if p.is_file() and p.name != "u.csv"}
    assert wrote == {str(p): sha256(p.read_bytes()) for p in files}
    kept = [(row["source"], row["record"]) for row in told["kept back"]]
    assert kept == [(str(folder / "bad.txt"), 1), (str(folder / "u.csv"), None)]
    assert len(told["note"]) == 4
    (end,) = told["end"]
    assert (end["quarantined"], end["broken_files"], end["duplicate_ids"]) == (1, 1, 0)


def test_a_table_written_as_notes(small: Path, tmp_path: Path) -> None:
    source, out, audit = tmp_path / "in.csv", tmp_path / "out", tmp_path / "audit.jsonl"
    source.write_text("id,note\n1,Dr. Ortiz\n2,Dr. Gomez\n")
    command = ("scrub", source, "-o", out, "--to", "text", "-p", small, "--audit", audit, "-q")
    assert phiscrub(*command).code == 0
    told = read(audit)
    assert [row["file"] for row in told["input"]] == [str(source)]
    assert [row["file"] for row in told["output"]] == [str(out / "1.txt"), str(out / "2.txt")]
    assert phiscrub(*command).code == 0  # an audit replaces an audit
