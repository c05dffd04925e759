"""The names of files that the notes of a table have taken."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from phiscrub.formats.stream import let_go, written


class Names:
    """Names, which are ASCII, kept in the staging folder too, for a run that goes on."""

    def __init__(self, path: Path, length: int) -> None:
        self._path = path
        with written(path):
            self._file = path.open("r+b" if length else "w+b")
            self._file.truncate(length)
            self._taken = {line.decode("ascii").rstrip("\n") for line in self._file}

    def __contains__(self, name: str) -> bool:
        return name in self._taken

    def __iter__(self) -> Iterator[str]:
        return iter(self._taken)

    def add(self, names: Iterable[str]) -> None:
        """Take names."""
        for name in names:
            self._taken.add(name)
            with written(self._path):
                self._file.write(f"{name}\n".encode("ascii"))

    def checkpoint(self) -> int:
        """Bring all to disk; return the length to go on from."""
        with written(self._path):
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.tell()

    def close(self) -> None:
        """Let go of the file."""
        let_go(self._file)
