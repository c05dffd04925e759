"""Copies of notes as the input and the work of a run: read by number, made in workers."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path, PurePath
from typing import TypeVar

from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated
from phiscrub.formats.record import Options, Position, Record, Writer
from phiscrub.formats.source import Source
from phiscrub.jobs.work import Outcome, Result, kept_back
from phiscrub.jobs.workers import in_parallel
from phiscrub.synthesize.synthesizer import Origin, Settings, Synthesizer

T = TypeVar("T")
NUMBER, TURN, CARRIER = "number", "turn", "carrier"  # what a copy's metadata tell its maker
YES = "yes"


@dataclass(frozen=True, slots=True)
class Copies:
    """So many copies of notes, taken in turn, as if they stood in one file.

    A copy is named by its number, because the original's name may identify.
    """

    origins: tuple[Origin, ...] = field(repr=False)
    ends: tuple[int, ...]  # of each original, were they written one behind the other
    count: int

    name = "copies"
    suffix = ""
    label_set = None
    annotates = True

    @classmethod
    def of(cls, origins: Sequence[Origin], count: int) -> Copies:
        """Measure the originals."""
        lengths = (len(origin.note.document.text) for origin in origins)
        return cls(tuple(origins), tuple(accumulate(lengths)), count)

    @property
    def characters(self) -> int:
        """How long the originals of all copies are together: the size of the virtual file."""
        return self._length(self.count)

    @property
    def digest(self) -> str:
        """A hash of the originals."""
        told = hashlib.sha256()
        for origin in self.origins:
            note = origin.note
            marks = [(m.span.start, m.span.end, m.label) for m in note.mentions]
            words = f"{note.document.id}\0{note.document.text}\0{marks}\0{origin.is_carrier}\0"
            told.update(words.encode("utf-8", "surrogatepass"))
        return told.hexdigest()

    def sniff(self, head: bytes, path: PurePath | None) -> bool:  # noqa: ARG002 - the contract's
        """Take no file for copies."""
        return False

    def open(self, source: Source, options: Options) -> CopyReader:  # noqa: ARG002
        """Return the reader."""
        return CopyReader(self)

    def create(self, path: Path, layout: object, options: Options, length: int = 0) -> Writer:
        """Refuse: copies are read, never written."""
        raise NotImplementedError

    def record(self, number: int) -> Record:
        """Return what the copy of a number is made from, with all that its maker must know."""
        turn, at = divmod(number, len(self.origins))
        origin = self.origins[at]
        told = {NUMBER: str(number), TURN: str(turn)} | (
            {CARRIER: YES} if origin.is_carrier else {}
        )
        old = origin.note.document
        document = Document(f"synth-{number:07}", old.text, old.subject, told)
        after = Position(self._length(number + 1), number + 1, number + 1)
        return Record((Annotated(document, origin.note.mentions),), after=after)

    def _length(self, count: int) -> int:
        turns, rest = divmod(count, len(self.origins))
        return turns * self.ends[-1] + (self.ends[rest - 1] if rest else 0)


@dataclass(frozen=True, slots=True)
class CopyReader:
    """Yields what each copy is made from, from any number on."""

    copies: Copies
    layout: object = None

    def records(self, start: Position = Position()) -> Iterator[Record]:  # noqa: B008
        """Yield a record a copy."""
        return map(self.copies.record, range(start.index, self.copies.count))

    def about(self, record: Record) -> Mapping[str, str]:  # noqa: ARG002 - the contract's
        """Tell nothing."""
        return {}


@dataclass(frozen=True, slots=True)
class CopyWork:
    """Makes the copies of a run, in this process or in several."""

    settings: Settings
    copies: Copies
    workers: int

    @property
    def fingerprint(self) -> str:
        """What decides the copies."""
        return f"{self.settings}:{self.copies.count}:{self.copies.digest}"

    def run(
        self, batches: Iterable[tuple[T, Sequence[Annotated]]]
    ) -> Iterator[tuple[T, list[Result]]]:
        """Make the copies of each batch."""
        if self.workers > 1:
            yield from in_parallel(batches, self.workers, _start, self.settings, _work)
            return
        synthesizer = Synthesizer.of(self.settings)
        for companion, notes in batches:
            yield companion, [_made(synthesizer, note) for note in notes]


_synthesizer: list[Synthesizer] = []  # of this worker process, built once


def _start(settings: Settings) -> None:
    _synthesizer.append(Synthesizer.of(settings))


def _work(notes: Sequence[Annotated]) -> list[Result]:
    return [_made(_synthesizer[0], note) for note in notes]


def _made(synthesizer: Synthesizer, note: Annotated) -> Result:
    """Make one copy; one that cannot be made is kept back alone."""
    told = note.document.meta
    origin = Origin(note, CARRIER in told)
    try:
        made = synthesizer.copy(origin, int(told[NUMBER]), int(told[TURN]), note.document.id)
    except Exception as error:  # noqa: BLE001 - whatever a part raises, the note is kept back
        return kept_back(error)
    return Outcome(made, made.mentions)
