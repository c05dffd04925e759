"""Every source paper's protocol on open notes, and the page that says what came of it.

Run: python benchmarks/papers.py [--data FOLDER] [--work FOLDER] [--only RUN …] [--step STEP …]
     [--epochs N] [--device cuda] [--quick] [--pages]
Writes benchmarks/results/papers/RUN.{md,json} and pictures, which hold no text of a note, and the
figures of docs/explanation/papers.md. `--work` keeps models, folds and results step by step: a call
that was cut off goes on. The results of steps, which are figures only, are also kept in
benchmarks/results/papers/steps/RUN: with `--step` another machine does the rest of a long run, and
trains of the steps before only those whose models the rest needs. What is named, or all without
`--step`, is trained again where its model is not in `--work`: name what is missing, and at last a
step that trains nothing, for the pages. Set OMP_NUM_THREADS=1 on a machine that does other work.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from crf import news, prose
from pages import DATA, HERE, ROOT

from embeddings import english
from phiscrub.experiments.table import Table

RESULTS = HERE / "results" / "papers"
PAGE = ROOT / "docs" / "explanation" / "papers.md"
BEGIN, END = "<!-- figures: written by benchmarks/papers.py -->", "<!-- end of figures -->"
# WNUT 17's types by the names of OntoNotes; what is neither person nor place is no identifier.
ONTONOTES = {
    "person": "PERSON",
    "location": "GPE",
    "corporation": "ORG",
    "group": "ORG",
    "creative-work": "WORK_OF_ART",
    "product": "PRODUCT",
}


@dataclass(frozen=True, slots=True)
class Run:
    """A run by its name: the paper, and what stands behind it on the command line."""

    name: str
    paper: str
    words: Callable[[Path, Path], list[str | Path]]


def meddocan(data: Path, _: Path) -> list[str | Path]:
    """Learn and test on MEDDOCAN."""
    return ["--data", data / "meddocan"]


def there(data: Path, _: Path) -> list[str | Path]:
    """From MEDDOCAN to the English notes."""
    return ["--data", data / "meddocan", "--extra", data / "english_notes"]


def back(data: Path, _: Path) -> list[str | Path]:
    """From the English notes to MEDDOCAN."""
    return ["--data", data / "english_notes", "--extra", data / "meddocan"]


def back_with_text(data: Path, work: Path) -> list[str | Path]:
    """From the English notes to MEDDOCAN, with vectors of visit notes and dialogues."""
    file = work / "english_text.jsonl"
    if not file.exists():
        rows = ({"id": note.id, "text": note.text} for note in english(data))
        file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), "utf-8")
    return [*back(data, work), "--text", file]


def swedish(data: Path, work: Path) -> list[str | Path]:
    """Web news, and prose beside it."""
    read = ["--from", "conll", "--labels", "conll-2003", "--cut", "10"]
    spoken = ["--language", "sv", "--extra-language", "sv"]
    return ["--data", news(data, work), "--extra", prose(data, work), *read, *spoken]


def wikigold(data: Path, work: Path) -> list[str | Path]:
    """Wikipedia with four labels, and the English notes."""
    copy = work / "wikigold.conll"
    source = data / "wikigold" / "CONLL-format" / "data" / "wikigold.conll.txt"
    copy.write_bytes(source.read_bytes())
    return ["--data", copy, "--extra", data / "english_notes", "--cut", "20"]


def wnut17(data: Path, work: Path) -> list[str | Path]:
    """Social media with OntoNotes' labels, its own development side tested, and the notes."""
    for side, name in (("train", "wnut17train.conll"), ("dev", "emerging.dev.conll")):
        lines = (data / "wnut17" / name).read_text("utf-8").split("\n")
        rows = [re.sub(r"\b([BI])-([a-z-]+)\s*$", _renamed, line.rstrip("\r")) for line in lines]
        folder = work / "wnut17" / side
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{side}.conll").write_text("\n".join(rows), "utf-8")
    return ["--data", work / "wnut17", "--extra", data / "english_notes", "--cut", "20"]


def _renamed(match: re.Match[str]) -> str:
    return f"{match[1]}-{ONTONOTES[match[2]]}"


RUNS = (
    Run("shweta2017", "shweta2017", meddocan),
    Run("inverse-hybrid", "inverse-hybrid", there),
    Run("inverse-hybrid-back", "inverse-hybrid", back),
    Run("kassaie2016", "kassaie2016", there),
    Run("kassaie2016-back", "kassaie2016", back_with_text),
    Run("berg-dalianis2019", "berg-dalianis2019", swedish),
    Run("phi-scrubber-meddocan", "phi-scrubber", meddocan),
    Run("phi-scrubber-wikigold", "phi-scrubber", wikigold),
    Run("phi-scrubber-wnut17", "phi-scrubber", wnut17),
)


def told(run: Run, given: argparse.Namespace) -> None:
    """Run what is missing of a protocol, and copy its pages, but no model and no leak."""
    short = "-quick" if given.quick else f"-{given.epochs}-epochs" if given.epochs else ""
    out = given.work / (run.name + short)
    shared = given.results / "steps" / run.name
    if not short:  # as the paper has it: its steps are kept
        newer(shared, out / "steps")
    more = ["--device", given.device, "--epochs", str(given.epochs)]
    more += [word for step in given.step for word in ("--only", step)]
    call = [sys.executable, "-m", "phiscrub", "experiment", run.paper]
    call += [*map(str, run.words(given.data, given.work)), "-o", str(out), *more]
    try:
        subprocess.run([*call, *(["--quick"] if given.quick else []), "--json"], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
    finally:
        if not short:
            newer(out / "steps", shared)
    kept(run, out, given.results)


def newer(source: Path, target: Path) -> None:
    """Copy results of steps that are not there, or older."""
    target.mkdir(parents=True, exist_ok=True)
    for file in sorted(source.glob("*.json")):
        other = target / file.name
        if not other.exists() or other.stat().st_mtime < file.stat().st_mtime:
            shutil.copy2(file, other)


def kept(run: Run, out: Path, results: Path) -> None:
    """Copy the pages of a run under its name."""
    results.mkdir(parents=True, exist_ok=True)
    page = (out / f"{run.paper}.md").read_text("utf-8")
    for picture in sorted(out.glob("*.svg")):
        name = f"{run.name}-{picture.name}"
        shutil.copyfile(picture, results / name)
        page = page.replace(f"({picture.name})", f"({name})")
    (results / f"{run.name}.md").write_text(page, "utf-8")
    shutil.copyfile(out / f"{run.paper}.json", results / f"{run.name}.json")


def fill(runs: Iterable[Run], page: Path, results: Path) -> None:
    """Put the first table of each run that is there onto the page of papers."""
    lines = []
    for run in runs:
        file = results / f"{run.name}.json"
        if not file.exists():
            continue
        own = json.loads(file.read_text("utf-8"))
        table = own["tables"][0]
        cells = {"head": tuple(table["head"]), "rows": tuple(map(tuple, table["rows"]))}
        first = Table(**{**table, **cells, "picture": "", "title": own["paper"]})
        where = f"../../benchmarks/results/papers/{run.name}.md"
        quick = " A smoke run: these figures say nothing." if own["quick"] else ""
        lines += [first.markdown().replace("## ", "### ", 1), ""]
        lines += [f"On: {'; '.join(own['corpora'])}.{quick} All tables: [{run.name}]({where}).", ""]
    text = page.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    body = "\n".join(lines).rstrip() or "No run has ended yet."
    page.write_text(f"{before}{BEGIN}\n\n{body}\n\n{END}{after}", "utf-8")


def main() -> None:
    """Run what is missing, and write the pages after each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "papers")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--only", nargs="*", choices=[run.name for run in RUNS], default=[])
    parser.add_argument(
        "--step", nargs="*", action="extend", default=[], help="beginnings of names of steps"
    )
    parser.add_argument("--epochs", type=int, default=0)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--pages", action="store_true", help="run nothing; write pages anew")
    given = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that ended steps are kept
    given.work.mkdir(parents=True, exist_ok=True)
    for run in RUNS:
        if given.pages or (given.only and run.name not in given.only):
            continue
        print(run.name, flush=True)
        told(run, given)
        fill(RUNS, given.page, given.results)
    fill(RUNS, given.page, given.results)


if __name__ == "__main__":
    main()
