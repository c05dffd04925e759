"""What a run's output is checked for: originals that still stand, and strangers' real values."""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates, Doubt
from phiscrub.replace.kept import AGES, KINDS, YEARS, Fact, Kept, facts
from phiscrub.replace.keyed import Key
from phiscrub.replace.originals import Originals
from phiscrub.replace.people import fold
from phiscrub.replace.real import NAMES, tells_apart

Row = dict[str, Any]  # what one note adds, in plain values


@dataclass(slots=True)
class Tally:
    """What was seen over a run; words are kept only as hashes under `key`, by default nobody's.

    `left` counts originals that still stand in their notes, by label; `doubts` are dates that
    were doubtful; `guessed` counts notes whose index day was; `kept` is what stays of each patient.
    """

    left: Counter[str] = field(default_factory=Counter)
    notes_left: int = 0
    doubts: Counter[str] = field(default_factory=Counter)
    guessed: int = 0
    kept: Kept = field(default_factory=Kept)
    key: Key = field(default_factory=Key.random)
    _real: dict[bytes, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    _stand_ins: dict[bytes, set[bytes]] = field(default_factory=lambda: defaultdict(set))
    _shared: dict[bytes, str] = field(default_factory=dict)
    _new: list[Row] = field(default_factory=list, repr=False)

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
        guessed: bool = False,
    ) -> list[Span]:
        """Check one note; return where originals still stand in its output.

        `calendar` is given where dates were moved, so that their years tell nothing, and `year`
        is the note's where its metadata tell; `kept` are mentions that a policy lets stay, whose
        words are no more telling than `plain` ones. `guessed` says that its index day was.
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
        standing = fold(made)
        stay = {fact for fact in _facts(kept, text, hubs) if fact[1] in standing}
        before = set(_facts(found, text, hubs))
        for fact in _facts(output.mentions, made, hubs):
            is_moved = fact[0] == YEARS and calendar is not None
            if fact[0] == AGES or (fact in before and not is_moved):
                stay.add(fact)
        row = {
            "owner": self._hash(subject).hex(),
            "left": Counter(originals.label(made[s.start : s.end]) for s in left),
            "guessed": guessed,
            "doubts": self._doubts(calendar, text, found, hubs, year),
            "real": self._telling(found, text, hubs),
            "stand_ins": self._telling(output.mentions, made, hubs),
            "kept": sorted([kind, self._hash(words).hex()] for kind, words in stay),
        }
        self._take(row)
        self._new.append(row)
        return left

    def learnt(self) -> list[Row]:
        """Return what the notes since the last call added; no words of theirs are in it."""
        rows, self._new = self._new, []
        return rows

    def recall(self, rows: Iterable[Row]) -> None:
        """Know what these rows say and nothing else; they were hashed under the same key."""
        for own in (self.left, self.doubts, self._real, self._stand_ins, self._shared, self._new):
            own.clear()
        self.notes_left = self.guessed = 0
        self.kept = Kept()
        for row in rows:
            self._take(row)

    def _take(self, row: Row) -> None:
        owner = bytes.fromhex(row["owner"])
        self.left.update(row["left"])
        self.notes_left += bool(row["left"])
        self.guessed += row["guessed"]
        self.doubts.update(row["doubts"])
        for told, _ in row["real"]:
            self._real[bytes.fromhex(told)].add(owner)
        for told, hub in row["stand_ins"]:
            owners = self._stand_ins[value := bytes.fromhex(told)]
            owners.add(owner)
            if len(owners) > 1 and hub not in NAMES | set(KINDS):
                self._shared[value] = hub
        self.kept.add(owner, {(kind, told) for kind, told in row["kept"]})

    def _telling(
        self, mentions: Iterable[Mention], body: str, hubs: Mapping[str, str]
    ) -> list[list[str]]:
        """Return hashes of the words that lead to one person, each with its hub label."""
        pairs = ((hubs.get(m.label, ""), body[m.span.start : m.span.end]) for m in mentions)
        return [
            [self._hash(fold(words)).hex(), hub] for hub, words in pairs if tells_apart(hub, words)
        ]

    def _doubts(
        self,
        calendar: Calendar | None,
        text: str,
        found: Sequence[Mention],
        hubs: Mapping[str, str],
        year: int | None,
    ) -> Counter[str]:
        if calendar is None:
            return Counter()
        spans = [(m.span.start, m.span.end) for m in found if hubs.get(m.label) == "DATE"]
        read, places = Dates.in_text(calendar, text, spans, year=year)
        moved = (read.moved(index, 1, self.key) for index in range(len(places)))
        return Counter(str(doubt) for one in moved for doubt in one.doubts)

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
        return hashlib.blake2b(words.encode(), key=self.key.secret, digest_size=16).digest()


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
