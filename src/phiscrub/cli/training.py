"""What the commands that train share: options, corpora, progress, and figures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from phiscrub.cli.options import ABOUT, RUN
from phiscrub.cli.report import stderr
from phiscrub.cli.scoring import Result
from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import counted
from phiscrub.formats.record import Options
from phiscrub.train.corpus import UNSTATED, Corpus, read_corpus
from phiscrub.train.folds import (
    WHOSE,
    Groups,
    by_document,
    by_patient,
    by_piece,
    joined_by_patient,
    of_nobody,
)
from phiscrub.train.recipe import Recipe, load_recipe
from phiscrub.train.steps import Step

QUICK_TRAIN, QUICK_DEV = 250_000, 100_000  # characters of a smoke run
EVERY = 10  # iterations between two lines of progress where there is no terminal

RecipeName = Annotated[
    str, typer.Argument(help="Shipped recipe, see phiscrub recipes, or a TOML file.")
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="Language of the notes (en, es, sv, …); by default that of the label set.",
        rich_help_panel=ABOUT,
    ),
]
LabelSetName = Annotated[
    str | None,
    typer.Option(
        "--labels",
        help="Label set of the notes, where the format does not say; by default the first that "
        "has all their labels.",
        rich_help_panel=ABOUT,
    ),
]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without",
        help="Group of features to leave out; may be given several times.",
        rich_help_panel=ABOUT,
    ),
]
Licence = Annotated[
    str,
    typer.Option(help="Licence of the training notes, for the manifest.", rich_help_panel=ABOUT),
]
Quick = Annotated[
    bool,
    typer.Option("--quick", help="A smoke run: few notes and iterations.", rich_help_panel=RUN),
]
Seed = Annotated[int, typer.Option(help="Seed of what is drawn.", rich_help_panel=RUN)]
Device = Annotated[
    str,
    typer.Option(help="What trains a network: cpu, or cuda for a GPU.", rich_help_panel=RUN),
]
Vectors = Annotated[
    Path | None,
    typer.Option(
        help="Word vectors that a network begins with, as phiscrub embed writes or in word2vec, "
        "GloVe or fastText format.",
        rich_help_panel=ABOUT,
    ),
]
Jobs = Annotated[
    int,
    typer.Option(
        "--workers",
        "-w",
        min=0,
        help="Processes; 0 means one a core that it may use.",
        rich_help_panel=RUN,
    ),
]
Cut = Annotated[
    int,
    typer.Option(
        min=0,
        help="Cut notes after so many lines, for corpora of loose sentences; 0 leaves them whole.",
        rich_help_panel=ABOUT,
    ),
]


class By(StrEnum):
    """What is never parted between sides; a piece is what `--cut` makes of a note."""

    DOCUMENT = "document"
    PATIENT = "patient"
    PIECE = "piece"


GROUPED = MappingProxyType({By.DOCUMENT: by_document, By.PATIENT: by_patient, By.PIECE: by_piece})
Unparted = Annotated[
    By | None,
    typer.Option(
        "--by",
        help="What is never parted; by default a patient where notes say whose they are, else a "
        "note. piece: what --cut makes of notes.",
    ),
]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How corpora are read, and what is made of them."""

    options: Options
    read_as: str | None = None
    labels: str | None = None
    licence: str = UNSTATED
    cut: int = 0

    def corpus(self, path: Path) -> Corpus:
        """Read a corpus, and tell what was mended."""
        corpus, notices = read_corpus(
            path,
            labels=self.labels,
            options=self.options,
            read_as=self.read_as,
            licence=self.licence,
        )
        tell(notices)
        return corpus.cut(self.cut) if self.cut else corpus


def chosen(name: str, without: Sequence[str] | None, *, quick: bool) -> Recipe:
    """Load a recipe, without some groups of features, cut for a smoke run if that is asked.

    Raises `SettingsError` where it has no such group.
    """
    recipe = load_recipe(name)
    there = {
        *recipe.features,
        *(group for own in recipe.variants.values() for group in own.features),
    }
    for group in without or ():
        if group not in there:
            raise SettingsError(
                f"recipe {recipe.name} has no group {group!r}",
                hint=f"its groups: {', '.join(sorted(there))}",
            )
    for group in without or ():
        variants = {
            code: replace(own, features={**own.features, group: ()})
            for code, own in recipe.variants.items()
        }
        recipe = replace(recipe.tuned(without=[group]), variants=variants)
    return recipe.quick() if quick else recipe


def spoken(language: str | None, corpus: Corpus) -> str:
    """Return the language that was named, or that of the corpus' label set, and tell it."""
    if language is None:
        tell([f"language {corpus.language}, as the label set says; name another with --language"])
    return language or corpus.language


def unparted(corpus: Corpus, by: By | None) -> Groups:
    """Return what is never parted; by default known patients and all notes, and tell of others."""
    if by is not None:
        return GROUPED[by](corpus)
    alone, whole = of_nobody(corpus), len(corpus.wholes)
    if alone:
        tell(
            [
                f"{alone:,} of {counted(whole, 'note')} do not say whose they are: a patient may "
                f"be on both sides, and figures too good; {WHOSE}"
            ]
        )
    return joined_by_patient(corpus, by_document(corpus))


def tell(notices: Iterable[str]) -> None:
    """Print notices on standard error."""
    for line in notices:
        stderr().print(line)


@contextmanager
def iterations(recipe: Recipe, *, quiet: bool) -> Iterator[Callable[[Step], None]]:
    """Show iterations with their loss: a bar on a terminal, else a line now and then."""
    if quiet:
        yield lambda _: None
        return
    every = EVERY if recipe.network is None else 1
    if not sys.stderr.isatty():
        yield lambda step: tell([_told(step, recipe)] if step.iteration % every == 0 else [])
        return
    with bar("") as shown:
        task = shown.add_task("reading notes", total=recipe.most_steps)
        yield lambda step: shown.update(
            task, completed=step.iteration, description=_told(step, recipe)
        )


@contextmanager
def counting(total: int, noun: str, *, quiet: bool) -> Iterator[Callable[[str], None]]:
    """Show how many models of several are done, each with what is told of it."""
    if quiet:
        yield lambda _: None
        return
    if not sys.stderr.isatty():
        yield lambda line: tell([line])
        return
    with bar(f" {noun}") as shown:
        task = shown.add_task("", total=total)
        yield lambda line: shown.update(task, advance=1, description=line)


def measures(result: Result) -> dict[str, dict[str, object]]:
    """Return the figures of a result for JSON, without those of single notes."""
    return {
        name: {key: value for key, value in row.items() if key != "per_document"}
        for name, row in result.measures.items()
    }


def bar(noun: str) -> Progress:
    """Return a bar on standard error that counts to a total, with the time and what is told."""
    columns = (
        BarColumn(),
        TextColumn("{task.completed}/{task.total}" + noun),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    return Progress(*columns, console=stderr(), transient=True)


def judged_by(recipe: Recipe) -> str:
    """Return what steps of training are judged by."""
    if recipe.network is None:
        return "F1 of tokens in mentions"
    return recipe.schedule.measure.replace("_", " ").replace("f1", "F1").replace("hipaa", "HIPAA")


def _told(step: Step, recipe: Recipe) -> str:
    value = "" if step.f1 is None else f", on --dev {judged_by(recipe)} {step.f1:.4f}"
    if recipe.network is None:
        return f"iteration {step.iteration}: loss {step.loss:,.0f}{value}"
    return f"epoch {step.iteration}: loss {step.loss:.4f}{value}, {step.seconds:,.0f} s"
