"""What each part of our network is worth: trained without it, on notes of writers it never saw.

Run: python benchmarks/ablation.py [--epochs N] [--every N]
Writes benchmarks/results/ablation.json and ablation.md. Each row is kept when it ends, so that a
call that was interrupted goes on with the rest, as the first call was. Set OMP_NUM_THREADS=1 on a
machine that does other work.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from crf import strict, triple
from model_data import data_of, joined
from pages import RESULTS, keep, kept, shown, table

from phiscrub.evaluate.masking import ALL, TOKENS, measure
from phiscrub.train.architectures import Characters, Residual
from phiscrub.train.fit import fit
from phiscrub.train.recipe import Recipe, load_recipe
from phiscrub.train.schedule import Run

OWN = "phiscrub-tagger"
GROUPS = ("affixes", "shapes", "rules", "form", "repetition", "lists")
BASE = "the recipe"
SEEDS = {f"{BASE}, seed {seed}": seed for seed in (2, 3)}


def variants(recipe: Recipe, epochs: int) -> Mapping[str, Recipe]:
    """Return the recipe as it is, and without or with one thing each."""
    whole = replace(recipe, schedule=replace(recipe.schedule, epochs=epochs, patience=0))
    rows = dict.fromkeys((BASE, *SEEDS), whole)
    for group in GROUPS:
        rows[f"without {group}"] = replace(whole, features={**whole.features, group: ()})
    network, schedule = whole.network, whole.schedule
    if network is None or not isinstance(context := network.context, Residual):
        raise SystemExit(f"{recipe.name} is no residual network")
    networks = {
        "without the LSTM": replace(network, context=replace(context, recurrent=0)),
        "without convolutions": replace(network, context=replace(context, dilations=())),
        "softmax instead of the CRF": replace(network, output="softmax"),
        "without dropout": replace(network, dropout=0.0, context=replace(context, dropout=0.0)),
        "half the units": replace(
            network, context=replace(context, units=context.units // 2, recurrent=32)
        ),
        "with characters by CNN": replace(
            network, characters=Characters(dimension=25, encoder="cnn", units=32)
        ),
    }
    rows |= {name: replace(whole, network=made) for name, made in networks.items()}
    schedules = {
        "without word and trait dropout": replace(schedule, word_dropout=0.0, trait_dropout=0.0),
        "without averaged weights": replace(schedule, average=0.0),
        "constant rate": replace(schedule, shape="constant"),
    }
    return rows | {name: replace(whole, schedule=made) for name, made in schedules.items()}


def measured(recipe: Recipe, every: int, seed: int) -> dict[str, Any]:
    """Train on some training writers and measure on the development writers, last epoch."""
    data = data_of("en")
    begun = time.perf_counter()
    fitted = fit(recipe, "en", data.train[::every], None, run=Run(seed=seed))
    minutes = (time.perf_counter() - begun) / 60
    samples = fitted.samples(joined(data.dev).notes)
    masked = measure(samples).tallies[TOKENS, ALL].total
    return {
        "strict": strict(samples),
        "token masking": triple(masked),
        "weights": fitted.sizes,
        "minutes": round(minutes, 1),
    }


def markdown(results: Mapping[str, Any], epochs: int, every: int) -> str:
    """Return the figures as a page."""
    head = ["variant", "strict F1", "against the recipe", "token masking R / P"]
    base = results[BASE]["strict"][2]
    seeds = [results[name]["strict"][2] for name in (BASE, *SEEDS) if name in results]
    rows = []
    for name, row in results.items():
        f1, masked = row["strict"][2], row["token masking"]
        both = f"{shown(masked[1])} / {shown(masked[0])}"
        rows.append([name, shown(f1), f"{f1 - base:+.3f}", both])
    lines = [
        "# What each part of our network is worth",
        "",
        "Written by `benchmarks/ablation.py`.",
        "",
    ]
    lines += [
        f"Each row is one training of {epochs} epochs on the English notes of one in {every} "
        "training writers, without copies, measured on the development writers, whose notes "
        f"neither the rules nor the training saw. The recipe's own {len(seeds)} seeds lie "
        f"{max(seeds) - min(seeds):.3f} apart: a smaller difference says nothing.",
        "",
    ]
    return "\n".join(lines + table(head, rows)) + "\n"


def main() -> None:
    """Train what is missing, and write the page after each row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--every", type=int, default=5)
    given = parser.parse_args()
    file = RESULTS / "ablation.json"
    told = kept(file)
    settings = {"epochs": given.epochs, "every": given.every}
    if told.setdefault("settings", settings) != settings:
        raise SystemExit(f"{file} was begun with {told['settings']}: go on so, or remove it")
    results = told.setdefault("rows", {})
    for name, recipe in variants(load_recipe(OWN).spoken("en"), given.epochs).items():
        if name in results:
            continue
        print(name, flush=True)
        results[name] = measured(recipe, given.every, SEEDS.get(name, 1))
        keep(file, told)
        (RESULTS / "ablation.md").write_text(markdown(results, **settings), "utf-8")


if __name__ == "__main__":
    main()
