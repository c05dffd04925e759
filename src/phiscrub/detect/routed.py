"""A detector that is heard only for some labels, or under other names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from phiscrub.core.contracts import Detector
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note


@dataclass(frozen=True, slots=True)
class Routed:
    """Keeps the labels in `only` (all, where it is None), then renames by `rename`."""

    detector: Detector
    only: frozenset[str] | None = None
    rename: Mapping[str, str] = field(default_factory=dict)

    @property
    def labels(self) -> frozenset[str]:
        """The labels that are let through, as they are called then."""
        kept = self.detector.labels if self.only is None else self.detector.labels & self.only
        return frozenset(self.rename.get(label, label) for label in kept)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions that are let through."""
        found = self.detector.detect(notes)
        only, rename = self.only, self.rename
        if only is not None:
            found = [tuple(m for m in mentions if m.label in only) for mentions in found]
        if rename:
            found = [tuple(m.called(rename.get(m.label, m.label)) for m in ms) for ms in found]
        return found
