"""Makes the lists of common US names that surrogates are taken from, and given names by sex.

python benchmarks/compile_surrogates.py ../shared/data/lists
Source: US census 1990 (public domain). Left out: names that are also words.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent.parent / "src/phiscrub/data"
GIVEN, SURNAMES, RATIO = 320, 900, 8
SHORTEST = 4  # letters of a name


def frequencies(file: Path) -> dict[str, float]:
    """Return the share in percent of each name of a census file."""
    rows = (line.split() for line in file.read_text().splitlines())
    return {row[0].lower(): float(row[1]) for row in rows}


def words() -> set[str]:
    """Return words of other meaning: common ones of ranks 2 and 3, medicine, places."""
    found: set[str] = set()
    for name in ("common", "medical"):
        for line in (HERE / f"lexicons/en/{name}.txt").read_text("utf-8").splitlines():
            if not line.startswith("#"):
                found |= set(line.split()[1:])
    return found


def written(name: str) -> str:
    """Return a name with its capitals: `McCarthy`."""
    return f"Mc{name[2:].title()}" if name.startswith("mc") else name.title()


def main() -> None:
    """Write the lists from the census files in the folder that is given."""
    lists = Path(sys.argv[1]) / "us_census_names/names"
    female = frequencies(lists / "dist.female.first")
    male = frequencies(lists / "dist.male.first")
    surname = frequencies(lists / "dist.all.last")
    other = words()

    def only(mine: dict[str, float], theirs: dict[str, float]) -> list[str]:
        return [n for n, share in mine.items() if share > RATIO * theirs.get(n, 0)]

    def fit(names: list[str], most: int) -> str:
        kept = [written(n) for n in names if n not in other and len(n) >= SHORTEST]
        return " ".join(sorted(kept[:most]))

    head = "# US census 1990, public domain; made by benchmarks/compile_surrogates.py\n"
    lone = [n for n in surname if n not in female and n not in male]
    (HERE / "surrogates/names/american.toml").write_text(
        head
        + f'female = """\n{fit(only(female, male), GIVEN)}\n"""\n'
        + f'male = """\n{fit(only(male, female), GIVEN)}\n"""\n'
        + f'surname = """\n{fit(lone, SURNAMES)}\n"""\n',
        "utf-8",
    )
    sexes = {"female": only(female, male), "male": only(male, female)}
    lines = (f'{sex} = """\n{" ".join(sorted(names))}\n"""\n' for sex, names in sexes.items())
    (HERE / "surrogates/sexes.toml").write_text(head + "".join(lines), "utf-8")


if __name__ == "__main__":
    main()
