"""Hospitals, departments, organisations and occupations of one note."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources

from phiscrub.replace import jobs
from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import number
from phiscrub.replace.people import fold

WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?|&")
SAINT = re.compile(r"(?:st\.?|saint|san|santa)$", re.I)
THE = re.compile(r"^\s*the\s+", re.I)
NOT_NAME = re.compile(r"[,;:(\[/]")  # behind it stands a town or an acronym
LEAST_ACRONYM, LONGEST_ACRONYM = 2, 6
SMALL_WORD = 3  # `på`, `aan`: small words between those of a name
NAMING_WORDS = 2  # of a name, at most; what else names is left out
LEAST_STEM = 1  # letters before an ending, but for one
ARTICLE = re.compile(r"e?n$")  # Swedish: `Klinten` is the `Klint` of `Klintskolan`
LINKS = frozenset(
    (
        *("of", "for", "the", "at", "on", "in", "and", "&", "de", "del", "la", "las", "los", "el"),
        *("y", "da", "do", "van", "der", "och", "i"),
    )
)
DANGLING = re.compile(r"\s*(?:&|\b(?:de|del|of|and|y))(?=\s*(?:[,.]|$))")
ARTICLES = {"la": "la", "las": "las", "los": "los", "el": "el", "del": "el"}
WARD_LETTERS = 2
SIDES = ("north", "south", "east", "west")
SIDE = re.compile(rf"(\d+\s*)({'|'.join(SIDES)})", re.I)
PLURAL = re.compile(r"(?<=[^\W\d_sS])(['’])(?=\s)")  # `Sisters'` is now `Kestrel's`


@dataclass(frozen=True, slots=True)
class UnitLists:
    """Words that say what an institution is, names for it, departments and occupations.

    `endings`, by themselves folded, say it within a word: `Vasaskolan`. `after` are the names that
    fit behind `Santa` and behind a Spanish article.
    """

    generic: frozenset[str]
    endings: Mapping[str, str]
    names: tuple[str, ...]
    saints: tuple[str, ...]
    after: Mapping[str, tuple[str, ...]]
    departments: Mapping[str, tuple[str, ...]]
    jobs: tuple[str, ...]
    language: str

    @classmethod
    def load(cls, language: str) -> UnitLists:
        """Load the lists of a language."""
        file = resources.files("phiscrub") / "data" / "surrogates" / "units.toml"
        data = tomllib.loads(file.read_text("utf-8"))
        departments: dict[str, tuple[str, ...]] = {}
        for line in data["departments"]["lines"]:
            names = tuple(name.strip() for name in line.split("|"))
            departments |= {fold(name): names for name in names}
        after = data["saints_after"] | data["names_after"]
        occupations = data["jobs"].get(language, data["jobs"]["en"])
        return cls(
            generic=frozenset(map(fold, data["generic"].split())),
            endings={fold(end): end for end in data["endings"].get(language, "").split()},
            names=tuple(data["names_of"].get(language, data["names"]).split()),
            saints=tuple(data["saints_of"].get(language, data["saints"]).split()),
            after={
                w: tuple(ns.split()) for w, ns in after.items() if language == "es" or w == "santa"
            },
            departments=departments,
            jobs=tuple(job.replace("_", " ") for job in occupations.split()),
            language=language,
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
    _spent: set[str] = field(default_factory=set)  # kinds of names of which none is left

    def learn(self, words: Sequence[str]) -> None:
        """Take in every name of the note, so that `MGH` fits the full name beside it."""
        for one in words:
            full = NOT_NAME.split(THE.sub("", one, count=1), maxsplit=1)[0].strip()
            for initials in (_initials(full), _initials(full.replace("-", " "))):
                if len(full.split()) > 1 and LEAST_ACRONYM <= len(initials) <= LONGEST_ACRONYM:
                    put = _initials(self.name(full))
                    if put != initials:
                        self._acronyms[initials] = put

    def _acronym(self, words: str) -> str:
        """Return what stands for the acronym of a full name, with dots as it has, else ``."""
        bare = words.replace(".", "")
        put = self._acronyms.get(bare.upper(), "")
        if "." in words.rstrip("."):
            put = ".".join(put)
        return like(bare, put) + "." * (bool(put) and words.endswith("."))

    def name(self, words: str) -> str:
        """Return the name that stands for an institution's; what kind it is stays."""
        if acronym := self._acronym(words):
            return acronym
        bare = words.strip(".")
        if (
            bare.isupper()
            and bare.isalpha()
            and len(bare) <= LONGEST_ACRONYM
            and fold(bare) not in self.lists.generic
        ):
            return number(words, self.key)
        if side := SIDE.fullmatch(words):
            return self._side(side)
        put: list[str] = []
        done, named, before = 0, 0, ""
        for found in WORD.finditer(words):
            between = words[done : found.start()]
            done = found.end()
            plain = fold(found[0]).strip(".")
            ending = "'s" if plain.endswith(("'s", "’s")) else ""
            small = found[0].islower() and len(found[0]) <= SMALL_WORD and not words.islower()
            if plain in self.lists.generic or plain in self.lists.endings or small:
                put += (between, found[0])
                before = plain
                continue
            if acronym := self._acronyms.get(found[0], ""):
                put += (between, acronym)
                continue
            lone = found[0].isupper() and not words.isupper() and len(plain) <= LONGEST_ACRONYM
            if lone and not found[0].endswith("."):
                put += (between, number(found[0], self.key))
                continue
            beside = words[max(0, found.start() - 1) : found.start()] + words[done : done + 1]
            if len(plain) <= WARD_LETTERS and any(map(str.isdigit, beside)):
                put += (between, number(found[0], self.key.narrow("ward")))
                continue
            if named >= NAMING_WORDS:
                while put and (fold(put[-1]) in LINKS or SAINT.match(put[-1])):
                    del put[-2:]
                continue
            named += 1
            stem = plain.removesuffix("'s").removesuffix("’s")
            surrogate = (
                self.towns.get(stem) or self._compound(stem) or self._name(stem, before=before)
            )
            put += (between, like(found[0], surrogate) + (like(found[0], ending) if ending else ""))
            before = ""
        put.append(words[done:])
        text = PLURAL.sub(r"\1S" if words.isupper() else r"\1s", "".join(put))
        text = DANGLING.sub("", text)
        text = re.sub(r"\d+", lambda m: number(m[0], self.key.narrow("in a name")), text)
        if fold(text) == fold(words):
            return (
                f"{like(words, self._name(fold(words)))} {words}"
                if not named and len(words.split()) == 1
                else self._swapped(words)
            )
        return text if text.strip() else self._swapped(words)  # were there but link words

    def _compound(self, stem: str) -> str:
        """Return another name before the ending that says what it is, `` for a word with none."""
        for folded, ending in self.lists.endings.items():
            if len(stem) > len(folded) + LEAST_STEM and stem.endswith(folded):
                name = self._name(stem.removesuffix(folded))
                return ARTICLE.sub("", name) + ending
        return ""

    def _swapped(self, words: str) -> str:
        """Return a name of generic words, `General Hospital`, under a name of its own."""
        first, *rest = words.split() or [words]
        return " ".join((like(first, self._name(fold(words))), *rest))

    def _name(self, stem: str, *, before: str = "") -> str:
        """Return the name that stands for one; `before` is the small word in front of it."""
        if stem not in self._names:
            kind = ARTICLES.get(before, "santa" if before == "santa" else "")
            saint = kind not in self.lists.after and SAINT.match(before)
            options = self.lists.saints if saint else self.lists.after.get(kind, self.lists.names)
            key = self.key.narrow("institution", stem)
            walk = key.walk(options)
            others = (n for n in walk if fold(n)[0] != stem[:1])  # nor does an acronym stay
            free = (name for name in others if fold(name) not in self.avoid)
            put = first = next(free, options[0])
            if first in self._taken and options[0] not in self._spent:
                put = next((name for name in free if name not in self._taken), first)
                if put == first and all(
                    name in self._taken or fold(name) in self.avoid for name in options
                ):
                    self._spent.add(options[0])
            self._names[stem] = put
            self._taken.add(put)
        return self._names[stem]

    def _side(self, found: re.Match[str]) -> str:
        """Return another wing of another floor: `4 South`."""
        key = self.key.narrow("side", fold(found[0]))
        side = key.choice([side for side in SIDES if side != fold(found[2])])
        side = side.capitalize() if found[2].istitle() else like(found[2], side)
        return re.sub(r"\d+", lambda m: number(m[0], key), found[1]) + side

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
        """Return another occupation."""
        spanish = self.lists.language == "es"
        return jobs.another(words, self.lists.jobs, self.key, self.avoid, spanish=spanish)


def _initials(words: str) -> str:
    """Return the first letters of words with a capital, of all where none has one."""
    found = WORD.findall(words)
    return "".join(w[0] for w in found if w[0].isupper() or words.islower()).upper()
