"""Makes the Spanish safe lists in src/phiscrub/data/inverse/es: words that notes write of nobody.

    python benchmarks/compile_inverse.py ../shared/data

`common.txt` holds words of MEDDOCAN's training notes (CC BY 4.0, PlanTL-GOB-ES); no word that only
one note has, and none that stands with a capital within sentences. `medical.txt` holds the terms of
data/usefulness/es.toml, which are ours.
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from phiscrub.core.mention import Annotated
from phiscrub.formats.annotated import read_annotated

DATA = Path(__file__).parent.parent / "src" / "phiscrub" / "data"
OUT = DATA / "inverse" / "es"
WORD = re.compile(r"[^\W\d_]{2,}")
FEWEST_NOTES = 2
MOST_PHI = 0.02  # of a word's occurrences
LEAST_SMALL = 0.5  # of a word's occurrences are in small letters, or it may be a name


def common(notes: Iterable[Annotated]) -> list[str]:
    """Return words in small letters that stand outside gold mentions in several notes."""
    outside, inside, small, whole = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for note in notes:
        text = note.document.text
        golden = bytearray(len(text))
        for mention in note.mentions:
            golden[mention.span.start : mention.span.end] = b"\1" * len(mention.span)
        seen = set()
        for found in WORD.finditer(text):
            word = found[0].lower()
            whole[word] += 1
            if golden[found.start()]:
                inside[word] += 1
            else:
                seen.add(word)
                small[word] += found[0].islower()
        outside.update(seen)
    return sorted(
        word
        for word, count in outside.items()
        if count >= FEWEST_NOTES
        and inside[word] <= MOST_PHI * whole[word]
        and small[word] >= LEAST_SMALL * (whole[word] - inside[word])
    )


def medical() -> list[str]:
    """Return the terms of findings, drugs and results that are ours."""
    table = tomllib.loads((DATA / "usefulness" / "es.toml").read_text("utf-8"))
    return sorted({term for kind in table["kind"] for term in kind.get("terms", ())})


def write(name: str, head: str, terms: Iterable[str]) -> None:
    """Write a list, a term a line."""
    lines = [f"# {head}", *terms]
    (OUT / f"{name}.txt").write_text("\n".join(lines) + "\n", "utf-8")
    print(name, len(lines) - 1)


def main() -> None:
    """Write both lists."""
    gold = read_annotated(Path(sys.argv[1]) / "meddocan" / "train" / "xml")
    about = f"words of {FEWEST_NOTES} or more MEDDOCAN training notes (CC BY 4.0) outside its marks"
    write("common", about, common(gold.values()))
    write("medical", "drugs, findings and results; the terms of usefulness/es.toml", medical())


if __name__ == "__main__":
    main()
