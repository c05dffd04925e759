"""Bytes of a JSON file to the bytes of its values, without reading what they say."""

from __future__ import annotations

import re
from collections.abc import Callable

from phiscrub.core.errors import InputError, Place
from phiscrub.formats.record import Position
from phiscrub.formats.stream import CHUNK

WHITE = re.compile(rb"[ \t\r\n]*+")
PART = re.compile(
    rb'[^"\[\]{}]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"|(?P<open>[\[{])|(?P<close>[\]}]))', re.DOTALL
)
SCALAR = re.compile(rb'[^\s,\[\]{}"]++')
ODD = (b"", b",", b":", b"]", b"}")  # what begins no value


class Cutter:
    """Cuts values from where one begins or has ended; memory stays within a few times `limit`.

    `is_array` says that commas part the values and a bracket ends them.
    """

    def __init__(
        self,
        read: Callable[[int], bytes],
        limit: int,
        start: Position,
        name: str,
        *,
        is_array: bool,
    ) -> None:
        self._read, self._limit, self._name, self._is_array = read, limit, name, is_array
        self._buffer, self._at = b"", 0
        self.position = start

    def place(self) -> Place:
        """Return where the value is that begins here."""
        here = self.position
        return Place(self._name, here.line + 1, record=str(here.index + 1))

    def gap(self) -> bytes | None:
        """Pass what stands before the next value, and return it; None where none follows.

        Raises `InputError` for anything that may not stand there.
        """
        gap = self._white()
        sign = self._sign()
        if not self._is_array:
            if sign not in (b"", b"{"):
                raise self._odd()
            return gap if sign else None
        if sign == b"]":
            self._passed(1)
            self._white()
            if self._sign():
                raise self._odd()
            return None
        if self.position.index:
            if sign != b",":
                raise self._odd()
            gap += self._passed(1) + self._white()
        if self._sign() in ODD:
            raise self._odd()
        return gap

    def value(self) -> bytes:
        """Return the value that begins here; raise `InputError` where it does not end."""
        nested = self._sign() in (b"{", b"[", b'"')
        raw = self._passed(self._end() if nested else self._end_of_scalar())
        here = self.position
        self.position = Position(here.offset, here.line, here.index + 1)
        return raw

    def _end(self) -> int:
        """Return how long the string, object or array is that begins here."""
        size, depth = 0, 0
        while True:
            part = PART.match(self._buffer, self._at + size)
            if part is not None:
                size = part.end() - self._at
                depth += (part["open"] is not None) - (part["close"] is not None)
            if (size if part is not None else len(self._buffer) - self._at) > self._limit:
                hint = "split it, or raise the limit with --max-note"
                raise InputError("the record is too long", where=self.place(), hint=hint)
            if part is None:
                if not self._grow():
                    hint = "the file may have been cut off: write or fetch it anew"
                    raise InputError("the record has no end", where=self.place(), hint=hint)
            elif depth <= 0:
                return size

    def _end_of_scalar(self) -> int:
        """Return how long the number or word is that begins here."""
        while True:
            scalar = SCALAR.match(self._buffer, self._at)
            end = self._at if scalar is None else scalar.end()
            if end < len(self._buffer) or end - self._at > self._limit or not self._grow():
                return end - self._at

    def _white(self) -> bytes:
        """Pass white space, and return it."""
        passed = b""
        while True:
            end = WHITE.match(self._buffer, self._at).end()  # type: ignore[union-attr]
            passed += self._passed(end - self._at)
            if self._at < len(self._buffer) or not self._grow():
                return passed

    def _sign(self) -> bytes:
        """Return the byte that stands here; empty at the end."""
        if self._at == len(self._buffer):
            self._grow()
        return self._buffer[self._at : self._at + 1]

    def _passed(self, size: int) -> bytes:
        """Go on behind so many bytes, and return them."""
        data = self._buffer[self._at : self._at + size]
        here = self.position
        self._at += size
        self.position = Position(here.offset + size, here.line + data.count(b"\n"), here.index)
        return data

    def _grow(self) -> bool:
        """Read on, twice as much where a long value goes on; tell whether anything came."""
        left = self._buffer[self._at :]
        more = self._read(max(CHUNK, len(left)))
        self._buffer, self._at = left + more, 0
        return bool(more)

    def _odd(self) -> InputError:
        return InputError(
            "is no JSON between two records" if self.position.index else "is no JSON",
            where=Place(self._name, self.position.line + 1),
            hint="write it anew with a program that writes JSON",
        )
