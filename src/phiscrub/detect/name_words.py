"""What a word is worth as a part of a person's name, worked out once a word type."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum

from phiscrub.core.memo import Memo
from phiscrub.detect.name_cues import Weights

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full
SHORT = 4  # letters: shorter words in capitals are abbreviations as a rule
FREQUENT = 2  # least rank of a frequent name
CAPITALISED = re.compile(
    r"(?:Ma?c?|D[aeiu]|L[ae]|J[ao]|K[ae]|Sha|Fitz|Van|O|El|Al|St|Ni)?\w[^\W\d_A-Z]*"
)
PREFIXED = re.compile(r"(?:Ma?c|De|Fitz|Van|O|St|N[ií])[^\W\d_a-z]{3,}")  # `McGUIGAN`
SCOTTISH = re.compile(r"mc[^\W\d_]{3,}")  # nothing but surnames begins so


class Shape(IntEnum):
    """How a word is written."""

    LOWER = 0
    TITLE = 1
    CAPS = 2
    INITIAL = 3


@dataclass(frozen=True, slots=True)
class Word:
    """A word type that could stand in a name; its ranks are 0 where a list lacks it.

    `strange` words are in no list of names, common or medical words.
    """

    lower: str = field(repr=False)
    shape: Shape
    worth: float
    given: int = 0
    surname: int = 0
    common: int = 0
    place: bool = False
    strange: bool = False


class Kinds(Memo[str, Word | None]):
    """Word types to `Word`; None for words that are never in a name, titles and the like too."""

    def __init__(
        self,
        *,
        given: Mapping[str, int],
        surname: Mapping[str, int],
        common: Mapping[str, int],
        medical: Mapping[str, int],
        place: Mapping[str, int],
        never: frozenset[str],
        weights: Weights,
        derived: re.Pattern[str],
    ) -> None:
        self._given, self._surname = given, surname
        self._common, self._medical, self._place = common, medical, place
        self._never = never
        self._weights = weights
        self._derived = derived

    def __missing__(self, word: str) -> Word | None:
        if len(self) >= CACHED_WORDS:
            self.clear()
        found = self[word] = self._kind(word)
        return found

    def _kind(self, word: str) -> Word | None:
        lower = word.lower()
        if not word.isalpha() or lower in self._never or word in self._never:
            return None
        if len(word) == 1:
            initial = Word(lower, Shape.INITIAL, self._weights.initial)
            return initial if word.isupper() else None
        if word.islower():
            return self._lower(lower)
        shape = Shape.CAPS if word.isupper() or PREFIXED.fullmatch(word) else Shape.TITLE
        if shape == Shape.TITLE and not CAPITALISED.fullmatch(word):
            return None
        return self._capital(lower, shape)

    def _capital(self, lower: str, shape: Shape) -> Word | None:
        weights = self._weights
        plain = _plain(lower)
        given = self._given.get(lower, 0) or self._given.get(plain, 0)
        surname = self._surname.get(lower, 0) or self._surname.get(plain, 0)
        surname = surname or int(SCOTTISH.fullmatch(lower) is not None)
        common = self._common.get(lower, 0)
        medical = lower in self._medical or plain in self._medical
        place = lower in self._place
        known = bool(given or surname)
        if not (known or common) and self._derived.fullmatch(lower):
            common = 1
        if not known and common == len(weights.common) - 1:
            return None
        worth = max(weights.given[given], weights.surname[surname])
        if not known:
            worth = weights.stranger if common else weights.unknown
        eponym = surname >= FREQUENT and not common
        worth += weights.common[common] + medical * weights.medical / (1 + eponym)
        if place and not medical:
            worth += self._place_worth(given)
        if shape == Shape.TITLE:
            worth += (len(lower) == 2) * weights.two_letters  # noqa: PLR2004 - as it is called
        else:
            short = len(lower) <= (SHORT - 1 if given else SHORT)
            worth += weights.capitals_short if short else weights.capitals
            worth += (not known) * weights.capitals
        worth = max(worth, weights.floor_known if known else weights.floor)
        strange = not (known or common or medical)
        return Word(lower, shape, worth, given, surname, common, place, strange)

    def _lower(self, lower: str) -> Word | None:
        weights = self._weights
        given, surname = self._given.get(lower, 0), self._surname.get(lower, 0)
        common, place = self._common.get(lower, 0), lower in self._place
        if lower in self._medical or (common == len(weights.common) - 1 and given < FREQUENT):
            return None
        if common and max(given, surname) < FREQUENT:
            return None  # a rare name is the common word here
        if len(lower) < SHORT and (given < FREQUENT if common else not given):
            return None
        worth = max(weights.given[given], weights.surname[surname])
        if not (given or surname):
            worth = weights.unknown
        worth += weights.common[common] + weights.lower
        worth += (len(lower) <= SHORT) * weights.lower_short
        if place:
            worth += self._place_worth(given)
        strange = not (given or surname or common)
        return Word(lower, Shape.LOWER, worth, given, surname, common, place, strange)

    def _place_worth(self, given: int) -> float:
        return self._weights.place / (2 if given >= FREQUENT else 1)


def _plain(lower: str) -> str:
    """Return a word without accents: `ménière` is `meniere`."""
    if lower.isascii():
        return lower
    parts = unicodedata.normalize("NFD", lower)
    return "".join(part for part in parts if not unicodedata.combining(part))
