"""Files that only their owner may read."""

from __future__ import annotations

import json
import os
import stat
from contextlib import suppress
from pathlib import Path

from phiscrub.formats.stream import PRIVATE, put, written


def write_private(path: Path, content: str | bytes) -> None:
    """Write a file that nobody else can read at any moment, one that was there included.

    Text is written in UTF-8. Raises `OutputError`. What is no regular file (a pipe, a terminal)
    keeps its mode.
    """
    with written(path), open(path, "wb", opener=_opener) as file:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.fchmod(file.fileno(), PRIVATE)
        file.write(content.encode() if isinstance(content, str) else content)


def append_private(path: Path, content: str) -> None:
    """Add text in UTF-8 to a file that nobody else can read, and bring it to disk.

    Raises `OutputError`; the file is then what it was.
    """
    with written(path), open(path, "ab", buffering=0, opener=_opener) as file:
        length = file.seek(0, os.SEEK_END)
        try:
            os.fchmod(file.fileno(), PRIVATE)
            put(file, content.encode())
            os.fsync(file.fileno())
        except OSError:
            with suppress(OSError):
                file.truncate(length)
                if not length:
                    path.unlink()
            raise


def prepare_private(path: Path) -> None:
    """Make the folder of a file that will be written, and no file yet.

    Raises `OutputError` where it could not be written.
    """
    is_new = not path.exists()
    with written(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "ab", opener=_opener):
            pass
        if is_new:
            path.resolve().unlink()  # a link stays


def write_json(path: Path, value: object) -> None:
    """Write plain values as JSON, each on a line of its own; as `write_private`."""
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
    write_private(path, told + "\n")


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)
