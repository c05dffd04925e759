"""Parquet tables: notes in some columns, the others passed through with their types."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from decimal import Decimal
from math import isfinite, isnan
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import EncodingError, InputError, PhiscrubError, Place, SettingsError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.formats.choose import Columns, choose
from phiscrub.formats.encoding import check_text
from phiscrub.formats.limits import check_size
from phiscrub.formats.mentions import parse_mentions, read_mentions, write_mentions
from phiscrub.formats.parquet_writer import ParquetWriter, plain_schema
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import Source
from phiscrub.formats.stream import placed_error
from phiscrub.formats.values import words_of

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

MAGIC = b"PAR1"
BATCH_ROWS = 1_000
BATCH_BYTES = 16_000_000
CODECS = {"uncompressed": "none", "lz4_raw": "lz4", "lzo": "snappy"}  # what arrow calls them


@dataclass(frozen=True, slots=True)
class Layout:
    """A table's schema with its metadata, its columns, and its compression."""

    schema: pa.Schema
    columns: Columns
    codec: str


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the columns that pass through, and the positions of the texts that it has."""

    rest: pa.RecordBatch = field(repr=False)
    index: int
    columns: tuple[int, ...]

    def __reduce__(self) -> tuple[object, ...]:
        """Give other processes the row without its batch."""
        return Row, (self.rest.take([self.index]), 0, self.columns)


class Parquet:
    """Apache Parquet, read and written in batches of rows."""

    name = "parquet"
    suffix = ".parquet"
    label_set = None
    annotates = True

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Accept files that begin with Parquet's four letters."""
        return head.startswith(MAGIC)

    def open(self, source: Source, options: Options) -> ParquetReader:
        """Read the schema; raise `InputError` where the file is damaged or lacks a column."""
        require_pyarrow()
        if source.path is None:
            hint = "save it to a file, because its index stands at its end"
            raise InputError("Parquet cannot be streamed in", where=source.name, hint=hint)
        with _opened(source) as file:
            schema, metadata = file.schema_arrow, file.metadata
            codec = "snappy"
            try:
                columns = choose(schema.names, options)
                _check_types(schema, columns)
            except PhiscrubError as error:
                raise error.at(Place(source.name)) from None
            if metadata.num_row_groups and metadata.num_columns:
                first = metadata.row_group(0).column(columns.texts[0]).compression.lower()
                codec = CODECS.get(first, first)
        return ParquetReader(source, options, Layout(schema, columns, codec))

    def create(
        self,
        path: Path,
        layout: object,
        options: Options,  # noqa: ARG002 - the contract's
        length: int = 0,
    ) -> ParquetWriter:
        """Write a table of the same schema, or `id`, `text`, `mentions` where there is none."""
        require_pyarrow()
        if isinstance(layout, Layout):
            return ParquetWriter.create(path, length, layout.schema, layout.codec, _Same(layout))
        import pyarrow as pa  # noqa: PLC0415 - heavy

        schema = pa.schema([(name, pa.string()) for name in ("id", "text", "mentions")])
        return ParquetWriter.create(path, length, schema, "snappy", _Anew(schema))


def require_pyarrow() -> None:
    """Raise `SettingsError` where pyarrow is not installed."""
    try:
        import pyarrow  # noqa: F401, PLC0415 - heavy
    except ImportError:
        raise SettingsError(
            "Parquet needs pyarrow", hint='pip install "phiscrub[parquet]"'
        ) from None


@dataclass(frozen=True, slots=True)
class ParquetReader:
    """Reads rows from any row on; offsets are row numbers."""

    source: Source
    options: Options
    layout: Layout

    def records(self, start: Position = Position()) -> Iterator[Record | Failure]:  # noqa: B008
        """Yield a record a row; a null text has no note."""
        with _opened(self.source) as file:
            at, row_bytes = 0, self.source.size / max(1, file.metadata.num_rows)
            for number in range(file.metadata.num_row_groups):
                group = file.metadata.row_group(number)
                if at + group.num_rows <= start.offset:
                    at += group.num_rows
                    continue
                share = BATCH_BYTES * group.num_rows // max(1, group.total_byte_size)
                size = max(1, min(BATCH_ROWS, share))
                for batch in file.iter_batches(batch_size=size, row_groups=[number]):
                    skipped = min(batch.num_rows, max(0, start.offset - at))
                    yield from self._batch(batch.slice(skipped), at + skipped, row_bytes)
                    at += batch.num_rows

    def about(self, record: Record) -> dict[str, str]:
        """Return words, whole numbers and days of the row beside its texts, by their columns."""
        row = record.carry
        if not isinstance(row, Row):
            return {}
        cells = zip(row.rest.schema.names, row.rest.columns, strict=True)
        told = {name: words_of(_parts(column[row.index])) for name, column in cells}
        return {name: words for name, words in told.items() if words}

    def _batch(
        self, batch: pa.RecordBatch, at: int, row_bytes: float
    ) -> Iterator[Record | Failure]:
        columns = self.layout.columns
        rest = _rest(batch, self.layout)
        used = (*columns.texts, columns.id, columns.subject, columns.mentions)
        cells = {column: _values(batch.column(column)) for column in used if column is not None}
        for index in range(batch.num_rows):
            number = at + index + 1
            after = Position(number, number, number, round(number * row_bytes))
            where = Place(self.source.name, record=str(number))
            row = {column: values[index] for column, values in cells.items()}
            try:
                yield self._record(row, rest, index, where, after)
            except PhiscrubError as error:
                yield Failure(placed_error(error, where), after)

    def _record(
        self,
        row: dict[int, object],
        rest: pa.RecordBatch,
        index: int,
        where: Place,
        after: Position,
    ) -> Record:
        columns = self.layout.columns
        for column, value in row.items():
            if isinstance(value, UnicodeDecodeError):
                raise EncodingError(
                    f"column {columns.names[column]} is not UTF-8",
                    hint="write the table anew with its texts as UTF-8",
                )
        base = _word(row, columns.id) or f"{self.source.stem}-{after.index}"
        key = _word(row, columns.subject)
        subject = Subject(key) if key else None
        found: dict[str, tuple[Mention, ...]] = {}
        if columns.mentions is not None:
            claims = row[columns.mentions]
            claims = parse_mentions(claims) if isinstance(claims, str) else claims
            found = read_mentions(claims, [columns.names[column] for column in columns.texts])
        notes, there = [], []
        for column in columns.texts:
            text = row[column]
            if not isinstance(text, str):
                continue
            check_size(len(text), self.options.max_note, where)
            if "\0" in text:
                check_text(text, where)
            document = Document(columns.note_id(base, column), text, subject)
            notes.append(Annotated(document, found.get(columns.names[column], ())))
            there.append(column)
        return Record(tuple(notes), Row(rest, index, tuple(there)), after)


@dataclass(frozen=True, slots=True)
class _Same:
    """Composes rows of the layout that the records were read in."""

    layout: Layout

    def __call__(self, records: Sequence[Record]) -> pa.RecordBatch:
        import pyarrow as pa  # noqa: PLC0415 - heavy

        columns, schema = self.layout.columns, plain_schema(self.layout.schema)
        texts: dict[int, list[str | None]] = {c: [None] * len(records) for c in columns.texts}
        claims: list[str] = []
        slices: list[pa.RecordBatch] = []
        names = [columns.names[column] for column in columns.texts]
        for index, record in enumerate(records):
            row = record.carry
            if not isinstance(row, Row):
                raise TypeError("a table with a layout takes the records of that table")
            slices.append(row.rest.slice(row.index, 1))
            pairs = list(zip(row.columns, record.notes, strict=True))
            for column, note in pairs:
                texts[column][index] = note.document.text
            claims.append(
                write_mentions(((columns.names[c], m) for c, n in pairs for m in n.mentions), names)
            )
        rest = iter(pa.Table.from_batches(slices).combine_chunks().columns)
        arrays = []
        for position, field_ in enumerate(schema):
            if position in texts:
                arrays.append(pa.array(texts[position], field_.type))
            elif position == columns.mentions:
                arrays.append(_mention_array(claims, field_.type))
            else:
                arrays.append(next(rest).combine_chunks())
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


@dataclass(frozen=True, slots=True)
class _Anew:
    """Composes rows of id, text and mentions from the records of any format."""

    schema: pa.Schema

    def __call__(self, records: Sequence[Record]) -> pa.RecordBatch:
        import pyarrow as pa  # noqa: PLC0415 - heavy

        notes = [note for record in records for note in record.notes]
        cells = (
            [note.document.id for note in notes],
            [note.document.text for note in notes],
            [write_mentions((("text", m) for m in note.mentions), ["text"]) for note in notes],
        )
        arrays = [pa.array(cell, pa.string()) for cell in cells]
        return pa.RecordBatch.from_arrays(arrays, schema=self.schema)


@contextmanager
def _opened(source: Source) -> Iterator[pq.ParquetFile]:
    """Open a file; what arrow finds damaged, at once or later, becomes `InputError`."""
    import pyarrow as pa  # noqa: PLC0415 - heavy
    import pyarrow.parquet as pq  # noqa: PLC0415 - heavy

    source.open().close()  # says so in our words where the file is not there
    try:
        with pq.ParquetFile(str(source.path), buffer_size=1 << 20, pre_buffer=False) as file:
            yield file
    except (pa.ArrowException, OSError):
        raise InputError(
            "is a damaged Parquet file", where=source.name, hint="write or fetch it anew"
        ) from None


def _check_types(schema: pa.Schema, columns: Columns) -> None:
    """Raise `InputError` where a column of notes holds no text, or that of mentions none."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    plain = plain_schema(schema)
    words = (pa.string(), pa.large_string())
    for column in columns.texts:
        kind = plain.field(column).type
        if kind not in words:
            raise InputError(
                f"column {columns.names[column]} holds {kind}, not text",
                hint="name the column of the notes with --column",
            )
    if columns.mentions is not None:
        kind = plain.field(columns.mentions).type
        if kind not in words and not pa.types.is_list(kind):
            raise InputError(f"column mentions holds {kind}, not mentions", hint="rename it")


def _rest(batch: pa.RecordBatch, layout: Layout) -> pa.RecordBatch:
    """Return the columns that pass through, dictionaries decoded."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    columns, schema = layout.columns, plain_schema(layout.schema)
    mine = {*columns.texts, columns.mentions}
    kept = [position for position in range(len(schema)) if position not in mine]
    if not kept:
        return batch.select([])
    arrays = [_decoded(batch.column(position)) for position in kept]
    return pa.RecordBatch.from_arrays(arrays, schema=pa.schema([schema.field(p) for p in kept]))


def _decoded(array: pa.Array[Any]) -> pa.Array[Any]:
    import pyarrow as pa  # noqa: PLC0415 - heavy

    return array.dictionary_decode() if isinstance(array, pa.DictionaryArray) else array


def _values(array: pa.Array[Any]) -> list[object]:
    """Return a column's values; one that is not UTF-8 is the error that says so."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    try:
        return list(array.to_pylist())
    except (ValueError, OverflowError, pa.ArrowException):
        return [_value(cell) for cell in array]


def _parts(cell: pa.Scalar[Any]) -> object:
    """Return a value whose parts are Python's: seconds of times; no part that Python cannot hold.

    Python has no place for nanoseconds, days far from ours, and zones that nobody knows.
    """
    import pyarrow as pa  # noqa: PLC0415 - heavy

    if not cell.is_valid:
        return None
    if isinstance(cell, pa.StructScalar):
        return [_parts(part) for part in cell.values()]
    if isinstance(cell, pa.ListScalar):  # those of maps and of fixed length too
        return [_parts(part) for part in cell.values or ()]
    try:
        if pa.types.is_timestamp(cell.type):
            cell = cell.cast(pa.timestamp("s", cell.type.tz), safe=False)
        return cell.as_py()
    except (ValueError, OverflowError, pa.ArrowException):
        return None


def _value(cell: pa.Scalar[Any]) -> object:
    import pyarrow as pa  # noqa: PLC0415 - heavy

    try:
        return cell.as_py()
    except UnicodeDecodeError as error:
        return error
    except (ValueError, OverflowError, pa.ArrowException):
        return _parts(cell)


def _word(row: dict[int, object], column: int | None) -> str:
    """Return an id or a subject of any type as a string; empty where it is null or no number.

    A whole number is the same word whatever type holds it: a column of whole numbers with nulls
    often comes as floats.
    """
    value = None if column is None else row[column]
    if isinstance(value, float | Decimal) and isfinite(value) and value == int(value):
        value = int(value)
    if isinstance(value, float | Decimal) and isnan(value):
        return ""
    return "" if value is None else str(value)


def _mention_array(claims: list[str], kind: pa.DataType) -> pa.Array[Any]:
    """Return mentions as JSON, or as the lists of structs that the column holds."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    if pa.types.is_list(kind):
        return pa.array([json.loads(claim) for claim in claims], kind)
    return pa.array(claims, kind)
