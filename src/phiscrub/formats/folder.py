"""Which files of a folder are the user's notes."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder in a fixed order; hidden ones are none of the user's.

    Folders that may not be read, and links to folders, which could lead round in a ring, are
    yielded themselves: who opens them is told, so that no note is passed by in silence.
    """
    closed: list[Path] = []
    tree = os.walk(folder, onerror=lambda error: closed.append(Path(error.filename)))
    for here, folders, names in tree:
        yield from closed
        closed.clear()
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        links = [name for name in folders if Path(here, name).is_symlink()]
        shown = [*links, *(name for name in names if not name.startswith("."))]
        yield from (Path(here, name) for name in sorted(shown))
    yield from closed


def note_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that are read; brat's marks are read with their text."""
    for file in below(folder):
        if file.suffix != ".ann" or not file.with_suffix(".txt").exists():
            yield file
