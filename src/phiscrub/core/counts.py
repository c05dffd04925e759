"""What was found, missed and found wrongly."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false negatives and false positives; `+` is the only change.

    Ratios are derived, and None where there is nothing to divide by.
    """

    hit: int = 0
    missed: int = 0
    spurious: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(
            self.hit + other.hit, self.missed + other.missed, self.spurious + other.spurious
        )

    @property
    def precision(self) -> float | None:
        """The share of what was found that is right."""
        return ratio(self.hit, self.hit + self.spurious)

    @property
    def recall(self) -> float | None:
        """The share of what is there that was found."""
        return ratio(self.hit, self.hit + self.missed)

    @property
    def f1(self) -> float | None:
        """The harmonic mean of both; 0 where one side is empty and the other is not."""
        return ratio(2 * self.hit, 2 * self.hit + self.missed + self.spurious)


def ratio(part: float, whole: float) -> float | None:
    """Divide, or return None where there is nothing to divide by."""
    return part / whole if whole else None
