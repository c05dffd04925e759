"""How near a network's reading is to its floor: the matrix products of its upper half alone.

Run: python benchmarks/floor.py MODEL … [--data FOLDER]
Writes benchmarks/results/floor.json and floor.md, which hold no text of a note. The lower half,
what depends on the word alone, is worked out once a word and is no part of the floor. Figures are
of one core: set OMP_NUM_THREADS=1 before the call.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from pages import DATA, RESULTS, keep, table

from phiscrub.core.document import Document
from phiscrub.detect.tagging.half import Half
from phiscrub.detect.tagging.network import TOP_HALF, NetworkModel
from phiscrub.detect.tagging.neural import BOOL, FLOAT, INT, NeuralTagger
from phiscrub.formats.annotated import documents
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer

RUNS = 3
ROWS = 2_048  # tokens in a product: more do not make it faster
RECURRENT = ("LSTM", "GRU", "RNN")
NETWORKS_TAKE = {"vectors": FLOAT, "notes": INT, "mask": BOOL}


def best(work: Callable[[], object]) -> float:
    """Return the shortest CPU time of a few runs."""
    times = []
    for _ in range(RUNS):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def products(graph: Any) -> Iterator[tuple[int, int]]:
    """Yield each matrix that a token is multiplied with, rows and columns, loops' bodies too."""
    shapes = {one.name: tuple(one.dims) for one in graph.initializer}
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField("g"):
                yield from products(attribute.g)
        given = [shapes[name] for name in node.input if name in shapes]
        if node.op_type in RECURRENT:
            for _, columns, rows in (shape for shape in given if len(shape) == len("wrb")):
                yield rows, columns
        elif node.op_type in ("MatMul", "MatMulInteger", "Gemm"):
            yield from (shape for shape in given if len(shape) == len("rc"))


def floor(model: NetworkModel, tokens: int) -> float:
    """Return the time of the products for that many tokens, in floats by numpy."""
    random = np.random.default_rng(1)
    pairs = []
    for rows, columns in products(onnx.load_from_string(model.top).graph):
        tall = random.standard_normal((ROWS, rows)).astype(np.float32)
        pairs.append((tall, random.standard_normal((rows, columns)).astype(np.float32)))
    rounds = max(1, 20_000 // ROWS)
    spent = best(lambda: [a @ b for _ in range(rounds) for a, b in pairs])
    overlap = model.window / model.stride if model.window else 1.0
    return spent / (rounds * ROWS) * tokens * overlap


def measured(folder: Path, warm: list[Document], fresh: list[Document]) -> dict[str, Any]:
    """Return tokens a CPU second of each step on notes of which no word was met before but some."""
    model = NetworkModel.load(folder)
    notes = list(get_tokenizer(model.tokenizer).tokenize(fresh))
    tokens = sum(len(note.tokens) for note in notes)
    tagger = NeuralTagger.of(model, Shelf(model.language, None))
    upper = Half(model.top, NETWORKS_TAKE, "scores", name=TOP_HALF, threads=1)
    batches = list(tagger.fed(notes))
    pipeline = load_pipeline(str(folder))
    pipeline.covers(warm)
    begun = time.process_time()
    pipeline.covers(fresh)
    whole = time.process_time() - begun
    spent = {
        "products alone": floor(model, tokens),
        "upper half": best(lambda: [upper.run(**batch) for batch in batches]),
        "tagger, notes met before": best(lambda: tagger.detect(notes)),
        "text to mentions": whole,
    }
    return {name: round(tokens / seconds) for name, seconds in spent.items()}


def markdown(results: dict[str, dict[str, int]]) -> str:
    """Return the figures as a page."""
    steps = list(next(iter(results.values())))
    rows = [
        [name, *(f"{found[step]:,}" for step in steps)] for name, found in sorted(results.items())
    ]
    lines = [
        "# How near the networks are to their floor",
        "",
        "Written by `benchmarks/floor.py`: tokens a CPU second, one core, on the second half of "
        "MEDDOCAN's development notes after the first. Of each network: the matrix products of "
        "its upper half alone, in floats by numpy; that half in ONNX Runtime, in whole numbers "
        "where the model has them; the whole tagger on notes whose words it knows, rules and "
        "features included; and text to mentions with words that it meets for the first time. The "
        "machine did other work.",
        "",
    ]
    return "\n".join([*lines, *table(["model", *steps], rows)]) + "\n"


def main() -> None:
    """Measure each model, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="+", type=Path, metavar="MODEL")
    parser.add_argument("--data", type=Path, default=DATA)
    given = parser.parse_args()
    if os.environ.get("OMP_NUM_THREADS") != "1":
        raise SystemExit("set OMP_NUM_THREADS=1: these are figures of one core")
    read = list(documents(given.data / "meddocan" / "dev" / "xml"))
    half = len(read) // 2
    results = {
        folder.name.removeprefix("meddocan-"): measured(folder, read[:half], read[half:])
        for folder in given.models
    }
    keep(RESULTS / "floor.json", results)
    (RESULTS / "floor.md").write_text(markdown(results), "utf-8")
    print(markdown(results))


if __name__ == "__main__":
    main()
