"""Text with identifiers marked in it, as the templates under ``data/synth`` are written.

``{PATIENT: Walker, [Ann|Tom]}`` marks words with a label; ``[she|he]`` holds what is said of a
woman and of a man. The patient of every template is Ann or Tom Walker, so that one note's
templates are about one person; like all words marked, the name is replaced by a surrogate.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from phiscrub.core.labels import label_set, renaming
from phiscrub.core.mention import Annotated
from phiscrub.replace.namelists import FEMALE, MALE
from phiscrub.replace.people import PART, fold
from phiscrub.replace.surrogates import HER, PRONOUN
from phiscrub.replace.titles import CREDENTIALS, PARTICLES, SUFFIXES, TITLES
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.edits import Mark

MARK = re.compile(r"\{([A-Za-z][\w-]*): ([^{}]+)\}")
SEXES = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
LANGUAGES = ("en", "es", "sv")
NOT_NAMES = TITLES | SUFFIXES | CREDENTIALS | PARTICLES


@dataclass(frozen=True, slots=True)
class Persona:
    """Whom templates are about: the sex, and the names that stand for the templates' own."""

    sex: str
    names: Mapping[str, str] = field(repr=False)

    @classmethod
    def of(cls, note: Annotated, patients: frozenset[str], draw: Draw) -> Persona:
        """Read the patient of a note: the fullest of the names marked so, and the pronouns.

        `patients` are the labels of whole names of patients. Where no name is marked the
        templates' own stands.
        """
        text = note.document.text
        said = [found[0].lower() in HER for found in PRONOUN.finditer(text)]
        she = 2 * sum(said) > len(said) if said else draw.happens(0.5)
        spans = [m.span for m in note.mentions if m.label in patients]
        whole = [parts for s in spans if len(parts := _parts(text[s.start : s.end])) > 1]
        names: dict[str, str] = {}
        if whole:
            given, surname = whole[0][0], whole[0][-1]
            for own, theirs in (("Ann", given), ("Tom", given), ("Walker", surname)):
                names |= {own: theirs, own.upper(): theirs.upper()}
        return cls(FEMALE if she else MALE, names)


def _parts(words: str) -> list[str]:
    """Return the words of a name, the given name first; none of a name that cannot be read."""
    before, comma, after = words.partition(",")
    turned = f"{after} {before}" if comma and PART.search(after) else words
    parts = [part for part in PART.findall(turned) if fold(part) not in NOT_NAMES and part[1:]]
    return [part.removesuffix("'s").removesuffix("’s") for part in parts]


@dataclass(frozen=True, slots=True)
class Template:
    """One template as it is written; its labels are of `label_set`."""

    words: str = field(repr=False)
    label_set: str

    def fill(self, persona: Persona, target: str) -> tuple[str, tuple[Mark, ...]]:
        """Return the text and its marks for a person, labels as another label set has them."""
        side = 1 if persona.sex == FEMALE else 2
        written = SEXES.sub(lambda found: found[side], self.words)
        names = renaming(label_set(self.label_set), label_set(target))
        text, marks, done = "", list[Mark](), 0
        for found in MARK.finditer(written):
            text += written[done : found.start()]
            words = PART.sub(lambda part: persona.names.get(part[0], part[0]), found[2])
            marks.append((len(text), len(text) + len(words), names[found[1]]))
            text += words
            done = found.end()
        return text + written[done:], tuple(marks)


@dataclass(frozen=True, slots=True)
class Rule:
    """Where in running text something is put in, and what: one of the templates.

    `at` is a regular expression, of which the whole match is replaced; `share` is of the places
    that it finds, of which `most` are taken in one note.
    """

    at: re.Pattern[str]
    put: tuple[Template, ...]
    share: float
    most: int


@dataclass(frozen=True, slots=True)
class Templates:
    """All templates of a language."""

    headers: tuple[Template, ...]
    greetings: tuple[Template, ...]
    signatures: tuple[Template, ...]
    footers: tuple[Template, ...]
    rules: tuple[Rule, ...]


def read_table(language: str, name: str) -> dict[str, Any]:
    """Read one of the files of a language, English where it has none of its own."""
    own = language if language in LANGUAGES else "en"
    file = resources.files("phiscrub") / "data" / "synth" / own / f"{name}.toml"
    return tomllib.loads(file.read_text("utf-8"))


@cache
def load_templates(language: str) -> Templates:
    """Load the shipped templates of a language."""
    blocks, phrases = read_table(language, "blocks"), read_table(language, "phrases")

    def all_of(kind: str) -> tuple[Template, ...]:
        return _templates(blocks[kind], blocks["labels"])

    rules = tuple(
        Rule(
            re.compile(row["at"], re.M),
            _templates(row["put"], phrases["labels"]),
            row["share"],
            row["most"],
        )
        for row in phrases["rule"]
    )
    return Templates(
        all_of("headers"), all_of("greetings"), all_of("signatures"), all_of("footers"), rules
    )


def _templates(lines: Sequence[str], labels: str) -> tuple[Template, ...]:
    return tuple(Template(line.strip("\n"), labels) for line in lines)
