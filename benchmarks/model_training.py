"""The CRF and networks of a language: trained to be measured, or on all notes to be shipped."""

from __future__ import annotations

import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from model_data import joined
from model_means import meant

from phiscrub.detect.tagging.manifest import FILE, read_manifest
from phiscrub.train.architectures import Residual
from phiscrub.train.augment import Augment
from phiscrub.train.corpus import Corpus
from phiscrub.train.fit import Fitted, fit
from phiscrub.train.network import NetworkFitted
from phiscrub.train.recipe import Recipe, load_recipe
from phiscrub.train.schedule import Run
from phiscrub.train.steps import Step

RECIPES = {"crf": "phiscrub-crf", "tagger": "phiscrub-tagger", "notewise": "phiscrub-tagger"}
# A second network that reads whole notes is no better alone, but it errs elsewhere.
KINDS = {
    "en": ("crf", "tagger", "notewise"),
    "es": ("crf", "tagger", "notewise"),
    "sv": ("crf", "tagger"),
}
# From weights that know all notes but the development ones.
WARM_EPOCHS, WARM_RATE = {"en": 8, "es": 5, "sv": 8}, 5e-4
# From weights that know most notes: epochs of a network, from copies that it has not seen; where
# labels are new its last layers begin anew. A CRF learns from nothing each time.
LATER_EPOCHS, LATER_ITERATIONS = {"en": 3, "es": 8, "sv": 8}, {"en": 100, "es": 30, "sv": 53}
LATER_SEED = 2
EPOCHS = {"es": 8}  # instead of the recipe's: the best came at the fifth or sixth
# A batch of notes has as many words as one of lines; narrower, so that both are fast enough.
NOTEWISE, NARROW = {"epochs": 6, "batch": 4}, {"units": 96, "recurrent": 48}
# Copies of each training note, with other names, places, dates and numbers, are learned from
# beside it: English and Swedish notes are few (results/augmentation.md).
NOISE = "typos=.0023,case=.0053,glued=.0017,spaces=.005,ocr=.0034"
COPIES = {
    "en": Augment(copies=2, noise=NOISE, layout=0.5, blocks=0.3),
    "sv": Augment(copies=4),
}
# Of a CRF; smaller weights are many. On four writers never learned from, the English CRF's F1 in
# the fast mode is .871 at 0.1, .874 at 0.05, .877 at 0.02, .878 at 0.004, for 0.7 MB more.
LEAST_WEIGHT = {"en": 0.02, "es": 0.01, "sv": 0.01}
PATIENCE = 3  # epochs without gain, of a network that sees so many copies in each
BEST = re.compile(r"(?:iteration|epoch) (\d+)")


def measured_models(
    language: str, train: Sequence[Corpus], dev: Sequence[Corpus], work: Path
) -> dict[str, Path]:
    """Train what `dev` is to be measured with, unless its folders stand in `work`.

    `dev` says when training stops. A network's training that was cut off goes on.
    """
    folders = {kind: work / f"{language}-{kind}" for kind in KINDS[language]}
    for kind, folder in folders.items():
        if not (folder / FILE).is_file():
            recipe = recipe_of(kind, language, folder.name)
            _train(recipe, language, train, joined(dev), folder)
    return folders


def shipped_models(
    language: str, data: Sequence[Corpus], measured: dict[str, Path], work: Path
) -> dict[str, Path]:
    """Train on all notes: the CRF for as long as was best before, the network on from there."""
    folders = {kind: work / f"{language}-{kind}" for kind in KINDS[language]}
    for kind, folder in folders.items():
        if (folder / FILE).is_file():
            continue
        recipe = recipe_of(kind, language, folder.name)
        if kind == "crf":
            training = replace(recipe.training, max_iterations=_best(measured[kind]))
            _train(replace(recipe, training=training), language, data, None, folder)
        else:
            schedule = replace(recipe.schedule, epochs=WARM_EPOCHS[language], rate=WARM_RATE)
            begun = measured[kind].with_name(measured[kind].name + ".weights")
            _train(replace(recipe, schedule=schedule), language, data, None, folder, begun=begun)
    return folders


def later_models(
    language: str, data: Sequence[Corpus], begun: Path, work: Path, kinds: Sequence[str]
) -> dict[str, Path]:
    """Train on all notes, of which there are more by now, unless it stands in `work`.

    The networks go on from the models of the same name in the folder `begun`.
    """
    folders = {kind: work / f"{language}-{kind}" for kind in kinds}
    for kind, folder in folders.items():
        if (folder / FILE).is_file():
            continue
        recipe = recipe_of(kind, language, folder.name)
        if kind == "crf":
            training = replace(recipe.training, max_iterations=LATER_ITERATIONS[language])
            _train(replace(recipe, training=training), language, data, None, folder)
        else:
            schedule = replace(recipe.schedule, epochs=LATER_EPOCHS[language], rate=WARM_RATE)
            if schedule.augment is not None:
                other = replace(schedule.augment, seed=LATER_SEED)
                schedule = replace(schedule, augment=other)
            known = begun / folder.name  # its weights beside it, or the model itself
            _train(replace(recipe, schedule=schedule), language, data, None, folder, begun=known)
    return folders


def recipe_of(kind: str, language: str, name: str) -> Recipe:
    """Return the recipe of a kind of model under a model's name, with copies of notes if few."""
    recipe = replace(load_recipe(RECIPES[kind]), name=name)
    if recipe.network is not None and language in EPOCHS:
        recipe = replace(recipe, schedule=replace(recipe.schedule, epochs=EPOCHS[language]))
    if kind == "notewise":
        recipe = notewise(recipe)
    if language not in COPIES:
        return recipe
    augment = COPIES[language]
    if recipe.network is None:
        return replace(recipe, training=replace(recipe.training, augment=augment))
    return replace(recipe, schedule=replace(recipe.schedule, augment=augment, patience=PATIENCE))


def notewise(recipe: Recipe) -> Recipe:
    """Return the recipe of a network that reads whole notes."""
    network = recipe.network
    if network is None or not isinstance(network.context, Residual):
        raise SystemExit(f"{recipe.name} is no residual network")
    return replace(
        recipe,
        sequence="note",
        network=replace(network, context=replace(network.context, **NARROW)),
        schedule=replace(recipe.schedule, **NOTEWISE),
    )


def put(folders: dict[str, Path], shelf: Path) -> None:
    """Copy models to where the package has them."""
    for folder in folders.values():
        shutil.rmtree(shelf / folder.name, ignore_errors=True)
        shutil.copytree(folder, shelf / folder.name)


def size(folder: Path) -> int:
    """Return the bytes of a model's files."""
    return sum(file.stat().st_size for file in folder.iterdir())


def _best(folder: Path) -> int:
    told = read_manifest(folder, str(folder)).training
    found = BEST.search(str(told["stopped"]))
    return int(found[1]) if found else int(told["iterations"])


def _train(
    recipe: Recipe,
    language: str,
    data: Sequence[Corpus],
    dev: Corpus | None,
    folder: Path,
    *,
    begun: Path | None = None,
) -> None:
    print(f"training {folder}", flush=True)
    is_network = recipe.network is not None
    checkpoint = folder.with_name(folder.name + ".checkpoint") if is_network else None
    run = Run(checkpoint=checkpoint, minutes=2.0, resume=checkpoint is not None, init=begun)

    def tick(step: Step) -> None:
        if is_network or step.iteration % 10 == 0:
            score = "" if step.f1 is None else f", F1 {step.f1:.4f}"
            print(f"  {step.iteration}: loss {step.loss:.4f}{score}", flush=True)

    fitted = fit(recipe, language, data, dev, tick, run=run)
    if isinstance(fitted, Fitted):
        fitted = fitted.trimmed(LEAST_WEIGHT[language])
    elif isinstance(fitted, NetworkFitted):
        fitted = meant(fitted)
    fitted.save(folder)
