"""The known subject: what came with a patient is found in that patient's notes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from phiscrub.core.document import Subject
from phiscrub.core.errors import LabelError
from phiscrub.core.labels import HUB, LabelSet, label_set
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.known import PARTICLES, STREET_WORDS, WORD, Known
from phiscrub.lexicons.terms import terms_of

CACHED_SUBJECTS = 256  # of one call; the cache starts afresh when it is full
SCORE = 0.99
LEAST_MISSPELT = 5  # letters of a part that may be one edit away
LEAST_LOWER = 7  # letters of a misspelt part that may stand alone in small letters
SHORT = 2  # letters of a part that stands alone only with a capital
LONGEST_RUN = 20  # words that a number may be cut into
LONGEST_GAP = 3  # characters between two words of one identifier
GAP = frozenset(" \t\xa0\u202f-–‑./,:()'’\"@_+&#º\u00ad\u200b")
SMALL = frozenset(  # within a date
    ("of", "the", "th", "st", "nd", "rd", "de", "del", "den", "e", "a", "dje", "y")
)
TAIL = re.compile(
    r"(?:last[ ](?:four|4)|end(?:s|ing)(?:[ ]in|[ ]with)?|(?<![x*#•])[x*#•]{2,12}|(?:fyra[ ])?sista"
    r"(?:[ ]fyra)?"
    r"|slutar[ ]på|termina(?:d[oa])?[ ]en|[uú]ltim[oa]s[ ](?:cuatro|4))"
    r"(?:[ ](?:digits|siffror|siffrorna|d[ií]gitos|cifras|of|are|is|är|son|ssn|mrn)){0,3}"
    r"[ :\-*x]{0,4}(\d{4})(?!\d)",
    re.IGNORECASE,
)
BORN = re.compile(
    r"\b(?:born|dob|yob|b\.|född|f\.|nacid[oa]|birth|födelseår)(?:[ ](?:in|on|en|year|år|el))?"
    r"[ :]{0,3}(\d{4})(?!\d)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Settings:
    """The label set that the pipeline speaks; what is known has its labels or the hub's."""

    label_set: str = HUB


def build(settings: Settings, toolbox: Toolbox) -> KnownSubject:
    """Make the detector."""
    return KnownSubject(label_set(settings.label_set), toolbox.language)


class KnownSubject:
    """Finds the identifiers that came with each note's subject, and nothing else.

    Names are found part by part, in any order and case, with initials and one edit away
    (Damerau-Levenshtein) where a part has five letters; dates in every written form; numbers
    with any separators, their last four digits where the text says so; addresses by their parts.
    A note without a subject, or with one of whom nothing is known, has no mentions. Nothing of a
    subject is kept after a call.
    """

    def __init__(self, labels: LabelSet, language: str) -> None:
        self._language = language
        hub = label_set(HUB)
        self._called = {**labels.from_hub, **{label: label for label in labels.labels}}
        self._hub = {**labels.to_hub, **{label: label for label in hub.labels}}

    @property
    def labels(self) -> frozenset[str]:
        """Every label that something known can have."""
        return frozenset(self._called.values())

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions of each note; raise `LabelError` where a known label is none."""
        seen: dict[int, Known] = {}  # by identity: the notes keep their subjects alive

        def known(subject: Subject) -> Known:
            if id(subject) not in seen:
                if len(seen) >= CACHED_SUBJECTS:
                    seen.clear()
                seen[id(subject)] = Known.of(subject, self._to_hub, self._language)
            return seen[id(subject)]

        return [
            tuple(sorted(self._find(note.text, known(subject)), key=lambda m: m.key))
            if (subject := note.document.subject) is not None and subject.known
            else ()
            for note in notes
        ]

    def _to_hub(self, label: str) -> str:
        if label not in self._hub:
            raise LabelError(
                f"a subject's identifier has the unknown label {label!r}",
                hint=f"known: {', '.join(self._hub)}",
            )
        return self._hub[label]

    def _find(self, text: str, known: Known) -> set[Mention]:
        words = [_Word(m[0], m[0].casefold(), m.start(), m.end()) for m in WORD.finditer(text)]
        reading = _Reading(text, words)
        found = {
            *reading.runs(known),
            *reading.phrases(known),
            *reading.dates(known),
            *reading.names(known),
            *_cued(TAIL, text, known.tails),
            *_cued(BORN, text, known.years),
        }
        return {
            Mention(Span(start, end), self._called[label], SCORE, f"subject:{label.lower()}")
            for start, end, label in found
            if label in self._called
        }


Found = tuple[int, int, str]


def _cued(cue: re.Pattern[str], text: str, listed: dict[str, str]) -> Iterator[Found]:
    if listed:
        for match in cue.finditer(text):
            if match[1] in listed:
                yield match.start(1), match.end(1), listed[match[1]]


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    low: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """One note, cut into runs of letters and of digits."""

    text: str
    words: list[_Word]

    def runs(self, known: Known) -> Iterator[Found]:
        """Find numbers, whatever parts them."""
        starts = {run[0] for run in known.runs}
        longest = max(map(len, known.runs), default=0)
        for first, word in enumerate(self.words):
            if word.low[0] not in starts:
                continue
            joined = ""
            for last in self._reach(first, LONGEST_RUN):
                joined += self.words[last].low
                if len(joined) > longest:
                    break
                if joined in known.runs:
                    yield word.start, self.words[last].end, known.runs[joined]

    def phrases(self, known: Known) -> Iterator[Found]:
        """Find words in their order, street words in any spelling."""
        if not known.phrases:
            return
        plain = [STREET_WORDS.get(word.low, word.low) for word in self.words]
        for first, word in enumerate(plain):
            for listed, label in {
                *known.phrases.get(word, ()),
                *known.phrases.get(self.words[first].low, ()),
            }:
                reach = self._reach(first, len(listed))
                seen = [self.words[i].low for i in reach]
                also = [plain[i] for i in reach]
                same = (w in (s, a) for w, s, a in zip(listed, seen, also, strict=False))
                if len(seen) == len(listed) and all(same):
                    yield self.words[first].start, self.words[reach[-1]].end, label

    def dates(self, known: Known) -> Iterator[Found]:
        """Find dates, small words between their parts left out."""
        starts = {form[0] for form in known.dates}
        for first, word in enumerate(self.words):
            if word.low not in starts:
                continue
            form: tuple[str, ...] = ()
            for last in self._reach(first, 7):
                if last > first and self.words[last].low in SMALL:
                    continue
                form = (*form, self.words[last].low)
                if form in known.dates:
                    yield word.start, self.words[last].end, known.dates[form]
                if len(form) == len("ymd"):
                    break

    def names(self, known: Known) -> Iterator[Found]:
        """Find the parts of names, joined with their neighbours and initials."""
        if not known.parts:
            return
        part_of = cache(_matcher(known.parts))
        parts = [part_of(word.low) for word in self.words]
        for run in self._joined(parts, known):
            exact = [i for i in run if parts[i] is not None]
            strong = len(exact) > 1 or any(self._stands(i, parts[i]) for i in exact)
            if exact and strong:
                label = known.parts[str(parts[exact[0]])][0]
                yield self.words[run[0]].start, self.words[run[-1]].end, label

    def _joined(self, parts: list[str | None], known: Known) -> Iterator[list[int]]:
        """Yield runs of words that are parts, initials of them or particles between."""
        run: list[int] = []
        letters: frozenset[str] = frozenset()
        everyone = frozenset(c for _, initials in known.parts.values() for c in initials)
        for index, part in enumerate(parts):
            word = self.words[index]
            small = word.low in PARTICLES or (word.low in everyone and self._initial(word))
            if run and not self._near(index):
                yield self._trimmed(run, parts, letters)
                run, letters = [], frozenset()
            if part is not None:
                run.append(index)
                letters |= known.parts[part][1]
            elif small:
                run.append(index)
            elif run:
                yield self._trimmed(run, parts, letters)
                run, letters = [], frozenset()
        if run:
            yield self._trimmed(run, parts, letters)

    def _trimmed(
        self, run: list[int], parts: list[str | None], letters: frozenset[str]
    ) -> list[int]:
        """Drop edge words that are neither parts nor initials of the parts between."""
        low = self.words

        capital = any(parts[i] is not None and low[i].text[0].isupper() for i in run)

        def kept(i: int) -> bool:
            if parts[i] is not None:  # in `Young will stay`, `will` is no name
                return not (capital and low[i].text.islower() and low[i].low in _common_words())
            return len(low[i].text) == 1 and low[i].low in letters

        first, end = 0, len(run)
        while end and not kept(run[end - 1]):
            end -= 1
        while first < end and not (
            kept(run[first]) or (low[run[first]].low in PARTICLES and end - first > 1)
        ):
            first += 1
        return run[first:end]

    def _initial(self, word: _Word) -> bool:
        """Tell a single letter that abbreviates a name, or begins one such as O'Neil."""
        return word.text.isupper() or self.text[word.end : word.end + 1] in ("'", "’")

    def _stands(self, index: int, part: str | None) -> bool:
        """Tell whether a part may stand alone, though it may be a word or be misspelt."""
        word = self.words[index]
        if word.text[0].isupper():
            return True
        if part in (word.low, word.low.removesuffix("s")):
            return len(word.low) > SHORT and word.low not in _common_words()
        return len(word.low) >= LEAST_LOWER

    def _near(self, index: int) -> bool:
        gap = self.text[self.words[index - 1].end : self.words[index].start]
        return len(gap) <= LONGEST_GAP and GAP.issuperset(gap)

    def _reach(self, first: int, count: int) -> range:
        """Return the words from `first` on that stand close to each other, at most `count`."""
        last = first + 1
        while last < min(first + count, len(self.words)) and self._near(last):
            last += 1
        return range(first, last)


def _matcher(parts: dict[str, tuple[str, frozenset[str]]]) -> Callable[[str], str | None]:
    """Return what tells which part of a name a word is, or None."""
    long = [part for part in parts if len(part) >= LEAST_MISSPELT]

    def part_of(word: str) -> str | None:
        for exact in (word, word.removesuffix("s")):
            if exact in parts:
                return exact
        if len(word) < LEAST_MISSPELT - 1 or word in _common_words():
            return None
        return next((part for part in long if one_edit(word, part)), None)

    return part_of


def one_edit(left: str, right: str) -> bool:
    """Tell whether the Damerau-Levenshtein distance is at most 1, swapped neighbours included."""
    short, long = sorted((left, right), key=len)
    if len(long) - len(short) > 1:
        return False
    at = next((i for i, c in enumerate(short) if c != long[i]), len(short))
    if len(short) < len(long):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2] == long[at : at + 2][::-1]
    return short[at + 1 :] == long[at + 1 :] or (swapped and short[at + 2 :] == long[at + 2 :])


@cache
def _common_words() -> frozenset[str]:
    """Return the words that are no name in small letters, nor a misspelt one."""
    file = resources.files("phiscrub") / "data" / "subject" / "words.txt"
    return frozenset(terms_of(file))
