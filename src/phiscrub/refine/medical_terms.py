"""The medical lexicon: terms, eponyms, the nouns that eponyms qualify, and drug-name stems."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from itertools import pairwise

from phiscrub.core.errors import MissingError
from phiscrub.core.memo import Memo
from phiscrub.lexicons.near import Near, within_one
from phiscrub.lexicons.terms import terms_of

WORD = re.compile(r"[^\W_]+")
LEAST_NEAR = 6  # letters from which a word with one edit counts as the term
CACHED_WORDS = 50_000
LEAST_STEMMED = 7  # letters from which a word may be a drug by its stem
ROLES = frozenset({"eponyms", "heads", "stems", "also_names"})


Phrase = tuple[str, ...]


class _Met(Memo[str, tuple[str, ...]]):
    """Listed words within one edit of a word, looked up once a word; afresh when it is full."""

    def __init__(self, near: Near) -> None:
        self._near = near

    def __missing__(self, word: str) -> tuple[str, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = found = self._near.find(word)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class MedicalTerms:
    """A folder's lists by what they are for.

    `eponyms.txt` holds surnames that are terms only beside a noun of `heads.txt`; `stems.txt` the
    endings of drug names; `also_names.txt` words that the other lists hold, or come within an
    edit or a stem of, and that people or places are called too. Every other file is terms, of one
    word or several.
    """

    words: Near = field(repr=False)
    eponyms: Near = field(repr=False)
    heads: frozenset[str] = field(repr=False)
    also_names: frozenset[str] = field(repr=False)
    stems: frozenset[str] = field(repr=False)
    pairs: Mapping[tuple[str, str], Sequence[tuple[Phrase, int]]] = field(repr=False)
    phrase_words: _Met = field(repr=False)
    beside: _Met = field(repr=False)

    @classmethod
    def load(cls, folder: Traversable) -> MedicalTerms:
        """Read the lists; raise `MissingError` where one that has a role of its own is lacking."""
        lists = {
            file.name.removesuffix(".txt"): _read(file)
            for file in folder.iterdir()
            if file.name.endswith(".txt")
        }
        for role in sorted(ROLES - set(lists)):
            raise MissingError(f"no list {role}.txt among the medical terms")
        terms = [tuple(cut(t)) for name, many in lists.items() if name not in ROLES for t in many]
        pairs: dict[tuple[str, str], list[tuple[Phrase, int]]] = defaultdict(list)
        for phrase in sorted(set(terms)):
            for at, pair in enumerate(pairwise(phrase)):
                pairs[pair].append((phrase, at))
        in_phrases = {word for pair in pairs for word in pair}
        return cls(
            words=Near((term[0] for term in terms if len(term) == 1), LEAST_NEAR),
            eponyms=Near(lists["eponyms"], LEAST_NEAR),
            heads=frozenset(lists["heads"]),
            also_names=frozenset(lists["also_names"]),
            stems=frozenset(lists["stems"]),
            pairs=dict(pairs),
            phrase_words=_Met(Near(in_phrases, LEAST_NEAR)),
            beside=_Met(Near(in_phrases, LEAST_NEAR - 1)),
        )

    def is_medical(self, word: str) -> bool:
        """Tell whether a folded word is on some list, or comes within an edit or a stem."""
        return (
            self._is_word(word)
            or self.eponyms.reaches(word)
            or word in self.heads
            or (word.isdigit() and len(word) <= 2)  # noqa: PLR2004 - `type 2`, `C 3`
        )

    def is_head(self, word: str) -> bool:
        """Tell whether the word is a noun that eponyms qualify, in singular or plural."""
        return word in self.heads or word.removesuffix("s") in self.heads

    def is_eponym(self, words: Sequence[str]) -> bool:
        """Tell whether one of the words is an eponym."""
        return any(self.eponyms.reaches(word) for word in words)

    def is_a_name(self, words: Sequence[str]) -> bool:
        """Tell whether the words might all be a person or a place as well."""
        return all(
            word in self.also_names or (self.eponyms.reaches(word) and word not in self.words)
            for word in words
        )

    def is_listed(self, words: Sequence[str]) -> bool:
        """Tell whether each word is itself a term or an eponym, not only near one."""
        return all(word in self.words or word in self.eponyms for word in words)

    def phrase_around(
        self,
        before: Sequence[str],
        inside: Sequence[str],
        behind: Sequence[str],
        *,
        exact: bool = False,
    ) -> bool:
        """Tell whether some term of several words holds all words inside, where they stand.

        Long words may be an edit away from the term's, unless `exact`.
        """
        same = str.__eq__ if exact else _same
        around = (*before, *inside, *behind)
        first, last = len(before), len(before) + len(inside)
        for word in self.phrase_words[inside[0]]:
            for phrase, start in self._with(word, around, first):
                stretch = around[max(start, 0) : start + len(phrase)]
                fits = start >= 0 and start + len(phrase) >= last
                if fits and len(stretch) == len(phrase) and all(map(same, stretch, phrase)):
                    return True
        return False

    def _with(self, word: str, around: Sequence[str], at: int) -> Iterator[tuple[Phrase, int]]:
        """Yield terms that have a word here and a neighbour of its too, and where they begin."""
        for behind in self.beside[around[at + 1]] if at + 1 < len(around) else ():
            for phrase, offset in self.pairs.get((word, behind), ()):
                yield phrase, at - offset
        for before in self.beside[around[at - 1]] if at else ():
            for phrase, offset in self.pairs.get((before, word), ()):
                yield phrase, at - 1 - offset

    def _is_word(self, word: str) -> bool:
        if word in self.words:
            return True
        if len(word) >= LEAST_STEMMED and self._has_stem(word):
            return True
        return self.words.reaches(word)

    def _has_stem(self, word: str) -> bool:
        """Tell whether a word ends as drugs do, in singular or plural."""
        one = word.removesuffix("s")
        endings = {end[at:] for end in {word, one} for at in range(len(end))}
        return not endings.isdisjoint(self.stems)


def cut(text: str) -> list[str]:
    """Return the folded words of a text, a possessive's `s` left out."""
    if text.isalpha():
        return [text.lower()]
    if "'" not in text and "’" not in text:
        return [word.lower() for word in WORD.findall(text)]
    found = ((match[0].lower(), match.start()) for match in WORD.finditer(text))
    return [w for w, at in found if w != "s" or text[at - 1 : at] not in ("'", "’")]


def _same(word: str, listed: str) -> bool:
    return word == listed or (
        min(len(word), len(listed)) >= LEAST_NEAR - 1 and within_one(word, listed)
    )


def _read(file: Traversable) -> tuple[str, ...]:
    """Read a list in small letters."""
    return tuple(map(str.lower, terms_of(file)))
