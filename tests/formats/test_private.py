from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from phiscrub.core.errors import OutputError
from phiscrub.formats.private import append_private, prepare_private, write_private


@pytest.mark.parametrize("content", ["Ann Ibáñez\n", "Ann Ibáñez\n".encode()])
def test_only_the_owner_reads_it_also_where_a_file_stood(
    tmp_path: Path, content: str | bytes
) -> None:
    file = tmp_path / "names.csv"
    file.touch(0o644)
    file.chmod(0o644)
    write_private(file, content)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_bytes() == "Ann Ibáñez\n".encode()


def test_what_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written: No such file"):
        write_private(tmp_path / "no" / "names.csv", "Ann\n")


def test_what_is_added_stays_private_and_a_full_disk_takes_none_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    file, first = tmp_path / "link", tmp_path / "first"
    for line in ("Ann\n", "Bea\n"):
        append_private(file, line)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    monkeypatch.setattr(os, "fsync", full)
    for path in (file, first):
        with pytest.raises(OutputError, match="No space left"):
            append_private(path, "Cay\n")
    assert file.read_text() == "Ann\nBea\n"
    assert not first.exists()


def test_a_link_to_a_file_that_is_not_there_stays(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "file")
    prepare_private(link)
    assert link.is_symlink()
    assert not (tmp_path / "file").exists()
