"""Terms of one or more words, found over the words of the clinical tokenizer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full
PIECES = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")  # as the clinical tokenizer cuts


class Hit(NamedTuple):
    """A term at the words ``[first, last)``, and every kind that it is listed as."""

    first: int
    last: int
    kinds: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Term:
    rest: tuple[str, ...]  # the words behind the first: folded, or as written where `exact`
    exact: str  # the first word of a term that must stand as written, else empty
    kinds: tuple[str, ...]


def fold(word: str) -> str:
    """Return the word in small letters without their marks."""
    if word.isascii():
        return word.lower()
    parts = unicodedata.normalize("NFKD", word.lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


class _Candidates(dict[str, tuple[_Term, ...]]):
    """The terms that can begin with a word, worked out once a word type, the longest first."""

    def __init__(self, listed: dict[str, list[tuple[str, str]]]) -> None:
        self._listed = listed

    def __missing__(self, word: str) -> tuple[_Term, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        kinds: dict[tuple[tuple[str, ...], str], list[str]] = {}
        for term, kind in self._listed.get(fold(word), ()):
            first, *rest = PIECES.findall(term)
            exact = first if term.isupper() else ""
            if not exact or exact == word:
                folded = tuple(rest) if exact else tuple(map(fold, rest))
                kinds.setdefault((folded, exact), []).append(kind)
        terms = [_Term(rest, exact, tuple(found)) for (rest, exact), found in kinds.items()]
        terms.sort(key=lambda term: (-len(term.rest), not term.exact, term.rest))
        self[word] = tuple(terms)
        return self[word]


class Phrases:
    """Looks up listed terms, at the cost of one dictionary look-up a word.

    A term matches in any case and with or without accents, but for one in capitals only: that
    matches as it is written, so that a list may hold `US` or `MGH`. Where several terms begin at
    a word, the longest is taken.
    """

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        """Take ``(term, kind)`` pairs; a term may have several kinds."""
        listed: dict[str, list[tuple[str, str]]] = {}
        for term, kind in terms:
            begun = PIECES.search(term)
            if begun is not None:
                listed.setdefault(fold(begun[0]), []).append((term, kind))
        self._candidates = _Candidates(listed)

    def find(self, words: Sequence[str]) -> Iterator[Hit]:
        """Yield the longest term at each word, by place; terms may overlap."""
        for first, terms in enumerate(map(self._candidates.__getitem__, words)):
            for term in terms:
                last = first + 1 + len(term.rest)
                if not term.rest or self._follows(term, words[first + 1 : last]):
                    yield Hit(first, last, term.kinds)
                    break

    def _follows(self, term: _Term, words: Sequence[str]) -> bool:
        found = tuple(words) if term.exact else tuple(map(fold, words))
        return found == term.rest
