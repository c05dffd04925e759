"""Learning curves: what more annotation would buy."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from phiscrub.core.counts import Counts
from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import counted
from phiscrub.evaluate.entities import exact
from phiscrub.evaluate.masking import ENTITIES, measure, no_groups
from phiscrub.train.corpus import Corpus
from phiscrub.train.fit import fit
from phiscrub.train.recipe import Recipe
from phiscrub.train.schedule import Run

FEWEST = 3  # points that a forecast needs
RATES = tuple(step / 20 for step in range(1, 41))  # exponents that are tried


@dataclass(frozen=True, slots=True)
class Point:
    """A model trained on so many notes: exact counts and masked mentions on the test notes."""

    notes: int
    mentions: int
    exact: Counts
    masked: Counts


@dataclass(frozen=True, slots=True)
class Forecast:
    """What F1 lacks falls as ``floor + scale * notes ** -rate``; a fit by least squares."""

    floor: float
    scale: float
    rate: float

    def f1(self, notes: float) -> float:
        """Return the F1 that so many notes would give."""
        error = self.floor + self.scale * math.pow(notes, -self.rate)
        return min(1.0, max(0.0, 1.0 - error))


def learn(
    recipe: Recipe,
    language: str,
    train: Corpus,
    test: Corpus,
    *,
    sizes: Sequence[int],
    seed: int,
    tick: Callable[[Point], None],
) -> list[Point]:
    """Train on more and more notes, each set holding the one before; test all on the same.

    Raises `SettingsError` where a size is not between 1 and the number of notes.
    """
    for size in sizes:
        if not 1 <= size <= len(train):
            raise SettingsError(
                f"--sizes asks for {counted(size, 'note')}, and there are {len(train)}",
                hint="give sizes between 1 and that",
            )
    order = list(train.notes)
    random.Random(seed).shuffle(order)  # noqa: S311 - no secret
    points = []
    for size in sorted(set(sizes)):
        part = train.only(note.document.id for note in order[:size])
        found = fit(recipe, language, [part], None, run=Run(seed=seed)).samples(test.notes)
        points.append(
            Point(
                size,
                sum(part.labels.values()),
                sum((tally.total for tally in exact(found).values()), Counts()),
                measure(found, no_groups).total(ENTITIES),
            )
        )
        tick(points[-1])
    return points


def forecast(points: Sequence[Point]) -> Forecast | None:
    """Fit the curve through the points; None for fewer than three, or where it does not rise."""
    known = [(point.notes, 1.0 - (point.exact.f1 or 0.0)) for point in points]
    if len(known) < FEWEST:
        return None
    fits = [_line([(size**-rate, error) for size, error in known]) for rate in RATES]
    _, floor, scale, rate = min(
        (lost, floor, scale, rate) for (lost, floor, scale), rate in zip(fits, RATES, strict=True)
    )
    return Forecast(floor, scale, rate) if scale > 0 else None


def default_sizes(notes: int) -> tuple[int, ...]:
    """Return doubling sizes from about 25 up to all notes."""
    steps = max(2, min(6, round(math.log2(max(1, notes) / 25)) + 1))
    return tuple(sorted({max(1, round(notes / 2**step)) for step in range(steps)}))


def _line(points: Sequence[tuple[float, float]]) -> tuple[float, float, float]:
    """Return squared loss, intercept (not below 0) and slope of the line through the points."""
    mean_x = sum(x for x, _ in points) / len(points)
    mean_y = sum(y for _, y in points) / len(points)
    spread = sum((x - mean_x) ** 2 for x, _ in points)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in points) / spread if spread else 0.0
    floor = mean_y - slope * mean_x
    if floor < 0:
        floor = 0.0
        slope = sum(x * y for x, y in points) / sum(x * x for x, _ in points)
    return sum((floor + slope * x - y) ** 2 for x, y in points), floor, slope
