"""What a run's output is checked for: originals that still stand, and strangers' real values."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain

from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates, Doubt
from phiscrub.replace.kept import AGES, KINDS, YEARS, Fact, Kept, facts
from phiscrub.replace.keyed import Key
from phiscrub.replace.originals import Originals
from phiscrub.replace.people import fold
from phiscrub.replace.real import NAMES, tells_apart


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
        made = output.document.text
        put = {made[m.span.start : m.span.end] for m in output.mentions}
        days = [text[m.span.start : m.span.end] for m in found if hubs.get(m.label) == "DATE"]
        originals = Originals.of(
            text,
            found,
            hubs,
            plain | set(chain.from_iterable(stays)),
            moved=[day for day in days if day not in put],
        )
        left = originals.left(made, [m.span for m in output.mentions])
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
    """Return what each doubt says of dates, to print."""
    return {
        Doubt.AMBIGUOUS: "may have month and day the other way round",
        Doubt.IMPOSSIBLE: "name a day that does not exist",
        Doubt.UNREADABLE: "could not be read and were invented",
        Doubt.YEARLESS: "have no year in their note, and may move by a day too many or too few",
    }
