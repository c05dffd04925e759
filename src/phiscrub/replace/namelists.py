"""The names that surrogates are taken from, and what is known of names: sex and short forms."""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any

from phiscrub.core.errors import SettingsError
from phiscrub.replace.keyed import Key
from phiscrub.replace.people import bare, fold

FEMALE, MALE, SURNAME = "female", "male", "surname"
COMMON_LETTERS = "ABCDEFGHJKLMNPRSTVW"
ENOUGH = 2  # names with a wanted first letter; of fewer, any name is taken


@dataclass(frozen=True, slots=True)
class NameLists:
    """Lists by culture and kind, the mix of a setting, each given name's sex, short forms.

    `formal` gives the names that a short form may stand for, `abbreviations` the one that is
    written so, `given` all given names, `home` those of the lists, `known` all and surnames,
    `families` the lists' surnames; all folded, without apostrophes in them.
    """

    lists: Mapping[str, Mapping[str, tuple[str, ...]]]
    mix: tuple[tuple[str, int], ...]
    sexes: Mapping[str, str]
    short: Mapping[str, tuple[str, ...]]
    formal: Mapping[str, frozenset[str]]
    abbreviations: Mapping[str, str]
    given: frozenset[str]
    home: frozenset[str]
    known: frozenset[str]
    families: frozenset[str]

    @classmethod
    def load(cls, language: str, setting: str = "") -> NameLists:
        """Load the lists; `setting` names a mix, by default the language's.

        Raises `SettingsError` where there is no such mix.
        """
        home = resources.files("phiscrub") / "data" / "surrogates"
        people = _toml(home / "people.toml")
        name = setting or people["settings"].get(language, "us")
        if name not in people["mixes"]:
            hint = f"known: {', '.join(people['mixes'])}"
            raise SettingsError(f"no mix of names {name!r}", hint=hint)
        mix = people["mixes"][name]
        lists = {culture: _lists(home / "names" / f"{culture}.toml") for culture in sorted(mix)}
        votes: dict[str, set[str]] = defaultdict(set)
        for file in sorted((home / "names").iterdir(), key=lambda f: f.name):
            for sex, names in _lists(file).items():
                for given in names if sex != SURNAME else ():
                    votes[fold(given)].add(sex)
        for file_name in ("sexes.toml", "sexes_world.toml"):
            for sex, names in _toml(home / file_name).items():
                for given in names.split():
                    votes[fold(given)].add(sex)
        formal: dict[str, set[str]] = defaultdict(set)
        for whole, shorts in people["nicknames"].items():
            for short in shorts.split():
                formal[fold(short)].add(fold(whole))
        everyone = _known("given") | set(votes)
        families = {bare(name) for kinds in lists.values() for name in kinds[SURNAME]}
        return cls(
            given=frozenset(everyone),
            home=frozenset(
                bare(name)
                for kinds in lists.values()
                for sex in (FEMALE, MALE)
                for name in kinds[sex]
            ),
            known=frozenset(everyone | families | _known("surname")),
            families=frozenset(families),
            abbreviations=MappingProxyType(
                {bare(short): fold(name) for short, name in people["abbreviations"].items()}
            ),
            lists=MappingProxyType(lists),
            mix=tuple(sorted(mix.items())),
            sexes=MappingProxyType({n: min(s) for n, s in votes.items() if len(s) == 1}),
            short=MappingProxyType(
                {fold(name): tuple(shorts.split()) for name, shorts in people["nicknames"].items()}
            ),
            formal=MappingProxyType({n: frozenset(names) for n, names in formal.items()}),
        )

    def culture(self, key: Key) -> str:
        """Draw a culture from the mix."""
        place = key.narrow("culture").below(sum(share for _, share in self.mix))
        for name, share in self.mix:
            place -= share
            if place < 0:
                return name
        return self.mix[-1][0]

    @property
    def usual(self) -> str:
        """The culture of most people of the mix."""
        return max(self.mix, key=lambda one: one[1])[0]

    def sex(self, part: str) -> str:
        """Return the sex of a given name, or of what it is short for, `` where both may be."""
        wholes = {*self.formal.get(part, ()), self.abbreviations.get(part, "")}
        found = {self.sexes[name] for name in (part, *wholes) if name in self.sexes}
        return found.pop() if len(found) == 1 else ""

    def options(self, culture: str, kind: str, letter: str) -> tuple[str, ...]:
        """Return the names of a kind that begin with a letter.

        Where those are few they are the usual culture's, so that initials fit; else all.
        """
        for own in (culture, self.usual):
            fit = tuple(name for name in self.lists[own][kind] if name[0] == letter)
            if len(fit) >= ENOUGH:
                return fit
        return self.lists[culture][kind]


def letters(key: Key) -> Mapping[str, str]:
    """Return a patient's change of first letters, one cycle so that none stays as it is.

    Source: the alphabet of each record in Stubbs et al. 2015, "Challenges in synthesizing
    surrogate PHI", after whom initials still fit their names. Rare letters become common ones.
    """
    cycle = key.narrow("letters").shuffled(COMMON_LETTERS)
    changed = dict(zip(cycle, [*cycle[1:], cycle[0]], strict=True))
    for rare in "IOQUXYZ":
        changed[rare] = key.narrow("letters", rare).choice(COMMON_LETTERS)
    return changed


def _known(kind: str) -> set[str]:
    """Return the common names of a kind, folded."""
    words = resources.files("phiscrub") / "data" / "lexicons" / "en" / f"{kind}.txt"
    return {
        fold(word)
        for line in words.read_text("utf-8").splitlines()
        if line[:1] in ("2", "3")
        for word in line.split()[1:]
    }


def _lists(file: Any) -> Mapping[str, tuple[str, ...]]:
    return {kind: tuple(names.split()) for kind, names in _toml(file).items()}


def _toml(file: Any) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))
