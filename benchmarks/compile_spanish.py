"""Makes the word lists in src/phiscrub/data/lexicons/es from open data beside the checkout.

    python benchmarks/compile_spanish.py ../shared/data

Sources and licences: the README beside the lists.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from phiscrub.core.mention import Annotated
from phiscrub.formats.annotated import read_annotated

HERE = Path(__file__).parent
DATA = HERE.parent / "src" / "phiscrub" / "data"
OUT = DATA / "lexicons" / "es"
WORD = re.compile(r"[^\W\d_]{2,}")
COMMON_COUNT = (30, 6)  # of a word in small letters: rank 3, rank 2; else rank 1
FEWEST_NOTES = 2
MOST_PHI = 0.3  # of a word's occurrences, as a surname may be a word too
NAMEABLE = 2  # rank of a word of ours that is a name too
LANDS = frozenset(
    [
        "Spain",
        "Mexico",
        "Argentina",
        "Colombia",
        "Chile",
        "Peru",
        "Venezuela",
        "Ecuador",
        "Guatemala",
        "Cuba",
        "Bolivia",
        "Dominican Republic",
        "Honduras",
        "Paraguay",
        "El Salvador",
        "Nicaragua",
        "Costa Rica",
        "Panama",
        "Uruguay",
        "Puerto Rico",
        "Equatorial Guinea",
    ]
)
THINGS = ("anatomy", "devices", "drugs", "drugs_open", "labs", "organisms", "scores", "eponyms")


def plain(word: str) -> str:
    """Return a word without accents; `ñ` and `ü` lose theirs too."""
    parts = unicodedata.normalize("NFD", word)
    return "".join(part for part in parts if not unicodedata.combining(part))


def ours(name: str) -> list[str]:
    """Read the lines of one of our own lists, kept beside this script."""
    lines = (HERE / "lexicons" / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def terms(path: str) -> Iterable[str]:
    """Yield the words of a list that ships, in small letters, comments left out."""
    for line in (DATA / f"{path}.txt").read_text("utf-8").splitlines():
        if not line.startswith("#"):
            yield from map(str.lower, WORD.findall(line))


def names(own: str, *more: Iterable[str]) -> dict[str, int]:
    """Return names, with and without accents, and their ranks; of two the higher."""
    ranks: dict[str, int] = {}
    for line in ours(own):
        rank, *words = line.split()
        for word in words:
            ranks[word] = max(int(rank), ranks.get(word, 0))
    for word in (word for words in more for word in words):
        ranks.setdefault(word, 1)
    for word, rank in list(ranks.items()):
        ranks[plain(word)] = max(rank, ranks.get(plain(word), 0))
    return ranks


def counted(notes: Iterable[Annotated]) -> dict[str, int]:
    """Return words that notes write in small letters outside gold mentions, and their ranks."""
    outside, inside, within = Counter[str](), Counter[str](), Counter[str]()
    for note in notes:
        text, golden = note.document.text, bytearray(len(note.document.text))
        for mention in note.mentions:
            golden[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
        seen = set()
        for found in WORD.finditer(text):
            word = found[0].lower()
            if any(golden[found.start() : found.end()]):
                inside[word] += 1
            elif found[0].islower():
                outside[word] += 1
                seen.add(word)
        within.update(seen)
    return {
        word: 3 if count >= COMMON_COUNT[0] else 2 if count >= COMMON_COUNT[1] else 1
        for word, count in outside.items()
        if within[word] >= FEWEST_NOTES and inside[word] <= MOST_PHI * (count + inside[word])
    }


def write(name: str, ranks: dict[str, int]) -> None:
    """Write a list: a rank and its words a line."""
    lines = (
        f"{rank} {' '.join(sorted(word for word in ranks if ranks[word] == rank))}"
        for rank in sorted(set(ranks.values()), reverse=True)
    )
    (OUT / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print(name, Counter(ranks.values()))


def places(shared: Path) -> set[str]:
    """Return towns and regions where Spanish is spoken."""
    file = shared / "lists" / "world_cities" / "data" / "world-cities.csv"
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["country"] in LANDS]
    return {row[key] for row in rows for key in ("name", "subcountry")}


def write_terms(name: str, about: str, words: Iterable[str]) -> None:
    """Write a list of the pack `es/world`: a term a line."""
    text = "\n".join([f"# {about}", *sorted(words)])
    (DATA / "packs" / "es" / "world" / "terms" / f"{name}.txt").write_text(text + "\n", "utf-8")


def main(shared: Path) -> None:
    """Compile every list."""
    humans = shared / "lists" / "corpora_cc0" / "humans"
    first, last = (
        [
            word.lower()
            for name in json.loads((humans / f"spanish{kind}Names.json").read_text("utf-8"))[
                f"{kind.lower()}Names"
            ]
            for word in WORD.findall(name)
        ]
        for kind in ("First", "Last")
    )
    given = names("given_es", first, terms("packs/es/people/terms/given_names"))
    surname = names("surname_es", last, terms("packs/es/people/terms/surnames"))
    common = counted(read_annotated(shared / "meddocan" / "train" / "xml").values())
    for word in (word for line in ours("words_es") for word in line.lower().split()):
        rank = NAMEABLE if word in given or word in surname else len(COMMON_COUNT) + 1
        common[word] = max(rank, common.get(word, 0)) if rank > NAMEABLE else rank
        bare = plain(word)
        if bare not in given and bare not in surname:
            common.setdefault(bare, common[word])
    for path in ("packs/es/people/terms/jobs", "inverse/es/professions", "inverse/es/kin"):
        for word in terms(path):
            common.setdefault(word, 1)
    medical = {word for line in ours("medical_es") for word in line.lower().split()}
    medical |= set(terms("inverse/es/medical"))
    for file in THINGS:
        medical |= set(terms(f"lexicons/medical/{file}"))
    medical = {word for word in medical if given.get(word, 0) <= 1 and surname.get(word, 0) <= 1}
    write("given", given)
    write("surname", surname)
    write("common", common)
    write("medical", dict.fromkeys(medical | set(map(plain, medical)), 1))
    towns = places(shared)
    towns |= set(map(plain, towns))
    one = {town for town in towns if WORD.fullmatch(town)}
    write("place", dict.fromkeys((town.lower() for town in one), 1))
    also = given.keys() | surname.keys() | common.keys() | medical
    weak = {town for town in one if town.lower() in also}
    many = {town for town in towns - one if "(" not in town and town[0].isupper()}
    source = "towns and regions where Spanish is spoken; GeoNames, CC BY 4.0"
    write_terms("towns_one", source, one - weak)
    write_terms("towns_weak", f"{source}; also names of people or words", weak)
    write_terms("towns_many", source, many)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
