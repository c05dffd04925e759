"""What paper 4 asks of each word before it is called safe, and the lists that answer."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.note import Note
from phiscrub.core.tokens import Tokens
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.wordlists import read_terms
from phiscrub.lexicons.phrases import Phrases
from phiscrub.lexicons.terms import terms_of
from phiscrub.tokenize.clinical import clinical_tokens

Bools = NDArray[np.bool_]

FILE = "lists.toml"
# The thesis' fifteen, by its names; those of `WRITTEN` are told by how a word is written.
WRITTEN = (
    "has-capital-beginning", "is-sentence-beginning", "is-digit", "contains-digit",
    "is-single-letter",
)  # fmt: skip
LISTED = (
    "is-possibly-city", "is-possibly-name", "is-common-word", "is-medical-term", "is-weekday",
    "is-month", "is-top-level-domain", "is-street", "is-holiday", "is-written-out-number",
)  # fmt: skip
FEATURES = (*WRITTEN, *LISTED)
DOMAIN = "is-top-level-domain"  # only behind a dot
ROLES = ("safe", "phi", "always")
SAFE, PHI, ALWAYS = range(3)  # what the rules call a word


@dataclass(frozen=True, slots=True, eq=False)
class WordLists:
    """Terms by the feature that they answer, and what features mean.

    A word with a feature of `phi` is PHI, one with none of these but one of `safe` is safe, and
    any other is PHI too: everything is, until shown safe. A PHI word with a feature of `always`
    is masked whatever a tagger thinks of it.
    """

    terms: Mapping[str, Phrases] = field(repr=False)
    safe: tuple[str, ...]
    phi: tuple[str, ...]
    always: tuple[str, ...]

    @classmethod
    def load(cls, folder: Traversable, name: str, tools: Toolbox) -> Self:
        """Read a folder's `lists.toml` and the lists that it names.

        A list that begins with ``./`` stands in the folder itself, any other where
        `wordlists.read_terms` finds it. Raises `SettingsError` where something does not fit.
        """
        where = f"{name}/{FILE}"
        try:
            data = tomllib.loads((folder / FILE).read_text("utf-8"))
        except FileNotFoundError:
            raise MissingError("no lists of what is safe", where=where) from None
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            raise SettingsError("cannot be read as lists", where=where) from None
        named, rules = data.get("lists", {}), data.get("rules", {})
        known = {*WRITTEN, *named}
        if set(data) != {"lists", "rules"} or set(rules) != set(ROLES):
            hint = f"tables [lists] and [rules], with {', '.join(ROLES)}"
            raise SettingsError("is not made of lists and rules", where=where, hint=hint)
        for role in ROLES:
            for feature in sorted(set(rules[role]) - known):
                raise SettingsError(f"'rules.{role}' names no list {feature!r}", where=where)
        terms = {
            feature: Phrases(
                (term, feature) for own in files for term in _terms(own, folder, where, tools)
            )
            for feature, files in named.items()
        }
        return cls(terms, *(tuple(rules[role]) for role in ROLES))

    @property
    def features(self) -> tuple[str, ...]:
        """The thesis' features, and behind them those of a language's own lists."""
        return (*FEATURES, *sorted(set(self.terms) - set(FEATURES)))

    def verdicts(self, told: Bools) -> NDArray[np.uint8]:
        """Return `SAFE`, `PHI` or `ALWAYS` for each row of features."""
        at = {feature: column for column, feature in enumerate(self.features)}

        def has(names: Sequence[str]) -> Bools:
            return np.asarray(told[:, [at[name] for name in names]].any(axis=1))

        is_phi = has(self.phi) | ~has(self.safe)
        return np.where(is_phi, np.where(has(self.always), ALWAYS, PHI), SAFE).astype(np.uint8)


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A note's runs of letters and digits, the tokens of the 2014 i2b2 script in any alphabet.

    `starts` and `ends` are their places in the text, `first` and `last` half-open ranges of the
    clinical `tokens` that they are made of: `3041023MARY` is one word of two.
    """

    tokens: Tokens = field(repr=False)
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    first: NDArray[np.int64]
    last: NDArray[np.int64]

    @classmethod
    def of(cls, note: Note) -> Self:
        """Find the words of a note."""
        tokens = clinical_tokens(note)
        is_word = np.array([_is_word(word) for word in tokens.words()], dtype=np.bool_)
        place = np.flatnonzero(is_word)
        starts, ends = tokens.starts[place], tokens.ends[place]
        opens = np.ones(len(place), dtype=np.bool_)
        opens[1:] = (np.diff(place) > 1) | (starts[1:] != ends[:-1])
        closes = np.append(opens[1:], True)[: len(place)]
        return cls(tokens, starts[opens], ends[closes], place[opens], place[closes] + 1)

    def __len__(self) -> int:
        return len(self.starts)

    def texts(self) -> list[str]:
        """Return the words as they are written."""
        text = self.tokens.text
        return [text[a:b] for a, b in zip(self.starts.tolist(), self.ends.tolist(), strict=True)]


def features(note: Note, words: Words, lists: WordLists) -> Bools:
    """Return which features each word has, of shape ``[words, len(lists.features)]``."""
    text, written = note.text, words.texts()
    columns = {
        "has-capital-beginning": [word[0].isupper() for word in written],
        "is-sentence-beginning": _begins(note, words),
        "is-digit": [word.isdigit() for word in written],
        "contains-digit": [any(map(str.isdigit, word)) for word in written],
        "is-single-letter": [len(word) == 1 and word.isalpha() for word in written],
    }
    told = np.zeros((len(words), len(lists.features)), dtype=np.bool_)
    for column, feature in enumerate(lists.features):
        if feature in columns:
            told[:, column] = columns[feature]
        elif feature in lists.terms:
            for low, high in _hits(words, lists.terms[feature]):
                told[low:high, column] = True
    domain = lists.features.index(DOMAIN)
    for at in np.flatnonzero(told[:, domain]).tolist():
        start = int(words.starts[at])
        told[at, domain] = start > 1 and text[start - 1] == "." and text[start - 2].isalnum()
    return told


def _hits(words: Words, terms: Phrases) -> Iterator[tuple[int, int]]:
    """Yield the words that a term covers whole, as half-open ranges."""
    for hit in terms.find(words.tokens.words()):
        low = int(np.searchsorted(words.first, hit.first))
        high = int(np.searchsorted(words.last, hit.last, side="right"))
        if low < high:
            yield low, high


def _begins(note: Note, words: Words) -> Bools:
    """Return which words are the first of their sentence."""
    first = np.searchsorted(words.starts, note.sentences.starts)
    begins = np.zeros(len(words) + 1, dtype=np.bool_)
    begins[first] = True
    return begins[:-1]


def _is_word(token: str) -> bool:
    return token[0].isalnum() or any(map(str.isalnum, token))


def _terms(name: str, folder: Traversable, where: str, tools: Toolbox) -> Sequence[str]:
    if not name.startswith("./"):
        return read_terms(name, tools)
    try:
        return terms_of(folder / f"{name[2:]}.txt")
    except (OSError, UnicodeDecodeError):
        raise SettingsError(f"list '{name}' cannot be read", where=where) from None
