"""Which files of a folder are read, and what is told of those that cannot be."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from command import phiscrub
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
