"""The annotated notes of a folder or a file, in any format that holds annotations."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.mention import Annotated
from phiscrub.formats.record import Failure, Format, NoteFormat, Options, StreamFormat
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
    for file, kind in annotated_files(path, read_as):
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


def annotated_files(path: Path, read_as: str | None = None) -> Iterator[tuple[Path, Format]]:
    """Yield the files that hold annotations with their formats; hidden ones are passed by."""
    if not path.exists():
        raise MissingError("no such folder or file", where=str(path), hint="check the path")
    forced = None if read_as is None else get_format(read_as)
    inside = sorted(path.iterdir()) if path.is_dir() else [path]
    for file in inside:
        if not file.is_file() or file.name.startswith("."):
            continue
        if file.suffix == ".ann" and file.with_suffix(".txt").exists():
            continue  # read together with its text
        kind = forced or detect_format(Source(file))
        if kind.annotates:
            yield file, kind


def _notes(source: Source, kind: Format, options: Options) -> Iterator[Annotated]:
    if hasattr(kind, "load"):
        yield from kind.load(source, options).notes
        return
    for record in kind.open(source, options).records():
        if isinstance(record, Failure):
            raise record.error
        yield from record.notes
