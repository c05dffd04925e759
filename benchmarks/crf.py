"""What the CRF recipes reach: MEDDOCAN, Swedish news by paper 3's protocol, English notes.

Run: python benchmarks/crf.py [--data FOLDER] [--work FOLDER] [--only NAME …]
Writes benchmarks/results/crf.json and crf.md, which hold no text of a note. Each run is kept when
it ends, so that a call that was interrupted goes on with the rest; `--work` holds models and folds.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluate_rules import header, narrative, part
from pages import DATA, RESULTS, ROOT, keep, kept, shown, table

from phiscrub.core.counts import Counts
from phiscrub.evaluate.entities import exact
from phiscrub.evaluate.sample import Sample
from phiscrub.experiments.samples import samples_by
from phiscrub.formats.annotated import read_annotated
from phiscrub.pipeline.load import load_pipeline

RECIPES = ("kassaie2016-crf", "berg-dalianis2019-crf", "shweta2017-crf", "phiscrub-crf")
# Table 3 of Berg and Dalianis 2019, on Stockholm EPR PHI, which nobody may hand on.
PAPER = (
    ("target", 0.9376, 0.8653, 0.90),
    ("target + same domain", 0.9466, 0.8672, 0.91),
    ("target + general text", 0.9231, 0.8497, 0.88),
)


@dataclass(frozen=True, slots=True)
class Job:
    """A run by its name, and what makes its figures."""

    name: str
    run: Callable[[], dict[str, Any]]


def command(*words: str | Path) -> dict[str, Any]:
    """Run phiscrub with `--json`; return what it printed, without the counts of each note."""
    call = [sys.executable, "-m", "phiscrub", *map(str, words), "--json"]
    printed = subprocess.run(call, check=True, stdout=subprocess.PIPE, text=True).stdout
    told: dict[str, Any] = json.loads(printed)
    return told


def spanish(recipe: str, data: Path, work: Path) -> dict[str, Any]:
    """Train a recipe on MEDDOCAN's training notes and measure it on the development notes."""
    corpus, model = data / "meddocan", work / f"meddocan-{recipe}"
    sides = "--train", corpus / "train" / "xml", "--dev", corpus / "dev" / "xml"
    told = command("train", recipe, *sides, "--licence", "CC BY 4.0", "-o", model)
    gold = read_annotated(corpus / "dev" / "xml")
    notes = [gold[name] for name in sorted(gold)]
    samples = samples_by(load_pipeline(str(model)), notes)
    return {
        "minutes": round(told["seconds"] / 60, 1),
        "iterations": told["iterations"],
        "megabytes": round(told["bytes"] / 1e6, 2),
        **official(told["dev"]),
        "header": strict([part(sample, header) for sample in samples]),
        "narrative": strict([part(sample, narrative) for sample in samples]),
        "labels": by_label(samples),
    }


OFFICIAL = {
    "subtrack 1": "meddocan.subtrack1.ner",
    "subtrack 2, strict": "meddocan.subtrack2.strict",
    "subtrack 2, merged": "meddocan.subtrack2.merged",
    "token masking": "masking.token.i2b2.any",
}


def official(measures: Mapping[str, Any]) -> dict[str, Any]:
    """Return the shared task's figures and token masking."""
    return {
        name: [round(measures[key][part], 4) for part in ("precision", "recall", "f1")]
        for name, key in OFFICIAL.items()
    }


def triple(counts: Counts) -> list[float | None]:
    """Return precision, recall and F1."""
    values = (counts.precision, counts.recall, counts.f1)
    return [None if value is None else round(value, 4) for value in values]


def strict(samples: Sequence[Sample]) -> list[float | None]:
    """Return precision, recall and F1 over all labels, place and label right."""
    return triple(sum((tally.total for tally in exact(samples).values()), Counts()))


def by_label(samples: Sequence[Sample]) -> dict[str, Any]:
    """Return gold mentions and figures of each label."""
    return {
        label: [tally.total.hit + tally.total.missed, *triple(tally.total)]
        for label, tally in sorted(exact(samples).items())
    }


def folded(told: Mapping[str, Any]) -> dict[str, Any]:
    """Keep of a cross-validation what the tables show."""
    rows = {
        label: {
            "gold": sum(counts["hit"] + counts["missed"] for counts in row["folds"]),
            **{name: _rounded(row[name]) for name in ("precision", "recall", "f1")},
            "pooled": round(row["pooled_f1"] or 0, 4),
        }
        for label, row in told["labels"].items()
    }
    masking = told["pooled"]["masking.token.i2b2.any"]
    return {
        "minutes": round(told["seconds"] / 60, 1),
        "token masking": [round(masking[name], 4) for name in ("precision", "recall", "f1")],
        "labels": rows,
    }


def _rounded(spread: Mapping[str, float | None]) -> list[float | None]:
    both = (spread["mean"], spread["deviation"])
    return [None if value is None else round(value, 4) for value in both]


def swedish(recipe: str, extra: bool, data: Path, work: Path) -> dict[str, Any]:
    """Ten folds on klintan's news, a tenth held out, with Talbanken or without."""
    added: list[str | Path] = ["--extra", prose(data, work)] if extra else []
    read = ["--from", "conll", "--labels", "conll-2003", "--language", "sv", "--cut", "10"]
    dealt = ["--by", "piece", "--hold-out", "0.1", "--folds", "10"]
    name = f"klintan-{recipe}{'-talbanken' if extra else ''}"
    told = command(
        "crossval", recipe, "--data", news(data, work), *added, *read, *dealt, "-o", work / name
    )
    return folded(told)


def news(data: Path, work: Path) -> Path:
    """Copy klintan's rows; the one that lacks its tag (line 90310) gets that of outside."""
    copy = work / "klintan.conll"
    lines = (data / "klintan_swedish_ner" / "train_corpus.txt").read_text("utf-8").split("\n")
    copy.write_text("\n".join(f"{x}\t0" if len(x.split()) == 1 else x for x in lines), "utf-8")
    return copy


def prose(data: Path, work: Path) -> Path:
    """Copy Talbanken's rows under names that say that they are columns."""
    folder = work / "talbanken"
    folder.mkdir(exist_ok=True)
    for file in sorted((data / "uner_sv_talbanken").glob("*.iob2")):
        (folder / f"{file.stem}.conll").write_bytes(file.read_bytes())
    return folder


def english(recipe: str, by_writer: bool, data: Path, work: Path) -> dict[str, Any]:
    """Five folds, or a fold a writer, on the shared English notes."""
    notes = data / "english_notes"
    groups = work / "writers.csv"
    numbers = [file.stem for file in sorted(notes.glob("*.xml"))]
    groups.write_text("".join(f"{n},{(int(n[1:]) - 1) // 40 + 1}\n" for n in numbers), "utf-8")
    how: list[str | Path] = ["--groups", groups] if by_writer else ["--folds", "5"]
    name = f"english-{recipe}-{'writers' if by_writer else 'folds'}"
    return folded(command("crossval", recipe, "--data", notes, *how, "-o", work / name))


def jobs(data: Path, work: Path) -> Iterator[Job]:
    """Yield every run of the page."""
    for recipe in reversed(RECIPES):
        yield Job(f"meddocan {recipe}", lambda r=recipe: spanish(r, data, work))
    for recipe in reversed(RECIPES):
        yield Job(f"english writers {recipe}", lambda r=recipe: english(r, True, data, work))
        yield Job(f"english folds {recipe}", lambda r=recipe: english(r, False, data, work))
    for recipe in ("berg-dalianis2019-crf", "phiscrub-crf"):
        yield Job(f"swedish {recipe}", lambda r=recipe: swedish(r, False, data, work))
        yield Job(f"swedish+ {recipe}", lambda r=recipe: swedish(r, True, data, work))


def markdown(results: Mapping[str, Any]) -> str:
    """Return the figures as a page."""
    lines = ["# The CRF recipes, measured", "", "Written by `benchmarks/crf.py`."]
    lines += ["", "## MEDDOCAN, trained on train, measured on dev", ""]
    lines += [
        "Development figures (CC BY 4.0, PlanTL-GOB-ES). The rules behind the `found` features of "
        "phiscrub-crf were written with both splits open; early stopping looks at dev too.",
        "",
    ]
    names = ("subtrack 1", "subtrack 2, strict", "subtrack 2, merged", "header", "narrative")
    head = ["recipe", *(f"{name}, F1" for name in names), "token masking R / P", "minutes", "MB"]
    rows = []
    for recipe in RECIPES:
        if found := results.get(f"meddocan {recipe}"):
            masked = found["token masking"]
            cells = [shown(found[name][2]) for name in names]
            size = [str(found["minutes"]), str(found["megabytes"])]
            rows.append([recipe, *cells, f"{shown(masked[1])} / {shown(masked[0])}", *size])
    lines += table(head, rows)
    lines += labels_page(results, "meddocan", lambda row: (row[0], row[3]))
    for key, title, about in (
        ("english writers", "English, leave one writer out", "Three writers, 40 notes each."),
        ("english folds", "English, five folds", "By note."),
    ):
        lines += ["", f"## {title}", "", about + " Invented notes, no real patients.", ""]
        lines += folds_table(results, [(r, f"{key} {r}") for r in RECIPES])
        lines += labels_page(results, key, lambda row: (row["gold"], row["pooled"]), "labels")
    lines += ["", "## Swedish, the protocol of Berg and Dalianis 2019", ""]
    lines += [
        "Ten folds by pieces of ten lines on klintan's web news (the paper: patient records), a "
        "tenth held out for early stopping; Talbanken's prose stands for SUC. One row of klintan's "
        "lacks its tag (line 90310) and is read as outside. Other text and other labels: the "
        "paper's figures stand beside ours to compare the settings, not the systems.",
        "",
    ]
    names_of = [
        (f"{recipe}{more}", f"swedish{key} {recipe}")
        for recipe in ("berg-dalianis2019-crf", "phiscrub-crf")
        for key, more in (("", ""), ("+", " + Talbanken"))
    ]
    lines += folds_table(results, names_of)
    rows = [[name, shown(p), shown(r), f"{f:.2f}"] for name, p, r, f in PAPER]
    lines += ["", *table(["the paper, CRF on Stockholm EPR PHI", "P", "R", "F1"], rows)]
    lines += labels_page(results, "swedish", lambda row: (row["gold"], row["pooled"]), "labels")
    return "\n".join(lines) + "\n"


def folds_table(results: Mapping[str, Any], names: Sequence[tuple[str, str]]) -> list[str]:
    """Return a line a cross-validation."""
    rows = []
    for title, name in names:
        if found := results.get(name):
            row, masked = found["labels"]["all"], found["token masking"]
            spreads = [
                f"{shown(m)} ± {shown(d)}" for m, d in (row["precision"], row["recall"], row["f1"])
            ]
            both = f"{shown(masked[1])} / {shown(masked[0])}"
            rows.append([title, *spreads, shown(row["pooled"]), both])
    head = ["recipe", "P", "R", "F1, mean over folds", "F1, pooled", "token masking R / P"]
    return table(head, rows)


def labels_page(
    results: Mapping[str, Any],
    key: str,
    pick: Callable[[Any], tuple[int, float | None]],
    rows_at: str = "labels",
) -> list[str]:
    """Return F1 of each label by recipe."""
    there = [recipe for recipe in RECIPES if f"{key} {recipe}" in results]
    picked = {r: results[f"{key} {r}"][rows_at] for r in there}
    known = sorted({label for rows in picked.values() for label in rows} - {"all"})
    lines = []
    for label in known:
        cells = {r: pick(rows[label]) for r, rows in picked.items() if label in rows}
        gold = max(gold for gold, _ in cells.values())
        lines.append([label, str(gold), *(shown(cells.get(r, (0, None))[1]) for r in there)])
    return ["", *table(["label, strict F1", "gold", *there], lines)] if lines else []


def main() -> None:
    """Run what is missing, and write the page after each run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "crf")
    parser.add_argument("--only", nargs="*", default=[], help="beginnings of names; made anew")
    given = parser.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    file = RESULTS / "crf.json"
    results = kept(file)
    for job in jobs(given.data, given.work):
        anew = any(job.name.startswith(name) for name in given.only)
        if not anew and (given.only or job.name in results):
            continue
        print(job.name, flush=True)
        results[job.name] = job.run()
        keep(file, results)
        (RESULTS / "crf.md").write_text(markdown(results), "utf-8")


if __name__ == "__main__":
    main()
