"""Cross-validation: every note is tagged by a model that has not seen it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from phiscrub.core.counts import Counts
from phiscrub.core.errors import AnnotationError, OutputError, SettingsError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.core.version import VERSION
from phiscrub.evaluate.entities import exact
from phiscrub.evaluate.sample import Sample
from phiscrub.formats.whole import write_whole
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus, same_labels
from phiscrub.train.fit import RUN, fit
from phiscrub.train.reading import tag
from phiscrub.train.recipe import Recipe
from phiscrub.train.rules import rules_digest
from phiscrub.train.schedule import Run

Found = Mapping[str, tuple[Mention, ...]]  # by the id of a note


@dataclass(frozen=True, slots=True, eq=False)
class Plan:
    """Which notes are tested in which fold, and all that a fold's model is trained on.

    Each extra corpus is dealt into as many folds; it is never tested, but its own fold is left
    out of training too, so that all folds train on like shares of it. `dev` is never tested
    either.
    """

    recipe: Recipe
    language: str
    target: Corpus
    folds: tuple[tuple[str, ...], ...] = field(repr=False)
    extra: tuple[tuple[Corpus, tuple[tuple[str, ...], ...]], ...] = ()
    dev: Corpus | None = None
    run: Run = RUN

    def __post_init__(self) -> None:
        for corpus, _ in self.extra:
            same_labels(self.target, corpus)

    @property
    def identity(self) -> str:
        """A hash of all that decides the outcome."""
        recipe = self.recipe.spoken(self.language)
        told = [
            VERSION,
            recipe.stated(),
            (self.recipe.tokenizer, self.recipe.scheme, self.recipe.sequence, self.language),
            (self.target.sha256, self.folds),
            [(corpus.sha256, folds) for corpus, folds in self.extra],
            None if self.dev is None else self.dev.sha256,
            self.run.identity,
            rules_digest(recipe.detectors, self.language),
        ]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()

    def training(self, number: int) -> list[Corpus]:
        """Return what the fold's model is trained on, the target first."""
        extra = [corpus.without(folds[number]) for corpus, folds in self.extra]
        return [self.target.without(self.folds[number]), *extra]


@dataclass(frozen=True, slots=True, eq=False)
class Fold:
    """What one fold's model found in the notes that it was not trained on."""

    number: int
    found: Found = field(repr=False)
    iterations: int


@dataclass(frozen=True, slots=True)
class Spread:
    """One measure over the folds: its mean and standard deviation, None where undefined.

    Folds in which the measure is undefined are left out; the deviation is the sample's and needs
    two folds.
    """

    mean: float | None
    deviation: float | None

    @classmethod
    def of(cls, values: Sequence[float | None]) -> Spread:
        """Summarise a value a fold."""
        known = [value for value in values if value is not None]
        return cls(fmean(known) if known else None, stdev(known) if len(known) > 1 else None)


@dataclass(frozen=True, slots=True)
class Line:
    """A label's counts in each fold ('' for all labels), with what follows from them."""

    label: str
    folds: tuple[Counts, ...]

    @property
    def pooled(self) -> Counts:
        """The sum over the folds."""
        return sum(self.folds, Counts())

    @property
    def precision(self) -> Spread:
        """Precision over the folds."""
        return Spread.of([counts.precision for counts in self.folds])

    @property
    def recall(self) -> Spread:
        """Recall over the folds."""
        return Spread.of([counts.recall for counts in self.folds])

    @property
    def f1(self) -> Spread:
        """F1 over the folds."""
        return Spread.of([counts.f1 for counts in self.folds])


def run_fold(plan: Plan, number: int) -> Fold:
    """Train and test one fold."""
    fitted = fit(plan.recipe, plan.language, plan.training(number), plan.dev, run=plan.run)
    notes = plan.target.only(plan.folds[number]).notes
    found = tag(notes, get_tokenizer(plan.recipe.tokenizer), fitted.tagger())
    return Fold(
        number,
        {note.document.id: note.mentions for note in found},
        len(fitted.steps),
    )


def run(plan: Plan, state: Path | None, workers: int, tick: Callable[[Fold], None]) -> list[Fold]:
    """Run every fold that `state` does not hold yet, side by side; return all in order.

    Raises `SettingsError` where the folder is of another plan, `OutputError` where it cannot be
    written or a worker died.
    """
    done = {} if state is None else _read(state, plan)
    for fold in done.values():
        tick(fold)
    missing = [number for number in range(len(plan.folds)) if number not in done]
    for fold in _made(plan, missing, min(workers, len(missing))):
        if state is not None:
            _write(state, plan, fold)
        tick(fold)
        done[fold.number] = fold
    return [done[number] for number in range(len(plan.folds))]


def samples(target: Corpus, folds: Sequence[Fold]) -> list[tuple[Sample, ...]]:
    """Return the notes of each fold with their gold and found mentions."""
    gold = {note.document.id: note for note in target.notes}
    return [
        tuple(
            replace(
                Sample.of(gold[name], Annotated(gold[name].document, fold.found[name])),
                subject=target.patient(gold[name]),
            )
            for name in sorted(fold.found)
        )
        for fold in folds
    ]


def lines(folds: Sequence[Sequence[Sample]]) -> list[Line]:
    """Return the counts of each label by fold, and of all labels last; place and label count."""
    by_fold = [{label: tally.total for label, tally in exact(fold).items()} for fold in folds]
    labels = sorted({label for counts in by_fold for label in counts})
    of_all = tuple(sum(counts.values(), Counts()) for counts in by_fold)
    return [
        *(Line(name, tuple(counts.get(name, Counts()) for counts in by_fold)) for name in labels),
        Line("", of_all),
    ]


def _made(plan: Plan, numbers: Sequence[int], workers: int) -> Iterator[Fold]:
    if workers < 2:  # noqa: PLR2004 - one process needs no pool
        yield from (run_fold(plan, number) for number in numbers)
        return
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        waiting = [pool.submit(run_fold, plan, number) for number in numbers]
        try:
            for future in as_completed(waiting):
                yield future.result()
        except BrokenProcessPool:
            raise OutputError(
                "a worker process died, perhaps for want of memory",
                hint="run again with fewer --workers; what is done stays done",
            ) from None
        finally:
            for future in waiting:
                future.cancel()


def _file(state: Path, number: int) -> Path:
    return state / f"fold-{number + 1}.json"


def _write(state: Path, plan: Plan, fold: Fold) -> None:
    """Write a fold's finds; they hold places and labels, and no text."""
    table = {
        "identity": plan.identity,
        "iterations": fold.iterations,
        "found": {
            name: [[m.span.start, m.span.end, m.label, m.score, m.source] for m in mentions]
            for name, mentions in sorted(fold.found.items())
        },
    }
    write_whole(_file(state, fold.number), json.dumps(table))


def _read(state: Path, plan: Plan) -> dict[int, Fold]:
    done = {}
    files = [(number, _file(state, number)) for number in range(len(plan.folds))]
    there = [(number, file) for number, file in files if file.exists()]
    identity = plan.identity if there else ""
    for number, file in there:
        try:
            table: dict[str, Any] = json.loads(file.read_text("utf-8"))
            same = table["identity"] == identity
            found = {
                name: tuple(Mention(Span(*row[:2]), *row[2:]) for row in rows)
                for name, rows in table["found"].items()
            }
            done[number] = Fold(number, found, int(table["iterations"]))
        except (ValueError, KeyError, TypeError, AttributeError, AnnotationError):
            raise SettingsError(
                "is no fold of a cross-validation", where=str(file), hint="remove it"
            ) from None
        if not same:
            raise SettingsError(
                "is of another cross-validation: recipe, rules, notes, folds or seed differ",
                where=str(file),
                hint="name another folder with -o, or remove this one",
            )
    return done
