"""Which files of a folder are the user's notes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder in a fixed order; hidden ones are none of the user's."""
    for here, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(here, name) for name in sorted(names) if not name.startswith("."))


def note_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that are read; brat's marks are read with their text."""
    for file in below(folder):
        if file.suffix != ".ann" or not file.with_suffix(".txt").exists():
            yield file
