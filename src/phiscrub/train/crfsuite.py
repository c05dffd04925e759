"""The averaged perceptron of python-crfsuite, watched by iteration, stopped where it pays."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.counts import ratio
from phiscrub.core.errors import MissingError
from phiscrub.core.schemes import OUTSIDE
from phiscrub.detect.tagging.crfsuite_file import read_crfsuite
from phiscrub.train.examples import Examples
from phiscrub.train.recipe import PERCEPTRON, Training
from phiscrub.train.steps import Step, Weighed, best_step

HOLDOUT = 1  # the trainer's group of development sequences, never trained on
NO_HOLDOUT = -1

Keep = NDArray[np.bool_]


class _EnoughError(Exception):
    """Ends the trainer's loop from inside."""


def perceptron(
    train: Examples,
    keep: Keep,
    dev: Examples | None,
    training: Training,
    tick: Callable[[Step], None],
) -> Weighed:
    """Find the weights of the attributes that `keep` marks.

    Where F1 on `dev` has risen and then not for the recipe's patience, training ends and is done
    again up to its best iteration: the trainer gives no weights before its end, and always takes
    the same way. Raises `MissingError` without python-crfsuite.
    """
    trainer = _trainer(training)
    for rows, tags in train.written(keep):
        trainer.append(rows, tags)
    if dev is not None:
        for rows, tags in _holdout(train, keep, dev):
            trainer.append(rows, tags, group=HOLDOUT)
    begun, steps = time.monotonic(), list[Step]()

    def watch(info: dict[str, Any]) -> None:
        f1 = None if dev is None else _f1(info["scores"])
        steps.append(Step(info["num"], info["loss"], f1, time.monotonic() - begun))
        tick(steps[-1])
        best = best_step(steps)
        if 0 < training.patience <= len(steps) - best and steps[best - 1].f1:
            raise _EnoughError

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "model.crfsuite"
        group = NO_HOLDOUT if dev is None else HOLDOUT
        try:
            _run(trainer, file, group, watch)
            stopped = _ending(steps, training)
        except _EnoughError:
            best = best_step(steps)
            stopped = f"no gain after iteration {best}"
            trainer.set("max_iterations", best)
            _run(trainer, file, group, lambda _: None)
        trained = read_crfsuite(file.read_bytes(), str(file))
    return Weighed(trained, tuple(steps), int(keep.sum()), stopped)


def _trainer(training: Training) -> Any:
    try:
        import pycrfsuite  # noqa: PLC0415  # optional
    except ImportError:
        raise MissingError(
            "training needs the package python-crfsuite", hint="pip install 'phiscrub[crf]'"
        ) from None
    stated: dict[str, float | int] = {
        "feature.minfreq": training.min_frequency,
        "max_iterations": training.max_iterations,
        "epsilon": training.epsilon,
    }
    return pycrfsuite.Trainer(PERCEPTRON, stated, verbose=False)


def _run(trainer: Any, file: Path, group: int, watch: Callable[[dict[str, Any]], None]) -> None:
    def message(line: str) -> None:
        if trainer.logparser.feed(line) == "iteration":
            watch(trainer.logparser.last_iteration)

    trainer.message = message
    trainer.train(str(file), holdout=group)


def _holdout(
    train: Examples, keep: Keep, dev: Examples
) -> Iterable[tuple[list[list[str]], list[str]]]:
    """Yield development sequences; what training does not know, the model must not learn of."""
    tags = set(train.tag_names)
    known = {name for name, kept in zip(train.attributes, keep.tolist(), strict=True) if kept}
    both = np.array([name in known for name in dev.attributes], dtype=bool)
    for rows, own in dev.written(both):
        yield rows, [tag if tag in tags else OUTSIDE for tag in own]


def _f1(scores: dict[str, Any]) -> float:
    inside = [score for tag, score in scores.items() if tag != OUTSIDE]
    hits = sum(score.match for score in inside)
    return ratio(2 * hits, sum(score.model + score.ref for score in inside)) or 0.0


def _ending(steps: list[Step], training: Training) -> str:
    if len(steps) >= training.max_iterations:
        return f"all {training.max_iterations} iterations done"
    return f"converged after iteration {len(steps)}"
