"""JSON Lines: an object a line, of which only texts and mentions are ever rewritten."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePath

from phiscrub.core.errors import InputError, PhiscrubError, Place
from phiscrub.formats.encoding import Encoding
from phiscrub.formats.json_object import (
    MARK,
    SLACK,
    WIDEST,
    Object,
    ObjectReader,
    written_object,
)
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import Source
from phiscrub.formats.stream import CHUNK, ByteWriter, byte_encoding, opened, placed_error

SUFFIXES = (".jsonl", ".ndjson")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines are encoded."""

    encoding: Encoding


class JsonLines:
    """One JSON object a line, with a text, and where known an id, a subject and mentions."""

    name = "jsonl"
    suffix = ".jsonl"
    label_set = None
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:
        """Accept files by suffix, or where the first line is an object, or begins as one."""
        if path is not None and path.suffix.lower() in SUFFIXES:
            return True
        first, end, _ = head.decode("utf-8", "replace").lstrip(MARK + "\r\n\t ").partition("\n")
        if not end:
            return re.match(r'\{\s*"', first) is not None
        try:
            return isinstance(json.loads(first), dict)
        except (ValueError, RecursionError):
            return False

    def open(self, source: Source, options: Options) -> JsonReader:
        """Look at the first bytes; raise `InputError` where they are UTF-16."""
        encoding = byte_encoding(source.head(), options.encoding or "utf-8", source.name)
        return JsonReader(source, options, Layout(encoding))

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> ByteWriter:
        """Write lines with their other keys as they were, or `id`, `text`, `mentions` anew."""
        if isinstance(layout, Layout):
            return ByteWriter.create(path, length, b"", partial(_spliced, layout))
        encoding = Encoding(options.encoding or "utf-8")
        return ByteWriter.create(path, length, b"", partial(_plain, encoding))


@dataclass(frozen=True, slots=True)
class JsonReader:
    """Reads lines from any byte at which one begins; a line that cannot be read is a failure."""

    source: Source
    options: Options
    layout: Layout

    def records(self, start: Position = Position()) -> Iterator[Record | Failure]:  # noqa: B008
        """Yield a record a line; offsets are bytes. A blank line is a record without notes."""
        offset, index = start.offset, start.index
        limit = self.options.max_note * WIDEST + SLACK
        objects = ObjectReader(self.options, self.layout.encoding.name, self.source.stem, "line")
        with opened(self.source, offset) as file:
            while raw := file.readline(limit + 1):
                offset += len(raw)
                index += 1
                where = Place(self.source.name, line=index, record=str(index))
                if len(raw) > limit:
                    while raw and not raw.endswith(b"\n"):
                        raw = file.readline(CHUNK)
                        offset += len(raw)
                    hint = "split it, or raise the limit with --max-note"
                    error: PhiscrubError = InputError("the line is too long", hint=hint)
                    yield Failure(error.at(where), Position(offset, index, index))
                    continue
                after = Position(offset, index, index)
                try:
                    yield _record(objects, raw, where, after)
                except PhiscrubError as caught:
                    yield Failure(placed_error(caught, where), after)

    def about(self, record: Record) -> dict[str, str]:
        """Return the words that a line holds beside its texts and mentions, by their keys."""
        return record.carry.about() if isinstance(record.carry, Object) else {}


def _record(objects: ObjectReader, raw: bytes, where: Place, after: Position) -> Record:
    line = objects.decoded(raw, where)
    first = after.index == 1 and line.startswith(MARK)
    if not line[first:].strip(" \t\r\n"):
        return Record((), Object(line), after)
    notes, carry = objects.read(line, int(first), after.index, where)
    return Record(notes, carry, after, line=after.index, declined=carry.declined)


def _spliced(layout: Layout, record: Record) -> bytes:
    """Return the line itself, with the texts that have changed and the mentions anew."""
    if not isinstance(record.carry, Object):
        raise TypeError("lines with a layout take the records of the same file")
    encoding = layout.encoding.name
    return Encoding(encoding).encode(record.carry.spliced(record.notes, encoding))


def _plain(encoding: Encoding, record: Record) -> bytes:
    """Return a line a note."""
    lines = [written_object(note, encoding) + "\n" for note in record.notes]
    return encoding.encode("".join(lines))
