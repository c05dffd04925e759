"""Makes the word lists in src/phiscrub/data/lexicons/en from open data beside the checkout.

    python benchmarks/compile_lexicons.py ../shared/data

Sources and licences: the README beside the lists.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections import Counter
from collections.abc import Container, Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "src" / "phiscrub" / "data" / "lexicons" / "en"
LOWER_WORD = re.compile(r"(?<![^\W_])[^\W\d_A-Z]{2,}(?![^\W_])")
ANY_WORD = re.compile(r"[^\W\d_]{3,}")
GIVEN_PERCENT = (0.04, 0.008)  # at least: rank 3, rank 2; else rank 1
SURNAME_PERCENT = (0.015, 0.003)
COMMON_COUNT = (30, 4)
MEDICAL_THINGS = (
    "anatomy",
    "devices",
    "drugs",
    "drugs_open",
    "labs",
    "organisms",
    "scores",
    "things",
)


def ranked(values: dict[str, float], limits: tuple[float, float]) -> dict[int, list[str]]:
    """Sort words into ranks 3, 2 and 1 by their value."""
    ranks: dict[int, list[str]] = {3: [], 2: [], 1: []}
    for word, value in values.items():
        ranks[3 if value >= limits[0] else 2 if value >= limits[1] else 1].append(word)
    return ranks


def write(name: str, ranks: dict[int, list[str]]) -> None:
    """Write a list: a rank and its words a line."""
    lines = [f"{rank} {' '.join(sorted(words))}" for rank, words in ranks.items() if words]
    (OUT / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print(name, {rank: len(words) for rank, words in ranks.items()})


def census(file: Path) -> Iterator[tuple[str, float]]:
    """Yield names in lower case with the percentage of people who bear them."""
    for line in file.read_text("ascii").splitlines():
        name, percent, *_ = line.split()
        yield name.lower(), float(percent)


def own(name: str) -> set[str]:
    """Read one of our own lists, kept beside this script."""
    lines = (Path(__file__).parent / "lexicons" / name).read_text("utf-8").splitlines()
    return {word for line in lines if not line.startswith("#") for word in line.split()}


def strings(value: object) -> Iterator[str]:
    """Yield every string in a JSON value, keys left out."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def prose(shared: Path) -> Iterator[str]:
    """Yield open English text: MTS-Dialog, ACI-Bench, Wikigold, WNUT17."""
    for file in sorted(shared.glob("mts_dialog/Main-Dataset/*.csv")):
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                yield from (row.get("section_text") or "", row.get("dialogue") or "")
    for file in sorted(shared.glob("aci_bench/data/**/*.csv")):
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                yield from (row.get("note") or "", row.get("dialogue") or "")
    for pattern in ("wikigold/CONLL-format/**/*.txt", "wnut17/**/*.conll"):
        for file in sorted(shared.glob(pattern)):
            lines_of = file.read_text("utf-8").splitlines()
            yield "\n".join(line.split()[0] for line in lines_of if line.strip().endswith("O"))


def common_words(shared: Path, names: Container[str]) -> dict[str, float]:
    """Count words that stand in lower case; a few dialogues are all in lower case, names too."""
    counts: Counter[str] = Counter()
    for text in prose(shared):
        words = LOWER_WORD.findall(text)
        cased = any(character.isupper() for character in text)
        counts.update(words if cased else [word for word in words if word not in names])
    jobs = strings(_json(shared / "lists" / "corpora_cc0" / "humans" / "occupations.json"))
    listed = {word for job in jobs for word in LOWER_WORD.findall(job)}
    listed |= own("words_that_are_names.txt")
    kept = {word: float(n) for word, n in counts.items() if word.isalpha()}
    charted = own("chart_words.txt")
    frequent = {word: max(float(COMMON_COUNT[1]), kept.get(word, 0.0)) for word in charted}
    return {**dict.fromkeys(listed, 1.0), **kept, **frequent}


def main(shared: Path) -> None:
    """Compile every list."""
    lists = shared / "lists"
    names = lists / "us_census_names" / "names"
    given: dict[str, float] = {}
    for sex in ("female", "male"):
        for name, percent in census(names / f"dist.{sex}.first"):
            given[name] = max(percent, given.get(name, 0.0))
    humans = lists / "corpora_cc0" / "humans"
    for name in (
        *own("given_world.txt"),
        *strings(_json(humans / "spanishFirstNames.json")["firstNames"]),
    ):
        for word in name.lower().split():
            if len(word) > 1:
                given[word] = max(GIVEN_PERCENT[1], given.get(word, 0.0))
    common = common_words(shared, given)
    medicine = own("medical_ours.txt")
    for file in sorted((lists / "corpora_cc0" / "medicine").glob("*.json")):
        if file.stem not in ("hospitals", "drugNameStems"):
            for text in strings(_json(file)):
                medicine |= set(map(str.lower, ANY_WORD.findall(text)))
    for file in sorted((OUT.parent / "medical").glob("*.txt")):
        if file.stem in MEDICAL_THINGS:
            medicine |= set(map(str.lower, ANY_WORD.findall(_without_comments(file))))
    medicine = {w for w in medicine if given.get(w, 0.0) < GIVEN_PERCENT[0]}
    with (lists / "world_cities" / "data" / "world-cities.csv").open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines))
    places = {
        row[key].lower() for row in rows for key in ("name", "country", "subcountry") if row[key]
    }
    write("given", ranked(given, GIVEN_PERCENT))
    write("surname", ranked(dict(census(names / "dist.all.last")), SURNAME_PERCENT))
    write("common", ranked(common, COMMON_COUNT))
    write("medical", {1: sorted(medicine - {"and", "the"})})
    write("place", {1: sorted(place for place in places if place.isalpha())})


def _without_comments(file: Path) -> str:
    lines = file.read_text("utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith("#"))


def _json(file: Path) -> dict[str, object]:
    data: dict[str, object] = json.loads(file.read_text("utf-8"))
    return data


if __name__ == "__main__":
    main(Path(sys.argv[1]))
