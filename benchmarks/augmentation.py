"""What copies of the training notes with other identifiers do for phiscrub-crf on English notes.

Run: python benchmarks/augmentation.py [--corpus FOLDER] [--train w1 …] [--dev w9 …]
Writes benchmarks/results/augmentation.json and augmentation.md, which hold no text of a note. Each
model learns from the same writers for the same iterations, and is measured on others. What is
done is kept in the JSON, so that a call that was interrupted goes on.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from model_data import CORPUS
from model_training import NOISE
from pages import RESULTS, keep, kept

from phiscrub.core.counts import Counts
from phiscrub.evaluate.entities import exact
from phiscrub.evaluate.masking import measure
from phiscrub.train.augment import Augment
from phiscrub.train.corpus import Corpus, read_corpus
from phiscrub.train.fit import fit
from phiscrub.train.recipe import load_recipe

VARIANTS: dict[str, Augment | None] = {
    "notes alone": None,
    "1 copy": Augment(copies=1),
    "3 copies": Augment(copies=3),
    "1 copy, layout and noise": Augment(copies=1, noise=NOISE, layout=0.5, blocks=0.3),
}


def corpus(folder: Path, writers: list[str]) -> Corpus:
    """Return the notes of several writers as one corpus."""
    first, *others = [read_corpus(folder / writer)[0] for writer in writers]
    notes = [note for one in (first, *others) for note in one.notes]
    named = [
        replace(note, document=replace(note.document, id=f"{n}-{note.document.id}"))
        for n, note in enumerate(notes)
    ]
    return replace(first, notes=tuple(named))


def figures(augment: Augment | None, train: Corpus, dev: Corpus) -> dict[str, Any]:
    """Train once and measure."""
    recipe = load_recipe("phiscrub-crf")
    begun = time.process_time()
    fitted = fit(
        replace(recipe, training=replace(recipe.training, augment=augment)), "en", [train], None
    )
    seconds = time.process_time() - begun
    samples = fitted.samples(dev.notes)
    found = sum((tally.total for tally in exact(samples).values()), Counts())
    tokens = measure(samples).total("masking.token.i2b2.any")
    return {
        "entity": asdict(found)
        | {"precision": found.precision, "recall": found.recall, "f1": found.f1},
        "masking": {"recall": tokens.recall, "precision": tokens.precision},
        "features": fitted.sizes["features"],
        "seconds": round(seconds),
    }


def page(told: dict[str, Any]) -> str:
    """Return the results as a page."""
    lines = [
        "# Copies of training notes for phiscrub-crf",
        "",
        f"Written by benchmarks/augmentation.py. Learned from {told['train']}, measured on "
        f"{told['dev']}: notes that writers invented for phiscrub, no real patients. Entities are "
        "exact, masking is of tokens whatever they were called; seconds are of one core.",
        "",
        "| training notes | entity P | R | F1 | masking R | P | features | seconds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in told["variants"].items():
        own, masked = row["entity"], row["masking"]
        shares = (own["precision"], own["recall"], own["f1"], masked["recall"], masked["precision"])
        cells = " | ".join(f"{share:.4f}" for share in shares)
        lines.append(f"| {name} | {cells} | {row['features']:,} | {row['seconds']} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Train every variant that has no figures yet."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--corpus", type=Path, default=CORPUS / "en")
    parser.add_argument("--train", nargs="+", default=[f"w{n}" for n in range(1, 9)])
    parser.add_argument("--dev", nargs="+", default=["w9", "w10"])
    given = parser.parse_args()
    train, dev = corpus(given.corpus, given.train), corpus(given.corpus, given.dev)
    file = RESULTS / "augmentation.json"
    sides = {
        "train": f"{', '.join(given.train)} ({len(train)} notes)",
        "dev": f"{', '.join(given.dev)} ({len(dev)} notes)",
    }
    told = kept(file)
    if {name: told.get(name) for name in sides} != sides:
        told = {**sides, "variants": {}}
    for name, augment in VARIANTS.items():
        if name not in told["variants"]:
            told["variants"][name] = figures(augment, train, dev)
            keep(file, told)
            (RESULTS / "augmentation.md").write_text(page(told), "utf-8")
            print(page(told))


if __name__ == "__main__":
    main()
