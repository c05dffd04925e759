"""What someone does for a living: listed occupations, with the words that narrow them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.lexicons.phrases import Hit

NARROWING = 3  # words before an occupation: corn and cattle farmer
CUED, ALONE = 0.88, 0.75
EMPLOYED_BY = frozenset({"at", "for", "with", "@"})
LINKS = frozenset({"of", "and", "&", "-", "'", "’", "s"})
LONGEST_EMPLOYER = 6  # words
ARTICLES = frozenset({"a", "an"})


@dataclass(frozen=True, slots=True, eq=False)
class Jobs:
    """Finds an occupation and the small-letter nouns before it: `poultry line lead`.

    An occupation that is also one of the care team's, or a common word, needs a cue: `retired`,
    `works as`, `is a`, `(38, …)`.
    """

    lists: Lists

    def find(self, reading: Reading, hit: Hit, weak: bool) -> Iterator[Mention]:
        """Yield the occupation at a hit."""
        if reading.touching(hit.last - 1) and reading.word(hit.last) in ("-", "'", "’", ":"):
            return
        first = self._beginning(reading, hit.first)
        cued = self._cued(
            reading, first, hit.last, narrowed=first < hit.first or hit.last - hit.first > 1
        )
        if not cued and (
            weak or reading.before(first) in ("the", "by", "our", "this", "per", "to")
        ):
            return
        span = Span(reading.starts[first], reading.ends[hit.last - 1])
        yield Mention(span, "PROFESSION", CUED if cued else ALONE, "gazetteer:job")
        if cued:
            yield from self._employer(reading, hit.last)

    def _employer(self, reading: Reading, last: int) -> Iterator[Mention]:
        """Yield the capitalised name behind `at`, `for` or `with` after someone's occupation."""
        if reading.lower(last) not in EMPLOYED_BY or not reading.joined(last - 1):
            return
        first = last + 1 + (reading.word(last + 1) == "the")
        end = first
        while end < first + LONGEST_EMPLOYER and reading.joined(end - 1):
            linked = reading.lower(end) in LINKS and reading.is_name(end + 1) and end > first
            if not linked and (
                not reading.is_name(end)
                or reading.lower(end) in self.lists.words["stops"] - {"the"}
            ):
                break
            end += 1
        if end > first and len(reading.words[first]) > 2:  # noqa: PLR2004 - abbreviations
            span = Span(reading.starts[first], reading.ends[end - 1])
            yield Mention(span, "ORGANIZATION", CUED, "gazetteer:employer")

    def _beginning(self, reading: Reading, head: int) -> int:
        stops = self.lists.words["job_stops"]
        first = head
        for index in range(head - 1, max(head - 2 - NARROWING, -1), -1):
            word = reading.words[index]
            if not reading.joined(index) or not word.isalpha() or not word.islower():
                return first
            if word in stops:
                return first
            first = index
        return head

    def _cued(self, reading: Reading, first: int, last: int, *, narrowed: bool) -> bool:
        words = self.lists.words
        before = reading.before(first)
        if before in words["job_cues"]:
            return True
        if before in ARTICLES:
            lead = reading.before(first - 1)
            return lead in words["job_verbs"] or lead in words["job_cues"]
        if before == ":":
            return reading.lower(first - 2) in words["job_cues"]
        if before == "(" and reading.word(last) in (")", ","):
            return True
        if before in (",", "("):
            return (
                narrowed
                or reading.lower(first - 2).isdigit()
                or reading.lower(first - 2) in ("m", "f", "yo", "yom", "yof")
            )
        return False
