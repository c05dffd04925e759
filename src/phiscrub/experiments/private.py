"""Files with text of notes, for the eyes of their owner alone."""

from __future__ import annotations

from pathlib import Path

from phiscrub.formats.stream import PRIVATE, written


def write_private(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read; raise `OutputError` where it cannot be written."""
    with written(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(PRIVATE)
        file.chmod(PRIVATE)
        file.write_bytes(content)
