"""Which files of a folder are the user's notes, and what this tool hides beside them."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

STAGING = ".phiscrub"  # how the folder of a run that has not ended is called, or ends
LITTER = frozenset((".git", ".ds_store", "thumbs.db", "desktop.ini"))  # in any case
LONGEST = 143  # bytes of a name that encrypted disks too have room for
APPLE_DOUBLE = "._"  # how what macOS keeps beside a file begins


def below(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder in a fixed order; hidden ones and a system's own are not read.

    Folders that may not be read, and links to folders, which could lead round in a ring, are
    yielded themselves: who opens them is told, so that no note is passed by in silence.
    """
    return _walk(folder, hidden=False)


def hidden_below(folder: Path) -> Iterator[Path]:
    """Yield what `below` passes by though it may hold notes: hidden files, those of hidden folders.

    What systems and this tool leave is none of it.
    """
    for path in _walk(folder, hidden=True):
        if any(map(_is_hidden, path.relative_to(folder).parts)):
            yield path


def note_files(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that are read; brat's marks are read with their text."""
    for file in below(folder):
        if file.suffix != ".ann" or not file.with_suffix(".txt").exists():
            yield file


def hidden_beside(path: Path, suffix: str) -> Path:
    """Return a hidden path beside a file, called after it; the longest names as their hash."""
    name = f".{path.name}{suffix}"
    if len(os.fsencode(name)) > LONGEST:
        name = f".{hashlib.sha256(os.fsencode(path.name)).hexdigest()}{suffix}"
    return path.with_name(name)


def is_litter(name: str) -> bool:
    """Tell whether a name is that of what systems and this tool leave in folders."""
    own = name.startswith(".") and name.endswith(STAGING)
    return own or name.lower() in LITTER or name.startswith(APPLE_DOUBLE)


def _walk(folder: Path, *, hidden: bool) -> Iterator[Path]:
    def is_shown(name: str) -> bool:
        return not is_litter(name) and (hidden or not _is_hidden(name))

    closed: list[Path] = []
    tree = os.walk(folder, onerror=lambda error: closed.append(Path(error.filename)))
    for here, folders, names in tree:
        yield from closed
        closed.clear()
        folders[:] = sorted(filter(is_shown, folders))
        links = [name for name in folders if Path(here, name).is_symlink()]
        shown = [*links, *filter(is_shown, names)]
        yield from (Path(here, name) for name in sorted(shown))
    yield from closed


def _is_hidden(name: str) -> bool:
    return name.startswith(".")
