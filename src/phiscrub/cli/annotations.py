"""The annotated notes of a folder or a file, in any format that holds annotations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import cast

from phiscrub.cli.pairing import below
from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.mention import Annotated
from phiscrub.formats.jsonl import other_words
from phiscrub.formats.record import Failure, Options, StreamFormat
from phiscrub.formats.registry import detect_format
from phiscrub.formats.source import Source
from phiscrub.jobs.plan import is_note_format


@dataclass(frozen=True, slots=True)
class Placed:
    """A note, its file's path under what was given, and what else its record says of it."""

    note: Annotated
    path: PurePath
    about: Mapping[str, str] = field(repr=False)


def read_annotations(path: Path) -> dict[str, Annotated]:
    """Return the notes by their ids; raises as `read_placed` does."""
    return {name: placed.note for name, placed in read_placed(path).items()}


def read_placed(path: Path) -> dict[str, Placed]:
    """Return the notes by their ids; files without annotations (texts beside brat) are passed by.

    Raises `InputError` where a record cannot be read or two have one id, `MissingError` where
    there are none.
    """
    notes: dict[str, Placed] = {}
    for file in _files(path):
        inside = file.relative_to(path) if path.is_dir() else PurePath(file.name)
        for note, about in _notes(Source(file)):
            if note.document.id in notes:
                raise InputError(
                    f"a second note has the id {note.document.id}",
                    where=str(file),
                    hint="ids pair notes with those of the other side, and must differ",
                )
            notes[note.document.id] = Placed(note, inside, about)
    if not notes:
        raise MissingError("holds no annotated notes", where=str(path), hint="check the path")
    return notes


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise MissingError("no such folder or file", where=str(path), hint="check the path")
    return [
        file
        for file in below(path)
        if file.suffix != ".ann" or not file.with_suffix(".txt").exists()  # read with its text
    ]


def _notes(source: Source) -> Iterator[tuple[Annotated, Mapping[str, str]]]:
    kind, options = detect_format(source), Options()
    if not kind.annotates:
        return
    if is_note_format(kind):
        yield from ((note, note.document.meta) for note in kind.load(source, options).notes)
        return
    for record in cast(StreamFormat, kind).open(source, options).records():
        if isinstance(record, Failure):
            raise record.error
        for note in record.notes:
            yield note, {**other_words(record), **note.document.meta}
