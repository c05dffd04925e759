"""Cross-validation as a step, and what its folds found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from phiscrub.experiments.bench import Bench, decides
from phiscrub.experiments.figures import figures
from phiscrub.experiments.step import Result, Results, Step, Tick, slug
from phiscrub.train.corpus import Corpus
from phiscrub.train.crossval import Fold, Plan, run, samples
from phiscrub.train.folds import by_piece, deal
from phiscrub.train.schedule import Run


@dataclass(frozen=True, slots=True, eq=False)
class Folding:
    """A recipe on folds of all notes but those held out to stop training by, if there are any.

    Each `extra` corpus is dealt into as many folds, of which only the others are learned from.
    `init` names a step whose network each fold begins with; `network` changes its settings.
    """

    name: str
    recipe: str
    folds: tuple[tuple[str, ...], ...] = field(repr=False)
    dev: Corpus | None = None
    extra: tuple[Corpus, ...] = ()
    vectors: Path | None = None
    needs: tuple[str, ...] = ()
    init: str = ""
    network: Mapping[str, Any] = field(default_factory=dict)

    def step(self, bench: Bench) -> Step:
        """Return the step that runs the folds, and goes on with those that are missing."""

        def work(done: Results, tick: Tick) -> Result:
            target = self._target(bench)
            parts = samples(target, self.made(bench, step.identity_after(done), tick))
            return {"folds": [figures(part, target.label_set) for part in parts]}

        needs = (*self.needs, self.init) if self.init else self.needs
        step = Step(self.name, "fold", self._told(bench), work, needs)
        return step

    def made(self, bench: Bench, identity: str, tick: Tick) -> list[Fold]:
        """Return what each fold found, running those that are missing.

        They are kept by the identity of the step, so that other notes, settings or vectors have
        other folds.
        """
        number = len(self.folds)
        return run(
            self._plan(bench),
            bench.out / "folds" / f"{slug(self.name)}-{identity[:8]}",
            1,
            lambda fold: tick(f"fold {fold.number + 1} of {number} done"),
        )

    def _target(self, bench: Bench) -> Corpus:
        held = self.dev.notes if self.dev is not None else ()
        return bench.data.whole.without([note.document.id for note in held])

    def _plan(self, bench: Bench) -> Plan:
        how = bench.how
        begun = bench.model(self.init) if self.init else None
        extra = ((one, deal(one, by_piece(one), len(self.folds), how.seed)) for one in self.extra)
        return Plan(
            bench.recipe(self.recipe, self.vectors, **self.network),
            bench.data.language,
            self._target(bench),
            self.folds,
            tuple((one, tuple(folds)) for one, folds in extra),
            self.dev,
            Run(device=how.device, seed=how.seed, vectors=self.vectors, init=begun),
        )

    def _told(self, bench: Bench) -> dict[str, Any]:
        """Return what decides the outcome, but for vectors that another step makes."""
        how = bench.how
        settings = {"recipe": self.recipe, "epochs": how.epochs, "quick": how.quick}
        language = bench.data.language
        settings |= decides(self.recipe, language)
        settings |= {"language": language, "folds": self.folds}
        settings |= {"network": str(dict(self.network))} if self.network else {}
        return bench.told(self._target(bench), self.dev, *self.extra, **settings)
