"""How words are written, worked out once a type of word."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from phiscrub.tokenize.vocabulary import TITLES

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full
SPELLED = frozenset(
    [
        *("doctor", "doctora", "don", "doña", "señor", "señora", "señorita"),
        *("enfermero", "enfermera", "profesor", "profesora"),
        *("doctors", "mister", "miss", "master", "madam", "sir", "professor", "nurse"),
        *("doktor", "doktorn", "fru", "fröken", "herr", "syster", "professorn"),
    ]
)
# Of letters and other signs; all letters small, or capitals; a capital or a figure in front; a
# title; a full stop.
LETTERS, SMALL, CAPITALS, CAPITAL, FIGURE, TITLE, STOP = (1 << bit for bit in range(7))


class _Looks(dict[str, int]):
    """The bits of each word."""

    def __missing__(self, word: str) -> int:
        if len(self) >= CACHED_WORDS:
            self.clear()
        plain = word.lower().rstrip(".")
        look = self[word] = (
            any(map(str.isalpha, word)) * LETTERS
            | word.islower() * SMALL
            | word.isupper() * CAPITALS
            | word[0].isupper() * CAPITAL
            | word[0].isdigit() * FIGURE
            | (plain in TITLES or plain in SPELLED) * TITLE
            | (word == ".") * STOP
        )
        return look


_LOOKS = _Looks()


def looks(words: Iterable[str]) -> NDArray[np.uint8]:
    """Return the bits of words that are not empty: uint8 of shape ``[words]``."""
    return np.frombuffer(bytes(map(_LOOKS.__getitem__, words)), dtype=np.uint8)
