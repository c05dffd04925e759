"""Terms of one or more words, found over the words of the clinical tokenizer."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from phiscrub.core.memo import Memo

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full
PIECES = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")  # as the clinical tokenizer cuts


class Hit(NamedTuple):
    """A term at the words ``[first, last)``, and every kind that it is listed as."""

    first: int
    last: int
    kinds: tuple[str, ...]


class _Term(NamedTuple):
    rest: tuple[str, ...]  # the words behind the first: folded, or as written where `exact`
    exact: bool
    kinds: tuple[str, ...]


class _Entry(NamedTuple):
    """What can begin with a word: the term that it is, and longer ones by what `_key` tells."""

    alone: _Term | None
    longer: dict[str, list[_Term]]


def fold(word: str) -> str:
    """Return the word in small letters without their marks."""
    if word.isascii():
        return word.lower()
    # Compatibility forms first: some capitals (of the mathematical alphabets) have no
    # small letter of their own and show one only when they are taken apart.
    parts = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).lower())
    return "".join(part for part in parts if not unicodedata.combining(part))


def _key(rest: Sequence[str]) -> str:
    """Return the folded second word of a term; of one such as `St. Ives` its sign and the next.

    All of those share the sign: asked one by one they would cost as much as the list is long.
    """
    second = fold(rest[0])
    if len(rest) > 1 and not second.isalnum():
        return f"{second} {fold(rest[1])}"
    return second


class _Folded(Memo[str, str]):
    """Folded words, worked out once a word type."""

    def __missing__(self, word: str) -> str:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = fold(word)
        return self[word]


class _Entries(Memo[str, _Entry | None]):
    """The terms that can begin with a word, worked out once a word type.

    `last` is by folded first word the number of the last such term, and `before` by a term's
    number that of the one before with the same first word, -1 where there is none: a chain, as
    a list for each first word would keep the garbage collector busy.
    """

    def __init__(
        self, terms: Sequence[tuple[str, str]], last: Mapping[str, int], before: Sequence[int]
    ) -> None:
        self._terms, self._last, self._before = terms, last, before

    def __missing__(self, word: str) -> _Entry | None:
        if len(self) >= CACHED_WORDS:
            self.clear()
        listed = []
        at = self._last.get(fold(word), -1)
        while at >= 0:
            listed.append(self._terms[at])
            at = self._before[at]
        self[word] = _entry(word, listed[::-1]) if listed else None
        return self[word]


def _entry(word: str, listed: list[tuple[str, str]]) -> _Entry | None:
    kinds: dict[tuple[tuple[str, ...], bool], list[str]] = {}
    for term, kind in listed:
        first, *others = PIECES.findall(term)
        exact = term.isupper()
        if not exact or first == word:
            behind = tuple(others) if exact else tuple(map(fold, others))
            found = kinds.setdefault((behind, exact), [])
            if kind not in found:
                found.append(kind)
    alone, longer = None, dict[str, list[_Term]]()
    # As written before folded, and the longest first.
    for rest, exact in sorted(kinds, key=lambda key: (-len(key[0]), not key[1], key[0])):
        made = _Term(rest, exact, tuple(kinds[rest, exact]))
        if rest:
            longer.setdefault(_key(rest), []).append(made)
        elif alone is None:
            alone = made
    return _Entry(alone, longer) if alone or longer else None


class Phrases:
    """Looks up listed terms, at the cost of one dictionary look-up a word.

    A term matches in any case and with or without accents, but for one in capitals only: that
    matches as it is written, so that a list may hold `US` or `MGH`. Where several terms begin at
    a word, the longest is taken.
    """

    def __init__(self, terms: Iterable[tuple[str, str]]) -> None:
        """Take ``(term, kind)`` pairs; a term may have several kinds."""
        known = tuple(terms)
        last: dict[str, int] = {}
        before = [-1] * len(known)
        for at, (term, _) in enumerate(known):
            first = term.partition(" ")[0]
            if first.isascii() and first.isalpha():  # as most do: cut and folded the short way
                first = first.lower()
            elif begun := PIECES.search(term):
                first = fold(begun[0])
            else:
                continue
            if first in last:
                before[at] = last[first]
            last[first] = at
        self._entries = _Entries(known, last, before)
        self._folded = _Folded()

    def find(self, words: Sequence[str]) -> Iterator[Hit]:
        """Yield the longest term at each word, by place; terms may overlap."""
        entries = enumerate(map(self._entries.__getitem__, words))
        for first, entry in [(at, entry) for at, entry in entries if entry]:
            found = entry.alone
            if entry.longer and first + 1 < len(words):
                for term in self._longer(entry, words, first + 1):
                    if self._follows(term, words[first + 1 : first + 1 + len(term.rest)]):
                        found = term
                        break
            if found is not None:
                yield Hit(first, first + 1 + len(found.rest), found.kinds)

    def _longer(self, entry: _Entry, words: Sequence[str], second: int) -> Sequence[_Term]:
        """Return the terms that may go on with the second word of a text, the longest first."""
        word = self._folded[words[second]]
        alike = entry.longer.get(word, [])
        if word.isalnum() or second + 1 == len(words):
            return alike
        return [*entry.longer.get(f"{word} {self._folded[words[second + 1]]}", ()), *alike]

    def _follows(self, term: _Term, words: Sequence[str]) -> bool:
        found = words if term.exact else map(self._folded.__getitem__, words)
        return tuple(found) == term.rest
