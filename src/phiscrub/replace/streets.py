"""Streets and other named places of one note."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import number
from phiscrub.replace.people import fold
from phiscrub.replace.placewords import (
    FLOORS,
    GENERIC,
    GLUED,
    JOINTS,
    NAME_PARTICLES,
    NUMBERED,
    STREET_ENDS,
    STREET_TYPES,
    STREET_WORDS,
)

WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*\.?")
ORDINAL = re.compile(r"(?<!\w)(\d+)(st|nd|rd|th)(?!\w)", re.I)
TOKEN = re.compile(f"(?:{ORDINAL.pattern})|(?:{WORD.pattern})", re.I)
LETTER = re.compile(r"(?<!\w)[^\W\d_](?!\w)")
BOX = re.compile(r"(?<!\w)(?:post office|p\.?\s?o\.?)\s+(?:box|drawer|bag)(?!\w)", re.I)
NUMBER_NEXT = re.compile(r"[\s.#-]{0,3}\d")
ARTICLES = frozenset({"the", "of", "and", "la", "el", "de"})
LEFT_OVER = re.compile(r"(?:\s+(?:&|of|the|at|and|on))+$")
ENDINGS = {1: "st", 2: "nd", 3: "rd"}
TEENS = range(11, 14)
TYPED = STREET_TYPES | STREET_ENDS


@dataclass(frozen=True, slots=True)
class Streets:
    """Stands in for the streets of one note by `names`."""

    names: tuple[str, ...]
    key: Key
    avoid: frozenset[str]

    def street(self, words: str) -> str:
        """Replace names of streets by others, and numbers; the type of street stays.

        A house number hangs on the name alone, so that `St` and `Street` have the same.
        """
        found = list(TOKEN.finditer(words))
        kinds = [_is_kind(words, found, at) for at in range(len(found))]
        own = next((_plain(t[0]) for t, kind in zip(found, kinds, strict=True) if not kind), "")
        key = self.key.narrow("house", own)
        put: list[str] = []
        done = 0
        named = False
        for at, token in enumerate(found):
            between = words[done : token.start()]
            done = token.end()
            follows = found[at + 1][0] if at + 1 < len(found) else ""
            joins = token[0].islower() and token[0] in JOINTS
            if joins or "&" in between or "/" in between:
                named = False
            if ORDINAL.fullmatch(token[0]):
                put += (_numbered(between, key), self._ordinal(token))
                named = named or _plain(follows) not in FLOORS
            elif joins or kinds[at] or (named and _ends(token[0])):
                particle = named and fold(token[0]) in NAME_PARTICLES and not token[0].isupper()
                put += () if particle else (_numbered(between, key), token[0])
            elif named:
                put.append(_numbered(between, key).rstrip(" -"))
            else:
                put += (_numbered(between, key), like(token[0], self._name(fold(token[0]))))
                named = True
        text = "".join((*put, _numbered(words[done:], key)))
        if fold(text) == fold(words):  # `Ave F`: nothing but kinds and a letter
            text = LETTER.sub(lambda found: number(found[0], key), words)
        return text if fold(text) != fold(words) else number(words, key)

    def other(self, words: str) -> str:
        """Replace what names a place; what kind of place it is stays."""
        named = False

        def word(found: re.Match[str]) -> str:
            nonlocal named
            plain = _plain(found[0])
            joins = plain in JOINTS and found[0].islower()
            named = named and not joins
            if joins or plain in GENERIC or (named and plain in STREET_TYPES):
                return found[0]
            if named:
                return ""
            named = True
            return like(found[0], self._name(fold(found[0])))

        put = re.sub(r"\s{2,}", " ", WORD.sub(word, words)).strip(" ,-")
        put = _numbered(LEFT_OVER.sub("", put), self.key)
        return put if fold(put) != fold(words) else like(words, self._name(fold(words)))

    def _name(self, name: str) -> str:
        key = self.key.narrow("street", name)
        others = (s for s in key.walk(self.names) if fold(s) != name)
        return next((s for s in others if fold(s) not in self.avoid), self.names[0])

    def _ordinal(self, found: re.Match[str]) -> str:
        put = number(found[1], self.key.narrow("ordinal"))
        ending = "th" if int(put[-2:]) in TEENS else ENDINGS.get(int(put[-1]), "th")
        return put + like(found[2], ending)


def _plain(word: str) -> str:
    return fold(word).strip(".")


def _ends(word: str) -> bool:
    """Tell whether a word behind the name of a street is no part of it."""
    return is_generic(word) or _plain(word) in STREET_ENDS


def is_generic(word: str) -> bool:
    """Tell whether a word of a street is no part of its name."""
    plain = fold(word)
    if plain.endswith(GLUED) and plain not in STREET_WORDS:
        return False
    return plain in STREET_WORDS or _plain(word) in STREET_WORDS or len(plain) == 1


def _is_kind(words: str, found: Sequence[re.Match[str]], at: int) -> bool:
    """Tell whether a word of a street says of what kind it is: not the first of `Hill Street`."""
    token = found[at]
    if any(box.start() <= token.start() < box.end() for box in BOX.finditer(words)):
        return True
    if NUMBER_NEXT.match(words, token.end()):
        return is_generic(token[0]) or _plain(token[0]) in NUMBERED
    if not is_generic(token[0]):
        return False
    follows = found[at + 1] if at + 1 < len(found) else None
    typed = follows is not None and _plain(follows[0]) in TYPED
    beyond = found[at + 2] if at + 2 < len(found) else None  # in `N Court St` the court is the name
    apart = beyond is not None and _plain(beyond[0]) in STREET_TYPES
    numbered = follows is not None and NUMBER_NEXT.match(words, follows.end())
    return not typed or apart or numbered is not None or _plain(token[0]) in ARTICLES


def _numbered(words: str, key: Key) -> str:
    return re.sub(r"\d+", lambda found: number(found[0], key), words)
