"""What bytes were, told without them: how many, and their SHA-256."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import BufferedIOBase, TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

PIECE = 1 << 20  # bytes of a file that are read at once


class Digest:
    """The length and the hash of all bytes that it was given."""

    def __init__(self, data: bytes = b"") -> None:
        self._sha = hashlib.sha256(data)
        self.size = len(data)

    @property
    def sha256(self) -> str:
        """The hash in hexadecimal."""
        return self._sha.hexdigest()

    def add(self, data: ReadableBuffer) -> None:
        """Take more bytes."""
        self._sha.update(data)
        self.size += memoryview(data).nbytes

    @classmethod
    def of(cls, path: Path) -> Digest | None:
        """Read a regular file; None where there is none that can be read."""
        if not path.is_file():
            return None
        digest = cls()
        try:
            with path.open("rb") as file:
                while data := file.read(PIECE):
                    digest.add(data)
        except OSError:
            return None
        return digest


class Passing(BufferedIOBase):
    """A stream whose bytes are given to a digest as they are read or written.

    Closing it leaves the stream open, unless it `owns` it.
    """

    def __init__(self, stream: BinaryIO, digest: Digest, *, owns: bool = False) -> None:
        super().__init__()
        self._stream, self._digest, self._owns = stream, digest, owns

    def read(self, size: int | None = -1) -> bytes:
        """Read so many bytes, or all."""
        return self._passed(self._stream.read(-1 if size is None else size))

    def readline(self, size: int | None = -1) -> bytes:
        """Read a line, or so many bytes of it."""
        return self._passed(self._stream.readline(-1 if size is None else size))

    def write(self, data: ReadableBuffer) -> int:
        """Write bytes; return how many were taken."""
        taken = self._stream.write(data)
        self._digest.add(memoryview(data)[:taken])
        return taken

    def flush(self) -> None:
        """Have the stream write what it holds."""
        self._stream.flush()

    def close(self) -> None:
        """End the reading or writing here."""
        super().close()
        if self._owns:
            self._stream.close()

    def _passed(self, data: bytes) -> bytes:
        self._digest.add(data)
        return data


@contextmanager
def stdout_digested() -> Iterator[Digest]:
    """Yield the digest of what is written to standard output meanwhile."""
    digest = Digest()
    passing = Passing(sys.stdout.buffer, digest)
    with redirect_stdout(TextIOWrapper(cast(BinaryIO, passing))):
        yield digest
