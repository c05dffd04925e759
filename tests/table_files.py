"""Tables on disk for tests: read, told, copied with other texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from phiscrub.core.mention import Annotated
from phiscrub.formats.record import Failure, Options, Record
from phiscrub.formats.source import Source
from phiscrub.formats.table import Csv


def read(path: Path, **options: object) -> list[Record | Failure]:
    return list(Csv().open(Source(path), Options(**options)).records())  # type: ignore[arg-type]


def texts(items: list[Record | Failure]) -> list[str]:
    return [n.document.text for item in items if isinstance(item, Record) for n in item.notes]


def failures(items: list[Record | Failure]) -> list[str]:
    return [str(item.error) for item in items if isinstance(item, Failure)]


def copy(path: Path, out: Path, change: str | None = None, **options: object) -> bytes:
    settings_ = Options(**options)  # type: ignore[arg-type]
    reader = Csv().open(Source(path), settings_)
    writer = Csv().create(out, reader.layout, settings_)
    try:
        for item in reader.records():
            if isinstance(item, Record):
                writer.write(item if change is None else changed(item, change))
    finally:
        writer.close()
    return out.read_bytes()


def changed(record: Record, text: str) -> Record:
    return replace(
        record,
        notes=tuple(Annotated(replace(n.document, text=text)) for n in record.notes),
    )


def put(folder: Path, data: bytes | str, name: str = "t.csv") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path
