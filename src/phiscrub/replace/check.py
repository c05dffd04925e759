"""What a run's output is checked for: originals that still stand, and strangers' real values."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from importlib import resources
from itertools import chain

from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.lexicons.standing import PIECE, begins_sentence, standing
from phiscrub.lexicons.words import load_words
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates, Doubt
from phiscrub.replace.institutions import UnitLists
from phiscrub.replace.kept import AGES, KINDS, YEARS, Fact, Kept, facts
from phiscrub.replace.keyed import Key
from phiscrub.replace.people import CREDENTIALS, KIN, PART, RELATIVES, SUFFIXES, TITLES, fold
from phiscrub.replace.pieces import PARTICLES
from phiscrub.replace.real import NAMES, UNCHECKED, tells_apart

LEAST_NAME, LEAST_OTHER = 3, 4  # signs; shorter ones stand in other words
INITIALS = 2  # letters of a name that only count with the same capitals
RARE, FREQUENT = 1, 3  # ranks of the word lists
UNITS = frozenset({"HOSPITAL", "ORGANIZATION"})
GENITIVE = re.compile(r"['’]s$", re.I)


def plain_words(language: str) -> frozenset[str]:
    """Return words, folded, that are no names by themselves: common, medical, kinds of units.

    Rare words among the most frequent surnames (`smith`), and rare ones of two letters (`li`), are
    names. A language without word lists has the kinds of units alone.
    """
    folder = resources.files("phiscrub") / "data" / "lexicons" / language
    units = UnitLists.load(language)
    words = {*units.generic, *units.endings}
    if folder.is_dir():
        common = dict(load_words(folder, "common").items())
        words |= common.keys() | set(load_words(folder, "medical"))
        words -= {w for w in words if len(w) == INITIALS and common.get(w, RARE) == RARE}
        if (folder / "surname.txt").is_file():
            surnames = load_words(folder, "surname").items()
            words -= {w for w, rank in surnames if rank == FREQUENT and common.get(w) == RARE}
    return frozenset(map(fold, words))


@dataclass(frozen=True, slots=True)
class Originals:
    """The words of a note that its output must not hold, each with the hub label it had.

    `words` are in lower case, with what an s makes of names; `written` gives how the note had
    those without, `plain` are those of `plain_words`.
    """

    words: Mapping[str, str] = field(repr=False)
    written: Mapping[str, Set[str]] = field(default_factory=dict, repr=False)
    plain: Set[str] = field(default=frozenset(), repr=False)

    @classmethod
    def of(
        cls,
        text: str,
        mentions: Iterable[Mention],
        hubs: Mapping[str, str],
        plain: Set[str] = frozenset(),
    ) -> Originals:
        """Take the identifying words of what was replaced.

        Of names it is every part, of names of units also each word that is not plain.
        """
        found: dict[str, str] = {}
        written: dict[str, set[str]] = defaultdict(set)
        for mention in mentions:
            hub = hubs.get(mention.label, "")
            words = text[mention.span.start : mention.span.end]
            if hub in UNCHECKED or not hub:
                continue
            parts: Iterable[str] = ()
            if hub in NAMES:
                parts = _name_parts(words, is_relative=mention.label == RELATIVES)
                small = words.islower()  # so was the note
                parts = [p for p in parts if p[0].isupper() or (small and fold(p) not in plain)]
            elif sum(map(str.isalnum, words)) >= LEAST_OTHER:
                found.setdefault(lowered(words), hub)
                written[lowered(words)].add(words)
                if hub in UNITS:
                    parts = [p for p in _unit_parts(words) if fold(p) not in plain]
            for part in parts:
                found.setdefault(lowered(part), hub)
                found.setdefault(lowered(part) + "s", hub)
                written[lowered(part)].add(part)
        return cls(found, written, plain)

    def left(self, output: str) -> list[Span]:
        """Return where the output still holds one of them as a word, in whatever case.

        Plain words count as they were written, or with a capital inside a sentence; words of two
        letters with the same capitals. A genitive's s may follow.
        """
        found = sorted(
            (Span(at, at + len(words)) for at, words in standing(lowered(output), self.words)),
            key=lambda span: (span.start, -span.end),
        )
        left: list[Span] = []
        for span in found:
            if (not left or span.start >= left[-1].end) and self._counts(output, span):
                left.append(span)
        return left

    def label(self, words: str) -> str:
        """Return the hub label of words that are left."""
        return self.words[lowered(words)]

    def _counts(self, output: str, span: Span) -> bool:
        words = output[span.start : span.end]
        stem = words if lowered(words) in self.written else words[:-1]
        same = stem in self.written[lowered(stem)]
        is_plain = self._is_plain(words) or self._is_plain(stem)
        inside = not words.isupper() and not begins_sentence(output, span.start)
        if len(stem) <= INITIALS:
            return same and (inside or not is_plain)
        if is_plain:
            return (same and not stem.islower()) or (words[0].isupper() and inside)
        return True

    def _is_plain(self, words: str) -> bool:
        return all(fold(piece) in self.plain for piece in PIECE.findall(words))


def lowered(text: str) -> str:
    """Return the text in lower case, each sign at its place."""
    return text.replace("\u0130", "I").lower()  # the one sign of which lower case makes two


def _name_parts(words: str, *, is_relative: bool) -> Iterator[str]:
    """Yield the parts of a name and their halves, without titles, particles and initials."""
    parts = PART.findall(words)
    for part in parts:
        plain = fold(part)
        is_particle = plain in PARTICLES and (part.islower() or len(part) <= INITIALS)
        if plain in TITLES | SUFFIXES | CREDENTIALS or (is_particle and len(parts) > 1):
            continue
        if is_relative and (plain in KIN or part[0].islower()):
            continue
        for piece in _halves(part):
            if len(piece) >= LEAST_NAME or (len(piece) == INITIALS and piece[0].isupper()):
                yield piece


def _unit_parts(words: str) -> Iterator[str]:
    """Yield the words with a capital of a unit's name, and their halves."""
    for part in PART.findall(words):
        yield from (p for p in _halves(part) if len(p) >= LEAST_OTHER and p[0].isupper())


def _halves(part: str) -> list[str]:
    """Return a word without its genitive, and of one with a hyphen what the hyphen parts."""
    bare = GENITIVE.sub("", part)
    return [bare, *bare.split("-")] if "-" in bare else [bare]


@dataclass(slots=True)
class Tally:
    """What was seen over a run; words are kept only as hashes under a key that nobody has.

    `left` counts originals that still stand in their notes, by label; `doubts` are dates that
    were doubtful; `guessed` counts notes whose index day was; `kept` is what stays of each patient.
    """

    left: Counter[str] = field(default_factory=Counter)
    notes_left: int = 0
    doubts: Counter[str] = field(default_factory=Counter)
    guessed: int = 0
    kept: Kept = field(default_factory=Kept)
    _key: Key = field(default_factory=Key.random)
    _real: dict[bytes, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    _stand_ins: dict[bytes, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    _shared: dict[bytes, str] = field(default_factory=dict)

    def add(
        self,
        subject: str,
        text: str,
        found: Sequence[Mention],
        output: Annotated,
        hubs: Mapping[str, str],
        *,
        calendar: Calendar | None = None,
        kept: Sequence[Mention] = (),
        plain: Set[str] = frozenset(),
        year: int | None = None,
    ) -> list[Span]:
        """Check one note; return where originals still stand in its output.

        `calendar` is given where dates were moved, so that their years tell nothing, and `year`
        is the note's where its metadata tell; `kept` are mentions that a policy lets stay, whose
        words are no more telling than `plain` ones.
        """
        stays = (fold(text[m.span.start : m.span.end]).split() for m in kept)
        originals = Originals.of(text, found, hubs, plain | set(chain.from_iterable(stays)))
        left = originals.left(output.document.text)
        made = output.document.text
        self.left.update(originals.label(made[s.start : s.end]) for s in left)
        self.notes_left += bool(left)
        owner = self._hash(subject)
        for mentions, body, seen in (
            (found, text, self._real),
            (output.mentions, made, self._stand_ins),
        ):
            for mention in mentions:
                words = body[mention.span.start : mention.span.end]
                hub = hubs.get(mention.label, "")
                if tells_apart(hub, words):
                    owners = seen[told := self._hash(fold(words))]
                    owners.add(owner)
                    if (
                        seen is self._stand_ins
                        and len(owners) > 1
                        and hub not in NAMES | set(KINDS)
                    ):
                        self._shared[told] = hub
        standing = fold(made)
        stay = {fact for fact in _facts(kept, text, hubs) if fact[1] in standing}
        before = set(_facts(found, text, hubs))
        for fact in _facts(output.mentions, made, hubs):
            is_moved = fact[0] == YEARS and calendar is not None
            if fact[0] == AGES or (fact in before and not is_moved):
                stay.add(fact)
        self.kept.add(owner, stay)
        if calendar is not None:
            spans = [(m.span.start, m.span.end) for m in found if hubs.get(m.label) == "DATE"]
            read, places = Dates.in_text(calendar, text, spans, year=year)
            for index in range(len(places)):
                self.doubts.update(map(str, read.moved(index, 1, self._key).doubts))
        return left

    @property
    def collisions(self) -> int:
        """How many stand-ins for one patient's identifiers are real ones of another."""
        return sum(
            any(other not in owners for other in self._real[value])
            for value, owners in self._stand_ins.items()
            if value in self._real
        )

    @property
    def shared(self) -> Counter[str]:
        """How many numbers stand for those of two patients or more, by hub label."""
        return Counter(self._shared.values())

    def _hash(self, words: str) -> bytes:
        return hashlib.blake2b(words.encode(), key=self._key.secret, digest_size=16).digest()


def _facts(mentions: Iterable[Mention], text: str, hubs: Mapping[str, str]) -> Iterator[Fact]:
    for mention in mentions:
        yield from facts(hubs.get(mention.label, ""), text[mention.span.start : mention.span.end])


def doubt_words() -> dict[str, str]:
    """Return what each doubt about a date means, to print."""
    return {
        Doubt.AMBIGUOUS: "may have month and day the other way round",
        Doubt.IMPOSSIBLE: "name a day that does not exist",
        Doubt.UNREADABLE: "could not be read and were invented",
        Doubt.YEARLESS: "have no year in their note, and may move by a day too many or too few",
    }
