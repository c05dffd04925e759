"""A JSON file: objects in an array, or one behind the other, over any number of lines."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath

from phiscrub.core.errors import InputError, PhiscrubError
from phiscrub.formats.encoding import Encoding
from phiscrub.formats.json_cutter import Cutter
from phiscrub.formats.json_object import SLACK, WIDEST, Object, ObjectReader, written_object
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import Source
from phiscrub.formats.stream import ByteWriter, byte_encoding, opened, placed_error, put, written

BLANK = b" \t\r\n"
BOM = b"\xef\xbb\xbf"
BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?[ \t\r\n]*+(?:(?P<array>\[)[ \t\r\n]*+)?")
LIKE = re.compile(  # an object with a key or an array of such, one of strings, an empty one
    rb'(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*+"\s*:'
    rb'|\[\s*(?:"(?:[^"\\]|\\.)*+"\s*[,\]]|\]\s*\Z)',
    re.DOTALL,
)
TAIL = 4_096  # bytes at a file's end in which the array's last bracket must stand
Part = tuple[bytes, bytes]  # what parts an object from the one before it, and the object


@dataclass(frozen=True, slots=True)
class Layout:
    """What stands around the objects of a file: an array's brackets, or white space alone."""

    encoding: Encoding
    head: bytes
    tail: bytes
    is_array: bool


class Json:
    """An array of such objects, or a single one, over any lines; written in the same layout."""

    name = "json"
    suffix = ".json"
    label_set = None
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:
        """Accept files by suffix, or where an object or an array begins; no note begins so."""
        if path is not None and path.suffix.lower() == self.suffix:
            return True
        return LIKE.match(head.removeprefix(BOM).lstrip(BLANK)) is not None

    def open(self, source: Source, options: Options) -> JsonFileReader:
        """Look at both ends; raise `InputError` where no object begins or the array has no end."""
        head = source.head()
        encoding = byte_encoding(head, options.encoding or "utf-8", source.name)
        begin = BEGIN.match(head)
        is_array = begin is not None and begin["array"] is not None
        sign = b"" if begin is None else head[begin.end() : begin.end() + 1]
        if begin is None or not (is_array or sign == b"{" or not head.strip(BLANK)):
            raise InputError(
                "is neither a JSON array nor an object",
                where=source.name,
                hint="where it is a note, read it with --from text",
            )
        tail = _tail(source, begin[0], is_array=is_array)
        return JsonFileReader(source, options, Layout(encoding, begin[0], tail, is_array))

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> JsonWriter:
        """Write objects in the layout of their file, or `id`, `text`, `mentions` in an array."""
        if isinstance(layout, Layout):
            return JsonWriter.create(path, layout, length, partial(_spliced, layout))
        anew = Layout(Encoding(options.encoding or "utf-8"), b"[\n", b"\n]\n", is_array=True)
        return JsonWriter.create(path, anew, length, partial(_plain, anew))


@dataclass(frozen=True, slots=True)
class JsonFileReader:
    """Reads objects from behind any of them; one that cannot be read is a failure.

    What is wrong between them ends the file with `InputError`.
    """

    source: Source
    options: Options
    layout: Layout

    def records(self, start: Position = Position()) -> Iterator[Record | Failure]:  # noqa: B008
        """Yield a record an object; offsets are bytes."""
        name, head = self.source.name, self.layout.head
        objects = ObjectReader(self.options, self.layout.encoding.name, self.source.stem, "record")
        with opened(self.source, start.offset) as file:
            if not start.offset:
                start = Position(len(file.read(len(head))), head.count(b"\n"))
            limit = self.options.max_note * WIDEST + SLACK
            cutter = Cutter(file.read, limit, start, name, is_array=self.layout.is_array)
            while (before := cutter.gap()) is not None:
                where = cutter.place()
                raw = cutter.value()
                after = cutter.position
                try:
                    text = objects.decoded(raw, where)
                    notes, carry = objects.read(text, 0, after.index, where)
                except PhiscrubError as error:
                    yield Failure(placed_error(error, where), after)
                else:
                    carry = replace(carry, before=before)
                    declined = carry.declined
                    yield Record(notes, carry, after, line=where.line, declined=declined)

    def about(self, record: Record) -> dict[str, str]:
        """Return the words that an object holds beside its texts and mentions, by their keys."""
        return record.carry.about() if isinstance(record.carry, Object) else {}


@dataclass(frozen=True, slots=True)
class JsonWriter:
    """Appends objects; what stands before one is left out where it is the first."""

    file: ByteWriter
    tail: bytes = field(repr=False)

    @classmethod
    def create(
        cls, path: Path, layout: Layout, length: int, parts: Callable[[Record], list[Part]]
    ) -> JsonWriter:
        """Start a file, or go on with one after cutting it to `length` bytes."""
        joined = _Joined(parts, begun=length > len(layout.head))
        return cls(ByteWriter.create(path, length, layout.head, joined), layout.tail)

    def write(self, record: Record) -> None:
        """Append the record's objects."""
        self.file.write(record)

    def checkpoint(self) -> int:
        """Bring all to disk; return the file's length, its tail not among it."""
        return self.file.checkpoint()

    def close(self) -> None:
        """Write the tail and close the file."""
        try:
            with written(self.file.path):
                put(self.file.file, self.tail)
        except BaseException:
            self.file.abandon()
            raise
        self.file.close()

    def abandon(self) -> None:
        """Let go of the file."""
        self.file.abandon()


@dataclass(slots=True)
class _Joined:
    """Composes the bytes of a record; `begun` says that an object stands in the file."""

    parts: Callable[[Record], list[Part]]
    begun: bool

    def __call__(self, record: Record) -> bytes:
        data = b""
        for before, raw in self.parts(record):
            data += before + raw if self.begun else raw
            self.begun = True
        return data


def _tail(source: Source, head: bytes, *, is_array: bool) -> bytes:
    """Return what stands behind the last object; what is usual for standard input."""
    if source.path is None:
        return (b"\n" if b"\n" in head else b"") + b"]\n" if is_array else b"\n"
    with source.open() as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(len(head), size - TAIL))
        data = file.read()
    body = data.rstrip(BLANK)
    if not is_array:
        return data[len(body) :]
    if not body.endswith(b"]"):
        hint = "it may have been cut off: write or fetch it anew"
        raise InputError("the array has no end", where=source.name, hint=hint)
    return data[len(body[:-1].rstrip(BLANK)) :]


def _spliced(layout: Layout, record: Record) -> list[Part]:
    """Return the object itself, with the texts that have changed and the mentions anew."""
    carry, encoding = record.carry, layout.encoding.name
    if not isinstance(carry, Object):
        raise TypeError("a file with a layout takes the records of that file")
    return [(carry.before, Encoding(encoding).encode(carry.spliced(record.notes, encoding)))]


def _plain(layout: Layout, record: Record) -> list[Part]:
    """Return an object a note."""
    encoding = layout.encoding
    return [(b",\n", encoding.encode(written_object(note, encoding))) for note in record.notes]
