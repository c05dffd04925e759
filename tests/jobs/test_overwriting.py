"""No input is written over or taken away, by whatever name it is reached."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from command import phiscrub

GOOD = ("Seen by Ann.\n", "T1\tDOCTOR 8 11\tAnn\n")
BAD = ("Seen by Ann.\n", "T1\tDOCTOR 8 99\tAnn\n")


def brat(folder: Path, name: str, parts: tuple[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for suffix, part in zip((".txt", ".ann"), parts, strict=True):
        (folder / name).with_suffix(suffix).write_text(part)


def held(top: Path) -> dict[str, bytes]:
    return {str(p.relative_to(top)): p.read_bytes() for p in top.rglob("*") if p.is_file()}


def refused(top: Path, *words: object) -> None:
    before = held(top)
    ended = phiscrub("convert", *words)
    assert ended.code == 2
    assert "would be written" in ended.err
    assert held(top) == before


def test_files_into_their_own_folder(tmp_path: Path) -> None:
    brat(tmp_path / "c", "a", GOOD)
    brat(tmp_path / "c", "b", BAD)
    refused(tmp_path, tmp_path / "c" / "a.txt", tmp_path / "c" / "b.txt", "-o", tmp_path / "c")


def test_tables_into_their_own_folder(tmp_path: Path) -> None:
    for name in "tu":
        (tmp_path / f"{name}.csv").write_text('id,text\n1,"Ann\n')
    refused(tmp_path, tmp_path / "t.csv", tmp_path / "u.csv", "-o", tmp_path)


def test_a_link_of_the_output_to_the_input(tmp_path: Path) -> None:
    brat(tmp_path / "in" / "sub", "b", BAD)
    brat(tmp_path / "in", "a", GOOD)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "sub").symlink_to(tmp_path / "in" / "sub")
    refused(tmp_path, tmp_path / "in", "-o", tmp_path / "out")


@pytest.mark.parametrize("name", ["1", "x"])
def test_notes_of_a_table_beside_its_input(tmp_path: Path, name: str) -> None:
    brat(tmp_path / "c", name, GOOD)
    (tmp_path / "c" / "t.csv").write_text("id,text\n1,Ann\n")
    inputs = (tmp_path / "c" / "t.csv", tmp_path / "c" / f"{name}.txt")
    refused(tmp_path, *inputs, "-o", tmp_path / "c", "--to", "brat")


def test_notes_of_a_table_among_those_of_another_folder(tmp_path: Path) -> None:
    brat(tmp_path / "m" / "t", "1", GOOD)
    (tmp_path / "m" / "t.csv").write_text('id,text,mentions\n1,Ann,"[]"\n')
    refused(tmp_path, tmp_path / "m", "-o", tmp_path / "mo", "--to", "brat")


def test_notes_of_a_table_go_where_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "g.csv").write_text("id,text\n1,Ann\n")
    monkeypatch.chdir(tmp_path)
    assert phiscrub("convert", "sub/g.csv", "-o", ".", "--to", "brat").code == 0
    assert (tmp_path / "1.ann").exists()


def test_notes_of_tables_below_each_other(tmp_path: Path) -> None:
    (tmp_path / "m" / "a").mkdir(parents=True)
    for name in ("a.csv", "a/b.csv"):
        (tmp_path / "m" / name).write_text("id,text\n1,Ann\n")
    out = tmp_path / "o"
    assert phiscrub("convert", tmp_path / "m", "-o", out, "--to", "brat").code == 0
    assert sorted(held(out)) == ["a/1.ann", "a/1.txt", "a/b/1.ann", "a/b/1.txt"]


@pytest.mark.parametrize("name", ["pipe", "pipe.csv"])
def test_no_pipe_makes_room_for_a_file(tmp_path: Path, name: str) -> None:
    os.mkfifo(tmp_path / name)
    (tmp_path / "t.csv").write_text("id,text\n1,Ann\n")
    ended = phiscrub("convert", tmp_path / "t.csv", "-o", tmp_path / name)
    assert ended.code == 2
    assert "neither a file nor a folder" in ended.err
    assert (tmp_path / name).is_fifo()
