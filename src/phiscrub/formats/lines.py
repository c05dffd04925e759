"""Lines of a file, with their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import BinaryIO

from phiscrub.core.errors import EncodingError, InputError, PhiscrubError, Place
from phiscrub.formats.encoding import HINT, Encoding
from phiscrub.formats.record import Position
from phiscrub.formats.stream import CHUNK


@dataclass(frozen=True, slots=True)
class Line:
    """A line with its LF, its number from 1, and the byte behind it.

    `fault` says that it is too long or that its bytes are not of the encoding; `text` then is
    only what could be read.
    """

    text: str = field(repr=False)
    number: int
    end: int
    fault: PhiscrubError | None = None


def read_lines(
    file: BinaryIO, encoding: Encoding, name: str, limit: int, start: Position
) -> Iterator[Line]:
    """Yield the lines of a file that stands at a position; only LF ends one, CR is text.

    A line of more than `limit` bytes is a fault.
    """
    end, number = start.offset, start.line
    while data := file.readline(limit + 1):
        begin, number = end, number + 1
        end += len(data)
        fault: PhiscrubError | None = None
        if len(data) > limit:
            end += _skip_line(file, data)
            hint = "end each row with a line feed, or raise the limit with --max-note"
            fault = InputError("the line is too long", where=Place(name, number), hint=hint)
        mark = len(encoding.bom) if begin == 0 and data.startswith(encoding.bom) else 0
        try:
            text = data[mark:].decode(encoding.name)
        except UnicodeDecodeError as error:
            text = data[mark:].decode(encoding.name, "replace")
            at = error.start + mark
            fault = fault or EncodingError(
                f"byte {data[at]:#04x} is not {encoding.name}",
                where=Place(name, number, begin + at),
                hint=HINT,
            )
        yield Line(text, number, end, fault)


def _skip_line(file: BinaryIO, data: bytes) -> int:
    """Read over the rest of a line; return its length in bytes."""
    skipped = 0
    while data and not data.endswith(b"\n"):
        data = file.readline(CHUNK)
        skipped += len(data)
    return skipped
