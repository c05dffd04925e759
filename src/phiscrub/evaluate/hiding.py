"""What a reader can tell of what leaked, where surrogates stand for all else.

Source: the idea of Carrell et al. 2013, "Hiding in plain sight: use of realistic surrogates to
reduce exposure of protected health information in clinical text" (JAMIA 20), and of the attacks on
it in Carrell et al. 2019 (JAMIA 26), as we understand them; the figures are ours. A leaked
identifier stands among the surrogates of its category in the note. A surrogate keeps the form of
what it stands for, so the forms of what was found are those that a reader sees.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from phiscrub.core.counts import ratio
from phiscrub.evaluate.evidence import shape
from phiscrub.evaluate.identifying import categories
from phiscrub.evaluate.masking import Leak
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.uncertainty import Interval, exact_bounds

RUN = re.compile(r"(.)\1+")
PLAIN = re.compile(r"[Xx9]+")


class Tell(StrEnum):
    """By what a reader knows a leaked identifier from the surrogates of its category."""

    ALONE = "alone"  # the note has no surrogate of the category
    FORM = "form"  # no surrogate of the category is written so: other case, other form of date
    REPEATED = "repeated"  # it leaks in several patients' notes, where surrogates would differ


@dataclass(frozen=True, slots=True)
class Told:
    """A leak, what tells it, and the chance that a guess among its category hits a real one."""

    leak: Leak
    category: str
    tells: tuple[Tell, ...]
    guess: float


@dataclass(frozen=True, slots=True)
class Row:
    """A category: what leaks, among how many surrogates, and how much of it can be told."""

    leaked: int
    surrogates: int
    tellable: int

    @property
    def guess(self) -> float | None:
        """The best guess rate: the real ones among all mentions of notes where some leak."""
        return ratio(self.leaked, self.leaked + self.surrogates)


@dataclass(frozen=True, slots=True)
class Hiding:
    """How well leaks hide.

    `identifiers` are all gold places. `rows` are by category, most leaks first; their surrogates
    are those of notes in which something of the category leaks.
    """

    identifiers: int
    leaks: tuple[Told, ...] = field(repr=False)
    rows: Mapping[str, Row]

    @property
    def tellable(self) -> Interval:
        """The share of leaks that a reader can tell, with exact bounds."""
        return exact_bounds(sum(bool(one.tells) for one in self.leaks), len(self.leaks))

    @property
    def residual(self) -> float | None:
        """The share of all identifiers that leak and can be told."""
        return ratio(sum(bool(one.tells) for one in self.leaks), self.identifiers)

    @property
    def guess(self) -> float | None:
        """The chance that a leak is taken for real: 1 where it can be told, else the guess."""
        chances = [1.0 if one.tells else one.guess for one in self.leaks]
        return ratio(sum(chances), len(chances))

    @property
    def reasons(self) -> Counter[Tell]:
        """How many leaks each tell gives away; one may have several."""
        return Counter(tell for one in self.leaks for tell in one.tells)


def hiding(samples: Sequence[Sample], leaks: Sequence[Leak]) -> Hiding:
    """Return what a reader could tell of each leak, were all that was found replaced.

    A place of several labels is of the first one's category. What was found wrongly is replaced
    too, and hides as well as what was found rightly.
    """
    by_id = {sample.id: sample for sample in samples}
    marks = (mark for sample in samples for mark in (*sample.gold, *sample.found))
    kinds = categories(mark[2] for mark in marks)
    forms = {sample.id: _forms(sample, kinds) for sample in samples}
    words = [_words(by_id[leak.document], leak) for leak in leaks]
    owners: dict[str, set[str]] = defaultdict(set)
    for leak, said in zip(leaks, words, strict=True):
        owners[said.casefold()].add(by_id[leak.document].subject or leak.document)
    real = Counter((leak.document, kinds[leak.labels[0]]) for leak in leaks)
    told = []
    for leak, said in zip(leaks, words, strict=True):
        kind = kinds[leak.labels[0]]
        seen = forms[leak.document].get(kind, Counter())
        tells = [Tell.FORM] if form(said) not in seen else []
        tells = tells if seen else [Tell.ALONE]
        if len(owners[said.casefold()]) > 1:
            tells.append(Tell.REPEATED)
        among = real[leak.document, kind]
        told.append(Told(leak, kind, tuple(tells), among / (among + seen.total())))
    places = {(sample.id, start, end) for sample in samples for start, end, _ in sample.gold}
    return Hiding(len(places), tuple(told), _rows(told, forms))


def form(words: str) -> str:
    """Return how words are written: `ANN LEE` is `X X`, `Ann Lee` `Xx Xx`, `03/14/61` `9/9/9`."""
    return RUN.sub(r"\1", shape(" ".join(words.split())))


def _forms(sample: Sample, kinds: Mapping[str, str]) -> dict[str, Counter[str]]:
    """Return the forms of a note's surrogates by category: those of what was found."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for start, end, label in set(sample.found):
        if PLAIN.search(shape(sample.text[start:end])):
            found[kinds[label]][form(sample.text[start:end])] += 1
    return found


def _words(sample: Sample, leak: Leak) -> str:
    """Return what stays of a place, as a reader sees it, with the points and dashes between."""
    words, done = "", leak.uncovered[0][0]
    for start, end in leak.uncovered:
        between = sample.text[done:start]
        words += (" " if any(map(str.isalnum, between)) else between) + sample.text[start:end]
        done = end
    return words


def _rows(told: Iterable[Told], forms: Mapping[str, Mapping[str, Counter[str]]]) -> dict[str, Row]:
    of_kind: dict[str, list[Told]] = defaultdict(list)
    for one in told:
        of_kind[one.category].append(one)
    rows = {}
    for kind, some in sorted(of_kind.items(), key=lambda row: (-len(row[1]), row[0])):
        notes = sorted({one.leak.document for one in some})
        surrogates = sum(forms[note].get(kind, Counter()).total() for note in notes)
        rows[kind] = Row(len(some), surrogates, sum(bool(one.tells) for one in some))
    return rows
