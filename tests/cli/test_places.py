"""Odd names and places of files: what cannot be is said in one line, and ends no run of many."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import phiscrub, small_pipeline

BAD_DISK = Path("/proc/self/mem")  # its first bytes give an input/output error


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.txt").write_text("Dr. Ortiz")
    return folder


def test_the_longest_names_are_written(folder: Path, small: Path, tmp_path: Path) -> None:
    names = [f"{'x' * 251}.txt", f"{'é' * 125}.txt"]
    for name in names:
        (folder / name).write_text("Dr. Ortiz")
    assert phiscrub("scrub", folder, "-o", tmp_path / "out", "-p", small).code == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["a.txt", *names]


@pytest.mark.skipif(not BAD_DISK.exists(), reason="needs Linux's /proc")
@pytest.mark.parametrize("suffix", [".txt", ".csv", ".jsonl", ".xml", ".conll"])
def test_a_file_that_the_disk_gives_no_more_is_kept_back_alone(
    suffix: str, folder: Path, small: Path, tmp_path: Path
) -> None:
    (folder / f"bad{suffix}").symlink_to(BAD_DISK)
    ended = phiscrub("scrub", folder, "-o", tmp_path / "out", "-p", small, "-q")
    assert ended.code == 3
    assert f"bad{suffix}: cannot be read: Input/output error" in ended.err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["a.txt"]


@pytest.mark.parametrize("suffix", [".txt", ".jsonl"])
def test_a_lone_file_may_have_the_longest_name(
    suffix: str, folder: Path, small: Path, tmp_path: Path
) -> None:
    out = tmp_path / f"{'n' * (255 - len(suffix))}{suffix}"
    beside = ("--quarantine", tmp_path / "kept_back.jsonl")  # whose usual name is longer
    assert phiscrub("scrub", folder / "a.txt", "-o", out, "-p", small, *beside).code == 0
    assert [path for path in tmp_path.iterdir() if path.is_file()] == [out]


def test_a_name_that_no_file_can_have_is_said(folder: Path, small: Path, tmp_path: Path) -> None:
    out = tmp_path / f"{'n' * 252}.txt"
    ended = phiscrub("scrub", folder / "a.txt", "-o", out, "-p", small)
    assert ended.code in (2, 4)
    assert "File name too long" in ended.err
    assert len(ended.err.splitlines()) == 1


def test_a_file_is_no_folder_for_tables(folder: Path, small: Path, tmp_path: Path) -> None:
    (folder / "t.csv").write_text("id,note\n1,Dr. Ortiz\n")
    out = tmp_path / "out.jsonl"
    ended = phiscrub("scrub", folder, "-o", out, "--to", "jsonl", "-p", small)
    assert ended.code == 2
    assert f"{out}: would be a file and a folder; " in ended.err
    assert not out.exists()
    assert phiscrub("scrub", folder, "-o", f"{out}/", "--to", "jsonl", "-p", small).code == 0
    assert sorted(path.name for path in out.iterdir()) == ["notes.jsonl", "t.jsonl"]
