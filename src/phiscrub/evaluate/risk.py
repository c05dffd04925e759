"""The risk that a released note names its patient, after Scaiano et al. 2016.

Source: Scaiano, Middleton, Arbuckle, Kolhatkar, Peyton, Dowling, Gipson and El Emam, "A unified
framework for evaluating the risk of re-identification of text de-identified using natural language
processing tools", Journal of Biomedical Informatics 63 (2016), as we understand the published
description. What it assumes: one note leaks
independently of another, and stands for its patient; an adversary acts on a leak with the chances
that the settings name, which the figures cannot check; a direct identifier that leaks is enough,
quasi-identifiers are dangerous only together; what was masked tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from phiscrub.core.counts import Counts
from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.masking import Leak
from phiscrub.evaluate.uncertainty import Interval, exact_bounds


@dataclass(frozen=True, slots=True)
class Model:
    """Which labels identify by themselves or together, and how likely an attack succeeds.

    `direct` and `quasi` are labels. `together` is how many different quasi-identifying labels
    must leak in one note before it counts. `attempt` is the chance that somebody tries, the
    other two that it succeeds on a note that leaks. `threshold` is the highest risk to accept;
    0.09 is what EMA policy 0070 and Health Canada ask of public releases.
    """

    direct: frozenset[str]
    quasi: frozenset[str]
    together: int = 2
    attempt: float = 1.0
    success_direct: float = 1.0
    success_quasi: float = 1.0
    threshold: float = 0.09

    def __post_init__(self) -> None:
        chances = (self.attempt, self.success_direct, self.success_quasi, self.threshold)
        if not all(0 <= chance <= 1 for chance in chances) or self.together < 1:
            raise SettingsError(
                "a chance of the risk model is not in [0, 1], or too few labels leak together",
                hint="give chances as shares and at least one label",
            )
        if self.direct & self.quasi:
            raise SettingsError(
                f"labels are both direct and quasi: {', '.join(sorted(self.direct & self.quasi))}",
                hint="a label that identifies by itself is direct",
            )


@dataclass(frozen=True, slots=True)
class Risk:
    """All-or-nothing recall of both kinds of identifier, and the chance that follows.

    `direct` and `quasi` count documents that have such identifiers, enough of them to count: hit
    where nothing leaks that would count, missed where it does. A note that leaks both counts in
    both, its risk only as direct. `documents` are all, and `model` is what was assumed.
    """

    documents: int
    direct: Counts
    quasi: Counts
    chance: Interval
    model: Model

    @property
    def acceptable(self) -> bool:
        """Tell whether even the upper bound is within the threshold."""
        return self.chance.high <= self.model.threshold


def assess(
    documents: Mapping[str, Iterable[str]],
    leaks: Sequence[Leak],
    model: Model,
    level: float = 0.95,
) -> Risk:
    """Return the risk of a note drawn from where these came from.

    `documents` has the gold labels of every note that was scored, with or without PHI, by its
    id. The interval joins the exact bounds of both kinds of leak, each at half of the error, and
    so is wide. Raises `SettingsError` where there are no documents.
    """
    if not documents:
        raise SettingsError("there are no documents to assess", hint="score some first")
    leaked: dict[str, set[str]] = {}
    for leak in leaks:
        leaked.setdefault(leak.document, set()).update(leak.labels)
    there = {name: frozenset(labels) for name, labels in documents.items()}
    direct, quasi = _counting(leaked, model)
    with_direct, with_quasi = _counting(there, model)
    size = len(documents)
    half = (1 + level) / 2
    bounds = (
        (exact_bounds(len(direct), size, half), model.attempt * model.success_direct),
        (exact_bounds(len(quasi - direct), size, half), model.attempt * model.success_quasi),
    )
    value, low, high = (
        sum(weight * share for share, weight in shares)
        for shares in (
            [(found.value or 0.0, weight) for found, weight in bounds],
            [(found.low, weight) for found, weight in bounds],
            [(found.high, weight) for found, weight in bounds],
        )
    )
    return Risk(
        size,
        Counts(len(with_direct - direct), len(direct)),
        Counts(len(with_quasi - quasi), len(quasi)),
        Interval(value, low, min(1.0, high), level),
        model,
    )


def _counting(labels: Mapping[str, AbstractSet[str]], model: Model) -> tuple[set[str], set[str]]:
    """Return the documents whose labels would identify directly, and together."""
    return (
        {name for name, found in labels.items() if found & model.direct},
        {name for name, found in labels.items() if len(found & model.quasi) >= model.together},
    )
