"""A pipeline whose taggers can be more or less careful."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.detect.carried import located
from phiscrub.detect.tagging.manifest import Manifest, read_manifest
from phiscrub.pipeline.load import Declaration, build, read_declaration
from phiscrub.pipeline.pipeline import BATCH_CHARACTERS, Pipeline
from phiscrub.pipeline.registry import get_part
from phiscrub.pipeline.shelf import Shelf

THRESHOLD = "threshold"
MODELS = ("model", "models")  # other parts call other things a threshold


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

    def manifests(self) -> tuple[Manifest, ...]:
        """Return the manifests of all its models: of any part, and of those that models ask."""
        shelf = Shelf(self.declaration.language, self.home, self.where)
        found: dict[str, Manifest] = {}
        parts = self.declaration
        asked = list(_models((parts.detector, parts.refiner, parts.combiner, parts.replacer)))
        while asked:
            name = asked.pop()
            if name not in found:
                found[name] = read_manifest(shelf.folder("models", name), name)
                own = found[name].settings
                asked += _models(located(own.get("detectors", ()), own.get("carried", ()), name))
        return tuple(found.values())


def covers(pipeline: Pipeline, documents: Sequence[Document]) -> Iterator[Cover]:
    """Yield the cover of each document, worked on in batches."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document.text)
        if size >= BATCH_CHARACTERS:
            yield from pipeline.covers(batch)
            batch, size = [], 0
    yield from pipeline.covers(batch)


def _models(told: object) -> Iterator[str]:
    """Yield the names of models in tables within tables and lists."""
    if isinstance(told, Mapping):
        for key, value in told.items():
            if key in MODELS:
                yield from (value,) if isinstance(value, str) else map(str, value)
            else:
                yield from _models(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from _models(value)


def _has_threshold(use: object, at: str, where: str) -> bool:
    settings = get_part("detector", str(use), at, where).Settings.__dataclass_fields__
    return THRESHOLD in settings and any(name in settings for name in MODELS)
