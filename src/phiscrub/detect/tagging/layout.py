"""Where every token of a batch stands, as arrays that the traits of many kinds share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.frame import Frame, lines_of
from phiscrub.detect.tagging.looks import looks

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One trait of every token of a batch: `values` that occur, and `ids` into them.

    `ids` is int32 of shape ``[tokens]``. A value is '' where a token shows nothing; a value may
    stand twice.
    """

    values: tuple[str, ...] = field(repr=False)
    ids: NDArray[np.int32] = field(repr=False)

    @classmethod
    def of(cls, shown: Iterable[str]) -> Column:
        """Build from one value a token."""
        known: dict[str, int] = {}
        ids = [known.setdefault(value, len(known)) for value in shown]
        return cls(tuple(known), np.array(ids, dtype=np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """Arrays of shape ``[tokens]`` over a frame; offsets are of the token's own note.

    `line` counts lines through the batch, so that no two notes share one; `line_start` and
    `line_end` are the first token of the token's line and the one behind its last. `lower` is
    the word in small letters, an index below `lowers`, and `look`, uint8, how it is written.
    """

    frame: Frame
    note: Ints = field(repr=False)
    start: Ints = field(repr=False)
    end: Ints = field(repr=False)
    line: Ints = field(repr=False)
    line_start: Ints = field(repr=False)
    line_end: Ints = field(repr=False)
    lower: Ints = field(repr=False)
    lowers: int
    look: NDArray[np.uint8] = field(repr=False)

    @classmethod
    def of(cls, frame: Frame) -> Layout:
        """Measure the tokens of a frame."""
        lengths = np.diff(frame.note_starts)
        lines = []
        base = 0
        for note in frame.notes:
            lines.append(lines_of(note) + base)
            base = int(lines[-1][-1]) + 1 if len(lines[-1]) else base
        line = _joined(lines)
        first = np.flatnonzero(np.diff(line, prepend=-1))
        behind = np.append(first[1:], len(frame))
        per_line = (behind - first) if len(frame) else first
        ids: dict[str, int] = {}
        lower = [ids.setdefault(word.lower(), len(ids)) for word in frame.words]
        return cls(
            frame=frame,
            note=np.repeat(np.arange(len(frame.notes)), lengths),
            start=_joined([note.tokens.starts for note in frame.notes]),
            end=_joined([note.tokens.ends for note in frame.notes]),
            line=line,
            line_start=np.repeat(first, per_line),
            line_end=np.repeat(behind[: len(per_line)], per_line),
            lower=np.array(lower, dtype=np.int64)[frame.word],
            lowers=len(ids),
            look=looks(frame.words)[frame.word],
        )

    def __len__(self) -> int:
        return len(self.frame)

    def looks(self, bit: int) -> NDArray[np.bool_]:
        """Tell which tokens have one of the bits of `looks`."""
        told: NDArray[np.bool_] = (self.look & bit) != 0
        return told


def _joined(rows: Sequence[NDArray[np.int32] | Ints]) -> Ints:
    return np.concatenate([*rows, np.empty(0, dtype=np.int64)]).astype(np.int64)
