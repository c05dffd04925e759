"""Values of tables and of JSON as words, however deep they lie."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from math import isfinite


def words_of(value: object) -> str:
    """Return the words in a value, then its whole numbers and days; keys, and yes and no, are none.

    Bytes are read as UTF-8, as far as they are that.
    """
    found = sorted(_leaves(value), key=lambda one: not isinstance(one, str))
    return " ".join(map(str, found))


def _leaves(value: object) -> Iterator[object]:
    """Yield what is neither a list nor an object, in order."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left += reversed(one.values())
        elif isinstance(one, list | tuple):
            left += reversed(one)
        elif isinstance(one, bytes):
            yield one.decode("utf-8", "replace")
        elif isinstance(one, float | Decimal):
            if isfinite(one) and one == int(one):
                yield int(one)
        elif one is not None and not isinstance(one, bool):
            yield one
