"""Names under which notes go out are looked at for what was removed from the notes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline

NOTE = "Seen by Dr. Ortiz.\nCall 555-0182.\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


def told(*command: object) -> int:
    """Run; check that the warning is given where there is a number; return that."""
    ended = phiscrub("scrub", *command, "--json")
    assert ended.code == 0
    count: int = json.loads(ended.out)["identifying_names"]
    assert ("that hold what was removed from the note, and" in ended.err) == bool(count)
    assert "ortiz" not in ended.err.casefold()
    return count


def make(folder: Path, *names: str) -> Path:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(NOTE)
    return folder


@pytest.mark.parametrize("to", [(), ("--to", "jsonl"), ("--to", "brat")])
def test_names_of_files(to: tuple[str, ...], small: Path, tmp_path: Path) -> None:
    notes = make(tmp_path / "notes", "ORTIZ_Ann.txt", "b 555-0182.txt", "Ortizo.txt", "d.txt")
    assert told(notes, "-o", tmp_path / "out", "-p", small, *to) == 2


def test_names_of_folders_go_out_with_the_files_in_them(small: Path, tmp_path: Path) -> None:
    notes = make(tmp_path / "notes", "Ortiz/a.txt", "Ortiz/b.txt", "ward/c.txt")
    assert told(notes, "-o", tmp_path / "out", "-p", small) == 2
    assert told(notes, "-o", tmp_path / "jsonl", "-p", small, "--to", "jsonl") == 0


def test_the_name_of_a_lone_file_is_that_of_its_output(small: Path, tmp_path: Path) -> None:
    note = make(tmp_path / "notes", "Ortiz.txt") / "Ortiz.txt"
    assert told(note, "-o", tmp_path / "out", "-p", small) == 1
    assert told(note, "-o", tmp_path / "one.txt", "-p", small) == 0
    assert told(note, "-o", tmp_path / "one.jsonl", "-p", small, "--to", "jsonl") == 1


@pytest.mark.parametrize("to", ["text", "jsonl"])
def test_ids_of_a_table_that_become_names(to: str, small: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,text\nOrtiz 1,Dr. Ortiz\nOrtiz 2,Dr. Gomez\n")
    assert told(table, "-o", tmp_path / "out", "-p", small, "--to", to) == 1


def test_ids_that_count_rows_are_none_of_the_notes(small: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    pack = tmp_path / "pipe" / "pack" / "pack.toml"
    pack.write_text(pack.read_text().replace("[A-Z][a-zé]+", r"\w+"))
    table.write_text("text\n" + "Dr. Ortiz\n" * 1_001 + "Dr. 1002\n")
    command = ("-p", small, "--to", "jsonl")
    assert told(table, "-o", tmp_path / "one.jsonl", *command) == 0
    table.rename(tmp_path / "Ortiz.csv")
    assert told(tmp_path / "Ortiz.csv", "-o", tmp_path / "one.jsonl", *command) == 1


def test_the_name_of_a_table_counts_once(small: Path, tmp_path: Path) -> None:
    for name in ("Ortiz", "ward"):
        (tmp_path / "in" / name).mkdir(parents=True)
        (tmp_path / "in" / name / "t.csv").write_text("id,text\n1,Dr. Ortiz\n2,Dr. Ortiz\n")
    assert told(tmp_path / "in", "-o", tmp_path / "out", "-p", small) == 1
