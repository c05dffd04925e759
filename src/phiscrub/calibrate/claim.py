"""What is promised, and whether a sample of patients proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil

import numpy as np

from phiscrub.calibrate.bounds import Values, betting_p, binomial_p, least
from phiscrub.calibrate.losses import Risk
from phiscrub.core.errors import SettingsError

MOST = 10_000_000  # patients beyond which nobody is asked to go
Losses = Mapping[str, Values]  # by group of labels: a loss a patient


@dataclass(frozen=True, slots=True)
class Claim:
    """A recall, the risk that it is less of, and the confidence that it holds.

    Without a confidence it is promised on average over all calibrations, not for this one.
    Raises `SettingsError` where a number is no share between 0 and 1.
    """

    recall: float
    confidence: float | None
    risk: Risk

    def __post_init__(self) -> None:
        for name, value in (("recall", self.recall), ("confidence", self.confidence)):
            if value is not None and not 0 < value < 1:
                raise SettingsError(f"{name} {value} is not between 0 and 1", hint="such as 0.995")

    @property
    def rate(self) -> float:
        """The most that may leak."""
        return 1 - self.recall

    def proved(self, losses: Values) -> bool:
        """Tell whether the losses of patients prove it.

        With a confidence by a p-value against "more leaks": exact binomial where a loss is 0 or
        1, by betting otherwise. On average by the rule of conformal risk control, for which
        losses must not fall as thresholds get less careful (Angelopoulos et al. 2024, theorem 1).
        """
        if self.confidence is None:
            return bool((losses.sum() + 1) / (len(losses) + 1) <= self.rate)
        level = 1 - self.confidence
        if self.risk.is_binary:
            return binomial_p(int(losses.sum()), len(losses), self.rate) <= level
        return betting_p(losses, self.rate, level) <= level

    def holds(self, losses: Losses) -> bool:
        """Tell whether it is proved for every group.

        No correction for their number is due: the claim is false where one group's is, and that
        group's own test lets it pass with the level's probability at most (Berger 1982).
        """
        return all(self.proved(own) for own in losses.values())

    def fewest(self) -> int:
        """Return how many patients it takes where nothing leaks."""
        return least(lambda count: self.proved(np.zeros(count)), 1, MOST) or MOST

    def wanted(self, losses: Values) -> int | None:
        """Return how many patients it would take if all leak like these; None where none do."""
        if losses.mean() >= self.rate:
            return None
        count = len(losses)

        def enough(copies: int) -> bool:
            return self.proved(np.tile(losses, copies))

        copies = least(enough, 1, ceil(MOST / count))
        return None if copies is None else copies * count
