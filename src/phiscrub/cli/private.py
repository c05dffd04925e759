"""Files that only their owner may read."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

from phiscrub.core.errors import OutputError
from phiscrub.formats.stream import PRIVATE


def write_private(path: Path, text: str) -> None:
    """Write a file in UTF-8 that nobody else can read at any moment, one that was there included.

    Raises `OutputError`. What is no regular file (a pipe, a terminal) keeps its mode.
    """
    try:
        with open(path, "w", encoding="utf-8", opener=_opener) as file:
            if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                os.fchmod(file.fileno(), PRIVATE)
            file.write(text)
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(path)) from None


def prepare_private(path: Path) -> None:
    """Make the folder of a file that will be written; raises `OutputError` where it cannot be."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "a", opener=_opener):
            pass
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(path)) from None


def write_json(path: Path, value: object) -> None:
    """Write plain values as JSON, each on a line of its own; as `write_private`."""
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=1)
    write_private(path, told + "\n")


def _opener(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)
