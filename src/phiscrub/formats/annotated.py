"""The notes of a folder or a file, annotated or not, in whatever format each file has."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.mention import Annotated
from phiscrub.formats.record import Failure, Format, Options
from phiscrub.formats.registry import detect_format, get_format
from phiscrub.formats.source import Source

DEFAULT = Options()


def annotated_notes(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> tuple[dict[str, Annotated], str | None]:
    """Return the notes by their ids, and the label set that their format fixes, if it does.

    Files without annotations are passed by. Raises `InputError` where a record cannot be read
    or two have one id, `MissingError` where there are none.
    """
    notes: dict[str, Annotated] = {}
    sets: dict[str | None, Path] = {}
    for file, kind in _files(path, read_as):
        if not kind.annotates:
            continue
        sets.setdefault(kind.label_set, file)
        for note in _notes(Source(file), kind, options):
            if note.document.id in notes:
                raise InputError(
                    f"a second note has the id {note.document.id}",
                    where=str(file),
                    hint="ids tell notes apart, and must differ",
                )
            notes[note.document.id] = note
    if not notes:
        raise MissingError("holds no annotated notes", where=str(path), hint="check the path")
    if len(sets) > 1:
        one, other = (sets[name] for name in sorted(sets, key=str)[:2])
        raise InputError(
            f"has labels of another set than {one}",
            where=str(other),
            hint="convert one with phiscrub convert --labels, or keep them apart",
        )
    return notes, next(iter(sets))


def documents(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> Iterator[Document]:
    """Yield every note, whatever is annotated in it; raises as `annotated_notes` does."""
    for file, kind in _files(path, read_as):
        yield from (note.document for note in _notes(Source(file), kind, options))


def _files(path: Path, read_as: str | None) -> Iterator[tuple[Path, Format]]:
    """Yield the files below a folder with their formats; hidden ones are passed by."""
    if not path.exists():
        raise MissingError("no such folder or file", where=str(path), hint="check the path")
    forced = None if read_as is None else get_format(read_as)
    for file in _walk(path) if path.is_dir() else [path]:
        if file.suffix == ".ann" and file.with_suffix(".txt").exists():
            continue  # read together with its text
        yield file, forced or detect_format(Source(file))


def _walk(top: Path) -> Iterator[Path]:
    for folder, folders, names in os.walk(top):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(folder, name) for name in sorted(names) if not name.startswith("."))


def _notes(source: Source, kind: Format, options: Options) -> Iterator[Annotated]:
    if hasattr(kind, "load"):
        yield from kind.load(source, options).notes
        return
    for record in kind.open(source, options).records():
        if isinstance(record, Failure):
            raise record.error
        yield from record.notes
