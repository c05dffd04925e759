"""Capitalised words in mid-sentence that no list explains: names of something, whatever it is."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading

RUN, SINGLE = 0.4, 0.3  # below every other finder's claims
SHORTEST = 4  # letters of a word that may stand alone
LONGEST = 5  # words
OPENERS = frozenset({",", "("})
WRAPPED = frozenset({"at", "the", "of", "to", "from", "in", "and", "with", "for", "by"})
LINKS = frozenset({"of", "the", "&", "de", "la", "del", "y", "-"})
# Before a drug, a sign or a thing rather than a place.
THINGS = frozenset({
    "a", "an", "on", "no", "add", "take", "takes", "took", "start", "started", "stop", "stopped",
    "continue", "continued", "gave", "given", "give", "days", "not", "his", "her", "tab", "per",
    "mg", "using", "used", "is", "was", "plus", "hold", "held", "resume", "trial", "tried", "said",
})  # fmt: skip
EXCUSES = frozenset({"'", "’", "-", "+", "/"})  # behind an eponym or a compound
CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full
LAST = 2  # words of a run from which it needs no unknown word but one


class Capitalised(dict[str, bool]):
    """Whether a word has one capital, and small letters behind it; worked out once a type."""

    def __missing__(self, word: str) -> bool:
        if len(self) >= CACHED_WORDS:
            self.clear()
        found = len(word) > 2 and word[0].isupper() and word[1:].islower()  # noqa: PLR2004 - St
        self[word] = found
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Strangers:
    """A fallback for names of places and organisations that nothing around them gives away.

    A run of capitalised words behind a word in small letters is a name if one of them is in no
    list of words; a single one must be long and stand free.
    """

    lists: Lists
    medical: Container[str]
    capitalised: Capitalised = field(default_factory=Capitalised, repr=False)

    def find(self, reading: Reading) -> Iterator[Mention]:
        """Yield what is named in mid-sentence."""
        done = 1
        for index in [i for i, word in enumerate(reading.words) if self.capitalised[word]]:
            if index < done or not self._opened(reading, index):
                continue
            if reading.lower(index) in self.lists.words["titles"]:
                continue
            last = self._ending(reading, index)
            if self._told(reading, index, last):
                span = Span(reading.starts[index], reading.ends[last - 1])
                alone = last - index == 1
                label, score = ("LOCATION-OTHER", SINGLE) if alone else ("ORGANIZATION", RUN)
                yield Mention(span, label, score, "gazetteer:stranger")
            done = last

    def _capital(self, reading: Reading, index: int) -> bool:
        return self.capitalised[reading.words[index]]

    def _opened(self, reading: Reading, index: int) -> bool:
        """Tell whether small letters, a comma or a bracket stand before the word."""
        before = reading.words[index - 1]
        if not reading.same_line(index - 1) and before in WRAPPED:
            return True
        if not reading.joined(index - 1) or not reading.text[reading.starts[index] - 1].isspace():
            return before == "(" and reading.touching(index - 1)
        if before in OPENERS:
            return reading.lower(index - 2).isalpha() and reading.joined(index - 2)
        return before.islower() or reading.lower(index - 1) in ("&",)

    def _ending(self, reading: Reading, first: int) -> int:
        end = first + 1
        while end < first + LONGEST and reading.joined(end - 1):
            if self._capital(reading, end):
                end += 1
            elif self._possessive(reading, end) or (
                reading.word(end) in LINKS
                and reading.joined(end)
                and end + 1 < len(reading.words)
                and self._capital(reading, end + 1)
            ):
                end += 2
            else:
                break
        return end

    def _possessive(self, reading: Reading, index: int) -> bool:
        """Tell whether `'s` stands here with another name behind it: Palmer's Yard."""
        return (
            reading.word(index) in ("'", "’")
            and reading.word(index + 1) == "s"
            and index + 2 < len(reading.words)
            and reading.joined(index + 1)
            and self._capital(reading, index + 2)
        )

    def _told(self, reading: Reading, first: int, last: int) -> bool:
        words = self.lists.words
        lowers = [reading.lower(i) for i in range(first, last)]
        stopped = lowers[0] in words["stops"] and (lowers[0] != "the" or last - first < LAST)
        if stopped or any(word in words["languages"] for word in lowers):
            return False
        unknown = [
            word
            for word in lowers
            if word not in self.lists.common
            and word not in self.medical
            and word not in words["generic"]
            and word not in words["stops"]
        ]
        behind = reading.after(last - 1) in words["eponym_followers"]
        if last - first >= LAST:
            paired = "-" in lowers and any(word in self.medical for word in lowers)
            return bool(unknown) and not (behind or paired)
        after = reading.word(last)
        thing = reading.lower(first - 1) in THINGS
        free = not reading.touching(last - 1) or after not in EXCUSES
        follows = after.isdigit() or behind
        return bool(unknown) and len(lowers[0]) >= SHORTEST and free and not (follows or thing)
