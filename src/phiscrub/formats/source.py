"""Where bytes come from."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from phiscrub.core.errors import InputError, MissingError

HEAD = 65_536  # bytes that are enough to tell a format and an encoding


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or standard input where `path` is None."""

    path: Path | None

    @property
    def name(self) -> str:
        """How messages call it."""
        return "standard input" if self.path is None else str(self.path)

    @property
    def stem(self) -> str:
        """The file's name without its last suffix; the id of a note that has none of its own."""
        return "stdin" if self.path is None else self.path.stem

    def open(self) -> BinaryIO:
        """Open for reading bytes; raise `MissingError` or `InputError` where that fails."""
        if self.path is None:
            return sys.stdin.buffer
        try:
            return self.path.open("rb")
        except FileNotFoundError:
            raise MissingError("no such file", where=self.name, hint="check the path") from None
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", where=self.name) from None

    def read(self) -> bytes:
        """Read all bytes."""
        if self.path is None:
            return self.open().read()
        with self.open() as file:
            return file.read()

    def head(self) -> bytes:
        """Read the first bytes, for detection; nothing is consumed, standard input included."""
        if self.path is None:
            return _peek()
        with self.open() as file:
            return file.read(HEAD)

    def sibling(self, suffix: str) -> Source:
        """Return the file of the same name with another suffix."""
        return Source(None if self.path is None else self.path.with_suffix(suffix))


def _peek() -> bytes:
    """Look at standard input until `HEAD` bytes are there, it ends, or its buffer is full."""
    buffer = cast(BufferedReader, sys.stdin.buffer)
    seen = b""
    while len(seen) < HEAD:
        more = buffer.peek(HEAD)[:HEAD]
        if len(more) <= len(seen):
            break
        seen = more
    return seen
