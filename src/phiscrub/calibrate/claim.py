"""What is promised, and whether a sample of patients proves it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from math import ceil, log

import numpy as np

from phiscrub.calibrate.bounds import Values, betting_p, binomial_p, least
from phiscrub.calibrate.losses import Risk
from phiscrub.core.errors import SettingsError

MOST = 10_000_000  # patients beyond which nobody is asked to go
FAR = 100_000  # the same where it is drawn how many it takes
STEP = 0.02  # how closely that is told
DRAWS, MAY_FAIL = 20, 2  # for each number
SURE = 0.95  # that more leaks, where the claim has no confidence
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
        """Return about how many patients it takes, these among them, if further ones leak alike.

        So many prove it in 9 of 10 seeded draws of further patients from these, all in random
        order. None where no number up to `FAR` does. The order of the losses does not matter.
        """
        count = len(losses)
        if not losses.any():
            return max(count, self.fewest())
        if count >= FAR or losses.mean() >= self.rate:
            return None
        kept = np.sort(losses)

        def size(step: int) -> int:
            return min(FAR, ceil(count * (1 + STEP) ** step))

        def proves(size: int, seed: int) -> bool:
            chance = np.random.default_rng(seed)
            more = chance.choice(kept, size - count)
            return self.proved(chance.permutation(np.concatenate([kept, more])))

        def enough(step: int) -> bool:
            failed = (not proves(size(step), seed) for seed in range(DRAWS))
            return sum(islice(filter(None, failed), MAY_FAIL + 1)) <= MAY_FAIL

        step = least(enough, 1, ceil(log(FAR / count) / log(1 + STEP)))
        return None if step is None else size(step)

    def is_beyond(self, losses: Values) -> bool:
        """Tell whether the losses prove the contrary, by betting: that more leaks."""
        level = 1 - (SURE if self.confidence is None else self.confidence)
        return betting_p(1 - losses, self.recall, level) <= level
