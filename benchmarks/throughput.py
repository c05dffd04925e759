"""Tokens a second on one core, text to text, by stage; import and first-note times.

python benchmarks/throughput.py [--pipeline en] [--mode MODE] [--notes FOLDER] [--seconds 10]
    [--also FOLDER …]

Prints a table and writes benchmarks/results/throughput-<pipeline>.json, for a language with the
rate of each of its modes, on the notes and on those of other folders: what a token takes depends
on how much of a note identifies. A token is a run of
letters, a run of digits or another visible character. Rates of one run on one machine: compare
stages within a run, not runs with each other; `finditer` is the yardstick in each.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from pages import RESULTS, ROOT, keep

from phiscrub.core.document import Document
from phiscrub.formats.annotated import documents
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.shipped import modes

LEAST_RUNS = 3
WORD = re.compile(r"\w+")


def best(work: Callable[[], object], seconds: float) -> float:
    """Return the shortest time of the runs that fit in the given time, three at the least."""
    times: list[float] = []
    while len(times) < LEAST_RUNS or sum(times) < seconds:
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


def enough(folder: Path) -> list[Document]:
    """Return a folder's notes, as often as makes about 400 of them."""
    few = list(documents(folder))
    return few * max(1, 400 // len(few))


def fresh(code: str) -> float:
    """Return how long a new interpreter takes for a statement, less its own start."""

    def run(statement: str) -> float:
        begun = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        return time.perf_counter() - begun

    return min(run(code) for _ in range(5)) - min(run("pass") for _ in range(5))


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pipeline", default="en")
    parser.add_argument("--notes", type=Path, default=ROOT / "examples" / "notes")
    parser.add_argument("--also", type=Path, nargs="+", default=(), help="folders of other notes")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--mode", help="whose stages are measured; by default the first")
    given = parser.parse_args()
    pipeline = load_pipeline(given.pipeline, given.mode)
    many = enough(given.notes)
    notes = pipeline.tokenizer.tokenize(many)
    tokens = sum(len(note.tokens) for note in notes)
    share = given.seconds / (4 + len(pipeline.detectors))
    claims = [detector.detect(notes) for _, detector in pipeline.detectors]
    merged = [tuple(m for found in claims for m in found[i]) for i in range(len(notes))]

    def refine_all() -> list[object]:
        covers: list[object] = []
        for note, mentions in zip(notes, merged, strict=True):
            refined = mentions
            for _, refiner in pipeline.refiners:
                refined = refiner.refine(note, refined)
            covers.append(pipeline.combiner.combine(note, refined))
        return covers

    stages: dict[str, float] = {
        "yardstick: re.finditer": best(
            lambda: [[m.span() for m in WORD.finditer(d.text)] for d in many], share
        ),
        "tokenize": best(lambda: pipeline.tokenizer.tokenize(many), share),
    }
    others = pipeline.tokenizer.tokenize(many)
    for index, (name, detector) in enumerate(pipeline.detectors):
        turns = cycle((others, notes))  # a detector may remember the batch that it read last
        stages[f"detect {index}: {name}"] = best(
            lambda d=detector, t=turns: d.detect(next(t)),  # type: ignore[misc]
            share,
        )
    stages["refine and combine"] = best(refine_all, share)
    stages["text to text"] = best(lambda: [r.text for r in pipeline.redact(many)], share)
    folders = {folder.name: enough(folder) for folder in (given.notes, *given.also)}
    rates: dict[str, dict[str, int]] = {folder: {} for folder in folders}
    for mode in modes(given.pipeline):
        own = load_pipeline(given.pipeline, mode)
        for folder, of in folders.items():
            spent = best(lambda p=own, o=of: [r.text for r in p.redact(o)], share)  # type: ignore[misc]
            count = sum(len(note.tokens) for note in own.tokenizer.tokenize(of))
            rates[folder][mode] = round(count / spent)
    call = (
        f"import phiscrub; phiscrub.load({given.pipeline!r}, {given.mode!r})"
        ".scrub('Seen by Dr. Lena Ortiz.').text"
    )
    result = {
        "pipeline": given.pipeline,
        "mode": given.mode or next(iter(modes(given.pipeline)), None),
        "notes": str(given.notes.name),
        "tokens": tokens,
        "machine": platform.machine(),
        "python": platform.python_version(),
        "tokens_per_second": {name: round(tokens / spent) for name, spent in stages.items()},
        "modes": rates,
        "import_seconds": round(fresh("import phiscrub"), 3),
        "first_note_seconds": round(fresh(call), 3),
    }
    print(json.dumps(result, indent=1))
    keep(RESULTS / f"throughput-{Path(given.pipeline).stem}.json", result)


if __name__ == "__main__":
    main()
