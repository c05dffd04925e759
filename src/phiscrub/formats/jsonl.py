"""JSON Lines: an object a line, of which only texts and mentions are ever rewritten."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath
from typing import cast

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import EncodingError, InputError, PhiscrubError, Place
from phiscrub.core.mention import Annotated
from phiscrub.formats.choose import MENTIONS, Columns, choose
from phiscrub.formats.encoding import Encoding, check_text
from phiscrub.formats.limits import check_size
from phiscrub.formats.mentions import read_mentions, write_mentions
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import Source
from phiscrub.formats.stream import CHUNK, ByteWriter, byte_encoding, opened, placed_error

SUFFIXES = (".jsonl", ".ndjson")
WIDEST = 6  # bytes a character: \u0041
SLACK = 1 << 20  # bytes of a line beside its note
MARK = "\ufeff"
SPACE = re.compile(r"[ \t\r\n]*+")
DECODE = json.JSONDecoder().raw_decode


@dataclass(frozen=True, slots=True)
class Layout:
    """How the lines are encoded."""

    encoding: Encoding


@dataclass(frozen=True, slots=True)
class Line:
    """A line as it was: where its texts and its mentions stand, and what the texts say.

    `names` are the keys of the texts that are there; a text that is null has no note.
    """

    raw: str = field(repr=False)
    names: tuple[str, ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)
    columns: tuple[str, ...] = ()
    mentions: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Member:
    """A key of a line's object with its value, and where the value stands in the line."""

    key: str
    value: object = field(repr=False)
    span: tuple[int, int]


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
        """Look at the first bytes; raise `InputError` where there are none or they are UTF-16."""
        head = source.head()
        if not head:
            raise InputError("is empty", where=source.name, hint="it needs an object a line")
        encoding = byte_encoding(head, options.encoding or "utf-8", source.name)
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
        known: dict[tuple[str, ...], Columns] = {}
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
                    yield self._record(raw, known, where, after)
                except PhiscrubError as caught:
                    yield Failure(placed_error(caught, where), after)

    def about(self, record: Record) -> dict[str, str]:
        """Return the strings that a line holds beside its texts, by their keys."""
        line = record.carry
        if not isinstance(line, Line) or not line.names:
            return {}
        members = _members(line.raw, int(line.raw.startswith(MARK)), Place())
        words = {member.key: member.value for member in members if member.key not in line.names}
        return {key: value for key, value in words.items() if isinstance(value, str)}

    def _record(
        self, raw: bytes, known: dict[tuple[str, ...], Columns], where: Place, after: Position
    ) -> Record:
        line = self._decoded(raw, where)
        first = after.index == 1 and line.startswith(MARK)
        if not line[first:].strip(" \t\r\n"):
            return Record((), Line(line), after)
        members = _members(line, int(first), where)
        keys = tuple(member.key for member in members)
        if keys not in known:
            known[keys] = self._choose(keys)
        columns = known[keys]
        base = _word(members, columns.id) or f"{self.source.stem}-{after.index}"
        key = _word(members, columns.subject)
        subject = Subject(key) if key else None
        names = [columns.names[column] for column in columns.texts]
        place = None if columns.mentions is None else members[columns.mentions]
        found = read_mentions(place.value if place else None, names)
        meta = _meta(members)
        texts, notes = [], []
        for column in columns.texts:
            member = members[column]
            if member.value is None:
                continue
            if not isinstance(member.value, str):
                raise InputError(f"{member.key!r} is no string", hint="texts must be strings")
            check_size(len(member.value), self.options.max_note, where)
            if "\0" in member.value or not member.value.isascii():  # two glances cost less
                check_text(member.value, where)
            document = Document(columns.note_id(base, column), member.value, subject, meta)
            notes.append(Annotated(document, found[member.key]))
            texts.append(member)
        carry = Line(
            line,
            names=tuple(member.key for member in texts),
            spans=tuple(member.span for member in texts),
            texts=tuple(note.document.text for note in notes),
            columns=tuple(names),
            mentions=None if place is None else place.span,
        )
        return Record(tuple(notes), carry, after)

    def _decoded(self, raw: bytes, where: Place) -> str:
        try:
            return raw.decode(self.layout.encoding.name)
        except UnicodeDecodeError as error:
            raise EncodingError(
                f"byte {raw[error.start]:#04x} is not {self.layout.encoding.name}",
                where=where,
                hint="convert the file to UTF-8",
            ) from None

    def _choose(self, keys: tuple[str, ...]) -> Columns:
        options = self.options
        if options.subject_column is None and "subject" in keys:
            options = replace(options, subject_column="subject")
        return choose(keys, options, "key")


def _members(line: str, at: int, where: Place) -> list[Member]:
    """Cut the object that is the whole line into its members."""

    def sign(at: int, wanted: str) -> int:
        if line[at : at + 1] not in wanted or at >= len(line):
            raise json.JSONDecodeError("unexpected", line, at)
        return _skip(line, at + 1)

    members: list[Member] = []
    try:
        at = sign(_skip(line, at), "{")
        while line[at : at + 1] != "}":
            if members:
                at = sign(at, ",")
            if line[at : at + 1] != '"':
                raise json.JSONDecodeError("unexpected", line, at)
            key, at = DECODE(line, at)
            start = sign(_skip(line, at), ":")
            value, end = DECODE(line, start)
            members.append(Member(key, value, (start, end)))
            at = _skip(line, end)
        at = sign(at, "}")
        if at < len(line):
            raise json.JSONDecodeError("unexpected", line, at)
    except (ValueError, RecursionError) as error:
        place = replace(where, offset=getattr(error, "pos", None))
        raise InputError(
            "the line is no JSON object", where=place, hint="each line must be one"
        ) from None
    return members


def _skip(line: str, at: int) -> int:
    return cast(re.Match[str], SPACE.match(line, at)).end()


def _word(members: list[Member], index: int | None) -> str:
    """Return an id or a subject: a string or a whole number; empty where there is none."""
    value = None if index is None else members[index].value
    if value is None:
        return ""
    if isinstance(value, bool) or not isinstance(value, str | int):
        key = members[cast(int, index)].key
        raise InputError(f"{key!r} is neither a string nor a whole number")
    word = str(value)
    check_text(word, Place())
    return word


def _meta(members: list[Member]) -> dict[str, str]:
    """Return the metadata that `_plain` wrote; a `meta` of another shape only passes through."""
    value = next((member.value for member in members if member.key == "meta"), None)
    if not isinstance(value, dict) or not all(isinstance(word, str) for word in value.values()):
        return {}
    return value


def _spliced(layout: Layout, record: Record) -> bytes:
    """Return the line itself, with the texts that have changed and the mentions anew."""
    line = record.carry
    if not isinstance(line, Line):
        raise TypeError("lines with a layout take the records of the same file")
    ascii_only = layout.encoding.name != "utf-8"  # an escape stands for what cannot be encoded
    edits = [
        (span, json.dumps(note.document.text, ensure_ascii=ascii_only))
        for span, text, note in zip(line.spans, line.texts, record.notes, strict=True)
        if note.document.text != text
    ]
    if line.mentions is not None:
        claims = (
            (name, mention)
            for name, note in zip(line.names, record.notes, strict=True)
            for mention in note.mentions
        )
        edits.append((line.mentions, write_mentions(claims, line.columns)))
    raw = line.raw
    for (start, end), data in sorted(edits, reverse=True):
        raw = raw[:start] + data + raw[end:]
    return Encoding(layout.encoding.name).encode(raw)


def _plain(encoding: Encoding, record: Record) -> bytes:
    """Return a line a note."""
    lines = []
    for note in record.notes:
        document = note.document
        line: dict[str, object] = {"id": document.id, "text": document.text}
        claims = write_mentions((("text", mention) for mention in note.mentions), ["text"])
        line[MENTIONS] = json.loads(claims)
        if document.subject is not None:
            line["subject"] = document.subject.key
        if document.meta:
            line["meta"] = dict(document.meta)
        lines.append(json.dumps(line, ensure_ascii=encoding.name != "utf-8") + "\n")
    return encoding.encode("".join(lines))
