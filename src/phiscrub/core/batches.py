"""Many items as batches that are worth a call, cut while they stream."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

CHARACTERS = 200_000  # enough to spread the cost of a call, little enough to stream


def by_size(
    items: Iterable[T],
    size: Callable[[T], int],
    enough: int = CHARACTERS,
    most: int | None = None,
) -> Iterator[list[T]]:
    """Yield batches of items, in order; one is full with the item that brings it to `enough`.

    `most` is how many items it may have, whatever their size. An item that is `enough` by itself
    goes alone, so that those before it need not wait for it. No batch is empty.
    """
    batch: list[T] = []
    room = 0
    for item in items:
        own = size(item)
        if batch and own >= enough:
            yield batch
            batch, room = [], 0
        batch.append(item)
        room += own
        if room >= enough or len(batch) == most:
            yield batch
            batch, room = [], 0
    if batch:
        yield batch
