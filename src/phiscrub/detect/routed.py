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
        return self.heard(self.detector.detect(notes))

    def heard(self, claims: Sequence[tuple[Mention, ...]]) -> list[tuple[Mention, ...]]:
        """Return those of a detector's claims that are let through."""
        return [
            tuple(
                mention.renamed(self.rename)
                for mention in mentions
                if self.only is None or mention.label in self.only
            )
            for mentions in claims
        ]
