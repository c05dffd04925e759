"""What the network recipes reach on MEDDOCAN, alone and in a mean with the CRF.

Run: python benchmarks/neural.py [--data FOLDER] [--work FOLDER] [--only RECIPE …]
Writes benchmarks/results/neural.json and neural.md, which hold no text of a note. Each recipe is
kept when it ends; `--work` holds models, and a training that was cut off goes on where it stood.
Set OMP_NUM_THREADS=1 on a machine that does other work.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

from crf import command, official
from pages import DATA, RESULTS, ROOT, keep, kept, shown, table

from phiscrub.formats.annotated import documents
from phiscrub.pipeline.load import load_pipeline
from phiscrub.tokenize.registry import get_tokenizer

OWN = "phiscrub-tagger"
RECIPES = (
    OWN,
    "dernoncourt2017",
    "berg-dalianis2019-bilstm",
    "phi-scrubber-bilstm-cnn",
    "phi-scrubber-idcnn",
    "inverse-a",
    "inverse-b",
    "inverse-c",
    "inverse-d",
    "kassaie2016-lstm",
    "shweta2017-elman",
    "shweta2017-jordan",
)
# What is trained for fewer epochs than its recipe says, because each takes minutes.
CUT_SHORT = {
    "dernoncourt2017": 4,
    "berg-dalianis2019-bilstm": 8,
    "phi-scrubber-bilstm-cnn": 5,
    "phi-scrubber-idcnn": 10,
    "kassaie2016-lstm": 3,
    "shweta2017-elman": 15,
    "shweta2017-jordan": 5,
}
EPOCHS = re.compile(r"^epochs = .*$", re.M)
MEAN = f"mean of {OWN} and phiscrub-crf"


def trained(recipe: str, data: Path, work: Path) -> dict[str, Any]:
    """Train a recipe on MEDDOCAN's training notes, unless its folder stands; return the figures."""
    model, told = work / f"meddocan-{recipe}", work / f"meddocan-{recipe}.json"
    if not told.exists():
        corpus = data / "meddocan"
        cut_off = ["--resume"] if (work / f"{model.name}.checkpoint").exists() else []
        found = command(
            "train", shortened(recipe, work),
            "--train", corpus / "train" / "xml", "--dev", corpus / "dev" / "xml",
            "--licence", "CC BY 4.0", "-o", model, *cut_off,
        )  # fmt: skip
        told.write_text(json.dumps(found), "utf-8")
    figures = json.loads(told.read_text("utf-8"))
    return {
        "minutes": round(figures["seconds"] / 60, 1),
        "epochs": figures["iterations"],
        "stopped": figures["stopped"],
        "curve": curve(figures),
        "megabytes": round(figures["bytes"] / 1e6, 2),
        "tokens a second": speed(model, data),
        **official(figures["dev"]),
    }


def shortened(recipe: str, work: Path) -> str | Path:
    """Return the recipe, as a file with fewer epochs where its training is cut short."""
    if recipe not in CUT_SHORT:
        return recipe
    told = (resources.files("phiscrub") / "data" / "recipes" / f"{recipe}.toml").read_text("utf-8")
    file = work / f"{recipe}.toml"
    file.write_text(EPOCHS.sub(f"epochs = {CUT_SHORT[recipe]}", told), "utf-8")
    return file


def curve(figures: Mapping[str, Any]) -> list[float]:
    """Return what each epoch was worth on the development notes, by the recipe's own measure."""
    return [round(step["f1"], 3) for step in figures.get("steps", ()) if step["f1"] is not None]


def speed(model: Path, data: Path) -> int:
    """Return tokens a CPU second from text to mentions, on notes that filled no cache before."""
    notes = list(documents(data / "meddocan" / "dev" / "xml"))
    half = len(notes) // 2
    pipeline = load_pipeline(str(model))
    pipeline.covers(notes[:half])
    cut = get_tokenizer("clinical").tokenize(notes[half:])
    begun = time.process_time()
    pipeline.covers(notes[half:])
    return int(sum(len(note.tokens) for note in cut) / (time.process_time() - begun))


def averaged(crf: Path, data: Path, work: Path) -> dict[str, Any]:
    """Measure the mean of our network's and our CRF's probabilities."""
    gold, found, scores = data / "meddocan" / "dev" / "xml", work / "mean", work / "mean.json"
    shutil.rmtree(found, ignore_errors=True)
    models = ("--model", crf, "--model", work / f"meddocan-{OWN}")
    phiscrub("detect", gold, "-o", found, "--to", "meddocan", "-q", *models)
    phiscrub(
        "evaluate", "--gold", gold, "--system", found, "--format", "meddocan", "--json", scores
    )
    (measures,) = json.loads(scores.read_text("utf-8"))["systems"].values()
    return official(measures)


def phiscrub(*words: str | Path) -> None:
    """Run phiscrub."""
    call = [sys.executable, "-m", "phiscrub", *map(str, words)]
    subprocess.run(call, check=True, stdout=subprocess.DEVNULL)


def markdown(results: Mapping[str, Any]) -> str:
    """Return the figures as a page."""
    names = ("subtrack 1", "subtrack 2, strict", "subtrack 2, merged")
    head = ["recipe", *(f"{name}, P / R / F1" for name in names), "token masking R / P"]
    head += ["minutes", "epochs", "MB", "tokens a CPU second"]
    rows = []
    for recipe, found in results.items():
        masked = found["token masking"]
        cells = [" / ".join(shown(part) for part in found[name]) for name in names]
        cells += [f"{shown(masked[1])} / {shown(masked[0])}"]
        keys = ("minutes", "epochs", "megabytes", "tokens a second")
        rows.append([recipe, *cells, *(str(found.get(key, "–")) for key in keys)])
    about = (
        "Trained on MEDDOCAN's 500 training notes, measured on its 250 development notes (CC BY "
        "4.0, PlanTL-GOB-ES), which also say when training stops: development figures. The rules "
        "behind the `found` inputs of phiscrub-tagger were written with both splits open. Minutes "
        "are by the clock, on a machine of two cores that did other work, for which some trainings "
        "were halted, the ID-CNN's for most of its time."
    )
    short = ", ".join(f"{name} {epochs}" for name, epochs in CUT_SHORT.items())
    about += (
        "\n\nTrained for fewer epochs than their recipes say, because each takes minutes: "
        f"{short}. Their curves, by the recipe's own measure on the development notes, show what "
        "more would bring:\n"
    )
    for recipe, found in results.items():
        if found.get("curve"):
            about += f"\n- {recipe}: {', '.join(f'{value:.3f}' for value in found['curve'])}"
    lines = ["# The network recipes, measured", "", "Written by `benchmarks/neural.py`.", "", about]
    return "\n".join([*lines, "", *table(head, rows)]) + "\n"


def main() -> None:
    """Run what is missing, and write the page after each recipe."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "neural")
    parser.add_argument("--crf", type=Path, help="a trained phiscrub-crf, to be averaged with")
    parser.add_argument("--only", nargs="*", default=RECIPES)
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    file = RESULTS / "neural.json"
    results = kept(file)
    runs = {recipe: partial(trained, recipe, given.data, given.work) for recipe in given.only}
    if given.crf:
        runs[MEAN] = partial(averaged, given.crf, given.data, given.work)
    for name, run in runs.items():
        if name not in results:
            print(name, flush=True)
            results[name] = run()
            keep(file, results)
            (RESULTS / "neural.md").write_text(markdown(results), "utf-8")


if __name__ == "__main__":
    main()
