"""What is drawn for one copy of a note: the same numbers for the same key, on any machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import log, log1p
from typing import TypeVar

from phiscrub.replace.keyed import Key

T = TypeVar("T")
WHOLE = 1 << 64  # numbers of a key are below it


class Draw:
    """A stream of numbers under a key."""

    def __init__(self, key: Key) -> None:
        self._key = key
        self._numbers = key.numbers()

    def part(self, *names: str) -> Draw:
        """Return the stream of a part of the work, which other parts do not disturb."""
        return Draw(self._key.narrow(*names))

    def share(self) -> float:
        """Return a number from 0 up to but not including 1."""
        return (next(self._numbers) >> 11) / (WHOLE >> 11)

    def happens(self, rate: float) -> bool:
        """Tell whether something of this chance comes about."""
        return self.share() < rate

    def below(self, bound: int) -> int:
        """Return a whole number from 0 up to but not including `bound`."""
        return next(self._numbers) % bound

    def choice(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def hits(self, rate: float, count: int) -> Iterator[int]:
        """Yield which of `count` things happen, each with the chance `rate`, in order.

        Draws once a hit rather than once a thing: the gaps between hits are geometric.
        """
        if rate >= 1:
            yield from range(count)
        elif rate > 0:
            at = -1
            while True:
                at += 1 + int(min(count, log(1 - self.share()) / log1p(-rate)))
                if at >= count:
                    return
                yield at
