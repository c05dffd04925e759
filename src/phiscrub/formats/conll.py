"""CoNLL columns: a token a row with its tag, many notes a file."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import (
    AnnotationError,
    InputError,
    PhiscrubError,
    Place,
    SettingsError,
)
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import scheme
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.formats import spaced, tags
from phiscrub.formats.blocks import Block, blocks
from phiscrub.formats.columns import Columns, Row, are_columns, are_ragged, detect_columns, mistaken
from phiscrub.formats.encoding import Encoding, check_text
from phiscrub.formats.lines import read_lines
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import HEAD, Source
from phiscrub.formats.stream import ByteWriter, byte_encoding, opened

SUFFIXES = frozenset({".conll", ".iob", ".iob1", ".iob2", ".bio", ".bioes", ".bilou"})
OTHERS = "Others"  # in our mark: how rows of notes in the file's own columns are laid out
OWN_SCHEME = "BIO"
START = Position()


@dataclass(frozen=True, slots=True)
class Layout:
    """What a file's head tells: its encoding, and its columns unless all are our own."""

    encoding: Encoding
    columns: Columns | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A note as its rows gave it, with the rows. They may hold what the text no longer does."""

    layout: Layout
    note: Annotated
    lines: tuple[str, ...] = field(repr=False)
    sentences: tuple[tuple[Row, ...], ...] = field(repr=False)
    style: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class Gap:
    """Lines between notes: blank ones, comments, a mark that no token follows."""

    layout: Layout
    lines: tuple[str, ...] = field(repr=False)


class Conll:
    """CoNLL-2003 and what is written like it, CoNLL-2012, UNER, SUC 3.0, and columns of our own.

    A note begins at the file's marks (``-DOCSTART-``, ``#begin document``, ``# newdoc``). A file
    without marks is one note, cut after every 1,000 sentences. Ids come from the marks; a note
    without one is called after the file and its number, or the file alone where it is the only
    one. The tag scheme is detected unless an option names it.

    A note whose text is untouched and whose mentions fit its tokens is written in the columns it
    came in, with nothing but the tags changed. Every other note is written in our own
    (`formats.spaced`), where no column but token and tag passes through.
    """

    name = "conll"
    suffix = ".conll"
    label_set = None
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:
        """Accept what has a mark, rows that agree, or our own first line.

        A file that is named as columns is accepted where its rows are at fault, to be refused.
        """
        named = path is not None and path.suffix.lower() in SUFFIXES
        try:
            encoding = byte_encoding(head, None, "")
        except PhiscrubError:
            return named
        lines = _head_lines(head, encoding)
        if _own_facts(lines) is not None:
            return True
        columns = detect_columns(lines)
        if columns is None or mistaken(lines, columns):
            return named
        if named and (columns.style != "IO" or are_ragged(lines, columns)):
            return True
        return are_columns(lines, columns, named=named)

    def open(self, source: Source, options: Options) -> ConllReader:
        """Open a file; raise `InputError` where it is empty or has no rows of columns."""
        head = source.head()
        if not head:
            raise InputError("is empty", where=source.name, hint="remove it or give it tokens")
        encoding = byte_encoding(head, options.encoding, source.name)
        lines = _head_lines(head, encoding)
        facts = _own_facts(lines)
        columns = detect_columns(lines) if facts is None else Columns.parse(facts.get(OTHERS, ""))
        if facts is None and columns is None:
            raise InputError(
                "has no columns",
                where=Place(source.name, _first_line(lines)),
                hint="a row is a token and a tag, parted by a tab or blanks; read other text with "
                "--from text",
            )
        fault = mistaken(lines, columns) if facts is None and columns is not None else None
        if fault is not None:
            raise InputError(
                f"{fault}: no layout of columns that is known",
                where=source.name,
                hint="give the token first and its tag last",
            )
        return ConllReader(source, options, Layout(encoding, columns))

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> ByteWriter:
        """Write the columns of the file that was read, if it was of this format, or our own."""
        if not isinstance(layout, Layout):
            layout = Layout(Encoding(options.encoding or "utf-8"), None)
        compose = Composer(layout, options)
        return ByteWriter.create(path, length, layout.encoding.bom, compose)


@dataclass(frozen=True, slots=True)
class ConllReader:
    """Reads notes from any byte at which one begins."""

    source: Source
    options: Options
    layout: Layout

    def records(self, start: Position = START) -> Iterator[Record | Failure]:
        """Yield the notes behind a position, and the lines between them without one."""
        name, limit = self.source.name, self.options.max_note
        with opened(self.source, start.offset) as file:
            lines = read_lines(file, self.layout.encoding, name, limit, start)
            found = blocks(lines, self.layout.columns, name, limit)
            index = start.index
            for block in found:
                after = Position(block.end, block.last, index + block.is_note)
                try:
                    yield self._record(block, index, after)
                except PhiscrubError as error:
                    yield Failure(error.at(Place(name, block.first)), after)
                index = after.index

    def about(self, record: Record) -> dict[str, str]:  # noqa: ARG002 - the contract's
        """Return nothing: columns tell of tokens."""
        return {}

    def _record(self, block: Block, index: int, after: Position) -> Record:
        if block.fault is not None:
            raise block.fault
        where, columns = Place(self.source.name, block.first), self.layout.columns
        check_text("".join(block.lines), where)
        if not block.is_note:
            return Record((), Gap(self.layout, tuple(block.lines)), after)
        if block.is_own:
            facts = spaced.about(block.lines[0]) or {}
            text, sentences = spaced.read(block.lines, where)
            name, style = facts.get("Doc"), facts.get("Scheme", OWN_SCHEME)
            reads: tags.TagStyle = tags.writing_style(style)
        elif columns is not None:
            text, sentences = columns.read(block.lines, where)
            name, style = columns.note_id(block.lines), columns.style
            reads = tags.reading_style(style)
            if self.options.scheme and style != tags.BRACKETS:
                style = self.options.scheme
                reads = tags.writing_style(style)
        else:
            raise AnnotationError(
                "there are rows before the first mark", where=where, hint="begin it with its mark"
            )
        if name is None:
            is_only = index == 0 and block.is_last
            name = self.source.stem if is_only else f"{self.source.stem}-{index + 1}"
        mentions = [m for rows in sentences for m in _mentions(rows, reads, where)]
        note = Annotated(Document(name, text), tuple(mentions))
        rows = tuple(map(tuple, sentences))
        carry = Kept(self.layout, note, tuple(block.lines), rows, style, block.is_own)
        return Record((note,), carry, after, line=block.first)


@dataclass(slots=True)
class Composer:
    """Writes records; a line that ended the file it came from is ended before another one."""

    layout: Layout
    options: Options
    is_open: bool = False

    def __call__(self, record: Record) -> bytes:
        """Write the notes of a record, or the lines that stood between notes."""
        gap = record.carry if isinstance(record.carry, Gap) else None
        if gap is None:
            text = _composed(self.layout, self.options, record)
        else:
            text = "".join(gap.lines) if gap.layout.columns == self.layout.columns else ""
        data = Encoding(self.layout.encoding.name).encode(
            "\n" * (self.is_open and bool(text)) + text
        )
        self.is_open = self.is_open if not text else not text.endswith("\n")
        return data


def _composed(layout: Layout, options: Options, record: Record) -> str:
    carry = record.carry if isinstance(record.carry, Kept) else None
    pieces = []
    for note in record.notes:
        kept = carry if carry and carry.note.document.text == note.document.text else None
        untouched = kept and _untouched(note, kept, layout.columns, options.scheme)
        pieces.append(untouched or _own(note, kept, layout.columns, options))
    return "".join(pieces)


def _untouched(
    note: Annotated, kept: Kept, columns: Columns | None, wanted: str | None
) -> str | None:
    """Return the rows as they came, retagged where mentions differ; None where that fails."""
    if kept.note.document.id != note.document.id or kept.layout.columns != columns:
        return None
    style = scheme(wanted).name if wanted and kept.style != tags.BRACKETS else kept.style
    lines = list(kept.lines)
    if style != kept.style or _places(kept.note) != _places(note):
        if columns is None or kept.is_own:
            return None
        retagged = _retagged(kept, _cover(note), tags.writing_style(style))
        if retagged is None:
            return None
        for line, tag in retagged:
            lines[line] = columns.retag(lines[line], tag)
    end = spaced.END_MARK if kept.is_own and columns is not None else ""
    return "".join(lines) + end


def _own(note: Annotated, kept: Kept | None, columns: Columns | None, options: Options) -> str:
    """Return the note in our own columns, cut into the tokens it came with, if it did."""
    cover = _cover(note)
    if kept is not None:
        cut = _as_note(note.document, kept.sentences)
    elif options.tokenizer is not None:
        (cut,) = options.tokenizer.tokenize([note.document])
    else:
        raise SettingsError("columns need a tokenizer", hint="name one in the options")
    style = scheme(options.scheme or (kept.style if kept and kept.is_own else OWN_SCHEME))
    facts = {"Scheme": style.name}
    if columns is None:
        return spaced.write(cut, cover, style, facts)
    return spaced.write(cut, cover, style, {**facts, OTHERS: str(columns)}) + spaced.END_MARK


def _head_lines(head: bytes, encoding: Encoding) -> list[str]:
    """Return the lines of a file's head that are sure to be whole."""
    lines = head[len(encoding.bom) :].decode(encoding.name, "replace").split("\n")
    return lines if len(head) < HEAD else lines[:-1]


def _first_line(lines: Sequence[str]) -> int:
    """Return the number of the first line that is not blank."""
    return next((number for number, line in enumerate(lines, 1) if line.strip()), 1)


def _own_facts(lines: Sequence[str]) -> Mapping[str, str] | None:
    """Return what our own mark says where it is a file's first line; None where it is not."""
    return spaced.about(next((line for line in lines if line.strip()), ""))


def _mentions(rows: Sequence[Row], style: tags.TagStyle, where: Place) -> Iterator[Mention]:
    """Yield the mentions of a sentence."""
    signs = [row.tag for row in rows]
    try:
        chunks = style.chunks(signs)
    except AnnotationError as error:
        fails = range(len(signs))
        bad = rows[bisect_left(fails, True, key=lambda at: _fails(style, signs[: at + 1]))]
        place = Place(where.path, (where.line or 1) + bad.line)
        raise AnnotationError(error.what, where=place, hint=error.hint) from None
    for first, end, label in chunks:
        yield Mention(Span(rows[first].start, rows[end - 1].end), label)


def _fails(style: tags.TagStyle, signs: Sequence[str]) -> bool:
    try:
        style.chunks(signs)
    except AnnotationError:
        return True
    return False


def _cover(note: Annotated) -> Cover:
    try:
        return Cover.of(note.mentions)
    except AnnotationError as error:
        raise AnnotationError(
            error.what,
            where=Place(record=note.document.id),
            hint="columns hold one label a token; write brat or jsonl, or drop one",
        ) from None


def _places(note: Annotated) -> list[tuple[int, int, str]]:
    return sorted((m.span.start, m.span.end, m.label) for m in note.mentions)


def _retagged(kept: Kept, cover: Cover, style: tags.TagStyle) -> list[tuple[int, str]] | None:
    """Return the tag of every row, by line; None where the tags cannot say the mentions."""
    left = deque(cover)
    found: list[tuple[int, str]] = []
    for rows in kept.sentences:
        starts = {row.start: index for index, row in enumerate(rows)}
        ends = {row.end: index for index, row in enumerate(rows, 1)}
        chunks = []
        while left and left[0].span.start < rows[-1].end:
            mention = left.popleft()
            if mention.span.start not in starts or mention.span.end not in ends:
                return None
            chunks.append((starts[mention.span.start], ends[mention.span.end], mention.label))
        signs = style.write(len(rows), chunks)
        if not _gives_back(style, signs, chunks):
            return None
        found += [(row.line, sign) for row, sign in zip(rows, signs, strict=True)]
    return None if left else found


def _gives_back(style: tags.TagStyle, signs: list[str], chunks: list[tags.Chunk]) -> bool:
    held = all(label.split() == [label] for _, _, label in chunks)
    return held and not _fails(style, signs) and style.chunks(signs) == chunks


def _as_note(document: Document, sentences: Sequence[Sequence[Row]]) -> Note:
    """Cut a document into the tokens and sentences of its rows."""
    tokens = [(row.start, row.end) for rows in sentences for row in rows]
    bounds = [(rows[0].start, rows[-1].end) for rows in sentences]
    text = document.text
    return Note(document, Tokens.of(text, tokens), Tokens.of(text, bounds))
