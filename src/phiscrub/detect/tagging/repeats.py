"""Traits of the other places of a note where the same word stands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.tagging.layout import Column, Ints, Layout
from phiscrub.detect.tagging.looks import CAPITAL, FIGURE, LETTERS, SMALL, STOP, TITLE

NTH = ("only", "first", "second", "later")
SEEN = ("small", "capital", "titled")

Flags = NDArray[np.bool_]


def nth(layout: Layout) -> Column:
    """Return which mention of the word in the note it is, in any case of letters."""
    group = _groups(layout, layout.lower, layout.lowers)
    order = np.argsort(group, kind="stable")
    ordered = group[order]
    opens = np.flatnonzero(np.diff(ordered, prepend=-1))
    sizes = np.diff(np.append(opens, len(ordered)))
    before = np.arange(len(ordered)) - np.repeat(opens, sizes)
    ids = np.empty(len(layout), dtype=np.int32)
    ids[order] = np.where(np.repeat(sizes, sizes) == 1, 0, np.minimum(before + 1, 3))
    return Column(NTH, ids)


def elsewhere(layout: Layout) -> Column:
    """Return how else the word stands in the note: in small letters, capitalised, titled.

    Capitals at the start of a sequence tell nothing; ``titled`` is behind a title. Several are
    joined by ``+``.
    """
    small, capital, letters = (layout.looks(bit) for bit in (SMALL, CAPITAL, LETTERS))
    opening = np.zeros(len(layout), dtype=np.bool_)
    opening[layout.frame.starts[:-1]] = True
    group = _groups(layout, layout.lower, layout.lowers)
    ids = np.zeros(len(layout), dtype=np.int32)
    for bit, flags in enumerate((small, capital & ~opening, _titled(layout))):
        told = flags & letters
        count = np.bincount(group, weights=told, minlength=1)[group] - told
        ids += (count > 0).astype(np.int32) << bit
    values = tuple(
        "+".join(name for bit, name in enumerate(SEEN) if mask >> bit & 1)
        for mask in range(1 << len(SEEN))
    )
    return Column(values, ids)


def echo(layout: Layout, found: Column) -> Column:
    """Return the label that the detectors most often give the word elsewhere in the note.

    Of labels that it gives equally often, that which comes first in the note is taken. Words in
    small letters have none, as they are a name in one place and a word in the next.
    """
    labels = tuple(dict.fromkeys(("", *(tag.partition("-")[2] for tag in found.values))))
    of_tag = [labels.index("" if tag == OUTSIDE else tag.partition("-")[2]) for tag in found.values]
    label = np.array(of_tag, dtype=np.int64)[found.ids]
    telling = layout.looks(CAPITAL | FIGURE)
    label[~telling] = 0
    group = _groups(layout, layout.frame.word, len(layout.frame.words))
    told = np.flatnonzero(label)
    own = group[told] * len(labels) + label[told]
    pairs, firsts, counts = np.unique(own, return_index=True, return_counts=True)
    # The most frequent of a group, the first of the note where two are, comes last.
    ranked = np.lexsort((-firsts, counts, pairs // len(labels)))
    best = np.zeros(group.max(initial=0) + 1, dtype=np.int64)
    times = np.zeros(len(best), dtype=np.int64)
    best[pairs[ranked] // len(labels)] = pairs[ranked] % len(labels)
    times[pairs[ranked] // len(labels)] = counts[ranked]
    shown = best[group]
    alone = (times[group] == 1) & (label == shown)
    return Column(labels, np.where(alone | ~telling, 0, shown).astype(np.int32))


def _groups(layout: Layout, word: NDArray[np.int32] | Ints, kinds: int) -> Ints:
    """Return a number from 0 for each token, the same for one word throughout a note."""
    _, group = np.unique(layout.note * kinds + word, return_inverse=True)
    return np.asarray(group, dtype=np.int64)


def _titled(layout: Layout) -> Flags:
    """Tell which tokens stand behind a title and perhaps its period, in the same note."""
    title, period = layout.looks(TITLE), layout.looks(STOP)
    titled = np.zeros(len(layout), dtype=np.bool_)
    titled[1:] = title[:-1] & (layout.note[1:] == layout.note[:-1])
    titled[2:] |= title[:-2] & period[1:-1] & (layout.note[2:] == layout.note[:-2])
    return titled & ~period
