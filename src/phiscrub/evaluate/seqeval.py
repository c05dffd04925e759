"""Chunks of tag columns as seqeval counts them, leniently and strictly.

Source: https://github.com/chakki-works/seqeval at cd01b52. The strict readings are tables: which
pairs of neighbouring tags start, go on with and end a chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

from phiscrub.core.errors import AnnotationError, SettingsError
from phiscrub.evaluate.bytype import ByType, Chunk

UNTYPED = "_"
OUTSIDE = ("O", UNTYPED)
NEUTRAL = frozenset("O.")
ENDS = frozenset(("BB", "BS", "BO", "IB", "IS", "IO"))
STARTS = frozenset(("EE", "EI", "SE", "SI", "OE", "OI"))
SAME, OTHER, ANY = "same type", "other type", "any type"

Parts = tuple[str, str]  # prefix and type
Rule = tuple[str, str, str]  # prefixes before, prefixes now, how the types relate


@dataclass(frozen=True, slots=True)
class Grammar:
    """A tag scheme read strictly: a chunk that does not start and end by its rules is dropped."""

    prefixes: str
    starts: tuple[Rule, ...]
    goes_on: tuple[Rule, ...]
    ends: tuple[Rule, ...]


_ALL = "IOBESUL"
GRAMMARS = MappingProxyType(
    {
        "IOB1": Grammar(
            "IOB",
            starts=(("OB", "I", ANY), ("I", "I", OTHER), ("IB", "B", SAME)),
            goes_on=(("BI", "I", SAME),),
            ends=(("IB", "I", OTHER), ("IB", "O", ANY), ("I", "B", ANY), ("B", "B", SAME)),
        ),
        "IOB2": Grammar(
            "IOB",
            starts=((_ALL, "B", ANY),),
            goes_on=(("BI", "I", SAME),),
            ends=(("IB", "OB", ANY), ("IB", "I", OTHER)),
        ),
        "IOE1": Grammar(
            "IOE",
            starts=(("OE", "I", ANY), ("I", "I", OTHER), ("E", "E", SAME)),
            goes_on=(("I", "IE", SAME),),
            ends=(("I", "IE", OTHER), ("I", "O", ANY), ("E", "IE", SAME)),
        ),
        "IOE2": Grammar(
            "IOE",
            starts=(("OE", "IE", ANY), ("I", "IE", OTHER)),
            goes_on=(("I", "IE", SAME),),
            ends=(("E", _ALL, ANY),),
        ),
        "IOBES": Grammar(
            "IOBES",
            starts=((_ALL, "BS", ANY),),
            goes_on=(("BI", "IE", SAME),),
            ends=(("SE", _ALL, ANY),),
        ),
        "BILOU": Grammar(
            "BILOU",
            starts=((_ALL, "BU", ANY),),
            goes_on=(("BI", "IL", SAME),),
            ends=(("UL", _ALL, ANY),),
        ),
    }
)
NAMES = MappingProxyType({"BIO": "IOB2", "IOB": "IOB2", "BIOES": "IOBES"})


def score(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> ByType:
    """Score leniently: like conlleval, with S and E known; BILOU's L and U are not."""
    return ByType.of(set(_lenient(gold)), set(_lenient(found)))


def score_strict(
    gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]], scheme: str
) -> ByType:
    """Score in a scheme's strict reading.

    Raises `SettingsError` for an unknown scheme, `AnnotationError` where a tag is not of it.
    """
    rules = grammar(scheme)
    return ByType.of(set(_strict(gold, rules)), set(_strict(found, rules)))


def grammar(scheme: str) -> Grammar:
    """Return the rules of a scheme by name: `BIO` is `IOB2`, `BIOES` is `IOBES`, in any case.

    Raises `SettingsError` where there are none.
    """
    name = canonical(scheme)
    if name not in GRAMMARS:
        raise SettingsError(f"no tag scheme {scheme!r}", hint=f"known: {', '.join(GRAMMARS)}")
    return GRAMMARS[name]


def canonical(scheme: str) -> str:
    """Return a scheme's name as seqeval has it."""
    return NAMES.get(scheme.upper(), scheme.upper())


def admitted(*sides: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """Return the schemes that have every prefix of the tags, and no more than they need."""
    used = {tag[0] for sentences in sides for tags in sentences for tag in tags}
    fits = {name: rules for name, rules in GRAMMARS.items() if used <= set(rules.prefixes)}
    least = min((len(rules.prefixes) for rules in fits.values()), default=0)
    return tuple(name for name, rules in fits.items() if len(rules.prefixes) == least)


def _lenient(sentences: Sequence[Sequence[str]]) -> Iterator[Chunk]:
    """Yield chunks of all sentences as of one, with an `O` behind each."""
    flat = [tag for tags in sentences for tag in (*tags, "O")]
    last, begin = ("O", ""), 0
    for at, tag in enumerate([*flat, "O"]):
        # The type is what stands behind the first hyphen that is not the tag's first character.
        now = tag[0], tag[1:].split("-", maxsplit=1)[-1] or UNTYPED
        pair = last[0] + now[0]
        if last[0] in "ES" or pair in ENDS or (last[0] not in NEUTRAL and last[1] != now[1]):
            yield begin, at - 1, last[1]
        if now[0] in "BS" or pair in STARTS or (now[0] not in NEUTRAL and last[1] != now[1]):
            begin = at
        last = now


def _strict(sentences: Sequence[Sequence[str]], rules: Grammar) -> Iterator[Chunk]:
    base = 0
    for tags in sentences:
        for first, last, kind in _strict_chunks(tags, rules):
            yield base + first, base + last, kind
        base += len(tags)


def _strict_chunks(tags: Sequence[str], rules: Grammar) -> Iterator[Chunk]:
    parts = [OUTSIDE, *(_part(tag, index, rules) for index, tag in enumerate(tags)), OUTSIDE]
    begun: int | None = None
    for at, (last, now) in enumerate(pairwise(parts)):
        if begun is not None:
            if _fits(rules.goes_on, last, now):
                continue
            if _fits(rules.ends, last, now):
                yield begun, at - 1, last[1]
        begun = at if _fits(rules.starts, last, now) else None


def _part(tag: str, index: int, rules: Grammar) -> Parts:
    if tag[0] not in rules.prefixes:
        raise AnnotationError(
            f"tag of token {index} is not of the scheme",
            hint=f"its prefixes are {', '.join(rules.prefixes)}; name another with --scheme",
        )
    return tag[0], tag[1:].strip("-") or UNTYPED


def _fits(rules: tuple[Rule, ...], last: Parts, now: Parts) -> bool:
    relation = SAME if last[1] == now[1] else OTHER
    return any(
        last[0] in before and now[0] in after and types in (ANY, relation)
        for before, after, types in rules
    )
