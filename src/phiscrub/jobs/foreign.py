"""Files in an output folder that a run did not write: of earlier runs, or of somebody else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from phiscrub.formats.folder import is_litter


def foreign_files(folder: Path, own: int, lists: Iterable[Path]) -> int:
    """Count a folder's files, hidden ones too, but for a run's `own` ones and its lists.

    What systems and this tool leave, and what stands behind links to folders, is not counted. No
    file's name is kept in memory.
    """
    known = {path.resolve() for path in lists}
    top = folder.resolve()
    near = {path.name for path in known if path.is_relative_to(top)}
    found = sum(
        entry.name not in near or Path(entry.path).resolve() not in known
        for entry in _files(str(top))
    )
    return max(0, found - own)


def _files(folder: str) -> Iterator[os.DirEntry[str]]:
    """Yield what lies below a folder and is none; what may not be read is passed by."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if is_litter(entry.name):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from _files(entry.path)
            elif not _leads_to_folder(entry):
                yield entry


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link in a circle
        return False
