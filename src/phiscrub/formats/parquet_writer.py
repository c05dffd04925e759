"""Writes a Parquet table that can be gone on with, though the format cannot be appended to.

Rows first go to parts (Arrow streams in ``<path>.parts/``), one a checkpoint. Closing pours the
parts into one file, in row groups whose bounds depend on the rows alone: a run that was
interrupted gives the same bytes as one that was not.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from phiscrub.core.errors import OutputError
from phiscrub.formats.record import Record
from phiscrub.formats.stream import let_go, written

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa
    from numpy.typing import NDArray

HELD_RECORDS = 1_000
HELD_CHARACTERS = 16_000_000
GROUP_ROWS = 10_000
GROUP_BYTES = 64_000_000
ROW_BYTES = 64  # what a row weighs beside its strings

Compose = Callable[[Sequence[Record]], "pa.RecordBatch"]


class ParquetWriter:
    """Buffers records, writes parts, and pours them together at the end.

    `compose` turns records into rows of `plain_schema(schema)`.
    """

    def __init__(
        self, path: Path, schema: pa.Schema, codec: str, compose: Compose, parts: int
    ) -> None:
        self._path, self._folder = path, parts_folder(path)
        self._schema, self._codec, self._compose = schema, codec, compose
        self._parts = parts
        self._records: list[Record] = []
        self._characters = 0
        self._file: BinaryIO | None = None
        self._stream: pa.RecordBatchStreamWriter | None = None

    @classmethod
    def create(
        cls, path: Path, length: int, schema: pa.Schema, codec: str, compose: Compose
    ) -> ParquetWriter:
        """Start a table, or go on after its first `length` parts; later ones are removed.

        Raises `OutputError` where one of them is gone.
        """
        folder = parts_folder(path)
        with written(path):
            folder.mkdir(parents=True, exist_ok=True)
            kept = {_part(folder, number) for number in range(length)}
            there = set(folder.glob("*.arrow"))
            if not kept <= there:
                raise OutputError(
                    f"{len(kept - there)} of its {length} parts are gone",
                    where=str(folder),
                    hint="start anew, without --resume",
                )
            for part in there - kept:
                part.unlink()
        return cls(path, schema, codec, compose, length)

    def write(self, record: Record) -> None:
        """Append one record."""
        self._records.append(record)
        self._characters += sum(len(note.document.text) for note in record.notes)
        if len(self._records) >= HELD_RECORDS or self._characters >= HELD_CHARACTERS:
            self._flush()

    def checkpoint(self) -> int:
        """Bring all to disk; return the number of parts."""
        self._flush()
        if self._file is not None and self._stream is not None:
            with written(self._path):
                self._stream.close()
                self._file.flush()
                os.fsync(self._file.fileno())
                self._file.close()
            self._file = self._stream = None
            self._parts += 1
        return self._parts

    def close(self) -> None:
        """Pour the parts into one file and bring it to disk; `parts_folder` may go then."""
        import pyarrow.parquet as pq  # noqa: PLC0415 - heavy

        self.checkpoint()
        with written(self._path), self._path.open("wb") as file:
            with pq.ParquetWriter(file, self._schema, compression=cast(Any, self._codec)) as table:
                for group in _groups(self._batches()):
                    table.write_table(_typed(group, self._schema), row_group_size=GROUP_ROWS)
            file.flush()
            os.fsync(file.fileno())

    def abandon(self) -> None:
        """Let go of the part that is being written."""
        if self._file is not None:
            let_go(self._file)

    def _flush(self) -> None:
        if not self._records:
            return
        import pyarrow as pa  # noqa: PLC0415 - heavy

        rows = self._compose(self._records)
        self._records, self._characters = [], 0
        with written(self._path):
            if self._stream is None:
                self._file = _part(self._folder, self._parts).open("wb")
                options = pa.ipc.IpcWriteOptions(compression="lz4")
                self._stream = pa.ipc.new_stream(self._file, rows.schema, options=options)
            self._stream.write_batch(rows)

    def _batches(self) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa  # noqa: PLC0415 - heavy

        for number in range(self._parts):
            with _part(self._folder, number).open("rb") as file, pa.ipc.open_stream(file) as part:
                yield from part


def parts_folder(path: Path) -> Path:
    """Return the folder that holds a table's parts until it is closed."""
    return path.with_name(f"{path.name}.parts")


def plain_schema(schema: pa.Schema) -> pa.Schema:
    """Return the schema with dictionary columns as the columns of values that they stand for."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    return pa.schema(
        [
            field.with_type(field.type.value_type) if pa.types.is_dictionary(field.type) else field
            for field in schema
        ],
        metadata=cast(Any, schema.metadata),
    )


def _part(folder: Path, number: int) -> Path:
    return folder / f"{number:05}.arrow"


def _groups(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Cut rows into groups of a bounded number and weight, wherever the batches end."""
    import numpy as np  # noqa: PLC0415 - only where tables are written
    import pyarrow as pa  # noqa: PLC0415 - heavy

    held: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        sizes, at = _sizes(batch), 0
        while at < batch.num_rows:
            room = sizes[at : at + GROUP_ROWS - rows].cumsum() + size
            fit = min(int(np.searchsorted(room, GROUP_BYTES)) + 1, len(room))
            held.append(batch.slice(at, fit))
            at, rows, size = at + fit, rows + fit, int(room[fit - 1])
            if rows == GROUP_ROWS or size >= GROUP_BYTES:
                yield pa.Table.from_batches(held).combine_chunks()
                held, rows, size = [], 0, 0
    if held:
        yield pa.Table.from_batches(held).combine_chunks()


def _sizes(batch: pa.RecordBatch) -> NDArray[np.int64]:
    """Return the bytes of each row's strings; the same for a row in whatever batch it stands."""
    import numpy as np  # noqa: PLC0415 - only where tables are written
    import pyarrow as pa  # noqa: PLC0415 - heavy
    import pyarrow.compute as pc  # noqa: PLC0415 - heavy

    sizes = np.full(batch.num_rows, ROW_BYTES, np.int64)
    kinds = (pa.string(), pa.large_string(), pa.binary(), pa.large_binary())
    for column in batch.columns:
        if column.type in kinds:
            sizes += pc.fill_null(pc.binary_length(cast(Any, column)), 0).to_numpy(
                zero_copy_only=False
            )
    return sizes


def _typed(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Give columns their dictionaries back, in the order in which their values occur."""
    import pyarrow as pa  # noqa: PLC0415 - heavy

    columns: list[pa.Array[Any] | pa.ChunkedArray[Any]] = []
    for column, field in zip(table.columns, schema, strict=True):
        kind = field.type
        if not pa.types.is_dictionary(kind):
            columns.append(column)
            continue
        coded = column.combine_chunks().dictionary_encode()
        indices = coded.indices.cast(kind.index_type)
        columns.append(
            pa.DictionaryArray.from_arrays(indices, coded.dictionary, ordered=kind.ordered)
        )
    return pa.Table.from_arrays(columns, schema=schema)
