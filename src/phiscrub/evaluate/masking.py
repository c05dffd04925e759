"""How much of what identifies was masked, whatever it was called; and every leak in its place.

The measures of masking have no official script. They are those of `evaluation.md`: a token or
character is gold where a gold mark has it, masked where any found mark has it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.counts import Counts
from phiscrub.evaluate.hipaa import VERSIONS, is_hipaa
from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.evaluate.tally import Tally
from phiscrub.evaluate.units import (
    ALNUM,
    TOKENIZERS,
    Batch,
    Bits,
    Groups,
    Places,
    Units,
    batches,
    running,
)

ALL = ""  # the group that every label belongs to
CHARACTERS = "masking.char.alnum"
ENTITIES = "leak.entity"
DOCUMENTS = "leak.document"
TOKENS = "masking.token.i2b2.any"  # the figure that people mean
CORRECTED = f"{TOKENS}.corrected"
# Tokens that tell nobody apart where a gold mark happens to hold them ("years" of an age).
HARMLESS = frozenset(
    (
        *("a", "an", "and", "at", "by", "for", "from", "in", "of", "on", "or", "the", "to", "with"),
        *("year", "years", "yr", "yrs", "old", "yo", "y", "o", "month", "months", "mo"),
        *("week", "weeks", "wk", "day", "days", "dr", "mr", "mrs", "ms", "md", "rn"),
        *("street", "st", "road", "rd", "avenue", "ave"),
    )
)


@dataclass(frozen=True, slots=True)
class Leak:
    """A gold mark of which letters or digits stayed: where it stands, and the parts that stayed."""

    document: str
    start: int
    end: int
    labels: tuple[str, ...]
    uncovered: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class FalseAlarm:
    """A found mark that shares no letter or digit with any gold one."""

    document: str
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Masking:
    """Tallies by measure and group, every leak and every false alarm, in document order.

    Measures are `masking.token.T.any` and `.full` for each tokenizer T, `masking.char.alnum`,
    `leak.entity` (hit: nothing leaked) and `leak.document` (hit: nothing leaked in a document
    that has PHI). The group `""` is all labels. In any other, hit and missed go by the gold
    label and spurious by the found one.
    """

    tallies: Mapping[tuple[str, str], Tally]
    leaks: tuple[Leak, ...] = field(repr=False)
    alarms: tuple[FalseAlarm, ...] = field(repr=False)

    def total(self, measure: str, group: str = ALL) -> Counts:
        """Return the counts of a measure over all documents."""
        return self.tallies[measure, group].total


def hipaa_groups(element: str, kind: str) -> tuple[str, ...]:
    """Return the groups of an i2b2 tag: its category, its type, and the HIPAA subsets."""
    subsets = (f"hipaa.{name}" for name, v in VERSIONS.items() if is_hipaa(element, kind, v))
    return (f"category.{element}", f"type.{kind}", *subsets)


def no_groups(label: str) -> tuple[str, ...]:
    """Group marks by their label alone."""
    return (f"type.{label}",)


def measure(
    samples: Sequence[Sample],
    groups: Groups = no_groups,
    *,
    tokenizers: Sequence[str] = tuple(TOKENIZERS),
    harmless: frozenset[str] = HARMLESS,
) -> Masking:
    """Measure masking over a corpus.

    `groups` names the groups that a label belongs to. `harmless` holds lower-case tokens that
    the corrected recall sets aside: gold or not, they count neither as hit nor as missed.
    """
    labels = sorted({mark[2] for sample in samples for mark in (*sample.gold, *sample.found)})
    book = _Book.of(labels, groups)
    kinds = [f"masking.token.{name}.{how}" for name in tokenizers for how in ("any", "full")]
    names = [*kinds, CHARACTERS, ENTITIES, DOCUMENTS, CORRECTED]
    shape = (len(samples), len(names), len(book.groups), 3)
    table: NDArray[np.int64] = np.zeros(shape, dtype=np.int64)
    leaks: list[Leak] = []
    alarms: list[FalseAlarm] = []
    for batch in batches([sample.text for sample in samples]):
        part = samples[batch.first : batch.first + batch.size]
        page = _Page.of(batch, part, book)
        rows = table[batch.first : batch.first + batch.size]
        for at, name in enumerate(tokenizers):
            units = batch.tokens(TOKENIZERS[name])
            rows[:, 2 * at], rows[:, 2 * at + 1] = page.units(units)
        rows[:, len(kinds)], _ = page.units(batch.characters(ALNUM))
        rows[:, -3], rows[:, -2] = page.entities()
        rows[:, -1], _ = page.units(page.harmful(part, harmless))
        leaks += page.leaks(part)
        alarms += page.alarms(part)
    documents = tuple(sample.id for sample in samples)
    tallies = {
        (name, group): Tally(documents, table[:, at, column])
        for at, name in enumerate(names)
        for column, group in enumerate(book.groups)
    }
    return Masking(tallies, tuple(leaks), tuple(alarms))


@dataclass(frozen=True, slots=True)
class _Book:
    """Labels and groups by number: `member` is which groups each label belongs to."""

    labels: Mapping[str, int]
    groups: tuple[str, ...]
    member: Bits  # shape [labels, groups]

    @classmethod
    def of(cls, labels: Sequence[str], groups: Groups) -> _Book:
        belongs = [(ALL, *groups(label)) for label in labels]
        names = (ALL, *sorted({name for row in belongs for name in row} - {ALL}))
        member = np.array([[name in row for name in names] for row in belongs], dtype=np.bool_)
        return cls(
            {label: number for number, label in enumerate(labels)},
            names,
            member.reshape(len(labels), len(names)),
        )


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """One side's marks in a batch: places in the batch, cut to the document, and labels."""

    starts: Places
    ends: Places
    labels: Places
    documents: Places
    written: Places  # shape [marks, 2]: starts and ends as they were given
    covered: Bits  # a bit a character of the batch

    @classmethod
    def of(cls, batch: Batch, marks: Sequence[Sequence[Mark]], book: _Book) -> _Side:
        flat = [
            (document, start, end, book.labels[label])
            for document, row in enumerate(marks)
            for start, end, label in row
        ]
        table = np.array(flat, dtype=np.int64).reshape(-1, 4)
        documents, labels = table[:, 0], table[:, 3]
        low, high = batch.begins[documents], batch.ends[documents]
        starts = np.clip(table[:, 1] + low, low, high)
        ends = np.maximum(np.clip(table[:, 2] + low, low, high), starts)
        steps = np.zeros(len(batch.kinds) + 1, dtype=np.int64)
        np.add.at(steps, starts, 1)
        np.add.at(steps, ends, -1)
        return cls(starts, ends, labels, documents, table[:, 1:3], np.cumsum(steps)[:-1] > 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Page:
    """A batch with both sides, and running counts of what the measures ask for."""

    batch: Batch
    book: _Book
    gold: _Side
    found: _Side
    gold_before: Places
    found_before: Places
    bare_before: Places  # gold characters that no found mark has
    bare_alnum: Bits

    @classmethod
    def of(cls, batch: Batch, samples: Sequence[Sample], book: _Book) -> _Page:
        gold = _Side.of(batch, [sample.gold for sample in samples], book)
        found = _Side.of(batch, [sample.found for sample in samples], book)
        bare = gold.covered & ~found.covered
        return cls(
            batch,
            book,
            gold,
            found,
            running(gold.covered),
            running(found.covered),
            running(bare),
            bare & ((batch.kinds & ALNUM) != 0),
        )

    def units(self, units: Units) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count units: masked anywhere, and masked in full; shape [documents, groups, 3]."""
        masked = self.found_before[units.ends] > self.found_before[units.starts]
        golden = self.gold_before[units.ends] > self.gold_before[units.starts]
        which, mark = _pairs(units, self.gold)
        start = np.maximum(units.starts[which], self.gold.starts[mark])
        end = np.minimum(units.ends[which], self.gold.ends[mark])
        bare = self.bare_before[end] > self.bare_before[start]
        groups = self.gold.labels[mark]
        documents = units.documents
        every = self._distinct(which, groups, np.ones(len(which), dtype=np.bool_))
        leaky = self._distinct(which, groups, bare)
        false, alarm = _pairs(units, self.found)
        wrong = self._distinct(false, self.found.labels[alarm], ~golden[false])
        spurious = self._count(documents, wrong)
        whole, open_ = self._count(documents, every), self._count(documents, leaky)
        hit = self._count(documents, (every[0][masked[every[0]]], every[1][masked[every[0]]]))
        return (
            np.stack([hit, whole - hit, spurious], axis=-1),
            np.stack([whole - open_, open_, spurious], axis=-1),
        )

    def entities(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count gold places, and documents with gold, of which no letter or digit leaks."""
        leaky, number = self._leaky(), self._places()
        every = self._distinct(number, self.gold.labels, np.ones(len(number), dtype=np.bool_))
        open_ = self._distinct(number, self.gold.labels, leaky)
        documents = np.zeros(int(number.max(initial=-1)) + 1, dtype=np.int64)
        documents[number] = self.gold.documents
        whole, leaked = self._count(documents, every), self._count(documents, open_)
        none = np.zeros_like(whole)
        dirty, there = (leaked > 0).astype(np.int64), (whole > 0).astype(np.int64)
        return (
            np.stack([whole - leaked, leaked, none], axis=-1),
            np.stack([there - dirty, dirty, none], axis=-1),
        )

    def leaks(self, samples: Sequence[Sample]) -> list[Leak]:
        """Return every gold place of which a letter or digit leaks."""
        leaky, side = self._leaky(), self.gold
        labels = list(self.book.labels)
        found: dict[tuple[int, int, int], set[str]] = {}
        columns = (side.documents, side.starts, side.ends, side.labels)
        for *key, label in np.column_stack(columns)[leaky].tolist():
            found.setdefault((key[0], key[1], key[2]), set()).add(labels[label])
        runs = _runs(self.bare_alnum)
        leaks = []
        for (document, start, end), names in sorted(found.items()):
            base = int(self.batch.begins[document])
            inside = slice(bisect_right(runs[1], start), bisect_left(runs[0], end))
            bare = tuple(
                (max(low, start) - base, min(high, end) - base)
                for low, high in zip(runs[0][inside], runs[1][inside], strict=True)
            )
            place = start - base, end - base
            leaks.append(Leak(samples[document].id, *place, tuple(sorted(names)), bare))
        return leaks

    def alarms(self, samples: Sequence[Sample]) -> list[FalseAlarm]:
        """Return every found mark that shares no letter or digit with a gold one."""
        side, labels = self.found, list(self.book.labels)
        both = running(self.gold.covered & ((self.batch.kinds & ALNUM) != 0))
        alone = np.flatnonzero((both[side.ends] == both[side.starts]) & (side.ends > side.starts))
        return sorted(
            (
                FalseAlarm(
                    samples[document].id,
                    int(side.starts[mark] - self.batch.begins[document]),
                    int(side.ends[mark] - self.batch.begins[document]),
                    labels[side.labels[mark]],
                )
                for mark in alone.tolist()
                for document in (int(side.documents[mark]),)
            ),
            key=lambda alarm: (alarm.document, alarm.start, alarm.end, alarm.label),
        )

    def harmful(self, samples: Sequence[Sample], harmless: frozenset[str]) -> Units:
        """Return the i2b2 tokens without the gold ones that tell nobody apart."""
        units = self.batch.tokens(TOKENIZERS["i2b2"])
        golden = self.gold_before[units.ends] > self.gold_before[units.starts]
        kept = np.ones(len(golden), dtype=np.bool_)
        at = np.flatnonzero(golden)
        documents = units.documents[at]
        bases = self.batch.begins[documents]
        kept[at] = [
            samples[document].text[low:high].lower() not in harmless
            for document, low, high in zip(
                documents.tolist(),
                (units.starts[at] - bases).tolist(),
                (units.ends[at] - bases).tolist(),
                strict=True,
            )
        ]
        return Units(units.starts[kept], units.ends[kept], units.documents[kept])

    def _leaky(self) -> Bits:
        before = running(self.bare_alnum)
        return before[self.gold.ends] > before[self.gold.starts]

    def _places(self) -> Places:
        """Give each gold mark a number, those of one place the same."""
        side = self.gold
        key = np.column_stack([side.documents, side.written])
        return np.unique(key, axis=0, return_inverse=True)[1].reshape(-1)

    def _distinct(self, items: Places, labels: Places, kept: Bits) -> tuple[Places, Places]:
        """Return each item once a group that one of its labels belongs to."""
        many = len(self.book.groups)
        row, group = np.divmod(np.flatnonzero(self.book.member[labels[kept]]), many)
        # Marking a board is several times faster than sorting the pairs.
        board = np.zeros((int(items.max(initial=-1)) + 1) * many, dtype=np.bool_)
        board[items[kept][row] * many + group] = True
        key = np.flatnonzero(board)
        return key // many, key % many

    def _count(self, documents: Places, pairs: tuple[Places, Places]) -> NDArray[np.int64]:
        """Count ``(item, group)`` pairs by document; shape [documents, groups]."""
        items, group = pairs
        many = len(self.book.groups)
        counted = np.bincount(documents[items] * many + group, minlength=self.batch.size * many)
        return counted.reshape(self.batch.size, many)


def _pairs(units: Units, side: _Side) -> tuple[Places, Places]:
    """Return the numbers of each unit and mark that share a character."""
    first = np.searchsorted(units.ends, side.starts, side="right")
    last = np.searchsorted(units.starts, side.ends, side="left")
    room = np.where(side.ends > side.starts, np.maximum(last - first, 0), 0)
    mark = np.repeat(np.arange(len(room)), room)
    within = np.arange(len(mark)) - np.repeat(np.cumsum(room) - room, room)
    return first[mark] + within, mark


def _runs(bits: Bits) -> tuple[list[int], list[int]]:
    """Return starts and ends of the stretches of set bits."""
    steps = np.diff(np.concatenate(([0], bits.astype(np.int8), [0])))
    return np.flatnonzero(steps == 1).tolist(), np.flatnonzero(steps == -1).tolist()
