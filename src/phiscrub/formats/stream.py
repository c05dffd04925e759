"""What the streamed text formats share: bytes read from a point on, bytes appended."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from phiscrub.core.errors import EncodingError, InputError, OutputError, PhiscrubError, Place
from phiscrub.formats.encoding import Encoding, detect_encoding
from phiscrub.formats.record import Record
from phiscrub.formats.source import HEAD, Source

CHUNK = 1 << 20  # bytes read or written at once
PRIVATE = 0o600  # the mode of a file that only its owner may read
STDOUT = Path("-")  # where a writer's path is this, it writes to standard output
WIDE = ("utf-16", "utf-32")  # beginnings of the names of encodings of wide characters
SYNTAX = '",;\t|{}:\r\n'  # what must be the same bytes as in ASCII


@contextmanager
def opened(source: Source, offset: int) -> Iterator[BinaryIO]:
    """Open a source at a byte; standard input goes on where it is and stays open."""
    source.refuse_pipe()
    with source.opened() as file:
        if source.path is not None:
            file.seek(offset)
        yield file


def byte_encoding(head: bytes, forced: str | None, name: str, *, wide: bool = False) -> Encoding:
    """Tell the encoding of a file that is cut into records as bytes.

    Where the head is broken UTF-8, it is taken as UTF-8: each broken record then fails for
    itself. Raises `InputError` for encodings that do not extend ASCII; with `wide`, UTF-16 and
    UTF-32 are none of those.
    """
    encoding = Encoding()
    try:
        marked = head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE))
        encoding = detect_encoding(head, None if marked else forced, name, whole=len(head) < HEAD)
    except EncodingError:
        if forced is not None:
            raise
    if wide and encoding.name.startswith(WIDE):
        return encoding
    if SYNTAX.encode(encoding.name) != SYNTAX.encode("ascii"):
        raise InputError(
            f"is {encoding.name}, which cannot be read in a stream",
            where=name,
            hint=f"convert it to UTF-8: iconv -f {_named(encoding)} -t utf-8",
        )
    return encoding


def _named(encoding: Encoding) -> str:
    """Return how iconv calls it: with a mark, without the order of bytes, which it tells."""
    return encoding.name[: len(WIDE[0])] if encoding.bom else encoding.name


def placed_error(error: PhiscrubError, where: Place) -> PhiscrubError:
    """Return the error at a file's place, where it knew no more than the note's id."""
    if error.where is not None and error.where.path is not None:
        return error
    return type(error)(error.what, where=where, hint=error.hint)


@dataclass(frozen=True, slots=True)
class ByteWriter:
    """Appends records to a file, as the bytes that `compose` makes of each.

    A record that cannot be composed leaves the file as it was.
    """

    path: Path
    file: BinaryIO
    compose: Callable[[Record], bytes]

    @classmethod
    def create(
        cls, path: Path, length: int, head: bytes, compose: Callable[[Record], bytes]
    ) -> ByteWriter:
        """Start a file with `head`, or go on with one after cutting it to `length` bytes.

        Raises `OutputError` where the file cannot be opened or is shorter than that.
        """
        if path == STDOUT:
            with written(path):
                put(sys.stdout.buffer, head)
            return cls(path, sys.stdout.buffer, compose)
        with written(path):
            file = path.open("r+b" if length else "wb", buffering=CHUNK)
            if file.seek(0, os.SEEK_END) < length:
                file.close()
                raise OutputError(
                    f"is shorter than the {length} bytes that were written",
                    where=str(path),
                    hint="start anew, without --resume",
                )
            file.truncate(length)
            file.seek(length)
            if not length:
                put(file, head)
        return cls(path, file, compose)

    def write(self, record: Record) -> None:
        """Append one record."""
        data = self.compose(record)
        with written(self.path):
            put(self.file, data)

    def checkpoint(self) -> int:
        """Bring all to disk; return the file's length in bytes."""
        with written(self.path):
            self.file.flush()
            if self.path == STDOUT:
                return 0
            os.fsync(self.file.fileno())
            return self.file.tell()

    def close(self) -> None:
        """Bring all to disk and close the file; standard output stays open."""
        with written(self.path):
            try:
                self.checkpoint()
            finally:
                if self.path != STDOUT:
                    self.file.close()

    def abandon(self) -> None:
        """Let go of the file; standard output stays open."""
        if self.path != STDOUT:
            let_go(self.file)


def put(file: BinaryIO, data: bytes) -> None:
    """Write all of the bytes; an unbuffered standard output may take only part of them at once."""
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]


def let_go(file: BinaryIO) -> None:
    """Close a file that may not be able to take its last bytes."""
    with suppress(OSError):
        file.close()


@contextmanager
def written(path: Path) -> Iterator[None]:
    """Turn what the system says of a file that is written into `OutputError`.

    A pipe whose reader has gone is no fault of the output: `BrokenPipeError` passes.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(
            f"cannot be written: {error.strerror or 'the disk gave no reason'}",
            where="standard output" if path == STDOUT else str(path),
            hint="check the folder, its rights and the space on the disk",
        ) from None
