"""XML of the i2b2 2006 task: many records a file, mentions tagged inside the text."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import BinaryIO

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError, InputError, OutputError, PhiscrubError, Place
from phiscrub.core.labels import UNNAMED, check_label, label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats import xml
from phiscrub.formats.limits import check_size
from phiscrub.formats.record import Failure, Options, Position, Reader, Record, Writer
from phiscrub.formats.source import Source
from phiscrub.formats.stream import let_go

START = Position()
RECORD_DEPTH = 2  # of open elements: the root and the record


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file has besides its records: the root element's name."""

    root: str = "ROOT"


class I2b2Year2006:
    """i2b2 2006 XML: ``<RECORD ID="…"><TEXT>`` with ``<PHI TYPE="…">`` around each mention.

    Offsets count characters of the text without its tags. Any TYPE is read, and written where it
    was read from a file of this format; other notes must have labels of the set. Written as UTF-8.
    """

    name = "i2b2-2006"
    suffix = ".xml"
    label_set = "i2b2-2006"
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Accept XML whose root begins with a RECORD."""
        return xml.sketch(head).child == "RECORD"

    def open(self, source: Source, options: Options) -> Reader:
        """Open a file; raise `InputError` where it is empty or begins with no RECORD."""
        head = source.head()
        if not head:
            raise InputError("is empty", where=source.name, hint="remove it or give it records")
        seen = xml.sketch(head)
        if seen.child not in ("", "RECORD") or not (seen.root or seen.declared):
            raise InputError(
                "has no RECORD elements under its root",
                where=source.name,
                hint="it is no i2b2 2006 XML; name its format with --from",
            )
        return I2b2Year2006Reader(source, options, Layout(seen.root.rpartition(":")[2] or "ROOT"))

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> Writer:  # noqa: ARG002 - the contract's
        """Start a file, or go on with one after cutting it to `length` bytes."""
        return I2b2Year2006Writer(path, layout if isinstance(layout, Layout) else None, length)


class I2b2Year2006Reader:
    """Reads records one at a time; memory grows with the longest only.

    A parser cannot start in the middle of a file: to resume, the records before the position
    are parsed again and passed over. `Position.offset` counts records.
    """

    def __init__(self, source: Source, options: Options, layout: Layout) -> None:
        self._source = source
        self._options = options
        self.layout: object = layout

    def records(self, start: Position = START) -> Iterator[Record | Failure]:
        """Yield the records behind a position; raise `InputError` where the XML breaks."""
        index, depth = 0, 0
        draft: _Draft | None = None
        for event in xml.events(self._source, self._options):
            match event:
                case xml.Start():
                    depth += 1
                    if depth == RECORD_DEPTH:
                        draft = _Draft.of(event, self._source, index, self._options.max_note)
                case xml.End():
                    depth -= 1
                case xml.Chars() if draft is None and not event.text.isspace():
                    raise InputError(
                        "text stands between the records",
                        where=Place(self._source.name, event.line),
                        hint="put it into a RECORD or remove it",
                    )
            if draft is None:
                continue
            draft.take(event)
            if depth < RECORD_DEPTH:
                index += 1
                if index > start.index:
                    yield draft.finish(Position(index, event.line - 1, index))
                draft = None

    def about(self, record: Record) -> dict[str, str]:  # noqa: ARG002 - the contract's
        """Return nothing: a record has an id, a text and marks."""
        return {}


@dataclass(slots=True)
class _Draft:
    """What has been read of one record so far; the first error ends the taking.

    `path` is the names of the open elements from the record on, `opened` the place and type of
    each open PHI element.
    """

    id: str
    where: Place
    limit: int
    path: list[str] = field(default_factory=list)
    opened: list[tuple[int, str, Place]] = field(default_factory=list)
    pieces: list[str] | None = None
    size: int = 0
    mentions: list[Mention] = field(default_factory=list)
    error: PhiscrubError | None = None

    @classmethod
    def of(cls, tag: xml.Start, source: Source, index: int, limit: int) -> _Draft:
        """Begin a record with its start tag; one without an ID is called by its number."""
        name = tag.attributes.get("ID") or f"{source.stem}-{index + 1}"
        return cls(name, Place(source.name, tag.line, record=name), limit)

    def take(self, event: xml.Event) -> None:
        """Take the next event of the record, its own tags included."""
        if self.error is not None:
            return
        try:
            match event:
                case xml.Start():
                    self.path.append(event.name)
                    self._open(event)
                case xml.End():
                    self._close()
                    self.path.pop()
                case xml.Chars():
                    self._read(event)
        except PhiscrubError as error:
            self.error = error
            self.pieces = None

    def finish(self, after: Position) -> Record | Failure:
        """Return the whole record, or why there is none."""
        try:
            if self.error is not None:
                raise self.error
            if self.pieces is None:
                raise InputError(
                    "record without a TEXT element", where=self.where, hint="give it one"
                )
            check_size(self.size, self.limit, self.where)
        except PhiscrubError as error:
            return Failure(error, after)
        document = Document(self.id, "".join(self.pieces))
        notes = (Annotated(document, tuple(self.mentions)),)
        return Record(notes, after=after, line=self.where.line)

    def _open(self, tag: xml.Start) -> None:
        where = Place(self.where.path, tag.line, record=self.id)
        match self.path:
            case ["RECORD"]:
                pass
            case [_]:
                raise InputError(
                    "an element other than RECORD stands under the root",
                    where=where,
                    hint="remove it, or name the file's format with --from",
                )
            case [_, "TEXT"]:
                if self.pieces is not None:
                    raise InputError(
                        "record with two TEXT elements", where=where, hint="keep one note a record"
                    )
                self.pieces = []
            case [_, "TEXT", *_, "PHI"]:
                kind = tag.attributes.get("TYPE", "")
                if not kind:
                    raise AnnotationError("PHI element without a TYPE", where=where, hint="add it")
                self.opened.append((self.size, kind, where))
            case [_, "TEXT", *_]:
                raise AnnotationError(
                    "an element other than PHI stands inside the text",
                    where=where,
                    hint="escape it as text or remove it",
                )

    def _close(self) -> None:
        if not self.opened:
            return
        start, kind, where = self.opened.pop()
        if start == self.size:
            raise AnnotationError("PHI element without text", where=where, hint="remove it")
        self.mentions.append(Mention(Span(start, self.size), kind))

    def _read(self, chars: xml.Chars) -> None:
        if self.pieces is not None and self.path[1:2] == ["TEXT"]:
            self.size += len(chars.text)
            if self.size <= self.limit:
                self.pieces.append(chars.text)
        elif len(self.path) == 1 and not chars.text.isspace():
            raise InputError(
                "text stands in the record outside its TEXT element",
                where=Place(self.where.path, chars.line, record=self.id),
                hint="move it inside",
            )


class I2b2Year2006Writer:
    """Appends records to a file; raises `OutputError` where the disk refuses.

    Without the layout of a file of this format, labels must be of its set, or `UNNAMED`.
    """

    def __init__(self, path: Path, layout: Layout | None, length: int) -> None:
        self._path = path
        self._is_strict = layout is None
        self._root = (layout or Layout()).root
        with self._writing():
            if length and path.stat().st_size < length:
                raise OutputError(
                    "is shorter than when the run was interrupted",
                    where=str(path),
                    hint="remove it and run again without --resume",
                )
            self._file: BinaryIO = path.open("r+b" if length else "wb")
            if length:
                self._file.truncate(length)
                self._file.seek(length)
            else:
                self._file.write(f"{xml.HEADER}<{self._root}>\n".encode())

    def write(self, record: Record) -> None:
        """Append the record's notes.

        Raises `AnnotationError` where mentions of one overlap, `LabelError` where a label is of
        another set.
        """
        if self._is_strict:
            for label in sorted({m.label for note in record.notes for m in note.mentions}):
                if label != UNNAMED:
                    check_label(label, label_set(I2b2Year2006.label_set))
        data = "".join(map(_element, record.notes)).encode()
        with self._writing():
            self._file.write(data)

    def checkpoint(self) -> int:
        """Bring all to disk; return the file's length."""
        with self._writing():
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.tell()

    def close(self) -> None:
        """Close the root element and the file."""
        with self._writing(), self._file:
            self._file.write(f"</{self._root}>\n".encode())

    def abandon(self) -> None:
        """Let go of the file as it is."""
        let_go(self._file)

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise OutputError(
                f"cannot be written: {error.strerror}",
                where=str(self._path),
                hint="check the folder, its permissions and the space on the disk",
            ) from None


def _element(note: Annotated) -> str:
    """Return a note as a RECORD element."""
    text, name = note.document.text, note.document.id
    where = Place(record=name)
    xml.check_characters(text, where)
    xml.check_characters(name, where)
    try:
        cover = Cover.of(note.mentions)
    except AnnotationError:
        raise AnnotationError(
            "overlapping mentions cannot be written as inline tags",
            where=where,
            hint="choose i2b2 or brat, which mark by offsets",
        ) from None
    pieces, done = [f'<RECORD ID="{xml.escape_attribute(name)}">\n<TEXT>'], 0
    for mention in cover:
        xml.check_characters(mention.label, where)
        pieces += (
            xml.escape(text[done : mention.span.start]),
            f'<PHI TYPE="{xml.escape_attribute(mention.label)}">',
            xml.escape(text[mention.span.start : mention.span.end]),
            "</PHI>",
        )
        done = mention.span.end
    pieces.append(f"{xml.escape(text[done:])}</TEXT>\n</RECORD>\n")
    return "".join(pieces)
