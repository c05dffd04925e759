"""What makes a name, as data: weights, and the words that stand around names."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from phiscrub.core.errors import SettingsError

WORDS = ("pairing", "articles", "sexes", "signed", "credentials", "linking", "never")
STRONG = 2.0  # a cue before a name that is worth this much is no part of a name itself


@dataclass(frozen=True, slots=True)
class Weights:
    """What each piece of evidence is worth; `data/lexicons/en/names.toml` says what each means.

    The tuples hold a worth for each rank of a word list, rank 0 (not in the list) first.
    """

    given: tuple[float, ...]
    surname: tuple[float, ...]
    common: tuple[float, ...]
    unknown: float
    stranger: float
    medical: float
    place: float
    two_letters: float
    capitals_short: float
    capitals: float
    lower: float
    lower_short: float
    floor_known: float
    floor: float
    initial: float
    stopped: float
    initials: float
    full: float
    full_frequent: float
    vouched: float
    surname_first: float
    hyphened: float
    hyphened_word: float
    middle: float
    label: float
    label_cue: float
    bracket: float
    age: float
    listed: float
    beside: float
    labels: float
    paired: float


@dataclass(frozen=True, slots=True)
class Cue:
    """Evidence by one word: of which group, how much, and for whose name (may be empty)."""

    group: str
    worth: float
    label: str


@dataclass(frozen=True, slots=True)
class Cues:
    """Weights, cues by the word before a name and the word behind it, particles inside names.

    `abbreviations` are letters that chart writers use for something else than their initials.
    `derived` matches words that no list need have to be no names, by how they end. `pairing` are
    words between two names, `articles` those between a name and what somebody is; `sexes` follow
    an age, `signed` stand before who signs, `credentials` behind, and `linking` between a cue and
    its name: `hija de Ana`. `never` are words that are no part of a name: strong cues,
    and others as they are written.
    """

    weights: Weights
    before: Mapping[str, Cue] = field(repr=False)
    after: Mapping[str, Cue] = field(repr=False)
    particles: frozenset[str] = field(repr=False)
    abbreviations: frozenset[str] = field(repr=False)
    derived: re.Pattern[str] = field(repr=False)
    pairing: frozenset[str] = field(repr=False)
    articles: frozenset[str] = field(repr=False)
    sexes: frozenset[str] = field(repr=False)
    signed: frozenset[str] = field(repr=False)
    credentials: frozenset[str] = field(repr=False)
    linking: frozenset[str] = field(repr=False)
    never: frozenset[str] = field(repr=False)

    @classmethod
    def read(cls, text: str, where: str) -> Cues:
        """Parse a cue file; where two groups have a word, the later one stands.

        Raises `SettingsError` where it is no TOML or its weights are not those of `Weights`.
        """
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"is not TOML: {error}", where=where) from None
        weights = data.get("weights", {})
        for name in sorted({f.name for f in fields(Weights)} ^ weights.keys()):
            raise SettingsError(f"'weights.{name}' is missing or unknown", where=where)

        def side(name: str) -> dict[str, Cue]:
            return {
                word: Cue(group, float(table["worth"]), table["label"])
                for group, table in data[name].items()
                for word in table["words"].split()
            }

        made: dict[str, Any] = {
            n: tuple(w) if isinstance(w, list) else w for n, w in weights.items()
        }
        particles, abbreviations = (
            frozenset(data[name]["words"].split()) for name in ("particle", "abbreviation")
        )
        told = {name: frozenset(data["words"][name].split()) for name in WORDS}
        before, after = side("before"), side("after")
        told["never"] |= {word for word, cue in before.items() if cue.worth >= STRONG}
        told["never"] |= {word for word, cue in after.items() if cue.group == "credential"}
        return cls(
            Weights(**made),
            before,
            after,
            particles,
            abbreviations,
            re.compile(rf"\w{{3,}}(?:{data['words']['derived']})"),
            **told,
        )
