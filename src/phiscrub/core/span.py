"""A stretch of text."""

from __future__ import annotations

from dataclasses import dataclass

from phiscrub.core.errors import AnnotationError


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Half-open stretch ``[start, end)`` of Unicode code points; never empty.

    Spans sort by start, then by end. Raises `AnnotationError` where ``0 <= start < end`` fails.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise AnnotationError(f"span [{self.start}, {self.end}) is empty or out of order")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        """Tell whether the two share a character; touching is not overlapping."""
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        """Tell whether every character of `other` is in this span."""
        return self.start <= other.start and other.end <= self.end

    def shift(self, by: int) -> Span:
        """Return the span moved by a number of characters."""
        return Span(self.start + by, self.end + by)
