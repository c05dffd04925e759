"""Hospitals, departments, organisations and occupations of one note."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources

from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import number
from phiscrub.replace.people import fold

WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?|&")
SAINT = re.compile(r"(?:st\.?|saint|san|santa)$", re.I)
LONGEST_ACRONYM = 6
SMALL_WORD = 3  # `på`, `aan`: small words between those of a name
NAMING_WORDS = 2  # of a name, at most; what else names is left out
LEAST_STEM = 1  # letters before an ending, but for one
ARTICLE = re.compile(r"e?n$")  # Swedish: `Klinten` is the `Klint` of `Klintskolan`
VOWELS = tuple("aeiouáéíóúåäö")


@dataclass(frozen=True, slots=True)
class UnitLists:
    """Words that say what an institution is, names for it, departments and occupations.

    `endings`, by themselves folded, say it within a word: `Vasaskolan`.
    """

    generic: frozenset[str]
    endings: Mapping[str, str]
    names: tuple[str, ...]
    saints: tuple[str, ...]
    departments: Mapping[str, tuple[str, ...]]
    jobs: tuple[str, ...]

    @classmethod
    def load(cls, language: str) -> UnitLists:
        """Load the lists of a language."""
        file = resources.files("phiscrub") / "data" / "surrogates" / "units.toml"
        data = tomllib.loads(file.read_text("utf-8"))
        departments: dict[str, tuple[str, ...]] = {}
        for line in data["departments"]["lines"]:
            names = tuple(name.strip() for name in line.split("|"))
            departments |= {fold(name): names for name in names}
        jobs = data["jobs"].get(language, data["jobs"]["en"])
        return cls(
            generic=frozenset(map(fold, data["generic"].split())),
            endings={fold(end): end for end in data["endings"].get(language, "").split()},
            names=tuple(data["names_of"].get(language, data["names"]).split()),
            saints=tuple(data["saints_of"].get(language, data["saints"]).split()),
            departments=departments,
            jobs=tuple(job.replace("_", " ") for job in jobs.split()),
        )


@dataclass(slots=True)
class Institutions:
    """Stands in for the institutions of one note; `towns` is what stands for its towns, folded.

    See `Names` for when a word steps aside.
    """

    lists: UnitLists
    key: Key
    avoid: frozenset[str]
    towns: Mapping[str, str]
    _names: dict[str, str] = field(default_factory=dict)
    _acronyms: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _spent: set[bool] = field(default_factory=set)  # lists, of saints or not, with no name left

    def learn(self, words: Sequence[str]) -> None:
        """Take in every name of the note, so that `MGH` fits the full name beside it."""
        for one in words:
            initials = "".join(w[0] for w in WORD.findall(one) if w[0].isupper())
            if 2 <= len(initials) <= LONGEST_ACRONYM:  # noqa: PLR2004
                put = self.name(one)
                self._acronyms[initials] = "".join(
                    w[0] for w in WORD.findall(put) if w[0].isupper()
                )

    def name(self, words: str) -> str:
        """Return the name that stands for an institution's; what kind it is stays."""
        bare = words.strip(".")
        if (
            bare.isupper()
            and bare.isalpha()
            and len(bare) <= LONGEST_ACRONYM
            and fold(bare) not in self.lists.generic
        ):
            return self._acronyms.get(bare) or number(words, self.key)
        put: list[str] = []
        done, named, after_saint = 0, 0, False
        for found in WORD.finditer(words):
            between = words[done : found.start()]
            done = found.end()
            plain = fold(found[0]).strip(".")
            ending = "'s" if plain.endswith(("'s", "’s")) else ""
            small = found[0].islower() and len(found[0]) <= SMALL_WORD and not words.islower()
            if plain in self.lists.generic or plain in self.lists.endings or small:
                put += (between, found[0])
                after_saint = bool(SAINT.match(found[0]))
                continue
            lone = found[0].isupper() and not words.isupper() and len(plain) <= LONGEST_ACRONYM
            if lone and not found[0].endswith("."):
                put += (between, self._acronyms.get(found[0]) or number(found[0], self.key))
                continue
            if named >= NAMING_WORDS:
                continue
            named += 1
            stem = plain.removesuffix("'s").removesuffix("’s")
            surrogate = (
                self.towns.get(stem) or self._compound(stem) or self._name(stem, saint=after_saint)
            )
            put += (between, like(found[0], surrogate) + (like(found[0], ending) if ending else ""))
            after_saint = False
        put.append(words[done:])
        text = re.sub(r"\s*(?:&|\b(?:de|del|of|and|y))(?=\s*(?:[,.]|$))", "", "".join(put))
        text = re.sub(r"\d+", lambda m: number(m[0], self.key.narrow("in a name")), text)
        if fold(text) == fold(words):
            return (
                f"{like(words, self._name(fold(words), saint=False))} {words}"
                if not named and len(words.split()) == 1
                else self._swapped(words)
            )
        return text

    def _compound(self, stem: str) -> str:
        """Return another name before the ending that says what it is, `` for a word with none."""
        for folded, ending in self.lists.endings.items():
            if len(stem) > len(folded) + LEAST_STEM and stem.endswith(folded):
                name = self._name(stem.removesuffix(folded), saint=False)
                return ARTICLE.sub("", name) + ending
        return ""

    def _swapped(self, words: str) -> str:
        """Return a name of generic words, `General Hospital`, under a name of its own."""
        first, *rest = words.split()
        return " ".join((like(first, self._name(fold(words), saint=False)), *rest))

    def _name(self, stem: str, *, saint: bool) -> str:
        if stem not in self._names:
            options = self.lists.saints if saint else self.lists.names
            key = self.key.narrow("institution", stem)
            walk = key.walk(options)
            free = (n for n in walk if (name := fold(n)) != stem and name not in self.avoid)
            put = first = next(free, options[0])
            if first in self._taken and saint not in self._spent:
                put = next((name for name in free if name not in self._taken), first)
                if put == first and all(
                    name in self._taken or fold(name) in self.avoid for name in options
                ):
                    self._spent.add(saint)
            self._names[stem] = put
            self._taken.add(put)
        return self._names[stem]

    def department(self, words: str) -> str:
        """Return another department of the same kind, or another number of a ward."""
        line = self.lists.departments.get(fold(words).strip("."))
        if line is not None:
            others = [name for name in line if fold(name) != fold(words)]
            fit = [name for name in others if name.isupper() == words.isupper()] or others
            return like(words, self.key.narrow("department", fold(words)).choice(fit))
        if any(c.isdigit() for c in words):
            key = self.key.narrow("ward", fold(words))
            return re.sub(r"\d+", lambda m: number(m[0], key), words)
        return self.name(words)

    def job(self, words: str) -> str:
        """Return another occupation that goes with the article in front of it, in number too."""
        folded = fold(words)
        many = folded.endswith("s") and not folded.endswith("ss")
        begins = folded.startswith(VOWELS)
        key = self.key.narrow("job", folded)
        options = [job for job in self.lists.jobs if job.startswith(VOWELS) == begins]
        free = [job for job in key.walk(options) if job not in folded and job not in self.avoid]
        chosen = (free or options)[0]
        return like(words, chosen + ("s" if many and not chosen.endswith("s") else ""))
