"""The records of a task, in order and in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import cast

from phiscrub.core.batches import by_size
from phiscrub.core.document import Document, Subject, patient_of
from phiscrub.core.errors import InputError, PhiscrubError, Place
from phiscrub.core.mention import Annotated
from phiscrub.formats.markup import hidden_by
from phiscrub.formats.record import (
    Failure,
    NoteFormat,
    Options,
    Position,
    Reader,
    Record,
    StreamFormat,
    is_note_format,
)
from phiscrub.jobs.plan import Item, Task

BATCH_RECORDS = 512
TEXT = "text"  # the format of plain text

Entry = tuple[Item, Record | Failure]


def entries(task: Task, options: Options, start: Position) -> tuple[Reader | None, Iterator[Entry]]:
    """Return the reader of a task's file, if it is one of many notes, and its records."""
    if task.reads_notes:
        return None, _single_notes(task, options, start.index)
    item = task.items[0]
    reader = cast(StreamFormat, item.format).open(item.source, options)
    return reader, ((item, record) for record in reader.records(start))


def with_subjects(found: Iterator[Entry], subjects: Mapping[str, Subject]) -> Iterator[Entry]:
    """Give each note its subject: by the patient's key that came with it, or else by its id.

    An id PATIENT-RECORD that is no patient's is looked up as its patient.
    """
    for item, record in found:
        if isinstance(record, Failure):
            yield item, record
        else:
            notes = tuple(_known(note, subjects) for note in record.notes)
            yield item, replace(record, notes=notes)


def accepted(found: Iterator[Entry], decline: Callable[[], None]) -> Iterator[Entry]:
    """Leave out records that their annotator rejected or skipped; `decline` is called for each."""
    for item, record in found:
        if isinstance(record, Record) and record.declined:
            decline()
        else:
            yield item, record


def in_plain_text(found: Iterator[Entry]) -> Iterator[Entry]:
    """Keep records back of which a note is RTF or HTML, or has HTML's escapes.

    Files of plain text are refused by their format, unless that was asked for.
    """
    for item, record in found:
        kind = None
        if isinstance(record, Record) and item.format.name != TEXT:
            kinds = (hidden_by(note.document.text) for note in record.notes)
            kind = next((kind for kind in kinds if kind is not None), None)
        if kind is None or isinstance(record, Failure):
            yield item, record
            continue
        number = None if is_note_format(item.format) else str(record.after.index)
        where = Place(item.source.name, record.line, record=number)
        hint = "export the notes as plain text, or have tags and all read as text with --markup"
        error = InputError(f"is {kind}, no plain text", where=where, hint=hint)
        yield item, Failure(error, record.after)


def _known(note: Annotated, subjects: Mapping[str, Subject]) -> Annotated:
    document = note.document
    subject = subjects.get(patient_of(document) or document.id)
    if document.subject is None:
        subject = subjects.get(document.id, subject)
    if subject is None:
        return note
    known = Document(document.id, document.text, subject, document.meta)
    return Annotated(known, note.mentions)


def _single_notes(task: Task, options: Options, start: int) -> Iterator[Entry]:
    for index, item in enumerate(task.items[start:], start + 1):
        after = Position(index=index)
        try:
            record = cast(NoteFormat, item.format).load(item.source, options)
        except PhiscrubError as error:
            yield item, Failure(error, after)
        else:
            yield item, replace(record, after=after)


def told_apart(task: Task, found: Iterator[Entry]) -> Iterator[Entry]:
    """Give notes of one name, which go to one file, ids of their own: with the folder, or more."""
    if task.writes_notes or not task.reads_notes:
        yield from found
        return
    names = _names(task.items)
    for item, record in found:
        name = names.get(item.source.name)
        if isinstance(record, Failure) or name is None:
            yield item, record
        else:
            notes = tuple(_called(note, item.below.stem, name) for note in record.notes)
            yield item, replace(record, notes=notes)


def _names(items: Sequence[Item]) -> dict[str, str]:
    """Return the names of files that share theirs with others, by their paths: as long as need be.

    Only those are kept in mind: a folder may have millions of files.
    """
    ways: tuple[Callable[[Item], str], ...] = (
        lambda item: item.below.stem,
        lambda item: item.below.with_suffix("").as_posix(),
        lambda item: item.below.as_posix(),
        lambda item: item.source.name,
    )
    found: dict[str, str] = {}
    for way, longer in pairwise(ways):
        counts = Counter(map(way, items))
        items = [item for item in items if counts[way(item)] > 1]
        found |= {item.source.name: longer(item) for item in items}
    return found


def _called(note: Annotated, was: str, name: str) -> Annotated:
    own = note.document
    if own.id != was:
        return note
    return Annotated(Document(name, own.text, own.subject, own.meta), note.mentions)


def batches(found: Iterator[Entry]) -> Iterator[list[Entry]]:
    """Return the entries in batches that are worth a call."""

    def size(entry: Entry) -> int:
        return sum(len(note.document.text) for note in notes_of([entry]))

    return by_size(found, size, most=BATCH_RECORDS)


def notes_of(batch: Sequence[Entry]) -> list[Annotated]:
    """Return the notes of a batch, those of failed records not among them."""
    return [note for _, record in batch if isinstance(record, Record) for note in record.notes]


def record_name(record: Record) -> str:
    """Return what a message calls a record: its first note's id, or its number."""
    return record.notes[0].document.id if record.notes else str(record.after.index)
