"""A paper's protocol from notes to pages: steps, then Markdown, JSON and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from phiscrub.core.version import VERSION
from phiscrub.core.wording import counted
from phiscrub.experiments.bench import QUICK_TEST, QUICK_TRAIN, Bench
from phiscrub.experiments.corpus import Sides, unit_of
from phiscrub.experiments.paper import Page, Paper
from phiscrub.experiments.step import Results, Step, Tick, go, kept, write
from phiscrub.formats.whole import write_whole
from phiscrub.train.recipe import load_recipe

OURS = (
    "Figures called ours are of the notes named here, and of no paper's corpus unless it says so."
)
QUICK = (
    "A smoke run: few notes, and {epochs}, after which most networks find nothing yet. The "
    "figures say nothing about any system."
)
CAPPED = "Networks learned for at most {epochs} by `--epochs`, whatever their papers say."
UNFOUND = "A smoke run, {epochs}: a system of this row has found nothing yet."


def prepared(own: Paper, bench: Bench) -> Bench:
    """Return the bench with the paper's labels, and few notes where the run is quick."""
    if bench.how.quick:
        data = bench.data.sample(QUICK_TRAIN, QUICK_TEST)
        extra = tuple(one.sample(QUICK_TRAIN, QUICK_TEST) for one in bench.extra)
        text = None if bench.text is None else bench.text.sample(QUICK_TRAIN)
        bench = replace(bench, data=data, extra=extra, text=text)
    return bench.recast(own.LABELS) if own.LABELS else bench


def run(own: Paper, bench: Bench, only: Iterable[str], tick: Tick) -> dict[str, Any]:
    """Run what is missing of a protocol and write its pages; return what the JSON holds.

    `bench` is one that `prepared` returned. Pages are written even where `only` leaves steps out:
    cells that are not known yet are empty.
    """
    steps = own.protocol(bench)
    done = go(steps, bench.steps, only, tick)
    return paged(own, bench, steps, done)


def paged(own: Paper, bench: Bench, steps: Sequence[Step], done: Results) -> dict[str, Any]:
    """Write the pages of what is done."""
    page = own.page(bench, done)
    seconds = {name: table["seconds"] for name, table in kept(steps, bench.steps).items()}
    capped = bench.how.epochs and not bench.how.quick
    limit = [CAPPED.format(epochs=counted(bench.how.epochs, "epoch"))] if capped else []
    told: dict[str, Any] = {
        "paper": own.TITLE,
        "phiscrub": VERSION,
        "quick": bench.how.quick,
        "corpora": list(own.roles(bench)),
        "notes": [*limit, *page.notes, *lacking(steps)],
        "steps": {
            step.name: {
                "kind": step.kind,
                "seconds": seconds.get(step.name),
                "epochs": done.get(step.name, {}).get("epochs"),
            }
            for step in steps
        },
        "tables": [table.json() for table in page.tables],
    }
    write(bench.out / f"{bench.paper}.json", told)
    write_whole(bench.out / f"{bench.paper}.md", markdown(own, bench, page, told))
    for name, picture in page.pictures.items():
        write_whole(bench.out / name, picture)
    return told


def markdown(own: Paper, bench: Bench, page: Page, told: Mapping[str, Any]) -> str:
    """Return the page: on which notes, how it differs, the tables, and how long each step took."""
    data = bench.data
    lines = [f"# {own.TITLE}", ""]
    smoke = counted(bench.how.epochs or 1, "epoch") if bench.how.quick else ""
    lines += [QUICK.format(epochs=smoke), ""] * bench.how.quick
    lines += [f"Written by `phiscrub experiment {bench.paper}`. {OURS}", ""]
    lines += [f"- {line}." for line in own.roles(bench)]
    lines += [
        f"- {one.whole.name}: {_parted(own, one)}; folds and notes held out by "
        f"{unit_of(one.whole)}; language {one.language}."
        for one in (data, *bench.extra)
    ]
    if bench.text is not None:
        lines.append(f"- {bench.text.name}: text for word vectors.")
    lines += ["", "What differs from the paper:", "", *(f"- {line}" for line in told["notes"])]
    lines += [
        "",
        *(table.markdown(smoke and UNFOUND.format(epochs=smoke)) for table in page.tables),
    ]
    lines += ["## Steps", "", "| step | kind | epochs or iterations | seconds |"]
    lines.append("| --- | --- | ---: | ---: |")
    for name, row in told["steps"].items():
        took = "not run" if row["seconds"] is None else f"{row['seconds']:,.0f}"
        epochs = "–" if row["epochs"] is None else row["epochs"]
        lines.append(f"| {name} | {row['kind']} | {epochs} | {took} |")
    return "\n".join(lines) + "\n"


def _parted(own: Paper, sides: Sides) -> str:
    if not own.SIDED:
        return counted(len(sides.whole), "note")
    train, test = (counted(len(side), "note") for side in (sides.train, sides.test))
    return f"{train} to learn from, {test} tested, parted by {sides.by}"


def lacking(steps: Sequence[Step]) -> Iterator[str]:
    """Yield what the recipes that are trained lack of their papers, as they say it."""
    names = dict.fromkeys(step.told["recipe"] for step in steps if "recipe" in step.told)
    for name in names:
        yield from (f"{name}: {line}." for line in load_recipe(name).lacks)
