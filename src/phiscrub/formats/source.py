"""Where bytes come from."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from phiscrub.core.errors import InputError, MissingError
from phiscrub.formats.digest import Digest, Passing

HEAD = 65_536  # bytes that are enough to tell a format and an encoding
DESCRIPTORS = ("/dev/fd", "/proc/self/fd")  # where a shell names the pipe of <(command)
STDIN = Path("/dev/stdin")


@dataclass(frozen=True, slots=True)
class Source:
    """A file, or standard input where `path` is None.

    `digest` is given what is read of standard input or a pipe, which nobody can read again.
    """

    path: Path | None
    digest: Digest | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> str:
        """How messages call it."""
        return "standard input" if self.path is None else str(self.path)

    @property
    def stem(self) -> str:
        """The file's name without its last suffix; the id of a note that has none of its own."""
        return "stdin" if self.path is None else self.path.stem

    @property
    def size(self) -> int:
        """How many bytes it has; 0 where nobody knows, of standard input or a link to nowhere."""
        try:
            return 0 if self.path is None else self.path.stat().st_size
        except OSError:
            return 0

    @property
    def is_pipe(self) -> bool:
        """Whether it is a pipe of the shell's, `<(command)`, which can be read once."""
        path = self.path
        own = path is not None and (path == STDIN or str(path.parent) in DESCRIPTORS)
        return own and path is not None and path.is_fifo()

    @property
    def is_stream(self) -> bool:
        """Whether it is standard input or a pipe, which is gone once it has been read."""
        return self.path is None or self.is_pipe

    def open(self) -> BinaryIO:
        """Open for reading bytes; raise `MissingError` or `InputError` where that fails.

        What is no regular file is refused unopened: a named pipe that nobody writes to would
        be waited for without end.
        """
        if self.path is None:
            return self._digested(sys.stdin.buffer, owns=False)
        try:
            mode = self.path.stat().st_mode
            if stat.S_ISDIR(mode):
                what, hint = _told_of(self.path)
                raise InputError(what, where=self.name, hint=hint)
            if not stat.S_ISREG(mode) and not self.is_pipe:
                hint = "copy what it holds into a file, or give it as standard input: -"
                raise InputError("is no regular file", where=self.name, hint=hint)
            file = self.path.open("rb")
        except FileNotFoundError:
            missing = "is a link to nowhere" if self.path.is_symlink() else "no such file"
            raise MissingError(missing, where=self.name, hint="check the path") from None
        except OSError as error:
            raise self._unreadable(error) from None
        return self._digested(file, owns=True) if self.is_pipe else file

    def _digested(self, stream: BinaryIO, *, owns: bool) -> BinaryIO:
        if self.digest is None:
            return stream
        return cast(BinaryIO, Passing(stream, self.digest, owns=owns))

    def refuse_pipe(self) -> None:
        """Raise `InputError` for a pipe, where a file is read more than once."""
        if self.is_pipe:
            raise InputError(
                "is a pipe, which can be read only once",
                where=self.name,
                hint="give it as standard input (-), or one note with --from text",
            )

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        """Open for as long as it is read; standard input stays open.

        Raises as `open` does, and `InputError` where reading fails, as of a disk that is broken.
        """
        file = self.open()
        try:
            yield file
        except OSError as error:
            raise self._unreadable(error) from None
        finally:
            if self.path is not None:
                file.close()

    def _unreadable(self, error: OSError) -> InputError:
        hint = "check the path, its rights and the disk"
        return InputError(f"cannot be read: {error.strerror}", where=self.name, hint=hint)

    def read(self) -> bytes:
        """Read all bytes."""
        with self.opened() as file:
            return file.read()

    def head(self) -> bytes:
        """Read the first bytes, for detection; nothing is consumed, standard input included."""
        if self.path is None:
            return _peek()
        self.refuse_pipe()
        with self.opened() as file:
            return file.read(HEAD)

    def sibling(self, suffix: str) -> Source:
        """Return the file of the same name with another suffix."""
        return Source(None if self.path is None else self.path.with_suffix(suffix))


def _told_of(folder: Path) -> tuple[str, str]:
    """Say what is wrong with a folder where a file is wanted, and what to do."""
    if not os.access(folder, os.R_OK | os.X_OK):
        return "is a folder that may not be read", "check its rights"
    if folder.is_symlink():
        return "is a link to a folder", "name that folder itself as an input"
    return "is a folder", "name one file in it"


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
