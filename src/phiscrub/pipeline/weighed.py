"""A batch read as far as no threshold has a say, and its covers at one or another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, cast

from phiscrub.core.contracts import Careful, Detector
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.detect.remembered import Answer
from phiscrub.detect.routed import Routed
from phiscrub.pipeline.pipeline import Pipeline, Reading


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A batch with the claims of rules, and what taggers think of it, by detectors' numbers."""

    pipeline: Pipeline
    reading: Reading
    claims: Mapping[int, Answer] = field(repr=False)
    thoughts: Mapping[int, Any] = field(repr=False)

    @classmethod
    def of(
        cls, pipeline: Pipeline, taggers: Collection[int], documents: Sequence[Document]
    ) -> Self:
        """Ask every detector of a pipeline; `taggers` are numbers of those that are careful."""
        reading = pipeline.read(documents)
        claims, thoughts = {}, {}
        for number, (_, detector) in enumerate(pipeline.detectors):
            if number in taggers:
                thoughts[number] = careful(detector).weigh(reading.notes)
            else:
                claims[number] = detector.detect(reading.notes)
        return cls(pipeline, reading, claims, thoughts)

    def covers(self, threshold: float) -> list[Cover]:
        """Return the documents' covers with all taggers at a threshold."""
        found = []
        for number, (_, detector) in enumerate(self.pipeline.detectors):
            if number in self.claims:
                found.append(self.claims[number])
                continue
            own = careful(detector).settle(self.thoughts[number], threshold)
            found.append(detector.heard(own) if isinstance(detector, Routed) else own)
        return [seen.cover for seen in self.pipeline.settle(self.reading, found)]


def is_careful(detector: Detector) -> bool:
    """Tell whether it can be read at another threshold; a part from elsewhere may not."""
    return hasattr(_inner(detector), "settle")


def careful(detector: Detector) -> Careful:
    """Return a detector that can, without what of it is heard."""
    return cast(Careful, _inner(detector))


def _inner(detector: Detector) -> Detector:
    return detector.detector if isinstance(detector, Routed) else detector
