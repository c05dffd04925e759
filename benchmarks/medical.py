"""Look-ups a second of the medical terms: paper 2 asks 100,000 of a dictionary of 100,000 terms.

Run: python benchmarks/medical.py [--data FOLDER]
Writes benchmarks/results/medical.json. Our own lists are smaller; the larger one is made of their
words, two and three together, so that it has the form of terms and not their sense. A look-up is a
word of a visit note, marked as a name, with all that decides whether it stays.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pages import DATA, HERE, ROOT

from embeddings import english
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.refine.medical import Medical, Told
from phiscrub.refine.medical_terms import ROLES, MedicalTerms
from phiscrub.tokenize.registry import get_tokenizer

LISTS = ROOT / "src" / "phiscrub" / "data" / "lexicons" / "medical"
RESULTS = HERE / "results" / "medical.json"
TERMS = 100_000
NOTES = 300
ROUNDS = 3


def words(folder: Path) -> list[str]:
    """Return the terms of the lists that hold nothing else."""
    files = sorted(file for file in folder.glob("*.txt") if file.stem not in ROLES)
    lines = (line for file in files for line in file.read_text("utf-8").splitlines())
    return sorted({line for line in lines if line and not line.startswith("#")})


def enlarged(folder: Path) -> Path:
    """Write the lists and another, so that there are `TERMS` terms; return the folder."""
    shutil.copytree(LISTS, folder)
    own = words(LISTS)
    single = sorted({word for term in own for word in term.split() if word.isalpha()})
    chosen, made = random.Random(1), set(own)
    while len(made) < TERMS:
        made.add(" ".join(chosen.sample(single, chosen.choice((2, 2, 3)))))
    (folder / "made.txt").write_text("".join(f"{term}\n" for term in sorted(made - set(own))))
    return folder


def marked(notes: Sequence[Note]) -> Iterator[tuple[Note, list[Mention]]]:
    """Yield notes with each word of letters as a name."""
    for note in notes:
        spans = zip(note.tokens.starts.tolist(), note.tokens.ends.tolist(), strict=True)
        names = [Span(start, end) for start, end in spans if note.text[start:end].isalpha()]
        yield note, [Mention(span, "PATIENT", 0.6) for span in names]


def measured(folder: Path, notes: Sequence[Note]) -> dict[str, Any]:
    """Return how many look-ups a second of CPU there are, the first time and when words are met."""
    begun = time.process_time()
    terms = MedicalTerms.load(folder)
    loaded = time.process_time() - begun
    medical = Medical(terms, Told(terms), frozenset({"PATIENT"}))
    work = list(marked(notes))
    count = sum(len(mentions) for _, mentions in work)
    rates = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        kept = sum(len(medical.refine(note, mentions)) for note, mentions in work)
        rates.append(round(count / (time.process_time() - begun)))
    return {
        "terms": len(words(folder)),
        "load_seconds": round(loaded, 2),
        "look_ups": count,
        "dropped": count - kept,
        "first_round_per_second": rates[0],
        "best_per_second": max(rates),
    }


def main() -> None:
    """Measure both sizes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    documents = list(english(parser.parse_args().data))[:NOTES]
    notes = get_tokenizer("clinical").tokenize(documents)
    with tempfile.TemporaryDirectory() as place:
        folders = {"own": LISTS, "made": enlarged(Path(place) / "medical")}
        found = {name: measured(folder, notes) for name, folder in folders.items()}
    told = {"machine": platform.machine(), "python": platform.python_version(), **found}
    RESULTS.write_text(json.dumps(told, indent=2) + "\n")
    print(json.dumps(told, indent=2))


if __name__ == "__main__":
    main()
