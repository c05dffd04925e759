"""Capitalised words that no list explains: names of something, whatever it is."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from itertools import compress

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.detect.wordtypes import WordTypes

RUN, SINGLE = 0.4, 0.3  # below every other finder's claims
SHORTEST = 4  # letters of a word that may stand alone
LONGEST = 5  # words
OPENERS = frozenset({",", "(", "&"})
STARTS = frozenset({":", "-", "–", "—", ";", ">", "*", "•"})  # an entry begins behind them
WRAPPED = frozenset({"at", "the", "of", "to", "from", "in", "and", "with", "for", "by"})
LINKS = frozenset({"of", "the", "&", "de", "la", "del", "y", "-"})
# Before a drug, a sign or a thing rather than a place.
THINGS = frozenset({
    "a", "an", "on", "no", "add", "take", "takes", "took", "start", "started", "stop", "stopped",
    "continue", "continued", "gave", "given", "give", "days", "not", "his", "her", "tab", "per",
    "mg", "using", "used", "is", "was", "plus", "hold", "held", "resume", "trial", "tried", "said",
})  # fmt: skip
# Before the name of a site, of whatever words it is made.
SITED = frozenset({
    "at", "from", "to", "via", "by", "for", "behind", "near", "with", "the", "off", "outside",
    "of", "in", "up", "past", "through", "opposite", "called", "order", "per", "so", "under",
})  # fmt: skip
# Last words of what is known to all: a law, a paper, an office of any firm.
PAPERS = frozenset({
    "act", "book", "books", "department", "director", "form", "origin", "day", "law", "code",
    "committee", "notice", "policy", "section", "part", "week", "month", "review",
})  # fmt: skip
EXCUSES = frozenset({"'", "’", "-", "+", "/"})  # behind an eponym or a compound
INITIALS = range(3, 7)  # letters of an institution's
LAST = 2  # words of a run from which it needs no unknown word but one
# Words that firms join: SunMart.
JOINED = re.compile(r"(?!Ma?c[A-Z]|(?:De|Di|La|Le|Van|Fitz)[A-Z])[A-Z][a-z]{2,}[A-Z][a-z]+")


@dataclass(frozen=True, slots=True, eq=False)
class Strangers:
    """A fallback for names of places and organisations that nothing around them gives away.

    A run of capitalised words behind a word in small letters is a name if one of them is in no
    list of words, or behind a preposition if none is clinical; a single one must be long and
    stand free. Where an entry begins, known words in front of the run count for nothing.
    """

    lists: Lists
    medical: Container[str]
    unknown: WordTypes = field(repr=False)  # words that no list holds
    capitalised: WordTypes = field(repr=False)

    @classmethod
    def of(cls, lists: Lists, medical: Container[str]) -> Strangers:
        """Return a finder by the gazetteer's lists and the words that are clinical."""
        known = (lists.common, medical, lists.words["generic"], lists.words["stops"])

        def unknown(word: str) -> bool:
            low = word.lower()
            return not any(low in listed for listed in known)

        return cls(lists, medical, WordTypes(unknown), WordTypes(_capitalised))

    def find(self, reading: Reading) -> Iterator[Mention]:
        """Yield what is named."""
        words, done = reading.words, 1
        capitalised = map(self.capitalised.__getitem__, words)
        for index in compress(range(len(words)), capitalised):
            if index < done:
                continue
            joined = not words[index].istitle() and self._unknown(reading, index)
            opened = self._opened(reading, index)
            if not (
                opened or joined or (self._goes_on(reading, index) and self._begins(reading, index))
            ):
                continue
            if reading.lower(index) in self.lists.words["titles"]:
                continue
            last = self._ending(reading, index)
            first = index if opened or joined else self._skipped(reading, index, last)
            if joined or self._told(reading, first, last, alone=opened):
                span = Span(reading.starts[first], reading.ends[last - 1])
                alone = last - first == 1
                label, score = ("LOCATION-OTHER", SINGLE) if alone else ("ORGANIZATION", RUN)
                yield Mention(span, label, score, "gazetteer:stranger")
            done = last

    def initials(self, reading: Reading, index: int) -> Iterator[Mention]:
        """Yield unknown capitals behind a word, where the text knows small letters: `at QEH`."""
        word = reading.word(index)
        if not (word.isupper() and word.isalpha() and len(word) in INITIALS and reading.cased):
            return
        following = reading.word(index + 1)
        free = not reading.touching(index) or not (following.isdigit() or following in EXCUSES)
        alone = free and not following.isupper() and not reading.after(index).isdigit()
        told = self.unknown[word] and word.lower() not in self.lists.words["abbreviations"]
        if told and alone and reading.joined(index - 1) and reading.word(index - 1).islower():
            span = Span(reading.starts[index], reading.ends[index])
            yield Mention(span, "HOSPITAL", RUN, "gazetteer:initials")

    def _capital(self, reading: Reading, index: int) -> bool:
        return self.capitalised[reading.words[index]]

    def _unknown(self, reading: Reading, index: int) -> bool:
        return self.unknown[reading.words[index]]

    def _opened(self, reading: Reading, index: int) -> bool:
        """Tell whether small letters, a comma or a bracket stand before the word."""
        before = reading.words[index - 1]
        if not (before.islower() or before in OPENERS):
            return False
        if not reading.same_line(index - 1) and before in WRAPPED:
            return True
        if not reading.joined(index - 1) or not reading.text[reading.starts[index] - 1].isspace():
            return before == "(" and reading.touching(index - 1)
        if before in (",", "("):
            return reading.lower(index - 2).isalpha() and reading.joined(index - 2)
        return True

    def _goes_on(self, reading: Reading, index: int) -> bool:
        """Tell whether a run may have more words than this one."""
        following = reading.word(index + 1)
        return self.capitalised[following] or following in LINKS or following in ("'", "’")

    def _begins(self, reading: Reading, index: int) -> bool:
        """Tell whether a line or an entry begins with the word."""
        if not reading.same_line(index - 1):
            return True
        return reading.words[index - 1] in STARTS and not reading.touching(index - 1)

    def _skipped(self, reading: Reading, first: int, last: int) -> int:
        """Return where a run begins when what a sentence may begin with is left out."""
        while first < last and not (
            self._capital(reading, first) and self._unknown(reading, first)
        ):
            first += 1
        return first

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

    def _told(self, reading: Reading, first: int, last: int, *, alone: bool) -> bool:
        words = self.lists.words
        lowers = [reading.lower(i) for i in range(first, last)]
        stopped = lowers[:1] != ["the"] or last - first < LAST
        if not lowers or (lowers[0] in words["stops"] and stopped):
            return False
        if any(word in words["languages"] for word in lowers):
            return False
        unknown = any(self._unknown(reading, i) for i in range(first, last))
        behind = {lowers[-1], reading.after(last - 1)} & words["eponym_followers"]
        if last - first >= LAST:
            if not alone and (reading.word(last) == ":" or words["headings"].intersection(lowers)):
                return False
            paired = "-" in lowers and any(word in self.medical for word in lowers)
            sited = alone and reading.written(first) and self._sited(reading, first, last)
            return (unknown or sited) and not (behind or paired)
        after = reading.word(last)
        thing = reading.lower(first - 1) in THINGS
        free = not reading.touching(last - 1) or after not in EXCUSES
        follows = after.isdigit() or bool(behind)
        long = len(lowers[0]) >= SHORTEST
        alone = alone and reading.written(first)
        return alone and unknown and long and free and not (follows or thing)

    def _sited(self, reading: Reading, first: int, last: int) -> bool:
        """Tell whether a run of known words names a site: `behind the Silver Anchor`."""
        generic = self.lists.words["generic"]
        return (
            reading.lower(first - 1) in SITED
            and reading.lower(first) not in generic
            and reading.lower(last - 1) not in PAPERS
            and not any(reading.lower(i) in self.medical for i in range(first, last))
        )


def _capitalised(word: str) -> bool:
    """Tell whether a word has a capital in front and small letters behind, or joins two such."""
    plain = len(word) > 2 and word[0].isupper() and word[1:].islower()  # noqa: PLR2004 - St
    return plain or JOINED.fullmatch(word) is not None
