"""The pieces that a text is cut into."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import AnnotationError
from phiscrub.core.span import Span

Offsets = NDArray[np.int32]


@dataclass(frozen=True, slots=True, eq=False)
class Tokens:
    """Disjoint, ordered, non-empty pieces of one text; sentences have the same shape.

    `starts` and `ends` are int32 arrays of shape ``[n]``, in code points, half-open. What lies
    between two pieces belongs to none. Raises `AnnotationError` where a piece is empty, out of
    order, overlapping or outside the text.
    """

    text: str = field(repr=False)
    starts: Offsets = field(repr=False)
    ends: Offsets = field(repr=False)
    _words: list[str] = field(init=False, repr=False, default_factory=list)
    _offsets: list[list[int]] = field(init=False, repr=False, default_factory=list)

    def __post_init__(self) -> None:
        starts, ends = self.starts, self.ends
        if starts.shape != ends.shape or starts.ndim != 1:
            raise AnnotationError("token starts and ends differ in number")
        if not len(starts):
            return
        if starts[0] < 0 or ends[-1] > len(self.text) or not (starts < ends).all():
            raise AnnotationError("a token is empty or outside its text")
        if not (ends[:-1] <= starts[1:]).all():
            raise AnnotationError("tokens overlap or are out of order")

    @classmethod
    def of(cls, text: str, spans: Iterable[tuple[int, int]]) -> Tokens:
        """Build from ``(start, end)`` pairs in text order."""
        pairs = np.array(list(spans), dtype=np.int32).reshape(-1, 2)
        return cls(text, pairs[:, 0].copy(), pairs[:, 1].copy())

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, index: int) -> Span:
        return Span(int(self.starts[index]), int(self.ends[index]))

    def __iter__(self) -> Iterator[Span]:
        return map(Span, self.starts.tolist(), self.ends.tolist())

    def words(self) -> list[str]:
        """Cut the text: one string a piece, in order; the same list every time, to be read only."""
        if not self._words:
            text = self.text
            self._words.extend([text[s:e] for s, e in zip(*self.offsets(), strict=True)])
        return self._words

    def offsets(self) -> tuple[list[int], list[int]]:
        """Return starts and ends as lists: the same ones every time, to be read only."""
        if not self._offsets:
            self._offsets.extend((self.starts.tolist(), self.ends.tolist()))
        starts, ends = self._offsets
        return starts, ends

    def within(self, span: Span) -> range:
        """Return the indices of the pieces that share a character with `span`."""
        # Not np.searchsorted: for a Python int it copies the whole array to int64 on every call.
        starts, ends = self.offsets()
        first = bisect_right(ends, span.start)
        last = bisect_left(starts, span.end)
        return range(first, max(first, last))
