"""Bytes of a delimited table to records, by regular expression (RFC 4180, and what is sloppy).

A quoted cell may hold delimiters, line ends and doubled quotes; in a cell that does not begin
with a quote, quotes are plain characters. A record ends with CRLF, LF, CR or the file. Where a
sign escapes what is behind it, that ends neither cell nor record, and a CR alone ends none either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum

from phiscrub.core.errors import SettingsError
from phiscrub.formats.escaping import escaped, unescaped
from phiscrub.formats.stream import CHUNK

DELIMITERS = (b",", b";", b"\t", b"|")  # in order of preference where counts are equal
BACKSLASH = b"\\"
QUOTED = rb'"[^"]*+(?:""[^"]*+)*+"'  # possessive: no byte is looked at twice
END = rb"(?:\r\n?|\n|\Z)"
ESCAPED_END = rb"(?:\r?\n|\r?\Z)"  # MySQL escapes only the LF of CRLF
FOR_EXCEL = re.compile(
    rb'(?i)("?)sep=(?P<mark>[^"\r\n\0\x80-\xff])\1(?:\r\n?|\n)'
)  # before a header


class Fault(Enum):
    """What keeps bytes from being a row."""

    BLANK = "a blank line"
    ESCAPE = "a backslash that may escape what ends the cell"
    LED = "behind a row that may go on here"
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
    escape: bytes
    doubts: bool
    row: re.Pattern[bytes]
    strict: re.Pattern[bytes]
    loose: re.Pattern[bytes]
    clean: re.Pattern[bytes]
    closed: re.Pattern[bytes]
    cell: re.Pattern[bytes]
    line: re.Pattern[bytes]

    @classmethod
    def of(
        cls, delimiter: bytes, count: int, escape: bytes = b"", *, doubts: bool = True
    ) -> Splitter:
        """Compile the patterns of a table, in which a sign may `escape` what is behind it.

        Where none does, `doubts` says that a backslash before the end of a cell may.
        """
        mark, sign = re.escape(delimiter), re.escape(escape)
        pair = sign + rb"(?s:.|\Z)"

        def bare(more: bytes) -> bytes:
            if not escape:
                return rb"[^" + more + rb"\r\n]*+"
            plain = rb"[^" + more + sign + rb"\r\n]*+"
            return plain + rb"(?:(?:" + pair + rb"|\r(?!\n|\Z))" + plain + rb")*+"

        inside = rb'[^"' + sign + rb"]*+"
        escaped = rb'"' + inside + rb'(?:(?:""|' + pair + rb")" + inside + rb')*+"'
        quoted, end = (escaped, ESCAPED_END) if escape else (QUOTED, END)
        strict = rb"(?:" + quoted + rb'|(?!")' + bare(mark) + rb")"
        loose = rb"(?:" + quoted + rb'|(?!"))' + bare(mark)
        clean = rb"(?:" + quoted + rb"|" + bare(rb'"' + mark) + rb")"
        return cls(
            delimiter,
            escape,
            doubts and not escape,
            row=re.compile(mark.join([rb"(" + strict + rb")"] * count) + end),
            strict=re.compile(strict + rb"(?:" + mark + strict + rb")*+" + end),
            loose=re.compile(loose + rb"(?:" + mark + loose + rb")*+" + end),
            clean=re.compile(mark.join([clean] * count) + end),
            closed=re.compile(rb"(?:" + loose + mark + rb")*+"),
            cell=re.compile(rb"(" + quoted + rb"|" + bare(mark) + rb")"),
            line=re.compile(bare(b"") + end),
        )

    def split(
        self, read: Callable[[int], bytes], buffer: bytes, limit: int, *, led: bool = False
    ) -> Iterator[Row | Broken]:
        """Yield rows, and what is none, in order; their bytes add up to the input.

        `buffer` holds bytes that were read before; `led` says that what stands before them may go
        on there. No row is longer than `limit` bytes, and memory stays within a small multiple of
        it.
        """
        match, at, size, ended = self.row.match, 0, len(buffer), False
        signs = self.doubts and BACKSLASH in buffer
        while not (ended and at == size):
            row = match(buffer, at) if at < size else None
            if row is not None and (row.end() < size or ended) and row.end() - at <= limit:
                doubtful = signs and buffer.find(BACKSLASH, at, row.end()) >= 0 and _escapes(row)
                fault = Fault.ESCAPE if doubtful else Fault.LED
                yield Broken(row[0], fault) if doubtful or led else row
                led, at = doubtful and self.leads(row[0]), row.end()
                continue
            end = self._end(buffer, at, ended=ended) if at < size else None
            if (size if end is None else end) - at > limit or (ended and end is None):
                yield self._endless(buffer, at, limit)
                return
            if end is not None:
                fault = self._fault(buffer, at, end)
                fault = Fault.LED if led and fault is Fault.COUNT else fault
                yield Broken(buffer[at:end], fault)
                led, at = self.leads(buffer[at:end]), end
                continue
            more = read(max(CHUNK, size - at))  # doubling keeps a long row's cost linear
            buffer, at, ended = buffer[at:] + more, 0, not more
            size, signs = len(buffer), self.doubts and BACKSLASH in buffer

    def leads(self, raw: bytes) -> bool:
        """Tell whether what is behind a broken row may be the rest of it."""
        return self.doubts and _goes_on(raw)

    def may_escape(self, raw: bytes) -> bool:
        """Tell whether bytes hold a backslash that may escape a delimiter or line end."""
        ends = (self.delimiter, b"\n", b"\r")
        return self.doubts and any(BACKSLASH + end in raw for end in ends)

    def said(self, raw: bytes) -> bytes:
        """Return what a raw cell says."""
        if self.escape:
            return unescaped(raw, self.escape, self.delimiter)
        return raw[1:-1].replace(b'""', b'"') if raw.startswith(b'"') else raw

    def raw(self, data: bytes, was: bytes = b"") -> bytes:
        """Return the raw cell that says `data`, in quotes where the one that `was` there is."""
        if self.escape:
            return escaped(data, self.escape, self.delimiter, was)
        signs = (b'"', self.delimiter, b"\n", b"\r")
        must = any(sign in data for sign in signs) or data.endswith(BACKSLASH)
        if must or was.startswith(b'"'):
            return b'"' + data.replace(b'"', b'""') + b'"'
        return data

    def cells(self, data: bytes) -> list[bytes] | None:
        """Cut the first record of `data` into raw cells; None where it is no record."""
        whole = self.strict.match(data)
        if whole is None:
            return None
        cells, at = [], 0
        while found := self.cell.match(data, at):
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
        quotes = self._quotes(buffer[at:end])
        while quotes % 2 and end < len(buffer):
            ahead = self.loose.match(buffer, end)
            if not ended and (ahead is None or ahead.end() == len(buffer)):
                return None
            row = self.clean.match(buffer, end)
            if row is not None and b'"' in row[0]:
                return end
            stop = self.line.match(buffer, end).end()  # type: ignore[union-attr]  # always matches
            quotes += self._quotes(buffer[end:stop])
            end = stop
        return end if ended or end < len(buffer) else None

    def _quotes(self, raw: bytes) -> int:
        """Count the quotes that no sign escapes."""
        if self.escape and self.escape in raw:
            raw = re.sub(re.escape(self.escape) + rb"(?s:.)", b"", raw)
        return raw.count(b'"')

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


def _escapes(row: Row) -> bool:
    """Tell whether a cell, which then has no quotes, ends in an odd number of backslashes."""
    return any(map(_goes_on, row.groups()))


def _goes_on(raw: bytes) -> bool:
    """Tell whether the last sign of bytes, less line ends, may escape what is behind it."""
    told = raw.rstrip(b"\r\n")
    return bool((len(told) - len(told.rstrip(BACKSLASH))) % 2)


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
