"""Windows that slide over a sequence, and one answer from all that saw a token.

Source: Kassaie 2016, section 3.3.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.weights import Floats, Ints

NONE = -1


def sliding(starts: Ints, length: int, stride: int = 1) -> Ints:
    """Return the positions of each window, int64 ``[windows, length]``, -1 where there is none.

    `starts` are first positions of sequences, as in `Encoded`. A sequence shorter than a window
    has one, filled up behind; the last window of a longer one ends where the sequence does.
    """
    sizes = np.diff(starts)
    firsts = [
        np.unique(np.minimum(np.arange(0, size, stride), max(0, size - length))) + first
        for first, size in zip(starts[:-1].tolist(), sizes.tolist(), strict=True)
    ]
    ends = np.repeat(starts[1:], [len(one) for one in firsts])
    joined = np.concatenate([np.zeros(0, dtype=np.int64), *firsts])
    windows = joined[:, None] + np.arange(length)
    return np.where(windows < ends[:, None], windows, NONE)


def merged(windows: Ints, proba: NDArray[np.float32] | Floats, outside: int) -> Floats:
    """Return one row a position, ``[positions, tags]``, from ``[windows, length, tags]``.

    The paper's three rules: where all windows agree, that is the label; where some say O and
    others PHI, it is the PHI label; where PHI labels conflict, it is that of the largest index
    in its window, which has seen most before it. So the row taken is the one of the largest
    index whose likeliest tag is PHI, or of the largest index where there is none. `outside` is
    the number of O.
    """
    count, length = windows.shape
    place = np.tile(np.arange(length), count)
    token, rows = windows.ravel(), proba.reshape(count * length, -1)
    there = np.flatnonzero(token != NONE)
    is_phi = rows[there].argmax(axis=1) != outside
    rank = place[there] + length * is_phi
    order = np.lexsort((rank, token[there]))
    last = np.append(np.diff(token[there][order]) != 0, True)
    chosen = there[order][last] if len(order) else order
    return rows[chosen].astype(np.float64)
