from __future__ import annotations

import gc
from collections.abc import Sequence
from weakref import ref

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.detect.remembered import Remembered
from tagging_notes import cut


class Counting:
    """Finds each note's first character, and counts how often it is asked."""

    labels = frozenset({"X"})

    def __init__(self) -> None:
        self.calls = 0

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        self.calls += 1
        return [(Mention(Span(0, 1), "X"),) for _ in notes]


def test_the_same_batch_is_read_once() -> None:
    inner = Counting()
    detector = Remembered(inner)
    notes = cut("one", "two")
    first = detector.detect(notes)
    assert detector.labels == {"X"}
    assert detector.detect(tuple(notes)) is first
    assert inner.calls == 1


def test_another_batch_is_read() -> None:
    inner = Counting()
    detector = Remembered(inner)
    notes = cut("one", "two")
    detector.detect(notes)
    assert len(detector.detect(notes[:1])) == 1
    assert len(detector.detect(cut("one"))) == 1
    assert detector.detect(()) == []
    assert inner.calls == 4


def test_no_note_is_kept() -> None:
    detector = Remembered(Counting())
    notes = cut("one")
    held = ref(notes[0])
    detector.detect(notes)
    del notes
    gc.collect()
    assert held() is None
