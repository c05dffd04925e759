"""Each note by the pipeline of its own language, all in one label set."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from phiscrub.core.contracts import Detector
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import LabelSet
from phiscrub.core.mention import Annotated
from phiscrub.core.redaction import Redaction
from phiscrub.pipeline.languages import Languages
from phiscrub.pipeline.pipeline import Explanation, Pipeline, checked, in_batches
from phiscrub.pipeline.shipped import ANY

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Auto:
    """The pipelines by language, and what tells languages; `label_set` is of what is written.

    A note in none of the languages is read as `Languages.of` says.
    """

    pipelines: Mapping[str, Pipeline]
    label_set: LabelSet
    tells: Languages = field(default_factory=Languages.load)

    @property
    def language(self) -> str:
        """That it is any."""
        return ANY

    @property
    def detectors(self) -> tuple[tuple[str, Detector], ...]:
        """The detectors of all pipelines."""
        return tuple(one for pipeline in self.pipelines.values() for one in pipeline.detectors)

    @property
    def fingerprint(self) -> str:
        """A hash of all pipelines'."""
        told = "".join(f"{name}:{one.fingerprint}\n" for name, one in self.pipelines.items())
        return hashlib.sha256(told.encode()).hexdigest()

    def covers(self, documents: Sequence[Document]) -> list[Cover]:
        """Return what is to be replaced in each document, in the label set that is written."""
        return [Cover.of(note.mentions) for note in self.annotate(documents)]

    def annotate(self, documents: Sequence[Document]) -> list[Annotated]:
        """Return each document with the mentions found in it."""
        return self._each(documents, lambda pipeline, own: pipeline.annotate(own))

    def redact(self, documents: Sequence[Document]) -> list[Redaction]:
        """Return each document with its identifiers replaced."""
        return self._each(documents, lambda pipeline, own: pipeline.redact(own))

    def explain(self, document: Document) -> Explanation:
        """Return what each part of its language's pipeline said of one document."""
        return self.pipelines[self.tells.of(document.text)].explain(document)

    def scrub(self, text: str, *, markup: bool = False) -> Redaction:
        """Scrub one text; see `Pipeline.scrub`."""
        return self.redact([Document("text", checked(text, "the text", markup=markup))])[0]

    def scrub_many(self, texts: Iterable[str], *, markup: bool = False) -> Iterator[Redaction]:
        """Scrub a stream of texts in batches, in order; see `Pipeline.scrub_many`."""
        return in_batches(self.redact, texts, markup=markup)

    def _each(
        self,
        documents: Sequence[Document],
        work: Callable[[Pipeline, Sequence[Document]], Sequence[T]],
    ) -> list[T]:
        """Do the work language by language; results come in the order of the documents."""
        places: dict[str, list[int]] = {}
        for at, document in enumerate(documents):
            places.setdefault(self.tells.of(document.text), []).append(at)
        done: dict[int, T] = {}
        for language, own in places.items():
            results = work(self.pipelines[language], [documents[at] for at in own])
            done.update(zip(own, results, strict=True))
        return [done[at] for at in range(len(documents))]
