"""A name that one of a patient's notes tells for sure, for the patient's other notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from phiscrub.core.batches import by_size
from phiscrub.core.document import Document, Subject, patient_of
from phiscrub.pipeline.auto import Auto
from phiscrub.pipeline.pipeline import Pipeline


@dataclass(slots=True)
class Gathered:
    """What was learned of each patient so far, by the patient's key; grows note by note."""

    labels: frozenset[str]
    least_score: float
    _known: dict[str, dict[tuple[str, str], None]] = field(
        default_factory=lambda: defaultdict(dict), repr=False
    )

    def read(self, pipeline: Pipeline | Auto, documents: Iterable[Document]) -> None:
        """Run a pipeline over notes, and keep the words of believed mentions of `labels`.

        A note that does not say whose it is, as its subject or by an id PATIENT-RECORD, teaches
        nothing. Labels are those of the hub set.
        """
        hub = pipeline.label_set.to_hub
        for batch in by_size(documents, lambda document: len(document.text)):
            for document, cover in zip(batch, pipeline.covers(batch), strict=True):
                patient = patient_of(document)
                if patient is None:
                    continue
                pairs = self._known[patient]
                if document.subject is not None:
                    pairs.update(dict.fromkeys(document.subject.known))
                for mention in cover:
                    label = hub.get(mention.label, "")
                    if label in self.labels and mention.score >= self.least_score:
                        words = document.text[mention.span.start : mention.span.end]
                        pairs[label, " ".join(words.split())] = None

    def subjects(self) -> Mapping[str, Subject]:
        """Return the patients, for `Document.subject` or the part ``subject``."""
        return {key: Subject(key, tuple(pairs)) for key, pairs in sorted(self._known.items())}
