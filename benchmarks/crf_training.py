"""What finding a CRF's weights takes, by our own steps and by python-crfsuite's.

Run: python benchmarks/crf_training.py [--writers NAME …] [--copies N] [--iterations N]
Both are given the same numbered examples of the recipe phiscrub-crf and the same penalties. Writes
benchmarks/results/crf_training.json and crf_training.md, which hold no text of a note. Seconds
are of the processor, in one run, one after the other: read their ratio.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pycrfsuite
from model_data import data_of
from model_training import COPIES
from pages import RESULTS, keep_figures, table

from phiscrub.train.examples import Examples
from phiscrub.train.fit import Material
from phiscrub.train.recipe import Training, load_recipe
from phiscrub.train.weigh import weigh

SHOWN = (1, 2, 5, 10, 20, 40, 80, 120)  # iterations
WRITERS = ("n-odd", "w100", "w101", "w102", "w103", "w104", "w105")


def material(writers: Sequence[str], copies: int, iterations: int) -> Material:
    """Read and number the notes of English writers, with copies as those that ship learn from."""
    recipe = load_recipe("phiscrub-crf")
    grown = replace(COPIES["en"], copies=copies) if copies else None
    training = replace(recipe.training, max_iterations=iterations, augment=grown)
    names = {f"corpus/en/{writer}" for writer in writers}
    corpora = [corpus for corpus in data_of("en").train if corpus.name in names]
    if missing := names - {corpus.name for corpus in corpora}:
        raise SystemExit(f"no training notes of {', '.join(sorted(missing))}")
    return Material.of(replace(recipe, training=training), "en", corpora, None)


def by_crfsuite(train: Examples, keep: np.ndarray, training: Training) -> list[float]:
    """Return the losses of python-crfsuite's iterations."""
    penalties = {"c1": training.c1, "c2": training.c2, "max_iterations": training.max_iterations}
    ends = {"epsilon": training.epsilon, "period": training.period, "delta": training.delta}
    trainer = pycrfsuite.Trainer("lbfgs", {**penalties, **ends}, verbose=False)
    losses: list[float] = []

    def message(line: str) -> None:
        if trainer.logparser.feed(line) == "iteration":
            losses.append(trainer.logparser.last_iteration["loss"])

    trainer.message = message
    for rows, tags in train.written(keep):
        trainer.append(rows, tags)
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(str(Path(folder) / "model"))
    return losses


def told(seconds: float, losses: Sequence[float]) -> dict[str, Any]:
    """Return the figures of one way: the losses after some of its iterations, and the last."""
    shown = sorted({*(at for at in SHOWN if at < len(losses)), len(losses)})
    return {
        "seconds": round(seconds, 1),
        "iterations": len(losses),
        "losses": {str(at): round(losses[at - 1], 1) for at in shown},
    }


def main() -> None:
    """Train both ways and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--writers", nargs="+", default=WRITERS)
    parser.add_argument("--copies", type=int, default=0)
    parser.add_argument("--iterations", type=int, default=120)
    given = parser.parse_args()
    own = material(given.writers, given.copies, given.iterations)
    train, training = own.train, own.recipe.training
    keep = train.seen() >= training.min_count
    begun = time.process_time()
    steps = weigh(train, keep, None, training, lambda _: None).steps
    between = time.process_time()
    theirs = by_crfsuite(train, keep, training)
    ended = time.process_time()
    results: dict[str, Any] = {
        "writers": list(given.writers),
        "copies": given.copies,
        "tokens": len(train.tags),
        "attributes": int(keep.sum()),
        "tags": len(train.tag_names),
        "ours": told(between - begun, [step.loss for step in steps]),
        "python-crfsuite": told(ended - between, theirs),
    }
    keep_figures(RESULTS / "crf_training.json", results)
    whose = ("ours", "python-crfsuite")
    rows = [
        [name, f"{results[name]['iterations']}", f"{results[name]['seconds']:,}"] for name in whose
    ]
    ways = [
        [at, *(f"{results[name]['losses'][at]:,}" for name in whose)]
        for at in results["ours"]["losses"]
        if at in results["python-crfsuite"]["losses"]
    ]
    share = results["ours"]["seconds"] / results["python-crfsuite"]["seconds"]
    lines = [
        "# Finding a CRF's weights",
        "",
        *(__doc__ or "").split("\n\n")[1].strip().split("\n")[1:],
        "",
        f"{results['tokens']:,} tokens, made copies of each note: {given.copies}; "
        f"{results['attributes']:,} attributes, "
        f"{results['tags']} tags. Ours takes {share:.2f} of the time, laying out and all.",
        "",
        *table(["by", "iterations", "processor seconds"], rows),
        "",
        "The loss, penalties and all, after an iteration:",
        "",
        *table(["iteration", *whose], ways),
    ]
    (RESULTS / "crf_training.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
