"""A pipeline whose taggers can be more or less careful."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from phiscrub.core.batches import CHARACTERS, by_size
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.manifest import Manifest
from phiscrub.pipeline.load import Declaration, build, read_declaration
from phiscrub.pipeline.models import MODELS, manifests
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.pipeline.registry import get_part
from phiscrub.pipeline.shelf import Shelf
from phiscrub.pipeline.weighed import Weighed, is_careful

THRESHOLD = "threshold"
HELD = 2_000_000  # about 250 bytes of memory for each, for each tagger


@dataclass(frozen=True, slots=True)
class Tunable:
    """A declaration and which of its detectors have a threshold on the probability of nothing.

    `home` is the folder that its paths start from; `where` names it in errors.
    """

    declaration: Declaration
    home: Path | None
    where: str
    taggers: tuple[int, ...]

    @classmethod
    def load(cls, name: str) -> Self:
        """Read a pipeline by name, file or model; raise `SettingsError` where none has one."""
        declaration, home = read_declaration(name)
        taggers = tuple(
            number
            for number, table in enumerate(declaration.detector)
            if _has_threshold(table.get("use"), f"detector[{number}].use", name)
        )
        if not taggers:
            raise SettingsError(
                "has no detector of its own with a model's threshold to choose",
                where=name,
                hint="only [[detector]]s that use crf, neural, ensemble or stacked have one; "
                "taggers inside another detector, as inverse, stay as they are",
            )
        return cls(declaration, home, name, taggers)

    def declared(self, threshold: float) -> Declaration:
        """Return the declaration with this threshold in every tagger."""
        tables = list(self.declaration.detector)
        for number in self.taggers:
            tables[number] = {**tables[number], THRESHOLD: threshold}
        return replace(self.declaration, detector=tuple(tables))

    def at(self, threshold: float) -> Pipeline:
        """Build it with this threshold."""
        return build(self.declared(threshold), where=self.where, home=self.home)

    def covers(
        self, documents: Sequence[Document], thresholds: Iterable[float]
    ) -> Iterator[tuple[float, list[Cover]]]:
        """Yield the documents' covers at one threshold after another.

        Notes are weighed once, those of the first `HELD` characters; what they weigh fills memory.
        """
        batches = list(by_size(documents, lambda document: len(document.text), CHARACTERS))
        pipeline = build(self.declaration, where=self.where, home=self.home)
        if not all(is_careful(pipeline.detectors[number][1]) for number in self.taggers):
            for threshold in thresholds:
                own = self.at(threshold)
                yield threshold, [c for some in batches for c in own.covers(some)]
            return
        held: list[Weighed] = []
        for threshold in thresholds:
            covers: list[Cover] = []
            for number, some in enumerate(batches):
                if number < len(held):
                    weighed = held[number]
                else:
                    weighed = Weighed.of(pipeline, self.taggers, some)
                    if number < HELD // CHARACTERS:
                        held.append(weighed)
                covers += weighed.covers(threshold)
            yield threshold, covers

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the manifests of all its models: of any part, and of those that models ask."""
        shelf = Shelf(self.declaration.language, self.home, self.where)
        parts = self.declaration
        return manifests((parts.detector, parts.refiner, parts.combiner, parts.replacer), shelf)


def _has_threshold(use: object, at: str, where: str) -> bool:
    """Tell whether a part has a threshold and models; others call other things a threshold."""
    settings = get_part("detector", str(use), at, where).Settings.__dataclass_fields__
    return THRESHOLD in settings and any(name in settings for name in MODELS)
