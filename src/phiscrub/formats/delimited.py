"""Bytes of a delimited table to records, by regular expression (RFC 4180, and what is sloppy).

A quoted cell may hold delimiters, line ends and doubled quotes; in a cell that does not begin
with a quote, quotes are plain characters. A record ends with CRLF, LF, CR or the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from phiscrub.core.errors import SettingsError
from phiscrub.formats.stream import CHUNK

DELIMITERS = (b",", b";", b"\t", b"|")  # in order of preference where counts are equal
QUOTED = rb'"[^"]*+(?:""[^"]*+)*+"'  # possessive: no byte is looked at twice
END = rb"(?:\r\n?|\n|\Z)"
FOR_EXCEL = re.compile(
    rb'(?i)("?)sep=(?P<mark>[^"\r\n\0\x80-\xff])\1(?:\r\n?|\n)'
)  # before a header
LINE = re.compile(rb"[^\r\n]*+" + END)


class Fault(Enum):
    """What keeps bytes from being a row."""

    BLANK = "a blank line"
    COUNT = "another number of cells than the header"
    AFTER_QUOTE = "text after a closing quote"
    UNCLOSED = "a quote that is never closed"
    LONG = "a row over the limit"


@dataclass(frozen=True, slots=True)
class Broken:
    """Bytes that are no row; up to the quote where one is `UNCLOSED`. Then nothing follows."""

    raw: bytes = field(repr=False)
    fault: Fault


FATAL = frozenset((Fault.UNCLOSED, Fault.LONG))  # nothing behind them can be trusted
Row = re.Match[bytes]


@dataclass(frozen=True, slots=True)
class Splitter:
    """Cuts bytes into rows of `count` cells; group ``n + 1`` of a row is cell ``n``, raw."""

    delimiter: bytes
    row: re.Pattern[bytes]
    strict: re.Pattern[bytes]
    loose: re.Pattern[bytes]
    clean: re.Pattern[bytes]
    closed: re.Pattern[bytes]

    @classmethod
    def of(cls, delimiter: bytes, count: int) -> Splitter:
        """Compile the patterns of a table."""
        mark = re.escape(delimiter)
        bare = rb"[^" + mark + rb"\r\n]*+"
        strict = rb"(?:" + QUOTED + rb'|(?!")' + bare + rb")"
        loose = rb"(?:" + QUOTED + rb'|(?!"))' + bare
        clean = rb"(?:" + QUOTED + rb'|[^"' + mark + rb"\r\n]*+)"
        return cls(
            delimiter,
            row=re.compile(mark.join([rb"(" + strict + rb")"] * count) + END),
            strict=re.compile(strict + rb"(?:" + mark + strict + rb")*+" + END),
            loose=re.compile(loose + rb"(?:" + mark + loose + rb")*+" + END),
            clean=re.compile(mark.join([clean] * count) + END),
            closed=re.compile(rb"(?:" + loose + mark + rb")*+"),
        )

    def split(
        self, read: Callable[[int], bytes], buffer: bytes, limit: int
    ) -> Iterator[Row | Broken]:
        """Yield rows, and what is none, in order; their bytes add up to the input.

        `buffer` holds bytes that were read before. No row is longer than `limit` bytes, and
        memory stays within a small multiple of it.
        """
        match, at, size, ended = self.row.match, 0, len(buffer), False
        while not (ended and at == size):
            row = match(buffer, at) if at < size else None
            if row is not None and (row.end() < size or ended) and row.end() - at <= limit:
                yield row
                at = row.end()
                continue
            end = self._end(buffer, at, ended=ended) if at < size else None
            if (size if end is None else end) - at > limit or (ended and end is None):
                yield self._endless(buffer, at, limit)
                return
            if end is not None:
                yield Broken(buffer[at:end], self._fault(buffer, at, end))
                at = end
                continue
            more = read(max(CHUNK, size - at))  # doubling keeps a long row's cost linear
            buffer, at, ended = buffer[at:] + more, 0, not more
            size = len(buffer)

    def cells(self, data: bytes) -> list[bytes] | None:
        """Cut the first record of `data` into raw cells; None where it is no record."""
        whole = self.strict.match(data)
        if whole is None:
            return None
        cell = re.compile(rb"(" + QUOTED + rb"|[^" + re.escape(self.delimiter) + rb"\r\n]*+)")
        cells, at = [], 0
        while found := cell.match(data, at):
            cells.append(found[0])
            at = found.end() + 1
            if data[found.end() : at] != self.delimiter:
                break
        return cells

    def _end(self, buffer: bytes, at: int, *, ended: bool) -> int | None:
        """Return where the broken record at `at` ends, or None where that is not in the buffer.

        Text after a closing quote leaves open what is inside and what is outside quotes, and a
        line of a note must not be taken for a row, because its cells would pass through. So the
        record goes on to the line end where its quotes are in balance, or before a row that is
        quoted as it should be.
        """
        loose = self.loose.match(buffer, at)
        if loose is None or (loose.end() == len(buffer) and not ended):
            return None
        end = loose.end()
        if self.strict.match(buffer, at) is not None:
            return end
        quotes = buffer.count(b'"', at, end)
        while quotes % 2 and end < len(buffer):
            ahead = self.loose.match(buffer, end)
            if not ended and (ahead is None or ahead.end() == len(buffer)):
                return None
            row = self.clean.match(buffer, end)
            if row is not None and b'"' in row[0]:
                return end
            stop = LINE.match(buffer, end).end()  # type: ignore[union-attr]  # always matches
            quotes += buffer.count(b'"', end, stop)
            end = stop
        return end if ended or end < len(buffer) else None

    def _fault(self, buffer: bytes, at: int, end: int) -> Fault:
        if not buffer[at:end].strip(b"\r\n"):
            return Fault.BLANK
        return Fault.AFTER_QUOTE if self.strict.match(buffer, at) is None else Fault.COUNT

    def _endless(self, buffer: bytes, at: int, limit: int) -> Broken:
        """Tell an open quote, which spoils all behind it, from a row that is merely long."""
        window = buffer[at : at + limit]
        opened = self.closed.match(window).end()  # type: ignore[union-attr]  # always matches
        unclosed = window[opened : opened + 1] == b'"'
        return Broken(window[:opened], Fault.UNCLOSED if unclosed else Fault.LONG)


def delimiter_of(named: str | None, header: bytes) -> bytes:
    r"""Return the delimiter that was named (`\t` is the tab), or that cuts the header the most.

    Raises `SettingsError` where the name is not one ASCII character that can delimit.
    """
    if named is not None:
        known = "\t" if named == r"\t" else named
        if len(known) != 1 or not known.isascii() or known in '"\r\n\0':
            raise SettingsError(f"{named!r} is no delimiter", hint="use , or ; or | or \\t")
        return known.encode()
    counts = {mark: len(Splitter.of(mark, 1).cells(header) or ()) for mark in DELIMITERS}
    best = max(DELIMITERS, key=counts.__getitem__)
    return best if counts[best] > 1 else DELIMITERS[0]
