"""One place where something identifying is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError, Place
from phiscrub.core.span import Span


@dataclass(frozen=True, slots=True)
class Mention:
    """A span with its label; one type for rules, networks and gold annotators.

    `score` is the detector's confidence in ``(0, 1]``; `source` names who said it, down to the
    rule (``patterns:en/contact:phone``). Holds no text. Raises `AnnotationError` where the label
    is empty or the score is not in that interval.
    """

    span: Span
    label: str
    score: float = 1.0
    source: str = "gold"

    def __post_init__(self) -> None:
        if not self.label:
            raise AnnotationError(f"mention [{self.span.start}, {self.span.end}) has no label")
        if not 0.0 < self.score <= 1.0:  # a NaN would also break the order of mentions
            raise AnnotationError(f"the score {self.score} of a mention is not in (0, 1]")

    @property
    def key(self) -> tuple[int, int, str, float, str]:
        """Total order: by place, label, falling score, source."""
        return self.span.start, self.span.end, self.label, -self.score, self.source

    def renamed(self, names: Mapping[str, str]) -> Mention:
        """Return it under what `names` calls its label; one that `names` lacks stays."""
        label = names.get(self.label, self.label)
        return self if label == self.label else replace(self, label=label)


def is_of(source: str, name: str) -> bool:
    """Tell whether a source is the one named, whole or by its first parts: ``patterns``."""
    return f"{source}:".startswith(f"{name}:")


@dataclass(frozen=True, slots=True)
class Annotated:
    """A document with mentions: gold or found, in any order, overlapping or not.

    Raises `AnnotationError` where a mention ends behind the text.
    """

    document: Document
    mentions: tuple[Mention, ...] = ()

    def __post_init__(self) -> None:
        length = len(self.document.text)
        for mention in self.mentions:
            if mention.span.end > length:
                raise AnnotationError(
                    f"annotation [{mention.span.start}, {mention.span.end}) of {mention.label} "
                    f"ends behind the text, which has {length} characters",
                    where=Place(record=self.document.id),
                    hint="check that the offsets count characters of this very text",
                )
