"""What is made of a word before its vector is looked for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from phiscrub.core.errors import SettingsError

MARK = "DIGIT"
UNKNOWN = "UNK"  # the word that stands for rare and unseen ones
DIGITS: Mapping[str, str | None] = MappingProxyType(
    {"none": None, "zero": "0", "glued": MARK, "split": MARK}
)
NUMERAL = re.compile(r"\d")
PIECE = re.compile(r"\d|\D+")


@dataclass(frozen=True, slots=True)
class Normalise:
    """How a word is spelt in the vocabulary.

    `digits` names what each digit becomes: ``none`` leaves it, ``zero`` makes it ``0``, ``glued``
    makes it ``DIGIT`` within its word (``1990`` is ``DIGITDIGITDIGITDIGIT``), and ``split`` makes
    it a word ``DIGIT`` of its own. Source: Kassaie 2016 has the last two. Raises `SettingsError`
    for any other name.
    """

    digits: str = "none"
    lower: bool = False

    def __post_init__(self) -> None:
        if self.digits not in DIGITS:
            raise SettingsError(f"no way with digits {self.digits!r}", hint=f"known: {known()}")

    def pieces(self, word: str) -> tuple[str, ...]:
        """Return what stands in the vocabulary for a word: one piece, or several where split."""
        spelt = word.lower() if self.lower else word
        mark = DIGITS[self.digits]
        if mark is None:
            return (spelt,)
        cut = PIECE.findall(spelt) if self.digits == "split" else [spelt]
        return tuple(NUMERAL.sub(mark, piece) for piece in cut)


def known() -> str:
    """Return the ways with digits, for messages."""
    return ", ".join(DIGITS)
