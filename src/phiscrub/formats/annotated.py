"""The notes of a folder or a file, annotated or not, in whatever format each file has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePath
from typing import cast

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.mention import Annotated
from phiscrub.core.wording import counted
from phiscrub.formats.folder import note_files
from phiscrub.formats.record import (
    Failure,
    Format,
    Options,
    Record,
    StreamFormat,
    is_note_format,
)
from phiscrub.formats.registry import detect_format, get_format
from phiscrub.formats.source import Source

DEFAULT = Options()
BRAT, TEXT = "brat", ".txt"


@dataclass(frozen=True, slots=True)
class Placed:
    """A note, its file's path under what was given, and what else its record says of it.

    `label_set` is the set that the file's format fixes, None where it fixes none.
    """

    note: Annotated
    path: PurePath
    about: Mapping[str, str] = field(repr=False)
    label_set: str | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """Annotated notes by their ids, and how much was left out since nobody annotated it.

    `unmarked` counts texts without an .ann among those that have one, `declined` records that
    their annotator rejected or skipped.
    """

    notes: dict[str, Placed]
    unmarked: int = 0
    declined: int = 0

    def notices(self, path: Path) -> tuple[str, ...]:
        """Return what there is to say of what was left out below a path."""
        return tuple(f"{path}: {line}" for line in left_out(self.unmarked, self.declined))


def read_gold(path: Path, options: Options = DEFAULT, read_as: str | None = None) -> Gold:
    """Return the notes that are annotated; files without annotations are passed by.

    `read_as` names the format of all files, told by each otherwise. Raises `InputError` where a
    record cannot be read or two have one id, `MissingError` where there are none.
    """
    notes: dict[str, Placed] = {}
    texts = declined = 0
    is_brat = False
    for file, kind in _files(path, read_as):
        is_brat |= kind.name == BRAT
        if not kind.annotates:
            texts += file.suffix == TEXT
            continue
        below = file.relative_to(path) if path.is_dir() else PurePath(file.name)
        for record, about in _records(Source(file), kind, options):
            if record.declined:
                declined += 1
                continue
            for note in record.notes:
                if note.document.id in notes:
                    raise InputError(
                        f"a second note has the id {note.document.id}",
                        where=str(file),
                        hint="ids tell notes apart, and must differ",
                    )
                told = {**about, **note.document.meta}
                notes[note.document.id] = Placed(note, below, told, kind.label_set)
    gold = Gold(notes, texts if is_brat else 0, declined)
    if not notes:
        hint = "; ".join(left_out(gold.unmarked, declined)) or "check the path"
        raise MissingError("holds no annotated notes", where=str(path), hint=hint)
    return gold


def left_out(unmarked: int, declined: int) -> Iterator[str]:
    """Yield what there is to say of texts without an .ann, and of records that were declined."""
    if unmarked:
        yield f"left out, as they have no .ann: {counted(unmarked, 'text')}"
    if declined:
        yield (
            "left out, as their annotator rejected or skipped them (answer): "
            f"{counted(declined, 'record')}"
        )


def read_placed(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> dict[str, Placed]:
    """Return the notes of `read_gold` alone."""
    return read_gold(path, options, read_as).notes


def read_annotated(
    path: Path, options: Options = DEFAULT, read_as: str | None = None
) -> dict[str, Annotated]:
    """Return the notes of `read_placed` without their places."""
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
        for record, _ in _records(Source(file), kind, options):
            yield from (note.document for note in record.notes)


def _files(path: Path, read_as: str | None) -> Iterator[tuple[Path, Format]]:
    """Yield a file itself or those of a folder, with their formats."""
    if not path.exists():
        raise MissingError("no such folder or file", where=str(path), hint="check the path")
    forced = None if read_as is None else get_format(read_as)
    for file in note_files(path) if path.is_dir() else [path]:
        yield file, forced or detect_format(Source(file))


def _records(
    source: Source, kind: Format, options: Options
) -> Iterator[tuple[Record, Mapping[str, str]]]:
    """Yield the records that have notes, and what they say beside them."""
    if is_note_format(kind):
        yield kind.load(source, options), {}
        return
    reader = cast(StreamFormat, kind).open(source, options)
    for record in reader.records():
        if isinstance(record, Failure):
            raise record.error
        if record.notes:
            yield record, reader.about(record)
