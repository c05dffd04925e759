"""Notes and traits for the tests of taggers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from phiscrub.core.document import Document
from phiscrub.core.note import Note
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.layout import Column
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical


def cut(*texts: str) -> Sequence[Note]:
    """Cut texts into notes by the clinical tokenizer."""
    return Clinical().tokenize([Document(str(i), text) for i, text in enumerate(texts)])


def values(column: Column) -> list[str]:
    """Return a column's value of every token."""
    return [column.values[index] for index in column.ids.tolist()]


def shown(
    trait: str, *texts: str, language: str = "en", detectors: Sequence[dict[str, Any]] = ()
) -> list[tuple[str, str]]:
    """Return ``(word, value)`` of every token of the texts that shows something."""
    traits = Traits.of([trait], Shelf(language, None), detectors)
    frame = Frame.of(cut(*texts), "sentence")
    words = [frame.words[index] for index in frame.word.tolist()]
    told = values(traits.columns(frame)[trait])
    return [(word, value) for word, value in zip(words, told, strict=True) if value]
