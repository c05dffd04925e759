"""What a paper's module gives: its protocol, and its tables from the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from types import MappingProxyType
from typing import Protocol, cast

from phiscrub.core.errors import SettingsError
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.step import Results, Step
from phiscrub.experiments.table import Table


@dataclass(frozen=True, slots=True)
class Page:
    """Tables and pictures in the order in which they are shown; `notes` stand before them."""

    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    pictures: Mapping[str, str] = field(default_factory=dict)  # SVG by file name


class Paper(Protocol):
    """What the module of a paper holds.

    `DIFFERS` says what is not as in the paper, beside what its recipes lack.
    """

    TITLE: str
    LABELS: str  # the label set of its corpus, empty for the notes' own
    SIDED: bool  # whether a side of the notes is tested, and not all of them in folds
    EXTRA: int  # how many other corpora it has a use for
    DIFFERS: Sequence[str]

    def protocol(self, bench: Bench) -> tuple[Step, ...]:
        """Return the steps; each stands behind those that it needs."""
        ...

    def roles(self, bench: Bench) -> tuple[str, ...]:
        """Say which notes stand in for which of the paper's."""
        ...

    def page(self, bench: Bench, done: Results) -> Page:
        """Return the tables of what is there of the results."""
        ...


PAPERS = MappingProxyType(
    {
        "kassaie2016": "phiscrub.experiments.kassaie2016",
        "phi-scrubber": "phiscrub.experiments.phi_scrubber",
        "berg-dalianis2019": "phiscrub.experiments.berg_dalianis2019",
        "inverse-hybrid": "phiscrub.experiments.inverse_hybrid",
        "shweta2017": "phiscrub.experiments.shweta2017",
    }
)


def paper(name: str) -> Paper:
    """Return a paper by name; raise `SettingsError` where there is none."""
    if name not in PAPERS:
        raise SettingsError(f"no experiment {name!r}", hint=f"known: {', '.join(PAPERS)}")
    return cast(Paper, import_module(PAPERS[name]))
