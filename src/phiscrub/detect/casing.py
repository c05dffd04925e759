"""Texts of one case: which words would have a capital if the writer had made a difference."""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field, replace

from phiscrub.core.memo import Memo
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.detect.units import POSTED
from phiscrub.detect.wordtypes import CACHED_WORDS
from phiscrub.lexicons.phrases import Hit

LEAST = 10  # words of a text whose case can be judged
CAPITALS = 0.9  # share of words in capitals of a text that makes no difference
SMALL = 0.15  # share of words with a capital in front in a text that mostly does without
BEGUN = 0.5  # share of sentences and lines that such a text begins with a capital
SHORT = 3  # letters of an abbreviation, which stays as it is
LONG = 5  # letters of an unknown word that is a name rather than an abbreviation
CODE = 2  # letters of a state's code
REACH = 4  # words before the last one of a unit's name
# The letter that a line or a sentence begins with, or none; what is passed is passed once.
BEGINS = re.compile(r"[.!?\n]\s*+([^\W\d_])?")
# Endings of words that are no names.
ENDINGS = (
    "ed", "ing", "ly", "ous", "ful", "tion", "sion", "tions", "ment", "ments", "ity", "ism", "ness",
    "ical", "able", "ible", "gram", "graphy", "scopy", "plasty", "tomy", "pathy", "itis", "osis",
    "emia", "aemia", "oma", "algia", "uria", "ologist", "ology", "less", "ized", "ised", "ative",
    "ive", "ance", "ence", "ants", "ents", "ers", "ies", "ions", "ings", "als", "ary", "ic", "ics",
)  # fmt: skip
NAMED = frozenset({
    "city", "country", "state", "state_weak", "region", "hospital", "organization", "city_weak",
})  # fmt: skip
# A word's case as bits: of letters, in capitals, in small letters; and the sums that have each bit.
ALPHABETIC, CAPITAL, LOWER = ([c for c in range(8) if c >> bit & 1] for bit in range(3))
MEANT = frozenset({"city", "country", "state", "region", "hospital", "organization"})


class _Cases(Memo[str, int]):
    """The case of a word, asked once a type of word."""

    def __missing__(self, word: str) -> int:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = case = word.isalpha() | word.isupper() << 1 | word.islower() << 2
        return case


class _Cased(Memo[str, str]):
    """The word as running text has it, as far as the word alone tells, once a type of word."""

    def __init__(self, lists: Lists, known: Container[str]) -> None:
        self._lists = lists
        self._known = known

    def __missing__(self, word: str) -> str:
        if len(self) >= CACHED_WORDS:
            self.clear()
        self[word] = cased = self._cased(word)
        return cased

    def _cased(self, word: str) -> str:
        low = word.lower()
        if low in self._known or low in self._lists.common or low in self._lists.words["stops"]:
            return low
        if len(word) <= SHORT or not word.isalpha():
            return word
        return low.title() if len(word) >= LONG and not low.endswith(ENDINGS) else low


@dataclass(frozen=True, slots=True, eq=False)
class Casing:
    """Gives the words of a text in one case the case that they would have in running text.

    Words that no list of words holds are names, as are listed places, and what stands between a
    preposition and the last word of a unit's name.
    """

    lists: Lists
    known: Container[str] = field(repr=False)
    _cases: _Cases = field(init=False, repr=False, default_factory=_Cases)
    _cased: _Cased = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_cased", _Cased(self.lists, self.known))

    def restore(self, reading: Reading) -> Reading:
        """Return the reading with other words, if its text has one case only."""
        cases = bytes(map(self._cases.__getitem__, reading.words))
        letters = sum(map(cases.count, ALPHABETIC))
        capitals = sum(map(cases.count, CAPITAL))
        initials = letters - capitals - sum(map(cases.count, LOWER))
        shouted = capitals >= CAPITALS * letters
        small = initials <= SMALL * letters and self._careless(reading)
        if letters < LEAST or not (shouted or small):
            return reading
        words = [self._cased[word] if shouted or word.islower() else word for word in reading.words]
        for hit in self.lists.terms.find(reading.words):
            if self._place(words, hit):
                words[hit.first : hit.last] = map(_title, words[hit.first : hit.last])
            if any(kind.startswith("head") for kind in hit.kinds):
                self._unit(reading, words, hit.first, hit.last)
        for index, word in enumerate(words):
            if len(word) == CODE and self._state(reading, words, index):
                words[index] = word.upper()
        return replace(reading, words=words, cased=False)

    def _careless(self, reading: Reading) -> bool:
        """Tell whether sentences and lines begin in small letters as a rule."""
        begun = [letter for letter in BEGINS.findall("\n" + reading.text) if letter]
        return sum(map(str.isupper, begun)) <= BEGUN * len(begun)

    def _place(self, words: list[str], hit: Hit) -> bool:
        """Tell whether a term names a place or firm, and is no common word."""
        kinds = set(hit.kinds)
        if hit.last - hit.first > 1:
            common = all(word.lower() in self.lists.common for word in words[hit.first : hit.last])
            where = words[hit.first - 1] in self.lists.words["where"]
            return bool(kinds & NAMED) and (not common or where)
        word = words[hit.first]
        return bool(kinds & MEANT) and len(word) > SHORT and word not in self.lists.common

    def _state(self, reading: Reading, words: list[str], index: int) -> bool:
        """Tell whether a state's code stands behind the name of a town."""
        comma = words[index - 1] == ","
        town = index - 1 - comma
        if town < 0 or not words[town].istitle() or not reading.same_line(town):
            return False
        hit = next(self.lists.terms.find([words[index].upper()]), None)
        if hit is None:
            return False
        ends = not reading.joined(index) or not words[index + 1].isalpha()
        return "state_code" in hit.kinds or ("state_code_weak" in hit.kinds and comma and ends)

    def _unit(self, reading: Reading, words: list[str], first: int, last: int) -> None:
        """Give capitals to the words from a preposition or a line's start to a unit's last."""
        begins = first
        while (
            begins > max(first - REACH, 0)
            and reading.joined(begins - 1)
            and words[begins - 1].isalpha()
            and words[begins - 1].lower() not in self.lists.words["stops"]
        ):
            begins -= 1
        posted = not reading.same_line(begins - 1) or words[begins - 1].lower() in POSTED
        named = any(word.istitle() for word in words[begins:first])
        if begins < first and (posted or named):
            if not posted:
                begins = next(i for i in range(begins, first) if words[i].istitle())
            words[begins:last] = map(_title, words[begins:last])


def _title(word: str) -> str:
    return word.title() if len(word) > SHORT else word.capitalize()
