"""Files that appear whole, or stay as they were before."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from phiscrub.formats.folder import hidden_beside
from phiscrub.formats.stream import written


def write_whole(path: Path, content: bytes | str) -> None:
    """Write a file beside its place and put it there, its folder too where there is none.

    Text is written in UTF-8. Raises `OutputError` where it cannot be written.
    """
    part = hidden_beside(path, ".part")
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(content if isinstance(content, bytes) else content.encode())
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()
            raise
