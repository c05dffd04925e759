"""Words that are nearly others: slips of the keyboard, and names cut short."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from phiscrub.replace.keyed import Key

LONGEST = 40  # letters of a word that is looked at: no name has more


def one_slip(left: str, right: str) -> bool:
    """Tell whether one letter is wrong, missing, too many, or two have changed places."""
    if abs(len(left) - len(right)) > 1 or left == right:
        return False
    at = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    if at is None:
        return True
    swapped = left[at : at + 2] == right[at : at + 2][::-1] and left[at + 2 :] == right[at + 2 :]
    return (
        swapped
        or left[at + 1 :] == right[at + 1 :]
        or left[at:] == right[at + 1 :]
        or left[at + 1 :] == right[at:]
    )


class Slips:
    """Words by what is left of them without one letter: two that are one slip apart share that."""

    def __init__(self, words: Iterable[str]) -> None:
        self._left: dict[str, list[str]] = defaultdict(list)
        for word in words:
            for left in _left(word):
                self._left[left].append(word)

    def of(self, word: str) -> set[str]:
        """Return those of the words that are one slip away."""
        near = {other for left in _left(word) for other in self._left.get(left, ())}
        return {other for other in near if one_slip(word, other)}


def _left(word: str) -> set[str]:
    if len(word) > LONGEST:
        return set()
    return {word, *(word[:at] + word[at + 1 :] for at in range(len(word)))}


def slipped(word: str, key: Key) -> str:
    """Return the word as somebody in a hurry would type it."""
    places = [i for i in range(1, len(word) - 1) if word[i] != word[i + 1]]
    if not places:
        return word + word[-1]
    at = key.choice(places)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def shortened(word: str) -> str:
    """Return a name's beginning up to the consonants of its second syllable, or all but its end."""
    syllable = re.match(r"[^aeiouyáéíóúåäö]*[aeiouyáéíóúåäö]+[^aeiouyáéíóúåäö]?", word, re.I)
    short = syllable[0] if syllable and len(syllable[0]) > 2 else word  # noqa: PLR2004
    return word[:-1] if short == word and len(word) > 3 else short  # noqa: PLR2004
