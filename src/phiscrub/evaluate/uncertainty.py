"""How sure figures are: exact bounds, bootstrap intervals, and tests between two systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.beta import quantile
from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.tally import Table, Tally, divided

Values = NDArray[np.float64]  # a figure of each row of sums
Draws = NDArray[np.integer[Any]]  # how often each row is drawn; shape [resamples, rows]
ROWS = 256  # resamples worked on at once
KEPT = 40_000_000  # draws that are kept for the next figure, 80 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """A figure with the bounds that hold it at a level of confidence."""

    value: float | None
    low: float
    high: float
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class Difference:
    """The second system's figure less the first one's, its interval, and a p-value.

    `p` is the chance of a difference as large where the systems are alike; two-sided.
    """

    value: float
    low: float
    high: float
    p: float
    level: float = 0.95


def exact_bounds(part: int, whole: int, level: float = 0.95) -> Interval:
    """Return a share with its two-sided exact bounds; without cases they are 0 and 1.

    Source: Clopper and Pearson 1934. It assumes independent cases, which mentions within one
    note are not: for shares over many mentions prefer `bootstrap`. Raises `SettingsError` where
    it is no share of cases.
    """
    _check(level)
    if not 0 <= part <= whole:
        raise SettingsError(f"{part} of {whole} is no share", hint="give counts of cases")
    tail = (1 - level) / 2
    low = quantile(part, whole - part + 1, tail) if part else 0.0
    high = quantile(part + 1, whole - part, 1 - tail) if part < whole else 1.0
    return Interval(part / whole if whole else None, low, high, level)


def precision(sums: Table) -> Values:
    """Return micro precision of each row of sums."""
    return divided(sums[:, 0], sums[:, 0] + sums[:, 2])


def recall(sums: Table) -> Values:
    """Return micro recall of each row of sums."""
    return divided(sums[:, 0], sums[:, 0] + sums[:, 1])


def f1(sums: Table) -> Values:
    """Return micro F1 of each row of sums."""
    return divided(2 * sums[:, 0], 2 * sums[:, 0] + sums[:, 1] + sums[:, 2])


Figure = Callable[[Table], Values]
FIGURES = MappingProxyType({"precision": precision, "recall": recall, "f1": f1})


def bootstrap(
    tally: Tally,
    figure: Figure,
    *,
    seed: int,
    subjects: Sequence[str | None] | None = None,
    samples: int = 2000,
    level: float = 0.95,
) -> Interval:
    """Return a figure with its percentile interval over resampled documents.

    `subjects` names each document's patient; the documents of one are drawn together, because
    they are not independent. Source: Efron and Tibshirani 1993, chapter 13.
    """
    _check(level)
    table = clusters(tally, subjects)
    value = float(figure(tally.table.sum(axis=0, keepdims=True))[0])
    if not len(table):
        return Interval(None, 0.0, 1.0, level)
    found = np.concatenate([figure(rows @ table) for rows in _draws(len(table), samples, seed)])
    low, high = _percentiles(found, level)
    return Interval(value, low, high, level)


def paired_bootstrap(
    first: Tally,
    second: Tally,
    figure: Figure,
    *,
    seed: int,
    subjects: Sequence[str | None] | None = None,
    samples: int = 2000,
    level: float = 0.95,
) -> Difference:
    """Compare two systems over the same resamples of the same documents.

    `p` is twice the share of resamples in which the difference changes its sign. Source: Berg-
    Kirkpatrick, Burkett and Klein 2012. Raises `SettingsError` where the documents differ.
    """
    _check(level)
    one, other = _paired(first, second, subjects)
    found = np.concatenate(
        [figure(rows @ other) - figure(rows @ one) for rows in _draws(len(one), samples, seed)]
    )
    low, high = _percentiles(found, level)
    below, above = int((found <= 0).sum()), int((found >= 0).sum())
    p = min(1.0, 2 * (min(below, above) + 1) / (len(found) + 1))
    return Difference(_difference(one, other, figure), low, high, p, level)


def randomisation(
    first: Tally,
    second: Tally,
    figure: Figure,
    *,
    seed: int,
    subjects: Sequence[str | None] | None = None,
    samples: int = 2000,
) -> float:
    """Return the p-value of a difference: how often swapping the systems' documents matches it.

    Source: Noreen 1989, as used by Yeh 2000. Raises `SettingsError` where the documents differ.
    """
    one, other = _paired(first, second, subjects)
    observed = abs(_difference(one, other, figure))
    random, reached = np.random.default_rng(seed), 0
    for done in range(0, samples, ROWS):
        rows = min(ROWS, samples - done)
        swaps = random.integers(0, 2, (rows, len(one)))
        moved = swaps @ (other - one)
        left, right = one.sum(axis=0) + moved, other.sum(axis=0) - moved
        # A difference that is the same but for rounding has been reached.
        reached += int((np.abs(figure(right) - figure(left)) >= observed - 1e-12).sum())
    return (reached + 1) / (samples + 1)


def clusters(tally: Tally, subjects: Sequence[str | None] | None) -> Table:
    """Sum the rows of each patient; a document without one stands for itself.

    `subjects` names each document's patient. Raises `SettingsError` where it is not as long.
    """
    if subjects is None:
        return tally.table
    if len(subjects) != len(tally.documents):
        raise SettingsError(
            f"{len(subjects)} patients given for {len(tally.documents)} documents",
            hint="name one, or none, for each document",
        )
    keys = [
        (True, subject) if subject is not None else (False, str(at))
        for at, subject in enumerate(subjects)
    ]
    number = {key: at for at, key in enumerate(dict.fromkeys(keys))}
    sums = np.zeros((len(number), 3), dtype=np.int64)
    np.add.at(sums, [number[key] for key in keys], tally.table)
    return sums


def _paired(
    first: Tally, second: Tally, subjects: Sequence[str | None] | None
) -> tuple[Table, Table]:
    if first.documents != second.documents:
        raise SettingsError(
            "the two systems were scored on different documents",
            hint="score both on the same gold, with --missing zero",
        )
    if not first.documents:
        raise SettingsError("there are no documents to compare", hint="check the folders")
    return clusters(first, subjects), clusters(second, subjects)


def _difference(one: Table, other: Table, figure: Figure) -> float:
    left, right = (figure(table.sum(axis=0, keepdims=True))[0] for table in (one, other))
    return float(right - left)


def _draws(size: int, samples: int, seed: int) -> Iterable[Draws]:
    """Return how often each row is drawn, some resamples at a time; shape [resamples, size]."""
    return _kept(size, samples, seed) if size * samples <= KEPT else _drawn(size, samples, seed)


@lru_cache(maxsize=1)
def _kept(size: int, samples: int, seed: int) -> tuple[Draws, ...]:
    """Draw once for the many figures of one corpus."""
    return tuple(rows.astype(np.int16) for rows in _drawn(size, samples, seed))


def _drawn(size: int, samples: int, seed: int) -> Iterator[Draws]:
    random = np.random.default_rng(seed)
    even = np.full(size, 1 / size)
    for done in range(0, samples, ROWS):
        yield random.multinomial(size, even, size=min(ROWS, samples - done))


def _percentiles(values: Values, level: float) -> tuple[float, float]:
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def _check(level: float) -> None:
    if not 0 < level < 1:
        raise SettingsError(f"the level {level} is no confidence", hint="say 0.95, for example")
