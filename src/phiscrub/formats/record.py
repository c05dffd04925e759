"""What readers give and writers take: the contract of the room."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import Protocol, TypeGuard

from phiscrub.core.contracts import Tokenizer
from phiscrub.core.errors import PhiscrubError
from phiscrub.core.mention import Annotated
from phiscrub.formats.source import Source


@dataclass(frozen=True, slots=True)
class Options:
    """What a user may say about how files are read and written.

    `encoding` None means detection. `text_columns`, `id_column` and `subject_column` name
    columns of a table or keys of a JSON line; `delimiter` is a table's, None means detection;
    `escape` is the sign that stands in a table before a delimiter or line end that is text; where
    none is named, `doubts` keeps back rows in which a backslash may be one, for those who pass on
    the cells beside the notes;
    `scheme` is the tag scheme of CoNLL columns, None means detection on reading, and on writing
    that of the columns that were read or BIO; `tokenizer` cuts texts for formats that hold tokens.
    `max_note` bounds the characters of one note, so that a file that is no note cannot take all
    memory.

    `verbatim` says of writing that the texts are those of the file that was read, so that what
    stands beside them and may quote them (columns of lemmas, annotators' notes) is written too.
    It is never set where texts are scrubbed.
    """

    encoding: str | None = None
    text_columns: tuple[str, ...] = ()
    id_column: str | None = None
    subject_column: str | None = None
    delimiter: str | None = None
    escape: str | None = None
    doubts: bool = False
    scheme: str | None = None
    tokenizer: Tokenizer | None = None
    max_note: int = 20_000_000
    verbatim: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """A point between two records of one source, to resume from.

    `offset` is in the reader's own unit (bytes of a text table, rows of a Parquet file), `line`
    counts lines and `index` records before the point. `size` says how many bytes of the file are
    before it, about, where `offset` does not. `led` says that the record before may go on here.
    """

    offset: int = 0
    line: int = 0
    index: int = 0
    size: int | None = None
    led: bool = False

    @property
    def bytes(self) -> int:
        """How many bytes of the file are before the point."""
        return self.offset if self.size is None else self.size


@dataclass(frozen=True, slots=True)
class Record:
    """One unit of a file: a note, or a table's row with its notes.

    `carry` is what surrounds the notes and passes through untouched; only the format that made
    it understands it. `after` is the position behind the record. `others` counts annotations
    that are no mentions (relations, attributes), which no other format holds. `line` is where it
    begins in its file, None where lines are not counted. `declined` says that who was to annotate
    its notes rejected or skipped them: they are nobody's gold.
    """

    notes: tuple[Annotated, ...]
    carry: object = field(default=None, repr=False)
    after: Position = Position()
    others: int = 0
    line: int | None = None
    declined: bool = False


@dataclass(frozen=True, slots=True)
class Failure:
    """A record that could not be read; the records behind it still can."""

    error: PhiscrubError
    after: Position = Position()


class NoteFormat(Protocol):
    """A format with one note a file."""

    name: str
    suffix: str
    label_set: str | None  # the set that its labels must come from; None: any label
    annotates: bool

    def sniff(self, head: bytes, path: PurePath | None) -> bool:
        """Tell whether a file with these first bytes is of this format."""
        ...

    def load(self, source: Source, options: Options) -> Record:
        """Read the note; raise `InputError` where it is not as it should be."""
        ...

    def dump(self, note: Annotated, carry: object, options: Options) -> Mapping[str, bytes]:
        """Write the note: the bytes of each file, by suffix. `carry` may be another format's."""
        ...


class Reader(Protocol):
    """Reads one file of many notes. `layout` is what a writer of the same format needs of it."""

    layout: object

    def records(self, start: Position = ...) -> Iterator[Record | Failure]:
        """Yield the records behind a position, in order."""
        ...

    def about(self, record: Record) -> Mapping[str, str]:
        """Return what a record of this file says of its notes beside their texts, by name."""
        ...


class Writer(Protocol):
    """Writes one file of many notes, appending to what stands at its path."""

    def write(self, record: Record) -> None:
        """Append one record; its carry may be another format's."""
        ...

    def checkpoint(self) -> int:
        """Bring all to disk; return the length that `StreamFormat.create` takes."""
        ...

    def close(self) -> None:
        """Finish the file."""
        ...

    def abandon(self) -> None:
        """Let go of the file as it is; a checkpoint before this still holds."""
        ...


class StreamFormat(Protocol):
    """A format with many notes a file."""

    name: str
    suffix: str
    label_set: str | None
    annotates: bool

    def sniff(self, head: bytes, path: PurePath | None) -> bool:
        """Tell whether a file with these first bytes is of this format."""
        ...

    def open(self, source: Source, options: Options) -> Reader:
        """Open a file; raise `InputError` where its frame (header, schema) is not right."""
        ...

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> Writer:
        """Start a file, or go on with one after cutting it to a checkpoint's `length`."""
        ...


Format = NoteFormat | StreamFormat


def is_note_format(kind: Format) -> TypeGuard[NoteFormat]:
    """Tell whether a format has one note a file."""
    return hasattr(kind, "load")
