"""Makes the list of towns whose state is known, so that both get surrogates that fit.

python benchmarks/compile_states.py ../shared/data/lists
Source: GeoNames, places over 15,000 (CC BY 4.0). American towns by state, and Spanish ones of the
communities that are one province. Left out: names that several of them have, but for a few that
mean one by far the largest.
"""

from __future__ import annotations

import csv
import sys
import tomllib
from collections import defaultdict
from pathlib import Path

HERE = Path(__file__).parent.parent / "src/phiscrub/data/surrogates"
COUNTRIES = {"United States": "us", "Spain": "es"}
PROVINCES = {"Madrid": "MAD", "Asturias": "AST", "Cantabria": "CAN", "La Rioja": "RIO"}
PROVINCES |= {"Navarre": "NAV", "Murcia": "MUR", "Balearic Islands": "BAL"}
CHIEF = {"Dallas": "TX", "Austin": "TX", "Columbus": "OH", "Louisville": "KY", "Fresno": "CA"}
CHIEF |= {"Kansas City": "MO", "Long Beach": "CA", "Cleveland": "OH", "Buffalo": "NY"}
CHIEF |= {"Des Moines": "IA", "New Haven": "CT", "Birmingham": "AL", "Newark": "NJ"}
HEAD = "# Towns by state. GeoNames, CC BY 4.0; made by benchmarks/compile_states.py\n"


def main(lists: Path) -> None:
    """Write `towns.toml`."""
    places = tomllib.loads((HERE / "places.toml").read_text("utf-8"))
    rows = [line.split("|") for line in places["us"]["regions"].strip().splitlines()]
    codes = {"us": {row[1].strip(): row[0].strip() for row in rows}, "es": PROVINCES}
    found: dict[str, dict[str, set[str]]] = {country: defaultdict(set) for country in codes}
    with (lists / "world_cities/data/world-cities.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            country = COUNTRIES.get(row["country"], "")
            code = codes.get(country, {}).get(row["subcountry"])
            if code:
                found[country][row["name"]].add(code)
    lines = [HEAD]
    for country, towns in found.items():
        lines.append(f"[{country}]\n")
        for code in sorted(set(codes[country].values())):
            names = sorted(
                name
                for name, homes in towns.items()
                if homes == {code} or (country, CHIEF.get(name)) == ("us", code)
            )
            if names:
                lines.append(f'{code} = "{"|".join(names)}"\n')
    (HERE / "towns.toml").write_text("".join(lines), "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
