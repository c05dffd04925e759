"""Make the English gazetteers from the open lists: `python benchmarks/compile_gazetteers.py LISTS`.

LISTS is the folder with `world_cities`, `corpora_cc0` and `us_census_names`; beside it stand
`aci_bench`, `mts_dialog` and `wikigold`, whose lower-case words count as common. Writes
`cities.txt` (names that nothing else is called), `cities_weak.txt` (names that are also words,
surnames or first names, and so need evidence), `jobs.txt` and `common.txt` into
`src/phiscrub/data/gazetteers/en`. The other lists there are written by hand.
"""

from __future__ import annotations

import csv
import json
import re
import sys
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[1] / "src" / "phiscrub" / "data" / "gazetteers" / "en"
WORD = re.compile(r"[^\W\d_]+")
LOWER = re.compile(r"(?<![\w.'’-])[a-z]{2,}(?![\w'’-])")
LEAST_COUNT = 2  # of a lower-case word before it counts as common
SURNAMES = 20_000  # most frequent surnames of the census that make a city's name doubtful
FIRST_NAMES = 3_000
LARGE = 250_000  # people in a US city that is meant when its surname-like name stands alone
LEAST_LETTERS = 3  # of any city's name
SHORT = 4  # letters of a name that is too short to stand without evidence
# Large cities abroad whose names are also surnames in the United States.
KNOWN = (
    "London", "Paris", "Berlin", "Rome", "Vienna", "Dublin", "Manchester", "Birmingham",
    "Liverpool", "Glasgow", "Edinburgh", "Toronto", "Vancouver", "Sydney", "Melbourne",
    "Delhi", "Moscow", "Lagos", "Nairobi", "Boston", "Chicago", "Miami", "Seattle",
)  # fmt: skip
# Occupations that notes mostly name as members of the care team, or that say little alone.
CARE = frozenset({
    "nurse", "doctor", "physician", "surgeon", "therapist", "technician", "technologist",
    "aide", "assistant", "counselor", "pharmacist", "dentist", "hygienist", "paramedic",
    "midwife", "psychologist", "psychiatrist", "internist", "anesthesiologist", "obstetrician",
    "gynecologist", "pediatrician", "podiatrist", "optometrist", "audiologist", "nutritionist",
    "dietitian", "chiropractor", "orthodontist", "phlebotomist", "radiologist", "practitioner",
    "prosthodontist", "orthotist", "prosthetist", "coroner", "epidemiologist", "interpreter",
    "translator", "clergy", "pathologist", "specialist", "director", "manager", "supervisor",
    "worker", "attendant", "inspector", "operator", "agent", "officer", "clerk", "taper",
})  # fmt: skip


def main(lists: Path) -> None:
    """Write every list."""
    common = common_words(lists.parent)
    doubtful = common | set(surnames(lists)) | set(first_names(lists)) | medical(lists)
    large = {fold(name) for name in (*large_cities(lists), *KNOWN)}
    first = set(first_names(lists)[:300])
    strong, weak = set(), set()
    for name in cities(lists):
        words = fold(name).split()
        plain = all(word in doubtful or len(word) < SHORT for word in words)
        if fold(name) in large and not (len(words) == 1 and words[0] in first):
            plain = False
        (weak if plain else strong).add(name)
    folded = {fold(name) for name in strong}
    write("cities.txt", strong)
    write("cities_weak.txt", {name for name in weak if fold(name) not in folded})
    write("jobs.txt", jobs(lists))
    write("common.txt", {word for word in common if word.isascii()})


def fold(text: str) -> str:
    """Return lower-case letters without their marks."""
    parts = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in parts if not unicodedata.combining(c))


def write(name: str, terms: Iterable[str]) -> None:
    """Write one term a line, sorted."""
    ordered = sorted(set(terms), key=lambda term: (fold(term), term))
    (OUT / name).write_text("".join(f"{term}\n" for term in ordered), "utf-8")
    print(f"{name}: {len(ordered)}")


def load(lists: Path, name: str) -> Any:
    """Read one of the corpora lists."""
    return json.loads((lists / "corpora_cc0" / f"{name}.json").read_text("utf-8"))


def cities(lists: Path) -> set[str]:
    """Return every city's name, in letters of the Latin script."""
    with (lists / "world_cities/data/world-cities.csv").open(encoding="utf-8") as file:
        names = {row["name"] for row in csv.DictReader(file)}
    names |= {row["city"] for row in load(lists, "geography/us_cities")["cities"]}
    names |= {
        row["name"] for row in load(lists, "geography/canadian_municipalities")["municipalities"]
    }
    english = load(lists, "geography/english_towns_cities")
    names |= {*english["towns"], *english["cities"]}
    plain = {re.sub(r"\s*\(.*\)", "", name).strip() for name in names}
    fit = {name for name in plain if WORD.match(name) and "," not in name and name[0].isupper()}
    return {name for name in fit if len(name) >= LEAST_LETTERS}


def large_cities(lists: Path) -> Iterator[str]:
    """Yield the large cities of the United States."""
    for row in load(lists, "geography/us_cities")["cities"]:
        if row["population"] >= LARGE:
            yield row["city"]


def jobs(lists: Path) -> set[str]:
    """Return the occupations that are not those of the care team, nor too vague to stand alone."""
    names = {name.strip() for name in load(lists, "humans/occupations")["occupations"]}
    return {name for name in names if name.islower() and name.split()[-1] not in CARE}


def surnames(lists: Path) -> list[str]:
    """Return the most frequent surnames."""
    lines = (lists / "us_census_names/names/dist.all.last").read_text("ascii").splitlines()
    return [line.split()[0].lower() for line in lines[:SURNAMES]]


def first_names(lists: Path) -> list[str]:
    """Return the most frequent first names, the most frequent first."""
    rows: Counter[str] = Counter()
    for sex in ("male", "female"):
        file = lists / f"us_census_names/names/dist.{sex}.first"
        for line in file.read_text("ascii").splitlines():
            name, share = line.split()[:2]
            rows[name.lower()] += float(share)  # type: ignore[assignment]
    return [name for name, _ in rows.most_common(FIRST_NAMES)]


def medical(lists: Path) -> set[str]:
    """Return the words of drug, disease, symptom and body-part names."""
    found: set[str] = set()
    for name in ("drugs", "diseases", "symptoms", "infectious_diseases", "cancer", "diagnoses"):
        text = json.dumps(load(lists, f"medicine/{name}"), ensure_ascii=False)
        found |= {fold(word) for word in WORD.findall(text)}
    return found


def common_words(data: Path) -> set[str]:
    """Return the words that the open notes and Wikipedia text write in small letters."""
    csv.field_size_limit(sys.maxsize)
    counts: Counter[str] = Counter()
    for folder in ("aci_bench", "mts_dialog"):
        for file in sorted((data / folder).rglob("*.csv")):
            counts.update(LOWER.findall(file.read_text("utf-8")))
    for file in sorted((data / "wikigold").rglob("*.txt")):
        counts.update(LOWER.findall(file.read_text("utf-8")))
    return {word for word, count in counts.items() if count >= LEAST_COUNT}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
