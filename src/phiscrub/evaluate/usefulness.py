"""How much of what makes a note useful survives: paper 4's expert judgement, made countable.

A useful item is a stretch of text that terms or patterns of its kind find. Where a gold mark shares
a character with it, it is an identifier and set aside; where only a found mark does, it is lost.
The lists are no gold standard: they miss items and take some for useful that are not, alike for
every system, so that shares compare systems on the same notes.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.sample import Mark, Sample
from phiscrub.evaluate.tally import Tally
from phiscrub.lexicons.phrases import PIECES, Phrases
from phiscrub.lexicons.terms import terms_of

LANGUAGES = ("en", "es")


@dataclass(frozen=True, slots=True)
class Lost:
    """A useful item that a found mark took from a note."""

    document: str
    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True)
class Usefulness:
    """By kind, items kept (hit) and lost (missed) in each note; and every lost one by its place."""

    kinds: Mapping[str, Tally]
    lost: tuple[Lost, ...] = field(repr=False)


def usefulness(samples: Sequence[Sample], language: str = "en") -> Usefulness:
    """Count what is useful and survives; raise `SettingsError` for a language without lists."""
    if language not in LANGUAGES:
        known = ", ".join(LANGUAGES)
        raise SettingsError(
            f"no lists of useful items for language {language!r}", hint=f"known: {known}"
        )
    names, phrases, patterns = _lists(language)
    table = np.zeros((len(names), len(samples), 3), dtype=np.int64)
    lost: list[Lost] = []
    for at, sample in enumerate(samples):
        gold, found = _covered(sample.text, sample.gold), _covered(sample.text, sample.found)
        for kind, start, end in sorted(set(_items(sample.text, phrases, patterns))):
            if gold[start:end].any():
                continue
            gone = bool(found[start:end].any())
            table[names.index(kind), at, int(gone)] += 1
            if gone:
                lost.append(Lost(sample.id, start, end, kind))
    documents = tuple(sample.id for sample in samples)
    tallies = {name: Tally(documents, table[row]) for row, name in enumerate(names)}
    return Usefulness(tallies, tuple(lost))


def _items(
    text: str, phrases: Phrases, patterns: Mapping[str, re.Pattern[str]]
) -> Iterator[tuple[str, int, int]]:
    places = [match.span() for match in PIECES.finditer(text)]
    for hit in phrases.find([text[start:end] for start, end in places]):
        for kind in hit.kinds:
            yield kind, places[hit.first][0], places[hit.last - 1][1]
    for kind, pattern in patterns.items():
        yield from ((kind, *match.span()) for match in pattern.finditer(text))


def _covered(text: str, marks: Sequence[Mark]) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which characters a mark has."""
    covered = np.zeros(len(text), dtype=np.bool_)
    for start, end, _ in marks:
        covered[start:end] = True
    return covered


@cache
def _lists(language: str) -> tuple[tuple[str, ...], Phrases, Mapping[str, re.Pattern[str]]]:
    """Read the kinds in their order, their terms, and the patterns of those that have one."""
    data = resources.files("phiscrub") / "data"
    kinds = tomllib.loads((data / "usefulness" / f"{language}.toml").read_text("utf-8"))["kind"]
    medical = data / "lexicons" / "medical"
    terms = [
        (term, kind["name"])
        for kind in kinds
        for term in (*kind.get("terms", ()), *_listed(kind.get("lists", ()), medical))
    ]
    patterns = {k["name"]: re.compile(k["pattern"], re.IGNORECASE) for k in kinds if "pattern" in k}
    return tuple(kind["name"] for kind in kinds), Phrases(terms), patterns


def _listed(names: Sequence[str], folder: Traversable) -> Iterator[str]:
    """Yield the terms of word lists."""
    for name in names:
        yield from terms_of(folder / f"{name}.txt")
