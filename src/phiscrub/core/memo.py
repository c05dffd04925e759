"""What was worked out of single words, remembered for the notes that follow."""

from __future__ import annotations

from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Memo(dict[K, V]):
    """A cache by words of notes: it outlives them, so its repr tells how many, and none of them."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)}>"
