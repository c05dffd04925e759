"""Traits of where a token stands: in its line, in its note, and beside the token before it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.layout import Column, Ints, Layout
from phiscrub.detect.tagging.looks import CAPITAL, CAPITALS, LETTERS, SMALL

GAPS = ("start", "glued", "blank", "wide", "line", "lines")
WIDE = 2  # characters that part columns rather than words
IN_LINE = (1, 2, 3, 5, 9)  # where a further stretch of a line begins, in tokens
MARGIN = 3  # lines at a note's top and bottom
TENTHS = 10
CASES = ("", "lower", "upper", "title", "mixed")


def gap(layout: Layout) -> Column:
    """Return what parts a token from the one before: `GAPS`, ``start`` at the note's start."""
    ids = np.zeros(len(layout), dtype=np.int32)
    apart = layout.start[1:] - layout.end[:-1]
    beside = np.select([apart <= 0, apart < WIDE], [1, 2], 3)
    rows = np.diff(layout.line)
    ids[1:] = np.select([rows == 0, rows == 1], [beside, 4], 5)
    firsts = layout.frame.note_starts[:-1]
    ids[firsts[firsts < len(layout)]] = 0
    return Column(GAPS, ids)


def line_place(layout: Layout) -> Column:
    """Return how many tokens of the line stand before, in steps; ``$`` marks the line's last."""
    values = [f"{low}{end}" for low in (0, *IN_LINE) for end in ("", "$")]
    place = np.arange(len(layout))
    step = np.searchsorted(IN_LINE, place - layout.line_start, side="right")
    return Column(tuple(values), (2 * step + (place == layout.line_end - 1)).astype(np.int32))


def note_place(layout: Layout) -> Column:
    """Return ``top`` or ``bottom`` for the outer lines of a note, else which tenth of it."""
    values = (*map(str, range(TENTHS)), "top", "bottom")
    starts = layout.frame.note_starts
    lengths = np.diff(starts)
    filled = lengths > 0
    first, last = starts[:-1][filled], starts[1:][filled] - 1
    place = np.arange(len(layout)) - starts[layout.note]
    tenth = place * TENTHS // np.maximum(lengths, 1)[layout.note]
    from_top = layout.line - np.repeat(layout.line[first], lengths[filled])
    from_bottom = np.repeat(layout.line[last], lengths[filled]) - layout.line
    ids = np.select([from_top < MARGIN, from_bottom < MARGIN], [TENTHS, TENTHS + 1], tenth)
    return Column(values, ids.astype(np.int32))


def line_case(layout: Layout) -> Column:
    """Return how the words of the token's line are written; '' where it has no letters."""
    letters = layout.looks(LETTERS)
    small, capitals, capital = (letters & layout.looks(b) for b in (SMALL, CAPITALS, CAPITAL))

    def inline(flags: NDArray[np.bool_]) -> Ints:
        total: Ints = np.append(0, np.cumsum(flags))
        return total[layout.line_end] - total[layout.line_start]

    every = inline(letters)
    conditions = [every == 0, *(every == inline(flags) for flags in (small, capitals, capital))]
    return Column(CASES, np.select(conditions, [0, 1, 2, 3], 4).astype(np.int32))
