"""Where results go: files that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, cast
from urllib.parse import quote

from phiscrub.core.errors import InputError, Place
from phiscrub.core.labels import label_set, renaming
from phiscrub.core.mention import Annotated
from phiscrub.formats.brat import MARKED, Brat
from phiscrub.formats.record import (
    NoteFormat,
    Options,
    Record,
    StreamFormat,
    Writer,
)
from phiscrub.formats.stream import STDOUT, put, written
from phiscrub.formats.whole import write_whole
from phiscrub.jobs.names import Names
from phiscrub.jobs.plan import BESIDE, Item, Task, output_path

KEEPS_CARRY = frozenset(
    {"text", "i2b2", "meddocan", "i2b2-2006", "csv", "json", "jsonl", "parquet"}
)
LONGEST_NAME = 200

Tell = Callable[[Path, bytes], None]  # of a file of one note, when it stands in its place


class Output(Protocol):
    """Takes the records of one task."""

    def write(self, item: Item, record: Record) -> None:
        """Write one record; raise `InputError` for one that the format cannot hold."""
        ...

    def checkpoint(self) -> int:
        """Bring all to disk; return the length to resume from."""
        ...

    def close(self) -> None:
        """Finish what is staged; it is not yet in its place."""
        ...

    def commit(self) -> None:
        """Put the finished file in its place; doing it twice does no harm."""
        ...

    def abandon(self) -> None:
        """Let go of what is staged, as it is."""
        ...

    def withdraw(self) -> None:
        """Take away what this run put in its place, since the file that it is from is broken."""
        ...


class NoteFiles:
    """A file (brat: two) a note, each written beside its place and then moved there."""

    def __init__(
        self,
        task: Task,
        options: Options,
        staged: Staged,
        tell: Tell,
        *,
        carries: bool,
        spoken: str | None,
    ) -> None:
        self._task, self._options, self._carries = task, options, carries
        self._tell, self._spoken = tell, spoken
        self._named: Names | None = None
        if not task.reads_notes:
            place = staged.path.with_name(f"{staged.path.name}.names")
            self._named = Names(place, staged.length)

    def write(self, item: Item, record: Record) -> None:
        """Write the record's notes, under the item's name or, from a table, under their ids."""
        kind = cast(NoteFormat, self._task.format_of(item))
        keeps = self._carries and item.format.name == kind.name
        spoken = self._spoken or item.format.label_set
        made: list[tuple[Path, Mapping[str, bytes]]] = []
        taken: list[str] = []
        for note in renamed(record.notes, names_for(spoken, kind.label_set)):
            path = output_path(self._task, item)
            if self._named is not None:
                taken.append(self._free_name(note.document.id, item, record, taken))
                path = self._path(taken[-1], item)
            is_marked = record.carry == MARKED and kind.name == Brat.name  # it counts there
            carry = record.carry if keeps or is_marked else None
            made.append((path, kind.dump(note, carry, self._options)))
        if self._named is not None:
            self._named.add(taken)
        for path, data in made:
            if self._task.out == STDOUT:
                _to_stdout(data)
                continue
            files = {path.with_suffix(s) if len(data) > 1 else path: b for s, b in data.items()}
            for target, content in files.items():
                write_whole(target, content)
                self._tell(target, content)

    def checkpoint(self) -> int:
        """Bring the moved files to disk; one call for all is far cheaper than one each."""
        os.sync()
        return 0 if self._named is None else self._named.checkpoint()

    def close(self) -> None:
        """Nothing is staged but names."""
        self.abandon()

    def commit(self) -> None:
        """Every file is in its place."""

    def abandon(self) -> None:
        """Nothing is staged but names."""
        if self._named is not None:
            self._named.close()

    def withdraw(self) -> None:
        """Take away the files of all notes of a table; those of an earlier run stay."""
        item = self._task.items[0]
        beside = BESIDE.get(self._task.format_of(item).name)
        for path in (self._path(name, item) for name in self._named or ()):
            for file in map(path.with_suffix, beside) if beside else [path]:
                with written(file):
                    file.unlink(missing_ok=True)

    def _path(self, name: str, item: Item) -> Path:
        return self._task.out / (name + self._task.format_of(item).suffix)

    def _free_name(self, name: str, item: Item, record: Record, taken: Sequence[str]) -> str:
        safe = _safe(name)
        is_taken = safe in taken or (self._named is not None and safe in self._named)
        if not safe or len(safe) > LONGEST_NAME or is_taken:
            what = "is used twice" if is_taken else "makes no file name"
            raise InputError(
                f"the note's id {what}",
                where=Place(
                    item.source.name, record.after.line or None, record=str(record.after.index)
                ),
                hint="name another column with --id-column",
            )
        return safe


class StagedFile:
    """One file of many notes, which grows in the staging folder."""

    def __init__(
        self, writer: Writer, staged: Path, out: Path, *, keeps: bool, names: Mapping[str, str]
    ) -> None:
        self._writer, self._staged, self._out = writer, staged, out
        self._keeps, self._names = keeps, names

    def write(self, item: Item, record: Record) -> None:  # noqa: ARG002 - the contract's
        """Append a record."""
        notes = renamed(record.notes, self._names)
        carry = record.carry if self._keeps else None
        self._writer.write(replace(record, notes=notes, carry=carry))

    def checkpoint(self) -> int:
        """Bring all to disk."""
        return self._writer.checkpoint()

    def close(self) -> None:
        """Finish the staged file."""
        self._writer.close()

    def commit(self) -> None:
        """Move the staged file to its place."""
        move_staged(self._staged, self._out)

    def abandon(self) -> None:
        """Let go of the staged file."""
        self._writer.abandon()

    def withdraw(self) -> None:
        """Nothing has its place yet."""


def move_staged(staged: Path, out: Path) -> None:
    """Move a finished file to its place, if that has not happened yet."""
    if out != STDOUT and staged.exists():
        with written(out):
            out.parent.mkdir(parents=True, exist_ok=True)
            staged.replace(out)
            shutil.rmtree(staged.with_name(f"{staged.name}.parts"), ignore_errors=True)


@dataclass(frozen=True, slots=True)
class Staged:
    """A staged file, and the length that it had at the checkpoint to go on from."""

    path: Path
    length: int


def open_output(
    task: Task,
    layout: object,
    options: Options,
    staged: Staged,
    tell: Tell,
    *,
    carries: bool,
    spoken: str | None,
) -> Output:
    """Open where a task writes.

    `carries` says that what surrounds a note may pass through, `spoken` which label set the
    notes have.
    """
    if task.writes_notes:
        return NoteFiles(task, options, staged, tell, carries=carries, spoken=spoken)
    item = task.items[0]
    kind = cast(StreamFormat, task.format_of(item))
    fits = kind.name in KEEPS_CARRY or options.verbatim
    keeps = carries and item.format.name == kind.name and fits
    path = STDOUT if task.out == STDOUT else staged.path
    writer = kind.create(path, layout if keeps else None, options, staged.length)
    names = names_for(spoken or item.format.label_set, kind.label_set)
    return StagedFile(writer, staged.path, task.out, keeps=keeps, names=names)


def names_for(spoken: str | None, wanted: str | None) -> Mapping[str, str]:
    """Return what each label is called in the set that a format wants; nothing where it fits."""
    if spoken is None or wanted is None or label_set(spoken).name == wanted:
        return {}
    return renaming(label_set(spoken), label_set(wanted))


def renamed(notes: tuple[Annotated, ...], names: Mapping[str, str]) -> tuple[Annotated, ...]:
    """Return the notes under other labels; a label that `names` lacks stays."""
    if not names:
        return notes
    return tuple(
        Annotated(note.document, tuple(m.renamed(names) for m in note.mentions)) for note in notes
    )


def _safe(name: str) -> str:
    """Return a name of a file for an id, in ASCII."""
    safe = quote(name, safe=" ()[]{},;@+=~#&'!", errors="surrogateescape")
    return f"%2E{safe[1:]}" if safe.startswith(".") else safe


def _to_stdout(data: Mapping[str, bytes]) -> None:
    with written(STDOUT):
        for content in data.values():
            put(sys.stdout.buffer, content)
        sys.stdout.buffer.flush()
