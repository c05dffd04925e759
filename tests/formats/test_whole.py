"""Files that appear whole, or stay as they were before."""

from __future__ import annotations

from pathlib import Path

import pytest

from phiscrub.core.errors import OutputError
from phiscrub.formats.whole import write_whole


def test_text_and_bytes_are_written_and_folders_made(tmp_path):
    write_whole(tmp_path / "new" / "a.txt", "é")
    write_whole(tmp_path / "new" / "a.bin", b"\xff")
    assert (tmp_path / "new" / "a.txt").read_bytes() == "é".encode()
    assert (tmp_path / "new" / "a.bin").read_bytes() == b"\xff"
    assert len(list((tmp_path / "new").iterdir())) == 2


def test_what_cannot_be_put_there_leaves_what_was(tmp_path, monkeypatch):
    file = tmp_path / "a.txt"
    file.write_text("before")

    def fail(*_):
        raise OSError(5, "gone")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OutputError, match="cannot be written: gone"):
        write_whole(file, "after")
    assert file.read_text() == "before"
    assert list(tmp_path.iterdir()) == [file]
