"""Compile the lists of the medical lexicon that come from open data; the others are by hand.

    python benchmarks/compile_medical.py ../shared/data/lists

Writes `drugs_open.txt` and `stems.txt` (dariusk/corpora, CC0, with stems of the WHO's stem book
that it lacks), and `also_names.txt`: names of the US census of 1990 (public domain), of the English
name lists (`compile_lexicons.py`) and of places (GeoNames, CC BY 4.0) that the lexicon would take
for medical. A word that is listed itself must be a common name to get there; a word that is only
near a term, or ends in a stem, need not be.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path

from phiscrub.lexicons.near import Near
from phiscrub.refine.medical_terms import LEAST_NEAR, LEAST_STEMMED, ROLES, cut

MEDICAL = Path(__file__).parents[1] / "src" / "phiscrub" / "data" / "lexicons" / "medical"
COMMON = 20_000  # surnames by rank
LEAST_STEM = 4  # letters
MORE_STEMS = """
    afenib aldrate amivir anib antrone ascorbic asone astine axaban azepam azolam azosin
    barbital bactam begron benakin brutinib buvir caine calcet cavir cefcapene ciclib ciclovir
    cillin cillide cogin coxib curium cyclovir dapsone degib dipine diene dralazine dronate
    eptakin ermin ertinib fenacin fibrate flurane formin fovir fungin gatran gepant gestrel
    giline gliflozin gliptin glitazone glutide grastim grel imibe imsulf inostat isomide ixaban
    kacin kinra lapine lefacon leukin listat lukast lutamide metacin metinib mycin nacept nazole
    nidazole nidine nitidine olone orexant oxacin oxetine ozocine parin parantag parib pamide
    pamil peridol peridone pezil piprazole plase platin poetin prazole pride pril prilat
    pristone profen quine quizone racetam rafenib relix ridine rinone ritide rsen sartan semide
    setron siran spirone stigmine sulfan tadine taxel tecan tegravir thiazide tidine tinib tocin
    toin tretinoin trexate trexed triptan triptyline tropium uridine vaptan vastatin vircaine
    virenz vudine zepam zolamide zolast zolid zomib zumab ximab tuzumab limumab kizumab nertant
"""

STATES = """
    al ak az ar ca co ct de fl ga hi id il in ia ks ky la me md ma mi mn ms mo mt ne nv nh nj nm
    ny nc nd oh ok or pa ri sc sd tn tx ut vt va wa wv wi wy dc pr
"""


def main() -> None:
    """Write the three lists."""
    lists = Path(sys.argv[1])
    medicine = lists / "corpora_cc0" / "medicine"
    drugs = json.loads((medicine / "drugs.json").read_text("utf-8"))["drugs"]
    write("drugs_open.txt", "dariusk/corpora, drugs.json (CC0), from the NLM drug portal", drugs)
    stems = json.loads((medicine / "drugNameStems.json").read_text("utf-8"))["stems"]
    endings = {s.strip("-") for s in stems if s.startswith("-") and not s.endswith("-")}
    endings = {s for s in endings | set(MORE_STEMS.split()) if len(s) >= LEAST_STEM and s.isalpha()}
    write("stems.txt", "Endings of drug names: dariusk/corpora (CC0), WHO stem book, FDA", endings)
    write("also_names.txt", "Compiled: names of people and places", also_names(lists, endings))


def also_names(lists: Path, endings: Iterable[str]) -> set[str]:
    """Return the names that the lexicon would take for terms."""
    roles = ROLES | {"things"}
    files = [f for f in MEDICAL.glob("*.txt") if f.stem not in roles]
    lines = {line for f in files for line in f.read_text("utf-8").splitlines() if line[0] != "#"}
    listed = {words[0] for line in lines if len(words := list(cut(line))) == 1}
    decided = set(cut((MEDICAL / "things.txt").read_text("utf-8")))  # by hand
    near = Near(listed | decided, LEAST_NEAR)
    ends = tuple(endings)
    common, rare = names(lists)
    stemmed = {n for n in common | rare if len(n) >= LEAST_STEMMED and n.endswith(ends)}
    close = {n for n in common | rare if n not in near and near.find(n)}
    return ((common & listed) | close | (stemmed - listed)) - decided


def names(lists: Path) -> tuple[set[str], set[str]]:
    """Return common and rare names, folded."""
    census = lists / "us_census_names" / "names"
    surnames = [line.split()[0].lower() for line in (census / "dist.all.last").open()]
    given = {
        line.split()[0].lower()
        for sex in ("male", "female")
        for line in (census / f"dist.{sex}.first").open()
    }
    places: set[str] = set()
    with (lists / "world_cities" / "data" / "world-cities.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            for words in (row["name"], row["subcountry"], row["country"]):
                places.update(cut(words))
    world: set[str] = set()  # compiled by compile_lexicons.py: a rank and its words a line
    for name in ("given.txt", "surname.txt"):
        lines = (MEDICAL.parent / "en" / name).read_text("utf-8").splitlines()
        world.update(word for line in lines for word in line.split()[1:])
    common = set(surnames[:COMMON]) | given | set(STATES.split())
    return common, {
        n for n in set(surnames[COMMON:]) | places | world if re.fullmatch(r"[^\W\d_]+", n)
    }


def write(name: str, source: str, terms: Iterable[str]) -> None:
    """Write one term a line under a line that says where they are from."""
    lines = [f"# {source}", *sorted(set(terms), key=lambda t: (t.lower(), t))]
    (MEDICAL / name).write_text("\n".join(lines) + "\n", "utf-8")
    print(f"{name}: {len(lines) - 1}")


if __name__ == "__main__":
    main()
