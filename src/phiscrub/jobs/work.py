"""Batches of documents through a pipeline, in this process or in several, always in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, LabelError, PhiscrubError, raised_in
from phiscrub.core.labels import MAPPED, NAMED, strangers
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.redaction import Redaction
from phiscrub.core.wording import listed
from phiscrub.jobs.workers import in_parallel
from phiscrub.pipeline.auto import Auto
from phiscrub.pipeline.load import load_any
from phiscrub.pipeline.pipeline import Pipeline

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one document: the note to write, and the mentions found in the original.

    `kept` are those of which a policy lets something stay.
    """

    note: Annotated
    found: tuple[Mention, ...]
    kept: tuple[Mention, ...] = ()


Result = Outcome | PhiscrubError


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a worker needs to build its pipeline; `mode` is `scrub` or `detect`."""

    mode: str
    pipeline: str
    changes: Mapping[str, Any]

    def load(self) -> Pipeline | Auto:
        """Build the pipeline."""
        return load_any(self.pipeline, **self.changes)


def process(pipeline: Pipeline | Auto, mode: str, documents: Sequence[Document]) -> list[Result]:
    """Run a batch; where it fails, each document by itself, so that one note fails alone."""
    try:
        return _run(pipeline, mode, documents)
    except Exception as error:  # noqa: BLE001 - whatever a part raises, the note is kept back
        if len(documents) == 1:
            return [kept_back(error)]
        return [process(pipeline, mode, [document])[0] for document in documents]


def _run(pipeline: Pipeline | Auto, mode: str, documents: Sequence[Document]) -> list[Result]:
    if mode == "detect":
        return [Outcome(note, note.mentions) for note in pipeline.annotate(documents)]
    return [_outcome(redaction) for redaction in pipeline.redact(documents)]


def _outcome(redaction: Redaction) -> Outcome:
    return Outcome(redaction.output, redaction.cover.mentions, redaction.kept)


def kept_back(error: Exception) -> PhiscrubError:
    """Return an error that says where a part failed, and nothing that it said of the text."""
    if isinstance(error, PhiscrubError):
        return error
    return InputError(
        f"could not be processed: {type(error).__name__} in {raised_in(error)}",
        hint="the note is kept back; please report this",
    )


_pipeline: list[tuple[Pipeline | Auto, str]] = []  # of this worker process, built once


def _start(recipe: Recipe) -> None:
    _pipeline.append((recipe.load(), recipe.mode))


def _work(documents: Sequence[Document]) -> list[Result]:
    pipeline, mode = _pipeline[0]
    return process(pipeline, mode, documents)


class Processor(Protocol):
    """Does a run's work on batches of notes. `fingerprint` says what decides its output."""

    @property
    def fingerprint(self) -> str:
        """A hash that changes with the work."""
        ...

    def run(
        self, batches: Iterable[tuple[T, Sequence[Annotated]]]
    ) -> Iterator[tuple[T, list[Result]]]:
        """Process batches; each comes back with its companion, in order, a result a note."""
        ...


class Checks(Protocol):
    """What is learnt of the notes and told at the end; a resumed run must know it again."""

    def learnt(self) -> Iterable[dict[str, Any]]:
        """Return what the notes since the last call added: plain values, no words of theirs."""
        ...

    def recall(self, rows: Iterable[dict[str, Any]]) -> None:
        """Know what these rows say and nothing else."""
        ...


@dataclass(frozen=True, slots=True)
class Relabelling:
    """Conversion between formats: the mentions as they came, renamed by `names` if given.

    A mention whose new name is '' is dropped.
    """

    names: Mapping[str, str] | None

    @property
    def fingerprint(self) -> str:
        """The names, as text."""
        return repr(self.names)

    def run(
        self, batches: Iterable[tuple[T, Sequence[Annotated]]]
    ) -> Iterator[tuple[T, list[Result]]]:
        """Rename the mentions of each batch."""
        for companion, notes in batches:
            yield companion, [self._renamed(note) for note in notes]

    def _renamed(self, note: Annotated) -> Result:
        names = self.names
        if names is None:
            return Outcome(note, note.mentions)
        for mention in note.mentions:
            if mention.label not in names:
                return LabelError(
                    f"{strangers([mention.label])} is not in the label set of the input",
                    hint=f"its labels are {listed(names)}; is it another? {NAMED}, or {MAPPED}",
                )
        mentions = tuple(m.renamed(names) for m in note.mentions if names[m.label])
        return Outcome(Annotated(note.document, mentions), mentions)


@dataclass(frozen=True, slots=True)
class PipelineWork:
    """Batches through a pipeline, in this process or in several."""

    recipe: Recipe
    pipeline: Pipeline | Auto
    workers: int

    @property
    def fingerprint(self) -> str:
        """The pipeline's."""
        return f"{self.recipe.mode}:{self.pipeline.fingerprint}"

    def run(
        self, batches: Iterable[tuple[T, Sequence[Annotated]]]
    ) -> Iterator[tuple[T, list[Result]]]:
        """Process batches; several workers hold at most two batches each."""
        work = ((companion, [note.document for note in notes]) for companion, notes in batches)
        if self.workers > 1:
            yield from in_parallel(work, self.workers, _start, self.recipe, _work)
            return
        for companion, documents in work:
            yield companion, process(self.pipeline, self.recipe.mode, documents)
