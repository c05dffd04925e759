"""What a test says of words, remembered."""

from __future__ import annotations

from collections.abc import Callable

from phiscrub.core.memo import Memo

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full


class WordTypes(Memo[str, bool]):
    """Whether a test holds of a word; asked once a type of word."""

    def __init__(self, test: Callable[[str], bool]) -> None:
        self._test = test

    def __missing__(self, word: str) -> bool:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = found = self._test(word)
        return found
