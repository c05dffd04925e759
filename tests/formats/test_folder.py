"""Which files of a folder are read, and what is told of those that cannot be."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from phiscrub.formats.folder import below


def tree(folder: Path) -> Path:
    for name in ("a.txt", "in/b.txt", "in/deep/c.txt", ".hidden/d.txt", ".e.txt"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("Seen by Dr. Lena Ortiz.", "utf-8")
    return folder


def test_files_are_in_a_fixed_order_and_hidden_ones_left_out(tmp_path: Path) -> None:
    names = [str(path.relative_to(tmp_path)) for path in below(tree(tmp_path))]
    assert names == ["a.txt", "in/b.txt", "in/deep/c.txt"]


def test_links_to_folders_are_told_not_followed(tmp_path: Path) -> None:
    notes = tree(tmp_path / "notes")
    (notes / "ring").symlink_to(notes, target_is_directory=True)
    ended = phiscrub("scrub", notes, "-o", tmp_path / "out")
    assert ended.code == 3
    assert (tmp_path / "out" / "in" / "deep" / "c.txt").exists()
    report = next(tmp_path.glob("*quarantine*")).read_text("utf-8")
    assert "is a link to a folder" in report


def test_folders_that_may_not_be_read_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes, real = tree(tmp_path), os.scandir

    def scandir(path: str) -> object:
        if Path(path).name == "in":
            raise PermissionError(13, "Permission denied", str(path))
        return real(path)

    monkeypatch.setattr(os, "scandir", scandir)
    assert [path.name for path in below(notes)] == ["a.txt", "in"]


LITTER = ("Thumbs.db", "in/.DS_Store", "in/._b.txt", ".git/a.txt", ".out.csv.phiscrub/b.txt")


def test_hidden_files_are_told_and_a_systems_own_are_not(tmp_path: Path) -> None:
    notes, small = tree(tmp_path / "notes"), small_pipeline(tmp_path)
    for name in LITTER:
        (notes / name).parent.mkdir(exist_ok=True)
        (notes / name).write_bytes(b"\0\1")
    ended = phiscrub("scrub", notes, "-o", tmp_path / "out", "-p", small)
    assert ended.code == 0, ended.err
    listed = tmp_path / "out.quarantine.jsonl"
    assert f"2 hidden files passed by; {listed} lists them" in ended.err
    assert {path.name for path in (tmp_path / "out").rglob("*.*")} == {"a.txt", "b.txt", "c.txt"}
    rows = [json.loads(line) for line in listed.read_text("utf-8").splitlines()]
    assert {row["source"] for row in rows} == {str(notes / ".e.txt"), str(notes / ".hidden/d.txt")}
    told = phiscrub("scrub", notes, "-o", tmp_path / "out", "-p", small, "--json")
    assert json.loads(told.out)["passed_by"] == 2
    for name in ("a.txt", "in"):
        (notes / name).rename(notes / f".{name}")
    ended = phiscrub("scrub", notes, "-o", tmp_path / "out", "-p", small)
    assert ended.code == 2
    assert "5 hidden files passed by" in ended.err
