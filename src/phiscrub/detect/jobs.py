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
AGED = frozenset({"old", "yo", "y", "o", "yom", "yof", "yrs", "yr", "m", "f"})  # behind an age
COPULAS = frozenset({"is", "was", "are", "were"})
AGE_REACH = 5  # words between an age's number and the occupation: 34 - year - old


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
        named = reading.is_name(hit.first) and hit.last - hit.first == 1  # Mr. Turner
        if not cued and (
            weak
            or (named and not self._entry(reading, first))
            or reading.before(first) in ("the", "by", "our", "this", "per", "to")
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
            if word == "-" and reading.touching(index) and reading.touching(index - 1):
                continue  # long-haul
            if not reading.joined(index) or not word.isalpha() or not word.islower():
                return first
            if word in stops:
                return first
            first = index
        return head

    def _entry(self, reading: Reading, first: int) -> bool:
        """Tell whether the occupation begins an entry of a list: behind a bullet, dash or colon."""
        return not reading.before(first).isalpha() and reading.before(first) not in (".", ",")

    def _aged(self, reading: Reading, first: int) -> bool:
        """Tell whether an age stands before the occupation: `a 27-year-old`."""
        return reading.before(first) in AGED and any(
            reading.word(index).isdigit() for index in range(first - AGE_REACH, first)
        )

    def _cued(self, reading: Reading, first: int, last: int, *, narrowed: bool) -> bool:
        """Tell whether the words before say that someone has the occupation, or its place does."""
        before = reading.before(first)
        if self._stated(reading, first) or reading.lower(last - 1) in self.lists.words["care_team"]:
            return self._stated(reading, first)
        if before == "(" and reading.word(last) in (")", ","):
            return True
        behind = reading.lower(first - 2)
        return before in (",", "(", "-", "–") and (
            narrowed or behind.isdigit() or behind in ("m", "f", "yo", "yom", "yof")
        )

    def _stated(self, reading: Reading, first: int) -> bool:
        cues, verbs = self.lists.words["job_cues"], self.lists.words["job_verbs"]
        before = reading.before(first)
        if before in ARTICLES:
            lead = reading.before(first - 1)
            return lead in verbs or lead in cues or lead == "("
        if before == ":":
            return reading.lower(first - 2) in cues
        return before in cues or before in COPULAS or self._aged(reading, first)
