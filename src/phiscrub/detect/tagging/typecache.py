"""Vectors of word types, worked out once a type and remembered."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.half import Half
from phiscrub.detect.tagging.inputs import Encoder, Type, TypeNumbers
from phiscrub.detect.tagging.weights import Ints

BYTES = 64_000_000  # of remembered vectors; the cache starts afresh when it is full
FEWEST = 1_000  # types
BATCH = 512  # types at a time: their characters stay in the processor's cache

Vectors = NDArray[np.float32]


class TypeCache:
    """Vectors by type; its memory is bounded, and safe to share between threads."""

    def __init__(self, encoder: Encoder, half: Half) -> None:
        self._encoder, self._half = encoder, half
        self._lock = Lock()
        self._width = self._run([("", "")]).shape[1]
        self._room = max(FEWEST, BYTES // max(1, self._width * np.dtype(np.float32).itemsize))
        self._clear(self._room)

    def look_up(self, types: Sequence[Type]) -> tuple[Ints, Vectors]:
        """Return each type's row of the vectors, int64, and those, float32 ``[rows, width]``."""
        with self._lock:
            known = self._rows
            new = [one for one in types if one not in known]
            if len(known) + len(new) > len(self._vectors):
                self._clear(max(self._room, len(types)))
                known, new = self._rows, list(types)
            new.sort(key=_written)  # so that few are padded much
            for low in range(0, len(new), BATCH):
                part = new[low : low + BATCH]
                first = len(known)
                self._vectors[first : first + len(part)] = self._run(part)
                known.update(zip(part, range(first, first + len(part)), strict=True))
            rows = np.fromiter(map(known.__getitem__, types), dtype=np.int64, count=len(types))
            return rows, self._vectors

    def _clear(self, room: int) -> None:
        """Make room for so many rows; what was handed out before stays as it is."""
        self._rows: dict[Type, int] = {}
        self._vectors: Vectors = np.empty((room, self._width), dtype=np.float32)

    def _run(self, types: Sequence[Type]) -> Vectors:
        numbers: TypeNumbers = self._encoder.numbers(types)
        return self._half.run(word=numbers.word, characters=numbers.characters, shown=numbers.shown)


def _written(one: Type) -> int:
    return len(one[0]) + len(one[1])
