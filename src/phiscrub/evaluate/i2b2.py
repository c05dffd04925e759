"""The measures of the 2014 i2b2/UTHealth de-identification track, to the last digit.

Source: Stubbs, Kotfila and Uzuner 2015, and the behaviour of kotfic/i2b2_evaluation_scripts at
acbfd4e. Every score is one of sets within a document: an exact duplicate on a side counts once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Protocol, TypeVar

import numpy as np

from phiscrub.core.errors import AnnotationError, Place
from phiscrub.evaluate.hipaa import is_hipaa
from phiscrub.evaluate.tally import Tally, compared

CATEGORIES = ("NAME", "PROFESSION", "LOCATION", "AGE", "DATE", "CONTACT", "ID", "OTHER")
TOKEN = re.compile("[a-zA-Z0-9]+")
TOLERANCE = 2  # characters by which the ends of a relaxed match may differ

MEASURES = (
    *("i2b2.token", "i2b2.strict", "i2b2.relaxed"),
    *("i2b2.hipaa.token", "i2b2.hipaa.strict", "i2b2.hipaa.relaxed"),
    *("i2b2.binary.token", "i2b2.binary.strict"),
    *("i2b2.binary.hipaa.token", "i2b2.binary.hipaa.strict"),
    *(
        f"i2b2.category.{category}.{kind}"
        for category in CATEGORIES
        for kind in ("token", "strict", "hipaa.token", "hipaa.strict")
    ),
)

Triple = tuple[int, int, int]  # hit, missed, spurious
StrictKey = tuple[str, str, str, str]  # element, start, end, TYPE; upper-cased strings
TokenKey = tuple[str, str, int, int]  # element, TYPE as it stands, start, end
Item = tuple[StrictKey, Sequence[TokenKey], int]  # a tag: its key, its tokens, its end
Key = TypeVar("Key", StrictKey, TokenKey)


class Tag(Protocol):
    """A tag as it stands in the file: raw strings, empty where an attribute is absent."""

    @property
    def element(self) -> str:
        """One of the nine element names."""
        ...

    @property
    def start(self) -> str:
        """The first character, as written."""
        ...

    @property
    def end(self) -> str:
        """The character behind the last, as written."""
        ...

    @property
    def type(self) -> str:
        """The TYPE attribute."""
        ...

    @property
    def line(self) -> int:
        """The line that it stands on."""
        ...


@dataclass(frozen=True, slots=True)
class TaggedText:
    """A document with its raw tags, grouped by element in the official order."""

    id: str
    text: str = field(repr=False)
    tags: tuple[Tag, ...] = field(repr=False)
    path: str | None = None

    def span(self, tag: Tag) -> tuple[int, int]:
        """Return a tag's offsets as numbers; raise `AnnotationError` where they are none."""
        try:
            return int(tag.start), int(tag.end)
        except ValueError:
            record = None if self.path else self.id
            raise AnnotationError(
                f"{tag.element} tag whose start or end is no number",
                where=Place(self.path, tag.line, record=record),
                hint="give it start and end as character offsets",
            ) from None


def score(pairs: Sequence[tuple[TaggedText, TaggedText]]) -> dict[str, Tally]:
    """Score ``(gold, system)`` pairs of documents: all 42 measures, in the official order.

    Raises `AnnotationError` where the texts of a pair differ or an offset is no number.
    """
    rows = [_score(gold, system) for gold, system in pairs]
    table = np.array(rows, dtype=np.int64).reshape(len(pairs), len(MEASURES), 3)
    documents = tuple(gold.id for gold, _ in pairs)
    return {name: Tally(documents, table[:, at]) for at, name in enumerate(MEASURES)}


def _score(gold: TaggedText, system: TaggedText) -> list[Triple]:
    if gold.text != system.text:
        raise AnnotationError(
            "the text differs from the gold document's",
            where=Place(system.path, record=None if system.path else system.id),
            hint="score the system's output on the very text that was annotated",
        )
    return _compare(_Keys.of(gold), _Keys.of(system))


@dataclass(frozen=True, slots=True)
class _Subset:
    """What is compared of a document, over all its tags or only those that HIPAA names."""

    token: AbstractSet[TokenKey]
    strict: AbstractSet[StrictKey]
    relaxed: Mapping[tuple[str, str, str], Sequence[int]]  # element, start, TYPE: kept ends
    binary_token: AbstractSet[tuple[object, ...]]
    binary_strict: AbstractSet[tuple[str, ...]]

    @classmethod
    def of(cls, items: Sequence[Item]) -> _Subset:
        token = {key for _, tokens, _ in items for key in tokens}
        strict = {key for key, _, _ in items}
        relaxed: dict[tuple[str, str, str], list[int]] = {}
        for key, _, end in items:
            place = key[0], key[1], key[3]
            kept = relaxed.get(place)
            if kept is None:
                relaxed[place] = [end]
            elif not _near(end, kept):
                kept.append(end)
        return cls(
            token,
            strict,
            relaxed,
            {key[2:] for key in token},
            # A PHI element is never reduced to its place.
            {key if key[0] == "PHI" else key[1:3] for key in strict},
        )


@dataclass(frozen=True, slots=True)
class _Keys:
    """The two subsets of a document's tags."""

    every: _Subset
    hipaa: _Subset

    @classmethod
    def of(cls, note: TaggedText) -> _Keys:
        every: list[Item] = []
        hipaa: list[Item] = []
        named: dict[tuple[str, str], bool] = {}  # few kinds, many tags
        for tag in note.tags:
            start, end = note.span(tag)
            element, kind = tag.element, tag.type
            key = element, tag.start.upper(), tag.end.upper(), kind.upper()
            item = key, _tokens(element, kind, note.text[start:end], start), end
            every.append(item)
            if (element, kind) not in named:
                named[element, kind] = is_hipaa(element, kind)
            if named[element, kind]:
                hipaa.append(item)
        whole = _Subset.of(every)
        return cls(whole, whole if len(hipaa) == len(every) else _Subset.of(hipaa))


def _tokens(element: str, kind: str, words: str, start: int) -> list[TokenKey]:
    """Cut a tag's own characters; one without a letter or digit is one empty token at its end."""
    if words.isalnum() and words.isascii():  # most are a single token
        return [(element, kind, start, start + len(words))]
    found = [
        (element, kind, start + match.start(), start + match.end())
        for match in TOKEN.finditer(words)
    ]
    return found or [(element, kind, start + len(words), start + len(words))]


def _compare(gold: _Keys, system: _Keys) -> list[Triple]:
    every, hipaa = (gold.every, system.every), (gold.hipaa, system.hipaa)
    row = []
    for left, right in (every, hipaa):
        row += [compared(left.token, right.token), compared(left.strict, right.strict)]
        row.append(_relaxed(left.relaxed, right.relaxed))
    for left, right in (every, hipaa):
        row.append(compared(left.binary_token, right.binary_token))
        row.append(compared(left.binary_strict, right.binary_strict))
    kinds = []
    for left, right in (every, hipaa):
        kinds += [_by_category(left.token, right.token), _by_category(left.strict, right.strict)]
    row += [counts[category] for category in range(len(CATEGORIES)) for counts in kinds]
    return row


def _by_category(gold: AbstractSet[Key], system: AbstractSet[Key]) -> list[Triple]:
    """Compare keys category by category; the first part of a key is its category."""
    expected, found = _categories(gold), _categories(system)
    hits = _categories(gold & system)
    return [(hits[c], expected[c] - hits[c], found[c] - hits[c]) for c in CATEGORIES]


def _categories(keys: Iterable[tuple[object, ...]]) -> Counter[object]:
    return Counter(map(itemgetter(0), keys))


def _near(end: int, ends: Iterable[int]) -> bool:
    return any(abs(end - other) <= TOLERANCE for other in ends)


def _relaxed(
    gold: Mapping[tuple[str, str, str], Sequence[int]],
    system: Mapping[tuple[str, str, str], Sequence[int]],
) -> Triple:
    """Compare what is left of each side after it lost its own near-duplicates.

    A near match is not transitive, so hits are those of the smaller side: hit and missed need
    not add up to the gold side.
    """
    in_gold, in_system = _matched(gold, system), _matched(system, gold)
    hit = sum(in_system) if len(in_system) <= len(in_gold) else sum(in_gold)
    return hit, in_gold.count(False), in_system.count(False)


def _matched(
    side: Mapping[tuple[str, str, str], Sequence[int]],
    other: Mapping[tuple[str, str, str], Sequence[int]],
) -> list[bool]:
    """Tell, for every item of a side, whether the other side has one near it."""
    return [
        end in across or _near(end, across)
        for key, ends in side.items()
        for across in (other.get(key, ()),)
        for end in ends
    ]
