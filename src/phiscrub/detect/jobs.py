"""What someone does for a living: listed occupations, with the words that narrow them."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, field

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
KIN_REACH = 9  # words between a relative and what stands in brackets behind the name
KIN = frozenset({
    "mother", "father", "husband", "wife", "son", "daughter", "dtr", "brother", "sister", "mum",
    "mom", "dad", "partner", "spouse", "fiance", "fiancee", "fiancé", "fiancée", "boyfriend",
    "girlfriend", "uncle", "aunt", "nephew", "niece", "cousin", "grandson", "granddaughter", "bf",
    "gf", "sis", "bro", "dau", "daughters", "sons", "parents", "neighbour", "neighbor", "friend",
    "husb", "fob", "mob", "pt", "patient", "grandmother", "grandfather", "stepfather", "stepmother",
})  # fmt: skip
# Who teaches or leads, before what they teach or lead: teacher of English.
LEADING = frozenset({
    "teacher", "professor", "lecturer", "instructor", "tutor", "director", "head", "chief", "dean",
    "minister", "matron", "captain", "president", "master", "student", "seller", "operator",
})  # fmt: skip
STATES = frozenset({
    "married", "single", "widowed", "divorced", "widow", "widower", "separated", "engaged",
    "partnered", "cohabiting", "retired", "unmarried", "remarried", "self-employed",
})  # fmt: skip
SPANS = frozenset({"years", "yrs", "year", "decades", "life", "time", "now", "once"})
OWNED_KIN = frozenset({"son", "daughter", "wife", "widow", "husband", "child"})
FIELDS = frozenset({"occupation", "occ", "job", "profession", "work", "vocation", "career"})
PAIRED = frozenset({"and", "&", "/", "then", "or"})  # between two occupations, or what they narrow


@dataclass(frozen=True, slots=True, eq=False)
class Jobs:
    """Finds an occupation and the small-letter nouns before it: `poultry line lead`.

    An occupation that is also one of the care team's, or a common word, needs a cue: `retired`,
    `works as`, `is a`, `(38, …)`.
    """

    lists: Lists
    medical: Container[str] = field(repr=False)

    def find(self, reading: Reading, hit: Hit, weak: bool) -> Iterator[Mention]:
        """Yield the occupation at a hit."""
        owned = reading.word(hit.last) in ("'", "’") and reading.lower(hit.last + 1) == "s"
        owned = owned and reading.lower(hit.last + 2) in OWNED_KIN  # rancher's son
        touched = reading.touching(hit.last - 1) and reading.word(hit.last) in ("-", "'", "’", ":")
        if touched and not owned:
            return
        first = self._beginning(reading, hit.first)
        cued = self._cued(
            reading, first, hit.last, narrowed=first < hit.first or hit.last - hit.first > 1
        )
        named = (
            reading.cased and reading.is_name(hit.first) and hit.last - hit.first == 1
        )  # Mr. Turner
        cued = cued or owned or self._placed(reading, hit.last)
        vague = weak and not self._specific(reading, first, hit)
        if not cued and (
            vague
            or (named and not self._entry(reading, first))
            or reading.before(first) in ("the", "by", "our", "this", "per", "to")
        ):
            return
        score = CUED if cued else ALONE
        for begins, ends in reading.lines(first, self._ending(reading, hit.last)):
            span = Span(reading.starts[begins], reading.ends[ends - 1])
            yield Mention(span, "PROFESSION", score, "gazetteer:job")
        if cued:
            yield from self._employer(reading, hit.last)

    def _ending(self, reading: Reading, last: int) -> int:
        """Return where an occupation ends with what is taught or led: `teacher of English`."""
        if reading.lower(last - 1) not in LEADING or reading.lower(last) != "of":
            return last
        word = reading.word(last + 1)
        told = reading.joined(last - 1) and reading.joined(last) and word.isalpha()
        barred = word.lower() in self.lists.words["job_stops"] or word.lower() in self.medical
        return last + 2 if told and not barred else last

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

    def _placed(self, reading: Reading, last: int) -> bool:
        """Tell whether a name stands behind `at` or `for`, and no member of the care team works."""
        return (
            reading.lower(last) in ("at", "for", "@")
            and reading.is_name(last + 1)
            and reading.joined(last)
            and reading.lower(last - 1) not in self.lists.words["care_team"]
        )

    def _beginning(self, reading: Reading, head: int) -> int:
        """Return where the nouns before an occupation begin: `corn and cattle` before a farmer."""
        first, narrowing = head, 0
        for index in range(head - 1, max(head - 3 - NARROWING, -1), -1):
            word = reading.words[index]
            if word in ("-", "'", "’", "s") and reading.touching(index - 1):
                continue  # long-haul, nurse's
            if word in PAIRED and first < head and self._narrows(reading, index - 1):
                if self._paired(reading, index + 1):
                    break  # bus driver and lay preacher
                continue
            if not self._narrows(reading, index) or narrowing == NARROWING:
                if self._opens(reading, index) and first <= head and reading.words[head].islower():
                    first = index
                break
            first, narrowing = index, narrowing + 1
        return first

    def _narrows(self, reading: Reading, index: int) -> bool:
        word = reading.word(index)
        return (
            word.isalpha()
            and (word.islower() or not reading.cased)
            and len(word) > 1
            and word.lower() not in self.lists.words["job_stops"]
            and reading.gap(index) in ("", " ", "\n", "\u00a0")
        )

    def _opens(self, reading: Reading, index: int) -> bool:
        """Tell whether a capital at a sentence's beginning narrows a noun: `Long-haul driver`."""
        word, before = reading.word(index), reading.before(index)
        return (
            word.istitle()
            and len(word) > 2  # noqa: PLR2004 - abbreviations
            and not before.isalnum()
            and word.lower() in self.lists.common
            and word.lower() not in self.lists.words["job_stops"]
            and word.lower() not in self.medical
            and reading.gap(index) in ("", " ")
        )

    def _specific(self, reading: Reading, first: int, hit: Hit) -> bool:
        """Tell whether words that are not clinical narrow an occupation: `tram conductor`."""
        words = self.lists.words
        return first < hit.first and not (
            reading.lower(hit.last - 1) in words["care_team"]
            or any(
                reading.lower(i) in self.medical or reading.lower(i) in words["generic"]
                for i in range(first, hit.first)
            )
        )

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
        if self._stated(reading, first):
            return True
        if reading.lower(last - 1) in self.lists.words["care_team"]:
            return self._of_kin(reading, first)
        if before == "(" and reading.word(last) in (")", ",", "in", "at", "for", "from", ";"):
            return True
        if before == "," and reading.lower(first - 2) in STATES:
            return True
        if self._paired(reading, first):
            return True
        behind = reading.lower(first - 2)
        return before in (",", "(", "-", "–") and (
            narrowed or behind.isdigit() or behind in ("m", "f", "yo", "yom", "yof")
        )

    def _of_kin(self, reading: Reading, first: int) -> bool:
        """Tell whether a relative was named before a bracket or comma: `daughter Ann (nurse`."""
        if reading.before(first) == "," and reading.lower(first - 2).isdigit():
            return reading.word(first - 3) == "("  # Ann (33, dental assistant
        opened = reading.before(first) == "(" or (
            reading.before(first) == "," and reading.is_name(first - 2)
        )
        return opened and any(
            reading.lower(i) in KIN for i in range(max(first - KIN_REACH, 0), first - 1)
        )

    def _paired(self, reading: Reading, first: int) -> bool:
        """Tell whether another occupation stands before an `and`."""
        if reading.before(first) not in PAIRED:
            return False
        before = reading.words[max(first - 3, 0) : first - 1]
        return any(
            hit.last == len(before) and {"job", "job_weak"} & set(hit.kinds)
            for hit in self.lists.terms.find(before)
        )

    def _stated(self, reading: Reading, first: int) -> bool:
        cues, verbs = self.lists.words["job_cues"], self.lists.words["job_verbs"]
        before = reading.before(first) or self._wrapped(reading, first)
        if before in ARTICLES:
            lead = reading.before(first - 1)
            return lead in verbs or lead in cues or lead == "(" or lead in SPANS
        if before == ":":
            return reading.lower(first - 2) in cues
        if before in ("-", "–", "="):
            return reading.lower(first - 2) in FIELDS
        return before in cues or before in COPULAS or self._aged(reading, first)

    def _wrapped(self, reading: Reading, first: int) -> str:
        """Return the word that ends the line before, where a sentence goes on from it."""
        return reading.lower(first - 1) if reading.gap(first - 1) == "\n" else ""
