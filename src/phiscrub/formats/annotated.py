"""The notes of a folder or a file, annotated or not, in whatever format each file has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import cast

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.mention import Annotated
from phiscrub.formats.folder import note_files
from phiscrub.formats.record import Failure, Format, Options, StreamFormat, is_note_format
from phiscrub.formats.registry import detect_format, get_format
from phiscrub.formats.source import Source

DEFAULT = Options()


@dataclass(frozen=True, slots=True)
class Placed:
    """A note, its file's path under what was given, and what else its record says of it.

    `label_set` is the set that the file's format fixes, None where it fixes none.
    """

    note: Annotated
    path: PurePath
    about: Mapping[str, str] = field(repr=False)
    label_set: str | None = None


def read_placed(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> dict[str, Placed]:
    """Return the notes by their ids; files without annotations (texts beside brat) are passed by.

    `read_as` names the format of all files, told by each otherwise. Raises `InputError` where a
    record cannot be read or two have one id, `MissingError` where there are none.
    """
    notes: dict[str, Placed] = {}
    for file, kind in _files(path, read_as):
        if not kind.annotates:
            continue
        below = file.relative_to(path) if path.is_dir() else PurePath(file.name)
        for note, about in _notes(Source(file), kind, options):
            if note.document.id in notes:
                raise InputError(
                    f"a second note has the id {note.document.id}",
                    where=str(file),
                    hint="ids tell notes apart, and must differ",
                )
            notes[note.document.id] = Placed(note, below, about, kind.label_set)
    if not notes:
        raise MissingError("holds no annotated notes", where=str(path), hint="check the path")
    return notes


def read_annotated(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> dict[str, Annotated]:
    """Return the notes of `read_placed` alone."""
    return {name: placed.note for name, placed in read_placed(path, options, read_as).items()}


def fixed_set(notes: Iterable[Placed], path: Path) -> str | None:
    """Return the label set that the formats of notes below a path fix, None where they fix none.

    Raises `InputError` where they fix several, or only some fix one.
    """
    sets = {placed.label_set: placed.path for placed in notes}
    if len(sets) > 1:
        one, other = (sets[name] for name in sorted(sets, key=str)[:2])
        raise InputError(
            f"has labels of another set than {one}",
            where=str(path / other),
            hint="convert one with phiscrub convert --labels, or keep them apart",
        )
    return next(iter(sets), None)


def documents(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> Iterator[Document]:
    """Yield every note, annotated or not; raises as `read_placed` does."""
    for file, kind in _files(path, read_as):
        yield from (note.document for note, _ in _notes(Source(file), kind, options))


def _files(path: Path, read_as: str | None) -> Iterator[tuple[Path, Format]]:
    """Yield a file itself or those of a folder, with their formats."""
    if not path.exists():
        raise MissingError("no such folder or file", where=str(path), hint="check the path")
    forced = None if read_as is None else get_format(read_as)
    for file in note_files(path) if path.is_dir() else [path]:
        yield file, forced or detect_format(Source(file))


def _notes(
    source: Source, kind: Format, options: Options
) -> Iterator[tuple[Annotated, Mapping[str, str]]]:
    if is_note_format(kind):
        yield from ((note, note.document.meta) for note in kind.load(source, options).notes)
        return
    reader = cast(StreamFormat, kind).open(source, options)
    for record in reader.records():
        if isinstance(record, Failure):
            raise record.error
        for note in record.notes:
            yield note, {**reader.about(record), **note.document.meta}
