"""The annotated notes of a folder or a file, in any format that holds annotations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.mention import Annotated
from phiscrub.formats.record import Failure, Options, StreamFormat
from phiscrub.formats.registry import detect_format
from phiscrub.formats.source import Source
from phiscrub.jobs.plan import is_note_format


def read_annotations(path: Path) -> dict[str, Annotated]:
    """Return the notes by their ids; files without annotations (texts beside brat) are passed by.

    Raises `InputError` where a record cannot be read or two have one id, `MissingError` where
    there are none.
    """
    notes: dict[str, Annotated] = {}
    for file in _files(path):
        for note in _notes(Source(file)):
            if note.document.id in notes:
                raise InputError(
                    f"a second note has the id {note.document.id}",
                    where=str(file),
                    hint="ids pair notes with those of the other side, and must differ",
                )
            notes[note.document.id] = note
    if not notes:
        raise MissingError("holds no annotated notes", where=str(path), hint="check the path")
    return notes


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise MissingError("no such folder or file", where=str(path), hint="check the path")
    return sorted(file for file in path.iterdir() if file.is_file())


def _notes(source: Source) -> Iterator[Annotated]:
    kind, options = detect_format(source), Options()
    if not kind.annotates:
        return
    if is_note_format(kind):
        yield from kind.load(source, options).notes
        return
    for record in cast(StreamFormat, kind).open(source, options).records():
        if isinstance(record, Failure):
            raise record.error
        yield from record.notes
