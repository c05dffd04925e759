"""What will be replaced in one note."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Mention


@dataclass(frozen=True, slots=True)
class Cover:
    """Mentions that are sorted by place and share no character.

    Build it with `Cover.of`. Raises `AnnotationError` where two mentions overlap: resolving
    claims is a combiner's work.
    """

    mentions: tuple[Mention, ...] = ()

    def __post_init__(self) -> None:
        for left, right in pairwise(self.mentions):
            if left.span.end > right.span.start:
                raise AnnotationError(
                    f"mentions [{left.span.start}, {left.span.end}) and "
                    f"[{right.span.start}, {right.span.end}) overlap or are out of order"
                )

    @classmethod
    def of(cls, mentions: Iterable[Mention]) -> Cover:
        """Sort mentions into a cover."""
        return cls(tuple(sorted(mentions, key=lambda mention: mention.key)))

    def __len__(self) -> int:
        return len(self.mentions)

    def __iter__(self) -> Iterator[Mention]:
        return iter(self.mentions)
