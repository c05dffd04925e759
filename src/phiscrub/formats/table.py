"""Delimited tables: a note in some cells of each row, the rest passed through byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path, PurePath

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import EncodingError, InputError, PhiscrubError, Place
from phiscrub.core.mention import Annotated, Mention
from phiscrub.formats.choose import Columns, choose, has_text
from phiscrub.formats.delimited import (
    BACKSLASH,
    DELIMITERS,
    FATAL,
    FOR_EXCEL,
    Broken,
    Fault,
    Row,
    Splitter,
    delimiter_of,
)
from phiscrub.formats.encoding import Encoding, check_text
from phiscrub.formats.escaping import escape_of, hides
from phiscrub.formats.limits import check_size
from phiscrub.formats.mentions import parse_mentions, read_mentions, write_mentions
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import HEAD, Source
from phiscrub.formats.stream import ByteWriter, byte_encoding, opened, placed_error
from phiscrub.formats.wide import is_wide, narrowed, opened_narrow, read_as, wide_size, widened

SUFFIXES = (".csv", ".tsv")
PLAIN = ("id", "text", "mentions")  # the columns of a table made from another format
SLACK = 1 << 20  # bytes of a row beside its note
WIDEST = 4  # bytes a character
SAMPLE = 5  # rows that detection looks at
NULL = b"\\N"  # as MySQL and Hive write it
HARMLESS = frozenset((Fault.BLANK, Fault.ESCAPE, Fault.LED))  # a table has them, too


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's frame: its first bytes, and how its rows are to be understood.

    A `file` of wide characters is read as UTF-8, the `encoding` of header and rows.
    """

    header: bytes
    file: Encoding
    splitter: Splitter
    columns: Columns

    @property
    def encoding(self) -> Encoding:
        """The encoding of header and rows."""
        return read_as(self.file)


@dataclass(frozen=True, slots=True)
class Cells:
    """A row as it was: where in its bytes the text cells stand, what they say, and the mentions."""

    raw: bytes = field(repr=False)
    spans: tuple[tuple[int, int], ...] = ()
    texts: tuple[str, ...] = field(default=(), repr=False)
    mentions: tuple[int, int] | None = None


class Csv:
    """Comma-, semicolon-, tab- or pipe-separated values with a header, quoted in any style.

    A first line `sep=;`, as for Excel, names the delimiter unless the options do.
    In UTF-8, UTF-16, UTF-32, Windows-1252, Latin-1 or what extends ASCII; written as it was read.
    """

    name = "csv"
    suffix = ".csv"
    label_set = None
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:
        """Accept tables by suffix; without one, a header that names notes and rows that fit it."""
        suffix = "" if path is None else path.suffix.lower()
        if suffix in SUFFIXES:
            return True
        try:
            encoding = byte_encoding(head, None, "", wide=True)
            is_all, (head, _) = len(head) < HEAD, narrowed(head, encoding)
            splitter, header, names = _header(
                head, read_as(encoding), Options(doubts=True), "", whole=is_all
            )
        except PhiscrubError:
            return False
        if suffix == ".txt" or len(names) == 1 or not has_text(names):
            return False
        rows = list(splitter.split(_nothing, head[len(header) :], len(head)))
        whole = rows[:-1]  # the head may end inside the last
        return not any(
            isinstance(row, Broken)
            and row.fault not in HARMLESS
            and not (row.fault is Fault.COUNT and splitter.may_escape(row.raw))
            for row in whole[:SAMPLE]
        )

    def open(self, source: Source, options: Options) -> TableReader:
        """Read the header; raise `InputError` where it is broken or lacks a column."""
        with opened(source, 0) as file:
            head = file.read(HEAD)
        encoding = byte_encoding(head, options.encoding, source.name, wide=True)
        if head == encoding.bom:  # an empty file is a table without rows
            empty = narrowed(head, encoding)[0]
            none = Layout(empty, encoding, Splitter.of(DELIMITERS[0], 1), Columns((), ()))
            return TableReader(source, options, none, b"")
        is_all, (head, rest) = len(head) < HEAD, narrowed(head, encoding)
        splitter, header, names = _header(
            head, read_as(encoding), options, source.name, whole=is_all
        )
        try:
            columns = choose(names, options)
        except PhiscrubError as error:
            raise error.at(Place(source.name)) from None
        layout = Layout(header, encoding, splitter, columns)
        return TableReader(source, options, layout, head[len(header) :], rest)

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> ByteWriter:
        """Write a table of the same layout, or `id,text,mentions` where that is not a table's."""
        if isinstance(layout, Layout):
            head = layout.header
            if is_wide(layout.file):
                head = layout.file.bom + widened(head, layout.file)
            return ByteWriter.create(path, length, head, partial(_row, layout))
        mark = delimiter_of(options.delimiter or ",", b"")
        encoding = Encoding(options.encoding or "utf-8")
        head = encoding.encode(mark.decode().join(PLAIN) + "\n")
        splitter = Splitter.of(mark, len(PLAIN), escape_of(options.escape, mark))
        return ByteWriter.create(path, length, head, partial(_plain, splitter, encoding))


@dataclass(frozen=True, slots=True)
class TableReader:
    """Reads rows from any byte at which one begins. `pending` is what was read behind the header.

    `rest` is the part of a wide character that was read behind that.
    Rows that cannot be read are failures; a quote that is never closed ends the file with
    `InputError`, because nothing behind it can be trusted.
    """

    source: Source
    options: Options
    layout: Layout
    pending: bytes = field(repr=False)
    rest: bytes = field(default=b"", repr=False)

    def records(self, start: Position = Position()) -> Iterator[Record | Failure]:  # noqa: B008
        """Yield a record a row; offsets are bytes, those of UTF-8 where the file is wide.

        A blank line is a record without notes.
        """
        layout, after = self.layout, start
        if start.offset == 0:
            mark = len(layout.file.bom) if is_wide(layout.file) else None
            after = self._behind(Position(size=mark), layout.header, 0)
        limit = self.options.max_note * WIDEST + SLACK
        with opened_narrow(self.source, after.offset, layout.file, self.rest) as file:
            pending = self.pending if self.source.path is None else b""
            for row in layout.splitter.split(file.read, pending, limit, led=start.led):
                raw = row.raw if isinstance(row, Broken) else row[0]
                before, after = after, self._behind(after, raw)
                if isinstance(row, Broken) and layout.splitter.leads(raw):
                    after = replace(after, led=True)
                if not isinstance(row, Broken):
                    yield self._record(row, raw, before, after)
                elif row.fault is Fault.BLANK:
                    yield Record((), Cells(raw), after)
                elif row.fault in FATAL:
                    raise self._error(row, self._place(before, after.line - before.line))
                else:
                    yield Failure(self._error(row, self._place(before)), after)

    def _behind(self, before: Position, raw: bytes, rows: int = 1) -> Position:
        size = before.size
        return Position(
            before.offset + len(raw),
            before.line + _lines(raw),
            before.index + rows,
            None if size is None else size + wide_size(raw, self.layout.file),
        )

    def about(self, record: Record) -> dict[str, str]:
        """Return the row's cells beside its texts and mentions, by their columns."""
        cells, layout = record.carry, self.layout
        row = layout.splitter.row.match(cells.raw) if isinstance(cells, Cells) else None
        if row is None:
            return {}
        mine = {*layout.columns.texts, layout.columns.mentions}
        return {
            name: layout.splitter.said(row[column + 1]).decode(layout.encoding.name, "replace")
            for column, name in enumerate(layout.columns.names)
            if column not in mine
        }

    def _record(self, row: Row, raw: bytes, before: Position, after: Position) -> Record | Failure:
        columns, begin, spans = self.layout.columns, row.start(), []
        if is_wide(self.layout.file) and not _is_utf8(raw):
            what = f"the row has bytes that are no {self.layout.file.name}"
            hint = "mend it, or export the table as UTF-8"
            return Failure(EncodingError(what, where=self._place(before), hint=hint), after)
        place: tuple[int, int] | None = None
        found: dict[str, tuple[Mention, ...]] = {}
        try:
            base = self._told(row, columns.id, before) or f"{self.source.stem}-{after.index}"
            key = self._told(row, columns.subject, before)
            subject = Subject(key) if key else None
            if columns.mentions is not None:
                first, last = row.span(columns.mentions + 1)
                place = (first - begin, last - begin)
                claims = parse_mentions(self._told(row, columns.mentions, before))
                found = read_mentions(claims, [columns.names[c] for c in columns.texts])
            notes, texts = [], []
            for column in columns.texts:
                first, last = row.span(column + 1)
                text = self._cell(row, column, before)
                if len(text) > self.options.max_note or "\0" in text:
                    check_size(len(text), self.options.max_note, self._place(before))
                    check_text(text, self._place(before))
                document = Document(columns.note_id(base, column), text, subject)
                notes.append(Annotated(document, found.get(columns.names[column], ())))
                texts.append(text)
                spans.append((first - begin, last - begin))
        except PhiscrubError as error:
            return Failure(placed_error(error, self._place(before)), after)
        return Record(
            tuple(notes), Cells(raw, tuple(spans), tuple(texts), place), after, line=before.line + 1
        )

    def _told(self, row: Row, column: int | None, before: Position) -> str:
        """Return what a cell beside the notes says, nothing where it is a database's NULL."""
        escape = self.layout.splitter.escape
        if column is None or row[column + 1] in (NULL, escape and escape + b"N"):
            return ""
        return self._cell(row, column, before)

    def _cell(self, row: Row, column: int, before: Position) -> str:
        raw = self.layout.splitter.said(row[column + 1])
        try:
            return raw.decode(self.layout.encoding.name)
        except UnicodeDecodeError as error:
            above = _lines(row.string[row.start() : row.start(column + 1)])
            raise EncodingError(
                f"byte {raw[error.start]:#04x} in column {self.layout.columns.names[column]} "
                f"is not {self.layout.encoding.name}",
                where=self._place(before, above + raw.count(b"\n", 0, error.start)),
                hint="name the right encoding with --encoding, or convert the file to UTF-8",
            ) from None

    def _place(self, before: Position, above: int = 0) -> Place:
        """Return where the row behind a position is, or a line of it with some `above`."""
        record = str(before.index + 1)
        return Place(self.source.name, before.line + above + 1, record=record)

    def _error(self, row: Broken, where: Place) -> InputError:
        what, hint = "the row is too long", "check --delimiter, or raise the limit with --max-note"
        escapes = "if it escapes what follows, give --escape '\\'; if not, quote the cell"
        if row.fault is Fault.UNCLOSED:
            what = f"the quote opened at line {where.line} is never closed"
            hint = "close it; where a note is very long, raise the limit with --max-note"
        elif row.fault is Fault.AFTER_QUOTE:
            what = "there is text after a closing quote"
            hint = 'double the quotes inside a quoted cell ("")'
        elif row.fault is Fault.ESCAPE:
            what, hint = "a backslash stands before the end of a cell", escapes
        elif row.fault is Fault.LED:
            what, hint = "the row before ends in a backslash, and may go on here", escapes
        elif row.fault is Fault.COUNT:
            cells = self.layout.splitter.cells(row.raw) or ()
            what = f"the row has {len(cells)} cells, the header {len(self.layout.columns.names)}"
            hint = "quote cells that hold the delimiter or line ends, or give --delimiter"
            if self.layout.splitter.may_escape(row.raw):
                hint += ", or --escape '\\' where a backslash escapes them"
        return InputError(what, where=where, hint=hint)


def _row(layout: Layout, record: Record) -> bytes:
    return widened(_spliced(layout, record), layout.file)


def _spliced(layout: Layout, record: Record) -> bytes:
    """Return a row's own bytes, with the cells whose text has changed and the mentions anew."""
    cells, columns, encoding = record.carry, layout.columns, layout.encoding.name
    if not isinstance(cells, Cells):
        raise TypeError("a table with a layout takes the records of that table")
    raw = cells.raw
    edits: list[tuple[tuple[int, int], str]] = [
        (span, note.document.text)
        for span, text, note in zip(cells.spans, cells.texts, record.notes, strict=True)
        if note.document.text != text
    ]
    if cells.mentions is not None:
        names = [columns.names[column] for column in columns.texts]
        claims = [
            (name, mention)
            for name, note in zip(names, record.notes, strict=True)
            for mention in note.mentions
        ]
        if claims or cells.mentions[0] < cells.mentions[1]:
            edits.append((cells.mentions, write_mentions(claims, names)))
    for (start, end), text in sorted(edits, reverse=True):
        data, was = Encoding(encoding).encode(text), raw[start:end]
        if not data and len(columns.names) == 1:
            was = b'""'  # or the row would be a blank line
        raw = raw[:start] + layout.splitter.raw(data, was) + raw[end:]
    return raw


def _plain(splitter: Splitter, encoding: Encoding, record: Record) -> bytes:
    """Return a row a note: id, text and mentions."""
    rows = []
    for note in record.notes:
        claims = write_mentions((("text", mention) for mention in note.mentions), ["text"])
        cells = (note.document.id, note.document.text, claims)
        data = (splitter.raw(encoding.encode(cell)) for cell in cells)
        rows.append(splitter.delimiter.join(data) + b"\n")
    return b"".join(rows)


def _header(
    head: bytes, encoding: Encoding, options: Options, name: str, *, whole: bool
) -> tuple[Splitter, bytes, list[str]]:
    """Return the splitter, the header's bytes with all before it, and the names of the columns.

    That is the mark, and a line that tells Excel the delimiter (`sep=;`). `whole` says that there
    is no more of the file than `head`.
    """
    first, line, delimiter = encoding.bom, 1, options.delimiter
    said = FOR_EXCEL.match(head, len(first))
    if said is not None:
        first, line = head[: said.end()], 2
        delimiter = delimiter or said["mark"].decode()
    body = head[len(first) :]
    if not body:
        raise InputError("is empty", where=name, hint="a table begins with a header")
    mark = delimiter_of(delimiter, body)
    escape = escape_of(options.escape, mark)
    if escape and hides(escape, encoding):
        raise InputError(
            f"is {encoding.name}, in which --escape cannot be told from parts of letters",
            where=name,
            hint=f"convert it to UTF-8: iconv -f {encoding.name} -t utf-8",
        )
    cells = Splitter.of(mark, 1, escape).cells(body)
    doubts = options.doubts and not hides(BACKSLASH, encoding)
    splitter = Splitter.of(mark, len(cells or ()), escape, doubts=doubts)
    row = None if cells is None else splitter.row.match(body)
    long = escape and any(end in cell for cell in cells or () for end in (b"\n", b"\r"))
    if cells is None or row is None or long or (row.end() == len(body) and not whole):
        raise InputError(
            "the header is broken",
            where=Place(name, line),
            hint="the first line must name the columns, with quotes closed",
        )
    raw = row[0]
    try:
        names = [splitter.said(cell).decode(encoding.name).strip() for cell in cells]
    except UnicodeDecodeError:
        raise EncodingError(f"the header is not {encoding.name}", where=Place(name, line)) from None
    return splitter, first + raw, names


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _lines(raw: bytes) -> int:
    return raw.count(b"\n") + raw.endswith(b"\r")


def _nothing(_size: int) -> bytes:
    return b""
