"""Make the lists of known hospitals and organisations: `python benchmarks/compile_institutions.py`.

Reads `benchmarks/lexicons/institutions.tsv` (label, `strong` or `weak`, name; written for this
project, facts of the world) and writes `hospitals.txt`, `organizations.txt` and their weak lists,
of names that need a word such as `at` before them, into `src/phiscrub/data/gazetteers/en`. A
name that is also a word, a town or a person's name is weak, whatever its line says, and one of
three letters or fewer. The notes that the shipped English CRF has learned from tell what a name
mostly means there: one that mostly means something else, a maker or a test's name say, is left
out, and so is a weak one that is also a town or a person's name and is never met as an
institution.
"""

from __future__ import annotations

import json
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator

from compile_gazetteers import OUT, fold, write
from model_data import data_of
from pages import HERE, ROOT

from phiscrub.core.mention import Annotated
from phiscrub.lexicons.phrases import Phrases
from phiscrub.lexicons.words import load_words
from phiscrub.tokenize.clinical import Clinical

LISTED = HERE / "lexicons" / "institutions.tsv"
LEARNED = ROOT / "src" / "phiscrub" / "data" / "models" / "en-crf" / "manifest.json"
LEXICONS = OUT.parents[1] / "lexicons" / "en"
FILES = {"HOSPITAL": "hospitals", "ORGANIZATION": "organizations"}
SHORT = 3  # letters of a name that is too short to stand without evidence


def main() -> None:
    """Write all four lists."""
    rows = [line.split("\t") for line in LISTED.read_text("utf-8").splitlines()]
    known = {fold(name) for name in by_hand()}
    names = {(label, name) for label, _, name in rows if fold(name) not in known}
    doubted = {(label, name) for label, strength, name in rows if strength == "weak"}
    meant, other = met(names)
    twice = {fold(word) for name in ("given", "surname") for word in load_words(LEXICONS, name)}
    twice |= lines("cities.txt", "cities_weak.txt", "towns.txt", "towns_weak.txt")
    plain = {fold(word) for name in ("common", "medical") for word in load_words(LEXICONS, name)}
    plain |= lines("common.txt") | twice
    for label, file in FILES.items():
        own = {name for kind, name in names if kind == label}
        fit = {name for name in own if other[label, name] <= meant[label, name]}
        weak = {
            name
            for name in fit
            if (label, name) in doubted or len(name) <= SHORT or fold(name) in plain
        }
        lost = {name for name in weak if fold(name) in twice and not meant[label, name]}
        write(f"{file}.txt", fit - weak)
        write(f"{file}_weak.txt", weak - lost)


def by_hand() -> Iterator[str]:
    """Yield the names that `lists.toml` holds."""
    terms = tomllib.loads((OUT / "lists.toml").read_text("utf-8"))["terms"]
    for kind in ("hospital", "hospital_weak", "organization", "organization_weak"):
        yield from terms[kind]


def lines(*files: str) -> set[str]:
    """Return the folded lines of gazetteers."""
    return {fold(line) for file in files for line in (OUT / file).read_text("utf-8").splitlines()}


def met(names: Iterable[tuple[str, str]]) -> tuple[Counter[tuple[str, str]], ...]:
    """Count how often each name, with a capital, is in a mention of its label, and how often not.

    Counted in the notes that the shipped model has learned from.
    """
    phrases = Phrases((name, f"{label}:{name}") for label, name in names)
    meant, other = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    learned = {entry["name"] for entry in json.loads(LEARNED.read_text("utf-8"))["data"]}
    for corpus in data_of("en").whole:
        if corpus.name in learned:
            for label, name, is_meant in (
                hit for note in corpus.notes for hit in hits(phrases, note)
            ):
                (meant if is_meant else other)[label, name] += 1
    return meant, other


def hits(phrases: Phrases, note: Annotated) -> Iterator[tuple[str, str, bool]]:
    """Yield label and name of each listed name in a note, and whether a mention says so too."""
    (cut,) = Clinical().tokenize([note.document])
    text = note.document.text
    places = list(zip(*cut.tokens.offsets(), strict=True))
    for hit in phrases.find([text[start:end] for start, end in places]):
        start, end = places[hit.first][0], places[hit.last - 1][1]
        if text[start].islower():
            continue
        labels = {
            mention.label
            for mention in note.mentions
            if mention.span.start < end and start < mention.span.end
        }
        for kind in hit.kinds:
            label, _, name = kind.partition(":")
            yield label, name, label in labels


if __name__ == "__main__":
    main()
