"""Words within one edit of a list's, by an index of what is left when one letter is deleted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator


class _Shortened(dict[int, dict[str, list[str]]]):
    """By length, what is left of the words that long without one letter, and these words.

    A length is worked out when it is first asked for: few are in a note.
    """

    def __init__(self, words: Iterable[str]) -> None:
        self._words: dict[int, list[str]] = defaultdict(list)
        for word in words:
            self._words[len(word)].append(word)

    def __missing__(self, length: int) -> dict[str, list[str]]:
        left: dict[str, list[str]] = defaultdict(list)
        for word in self._words.get(length, ()):
            for shorter in _deletions(word):
                left[shorter].append(word)
        self[length] = left = dict(left)
        return left


class Near:
    """Finds the listed words at Levenshtein distance 0 or 1.

    Words shorter than `least` letters, on either side, must be equal: an edit makes another word
    of them too easily. Memory is one string a letter of the list.
    """

    def __init__(self, words: Iterable[str], least: int = 1) -> None:
        self._words = frozenset(words)
        self._least = least
        self._shortened = _Shortened(word for word in self._words if len(word) >= least)

    def __contains__(self, word: str) -> bool:
        """Tell whether the very word is listed."""
        return word in self._words

    def reaches(self, word: str) -> bool:
        """Tell whether some listed word is within one edit, at a tenth of the cost of `find`."""
        if word in self._words:
            return True
        if len(word) < self._least:
            return False
        if word in self._shortened[len(word) + 1]:
            return True
        shorter = list(_deletions(word))
        if len(word) > self._least and not self._words.isdisjoint(shorter):
            return True
        as_long = self._shortened[len(word)]
        if as_long.keys().isdisjoint(shorter):
            return False
        return any(within_one(word, w) for left in shorter for w in as_long.get(left, ()))

    def find(self, word: str) -> tuple[str, ...]:
        """Return the listed words within one edit, the very word first, then in order."""
        same = (word,) if word in self._words else ()
        if len(word) < self._least:
            return same
        others = set(self._shortened[len(word) + 1].get(word, ()))
        as_long = self._shortened[len(word)]
        for shorter in _deletions(word):
            if len(shorter) >= self._least and shorter in self._words:
                others.add(shorter)
            others.update(w for w in as_long.get(shorter, ()) if within_one(word, w))
        return *same, *sorted(others - {word})


def within_one(left: str, right: str) -> bool:
    """Tell whether the Levenshtein distance is at most 1: one letter put in, out or changed."""
    short, long = sorted((left, right), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


def _deletions(word: str) -> Iterator[str]:
    for i in range(len(word)):
        yield word[:i] + word[i + 1 :]
