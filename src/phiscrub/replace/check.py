"""What a run's output is checked for: originals that still stand, and strangers' real values."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.lexicons.standing import standing
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates, Doubt
from phiscrub.replace.kept import AGES, YEARS, Fact, Kept, facts
from phiscrub.replace.keyed import Key
from phiscrub.replace.people import CREDENTIALS, KIN, PART, RELATIVES, SUFFIXES, TITLES, fold
from phiscrub.replace.real import NAMES, UNCHECKED, tells_apart

LEAST_NAME, LEAST_OTHER = 3, 4  # signs; shorter ones stand in other words


@dataclass(frozen=True, slots=True)
class Originals:
    """The words of a note that its output must not hold, each with the hub label it had."""

    words: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, text: str, mentions: Iterable[Mention], hubs: Mapping[str, str]) -> Originals:
        """Take the identifying words of what was replaced: of names every part."""
        found: dict[str, str] = {}
        for mention in mentions:
            hub = hubs.get(mention.label, "")
            words = text[mention.span.start : mention.span.end]
            if hub in UNCHECKED or not hub:
                continue
            if hub in NAMES:
                for part in PART.findall(words):
                    plain = fold(part)
                    is_kin = mention.label == RELATIVES and plain in KIN
                    is_name = plain not in TITLES | SUFFIXES | CREDENTIALS and not is_kin
                    if is_name and len(part) >= LEAST_NAME and part[0].isupper():
                        found.setdefault(re.sub(r"['’]s$", "", part), hub)
            elif sum(map(str.isalnum, words)) >= LEAST_OTHER:
                found.setdefault(words, hub)
        return cls(found)

    def left(self, output: str) -> list[Span]:
        """Return where the output still holds one of them as a word, case told apart."""
        return sorted(Span(at, at + len(words)) for at, words in standing(output, self.words))


@dataclass(slots=True)
class Tally:
    """What was seen over a run; words are kept only as hashes under a key that nobody has.

    `left` counts originals that still stand in their notes, by label; `doubts` are dates that
    were doubtful; `kept` is what stays of each patient.
    """

    left: Counter[str] = field(default_factory=Counter)
    notes_left: int = 0
    doubts: Counter[str] = field(default_factory=Counter)
    kept: Kept = field(default_factory=Kept)
    _key: Key = field(default_factory=Key.random)
    _real: dict[bytes, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    _stand_ins: dict[bytes, set[bytes]] = field(default_factory=lambda: defaultdict(set))

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
    ) -> list[Span]:
        """Check one note; return where originals still stand in its output.

        `calendar` is given where dates were moved, so that their years tell nothing; `kept` are
        mentions that a policy lets stay.
        """
        originals = Originals.of(text, found, hubs)
        left = originals.left(output.document.text)
        made = output.document.text
        self.left.update(originals.words[made[s.start : s.end]] for s in left)
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
                    seen[self._hash(fold(words))].add(owner)
        standing = fold(made)
        stay = {fact for fact in _facts(kept, text, hubs) if fact[1] in standing}
        before = set(_facts(found, text, hubs))
        for fact in _facts(output.mentions, made, hubs):
            is_moved = fact[0] == YEARS and calendar is not None
            if fact[0] == AGES or (fact in before and not is_moved):
                stay.add(fact)
        self.kept.add(owner, stay)
        if calendar is not None:
            dates = [text[m.span.start : m.span.end] for m in found if hubs.get(m.label) == "DATE"]
            read = Dates.of(calendar, dates)
            for index in range(len(dates)):
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
    }
