"""Mentions under other labels, all of them or those of some detectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from phiscrub.core.errors import LabelError
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.mention import Mention, is_of
from phiscrub.core.note import Note
from phiscrub.core.stated import check_labels, check_sources
from phiscrub.core.toolbox import Toolbox
from phiscrub.core.wording import listed


@dataclass(frozen=True, slots=True)
class Settings:
    """What labels become; `of` names the sources whose mentions are meant, by default all.

    A source is named as mentions name it, whole or by its first parts: ``crf``,
    ``patterns:en/contact``; `sources` are those that mentions can have; empty, none is known.
    """

    map: Mapping[str, str]
    of: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    label_set: str = HUB


def build(settings: Settings, toolbox: Toolbox) -> Relabel:  # noqa: ARG001 - every part's signature
    """Make the refiner; raise `SettingsError` for a label or source that there is not."""
    labels = label_set(settings.label_set)
    for old, new in settings.map.items():
        if new not in labels.labels:
            raise LabelError(
                f"'map.{old}' is no label of {labels.name}", hint=f"known: {listed(labels.labels)}"
            )
    check_labels(settings.label_set, map=settings.map)
    check_sources(settings.sources, of=settings.of)
    return Relabel(settings.map, settings.of)


@dataclass(frozen=True, slots=True)
class Relabel:
    """Renames labels; nothing else of a mention changes, and none is dropped."""

    map: Mapping[str, str]
    of: tuple[str, ...] = ()

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:  # noqa: ARG002
        """Return the mentions under their new labels."""
        return tuple(m.renamed(self.map) if self._means(m.source) else m for m in mentions)

    def _means(self, source: str) -> bool:
        return not self.of or any(is_of(source, name) for name in self.of)
