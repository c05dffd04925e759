"""What leaks of each patient's identifiers, in an order that hangs on nothing that matters."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from phiscrub.calibrate.bounds import Values
from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.masking import ALL, DOCUMENTS, ENTITIES, Masking
from phiscrub.evaluate.tally import Table, divided

TOKENS = "masking.token.word.full"
MEAN = "on average over patients"
UNNAMED = "note "  # before the name of a document that is taken for a patient
TOKENIZERS = ("word",)  # of `masking.measure`, for what is read here


def _share(sums: Table) -> Values:
    return divided(sums[:, 1], sums[:, 0] + sums[:, 1])


def _any(sums: Table) -> Values:
    return (sums[:, 1] > 0).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Risk:
    """What is promised of a patient: `loss`, in [0, 1], of sums of hits and misses.

    `measure` is whose of `Masking`; `says` names it in a promise.
    """

    name: str
    measure: str
    loss: Callable[[Table], Values]
    says: str

    @property
    def is_binary(self) -> bool:
        """Whether a patient's loss is 0 or 1, so that exact binomial bounds hold."""
        return self.loss is _any


RISKS = MappingProxyType(
    {
        risk.name: risk
        for risk in (
            Risk(
                "words",
                TOKENS,
                _share,
                f"the share of a patient's identifying words masked, {MEAN},",
            ),
            Risk(
                "mentions",
                ENTITIES,
                _share,
                f"the share of a patient's mentions masked whole, {MEAN},",
            ),
            Risk("patients", DOCUMENTS, _any, "the share of patients of whom nothing is left"),
        )
    }
)


def risk(name: str) -> Risk:
    """Return a risk by name; raise `SettingsError` where there is none."""
    if name not in RISKS:
        raise SettingsError(f"no measure {name!r}", hint=f"known: {', '.join(RISKS)}")
    return RISKS[name]


@dataclass(frozen=True, slots=True)
class Patients:
    """Whose each document is: the number of its patient, in the order of a hash of their keys.

    A document without a subject is a patient of its own. The order is the same in every run, and
    says nothing of when or where a note was written, as names of files may.
    """

    of_document: tuple[int, ...]
    count: int
    keys: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, documents: Sequence[str], subjects: Sequence[str | None]) -> Patients:
        """Give the patients of documents numbers, by their keys."""
        whose = [
            f"{UNNAMED}{name}" if key is None else f"patient {key}"
            for name, key in zip(documents, subjects, strict=True)
        ]
        keys = sorted(set(whose), key=lambda key: hashlib.sha256(key.encode()).digest())
        number = {key: at for at, key in enumerate(keys)}
        return cls(tuple(number[key] for key in whose), len(keys), tuple(keys))

    @property
    def unnamed(self) -> int:
        """How many documents do not say whose they are."""
        return sum(key.startswith(UNNAMED) for key in self.keys)

    def losses(self, table: Table, of: Risk) -> Values:
        """Return the loss of each patient who has anything to lose, in order.

        `table` has a row of hit, missed and spurious a document.
        """
        sums = np.zeros((self.count, 3), dtype=np.int64)
        np.add.at(sums, list(self.of_document), table)
        return of.loss(sums[sums[:, :2].any(axis=1)])


def by_group(
    masking: Masking, patients: Patients, of: Risk, groups: Sequence[str] = (ALL,)
) -> Mapping[str, Values]:
    """Return the losses of each group of labels that anybody has."""
    found = {
        group: patients.losses(masking.tallies[of.measure, group].table, of)
        for group in groups
        if (of.measure, group) in masking.tallies
    }
    return {group: losses for group, losses in found.items() if len(losses)}
