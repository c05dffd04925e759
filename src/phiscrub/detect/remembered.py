"""What several parts ask about the same batch, and what is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar
from weakref import ref

from phiscrub.core.contracts import Detector
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note

Answer = Sequence[tuple[Mention, ...]]
T = TypeVar("T")


class LastBatch(Generic[T]):
    """Remembers what was made of the last batch, and its notes only while others hold them."""

    def __init__(self) -> None:
        self._last: tuple[tuple[ref[Note], ...], T] | None = None

    def of(self, notes: Sequence[Note], make: Callable[[], T]) -> T:
        """Return what was made if these very notes were the last, or else make it."""
        if self._last is not None:
            read, made = self._last
            if len(read) == len(notes) and all(
                held() is note for held, note in zip(read, notes, strict=True)
            ):
                return made
        made = make()
        self._last = (tuple(map(ref, notes)), made)
        return made


class Remembered:
    """A detector that several parts ask about the same batch, and that reads it once."""

    def __init__(self, detector: Detector) -> None:
        self._detector = detector
        self._last = LastBatch[Answer]()

    @property
    def labels(self) -> frozenset[str]:
        """Every label that the detector gives."""
        return self._detector.labels

    def detect(self, notes: Sequence[Note]) -> Answer:
        """Return the detector's mentions, as they were if these very notes were the last."""
        return self._last.of(notes, lambda: self._detector.detect(notes))
