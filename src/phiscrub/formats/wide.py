"""UTF-16 and UTF-32 read as UTF-8, so that a file can be cut into records as bytes, and back."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from phiscrub.formats.encoding import Encoding
from phiscrub.formats.source import Source
from phiscrub.formats.stream import CHUNK, WIDE, opened

BROKEN = "\udfff"  # stands for bytes that are no character; as UTF-8, no decoder takes it


def _broken(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return BROKEN, error.end


codecs.register_error("phiscrub-broken", _broken)


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes:
        """Return some bytes, at most about so many; none at the end."""
        ...


def is_wide(encoding: Encoding) -> bool:
    """Tell whether a delimiter is more than a byte in this encoding."""
    return encoding.name.startswith(WIDE)


def read_as(encoding: Encoding) -> Encoding:
    """Return the encoding of what is read: UTF-8 for wide characters."""
    return Encoding() if is_wide(encoding) else encoding


class Narrowed:
    """A file of wide characters, as UTF-8; what is no character becomes bytes that are none."""

    def __init__(self, file: Readable, encoding: Encoding, rest: bytes = b"") -> None:
        """Go on behind the mark; `rest` is the part of a character that was read before."""
        self._file = file
        self._decoder = codecs.getincrementaldecoder(encoding.name)("phiscrub-broken")
        self._decoder.setstate((rest, 0))

    @property
    def rest(self) -> bytes:
        """The part of a character that was read and not yet given."""
        return self._decoder.getstate()[0]

    def read(self, size: int, /) -> bytes:
        """Return some bytes, none at the end."""
        while True:
            data = self._file.read(size)
            told = self._decoder.decode(data, final=not data)
            if told or not data:
                return told.encode("utf-8", "surrogatepass")


def narrowed(head: bytes, encoding: Encoding) -> tuple[bytes, bytes]:
    """Return a file's first bytes as UTF-8, without the mark, and the part of a character behind.

    Bytes of other encodings are returned as they are, with their mark.
    """
    if not is_wide(encoding):
        return head, b""
    decoder = codecs.getincrementaldecoder(encoding.name)("phiscrub-broken")
    told = decoder.decode(head[len(encoding.bom) :])
    return told.encode("utf-8", "surrogatepass"), decoder.getstate()[0]


def widened(data: bytes, encoding: Encoding) -> bytes:
    """Return UTF-8 as the bytes of a wide encoding; those of others are returned as they are."""
    return data.decode("utf-8").encode(encoding.name) if is_wide(encoding) else data


def wide_size(data: bytes, encoding: Encoding) -> int:
    """Return how many bytes of a wide file UTF-8 stands for, about where some are no character."""
    return len(data.decode("utf-8", "surrogatepass").encode(encoding.name, "surrogatepass"))


@contextmanager
def opened_narrow(
    source: Source, offset: int, encoding: Encoding, rest: bytes = b""
) -> Iterator[Readable]:
    """Open a source at a byte of what is read of it, which is UTF-8 where it is wide.

    Of a wide file all before is read again; standard input goes on where it is, behind `rest`.
    """
    if not is_wide(encoding):
        with opened(source, offset) as file:
            yield file
        return
    with opened(source, 0) as file:
        if source.path is None:
            yield Narrowed(file, encoding, rest)
            return
        file.seek(len(encoding.bom))
        own = Narrowed(file, encoding)
        ahead = _skipped(own, offset)
        yield _Joined(ahead, own)


def _skipped(file: Narrowed, offset: int) -> bytes:
    """Read so many bytes; return what was read behind them."""
    while offset > 0:
        data = file.read(CHUNK)
        if not data or len(data) > offset:
            return data[offset:]
        offset -= len(data)
    return b""


class _Joined:
    """Bytes, and then a file."""

    def __init__(self, ahead: bytes, file: Readable) -> None:
        self._ahead, self._file = ahead, file

    def read(self, size: int, /) -> bytes:
        """Return some bytes, none at the end."""
        ahead, self._ahead = self._ahead, b""
        return ahead or self._file.read(size)
