"""Text with identifiers marked in it, as the templates under ``data/synth`` are written.

``{PATIENT: Walker, [Ann|Tom]}`` marks words with a label; ``[she|he]`` holds what is said of a
woman and of a man. The patient of every template is Ann or Tom Walker, 58 years old on September 2,
2019 and born on March 14, 1961; for another persona names, ages and years change along. Words in
front tell for whom a template is: `(us)` and `(uk)`, in whose own order dates then are, `(18+)`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Any

from phiscrub.core.labels import label_set, renaming
from phiscrub.replace.namelists import FEMALE
from phiscrub.replace.people import PART
from phiscrub.synthesize.edits import Mark
from phiscrub.synthesize.persona import OWN_AGE, OWN_BIRTH, Persona, years_in

MARK = re.compile(r"\{([A-Za-z][\w-]*): ([^{}]+)\}")
SEXES = re.compile(r"\[([^\[\]|]*)\|([^\[\]|]*)\]")
FOR = re.compile(r"\s*\((?:(?P<country>us|uk)|(?P<least>\d+)\+)\) ?")
MOST_YEARS = 95  # of anybody whom a template names
LANGUAGES = ("en", "es", "sv")


@dataclass(frozen=True, slots=True)
class Template:
    """One template as it is written; its labels are of `label_set`.

    It is for patients of a country, if one is named, of `least` years and more. `ages` and `years`
    are those that its marks name; with `job` it says what the patient does.
    """

    words: str = field(repr=False)
    label_set: str
    country: str = ""
    least: int = 0
    ages: tuple[int, ...] = ()
    years: tuple[int, ...] = ()
    job: bool = False

    @classmethod
    def read(cls, line: str, labels: str) -> Template:
        """Read a template with the words in front that tell for whom it is."""
        country, least = "", 0
        while found := FOR.match(line):
            country, least = found["country"] or country, int(found["least"] or least)
            line = line[found.end() :]
        hubs = label_set(labels).to_hub
        marks = [(hubs.get(found[1]), found[2]) for found in MARK.finditer(line)]
        job = any(hub == "PROFESSION" for hub, _ in marks)
        ages = [int(n) for hub, said in marks if hub == "AGE" for n in re.findall(r"\d+", said)]
        years = [year for hub, said in marks if hub == "DATE" for year in years_in(said)]
        return cls(line, labels, country, least, tuple(ages), tuple(years), job)

    def suits(self, persona: Persona) -> bool:
        """Tell whether the template may be said of a persona: nobody is unborn, none too old."""
        if self.country not in ("", persona.country) or persona.age < self.least:
            return False
        ages = [persona.age + age - OWN_AGE for age in self.ages]
        born = persona.year_of(OWN_BIRTH)
        most = max(MOST_YEARS, persona.age)
        return all(1 <= age <= most for age in ages) and all(
            persona.year_of(year) >= born for year in self.years
        )

    def fill(self, persona: Persona, target: str) -> tuple[str, tuple[Mark, ...]]:
        """Return the text and its marks for a person, labels as another label set has them."""
        side = 1 if persona.sex == FEMALE else 2
        written = SEXES.sub(lambda found: found[side], self.words)
        own = label_set(self.label_set)
        names = renaming(own, label_set(target))
        text, marks, done = "", list[Mark](), 0
        for found in MARK.finditer(written):
            text += written[done : found.start()]
            words, hub = found[2], own.to_hub.get(found[1])
            if hub == "AGE":
                words = persona.aged(words)
            elif hub == "DATE":
                words = persona.dated(words, month_first=not self.country)
            else:
                words = PART.sub(lambda part: persona.names.get(part[0], part[0]), words)
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

    language: str
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
        return _templates((block.strip("\n") for block in blocks[kind]), blocks["labels"])

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
        language,
        all_of("headers"),
        all_of("greetings"),
        all_of("signatures"),
        all_of("footers"),
        rules,
    )


def _templates(lines: Iterable[str], labels: str) -> tuple[Template, ...]:
    return tuple(Template.read(line, labels) for line in lines)
