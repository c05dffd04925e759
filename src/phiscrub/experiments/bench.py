"""What a protocol is run with, and the work that its steps share: learning and testing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from phiscrub.core.contracts import Tagger
from phiscrub.detect.inverse import as_tagger
from phiscrub.detect.tagging.manifest import part_of, read_manifest
from phiscrub.embeddings.files import read_embedding
from phiscrub.experiments.corpus import Own, Sides, played
from phiscrub.experiments.figures import figures
from phiscrub.experiments.step import Result, Results, Step, Tick, slug
from phiscrub.pipeline.shelf import Shelf
from phiscrub.pipeline.shipped import pipeline_names
from phiscrub.train.corpus import Corpus
from phiscrub.train.fit import AnyFitted, fit
from phiscrub.train.recipe import Recipe, load_recipe
from phiscrub.train.rules import rules_digest
from phiscrub.train.schedule import Run
from phiscrub.train.steps import Step as Epoch

QUICK_TRAIN, QUICK_TEST = 60_000, 30_000  # characters
QUICK_FOLDS, QUICK_ITERATIONS = 2, 15
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class How:
    """What a user may change of a protocol; 0 epochs or folds are the paper's own."""

    epochs: int = 0
    folds: int = 0
    quick: bool = False
    seed: int = 1
    device: str = "cpu"

    def fold_count(self, papers: int) -> int:
        """Return how many folds there are, where the paper has so many."""
        return self.folds or (min(papers, QUICK_FOLDS) if self.quick else papers)


@dataclass(frozen=True, slots=True, eq=False)
class Bench:
    """A paper's name, the notes, and where models and results go.

    `text` are notes whose annotations nobody reads, for word vectors; `vectors` a file of them.
    `own` is the user's word which of them are the paper's own corpora.
    """

    paper: str
    data: Sides
    out: Path
    extra: tuple[Sides, ...] = ()
    vectors: Path | None = None
    vectors_sha256: str = ""
    text: Corpus | None = field(default=None, repr=False)
    own: tuple[Own, ...] = ()
    how: How = How()

    @property
    def steps(self) -> Path:
        """The folder of results."""
        return self.out / "steps"

    def model(self, name: str) -> Path:
        """Return the folder of a step's model."""
        return self.out / "models" / slug(name)

    def played(self, data: str, extra: str = "") -> tuple[str, ...]:
        """Say which notes stand for the corpora that a paper calls so."""
        told = [played(data, self.data.whole, Own.DATA, self.own)]
        others = self.extra[:1] if extra else ()
        told += [played(extra, one.whole, Own.EXTRA, self.own) for one in others]
        return tuple(told)

    def other(self, number: int = 0) -> Sides | None:
        """Return one of the extra corpora, if there are so many."""
        return self.extra[number] if number < len(self.extra) else None

    def recast(self, name: str) -> Bench:
        """Return it with all notes labelled by another set."""
        extra = tuple(one.recast(name) for one in self.extra)
        return replace(self, data=self.data.recast(name), extra=extra)

    def recipe(self, name: str, vectors: Path | None = None, **network: Any) -> Recipe:
        """Load a recipe with this run's epochs; `network` changes its network's settings.

        Its word vectors have as many dimensions as those that it is given.
        """
        recipe, how = load_recipe(name), self.how
        if recipe.network is None:
            if not how.quick or recipe.stack is not None:
                return recipe
            training = replace(recipe.training, max_iterations=QUICK_ITERATIONS)
            return replace(recipe, training=training)
        own = replace(recipe.network, **network)
        if vectors is not None:
            size = read_embedding(vectors, 1)[0].dimensions
            own = replace(own, words=replace(own.words, dimension=size))
        epochs = how.epochs or (1 if how.quick else recipe.schedule.epochs)
        return replace(recipe, network=own, schedule=replace(recipe.schedule, epochs=epochs))

    def run(
        self, name: str, identity: str, vectors: Path | None = None, init: Path | None = None
    ) -> Run:
        """Return how a network is trained: cut off, it goes on where it stood.

        `identity` is its step's; a checkpoint of another one is passed by.
        """
        return Run(
            device=self.how.device,
            seed=self.how.seed,
            checkpoint=self.out / "models" / f"{slug(name)}-{identity[:8]}.checkpoint",
            resume=True,
            vectors=vectors,
            init=init,
        )

    def told(self, *corpora: Corpus | None, **settings: Any) -> dict[str, Any]:
        """Return what decides a step: settings, seed, and hashes of notes."""
        hashes = [None if corpus is None else corpus.sha256 for corpus in corpora]
        given = {"seed": self.how.seed, "vectors": self.vectors_sha256}
        return {**settings, **given, "notes": hashes}

    def train(
        self,
        name: str,
        recipe: str,
        train: Corpus,
        dev: Corpus | None,
        test: Corpus,
        *,
        kind: str = "train",
        language: str = "",
        vectors: Path | None = None,
        init: str = "",
        epochs: int = 0,
        tokenizer: str = "",
        needs: tuple[str, ...] = (),
        schedule: Mapping[str, Any] = NOTHING,
        **network: Any,
    ) -> Step:
        """Return the step that trains a recipe, keeps the model, and measures it on `test`.

        `init` names a step whose network is begun with; `epochs`, a `tokenizer` and what
        `schedule` says of the training are this step's own.
        """
        spoken = language or self.data.language
        settings = {"recipe": recipe, "epochs": epochs or self.how.epochs, "quick": self.how.quick}
        settings |= decides(recipe, spoken)
        settings |= {"language": spoken, "network": str(network), "tokenizer": tokenizer}
        settings |= {"schedule": str(dict(schedule))} if schedule else {}
        begun = self.model(init) if init else None

        def work(done: Results, tick: Tick) -> Result:
            given = self.recipe(recipe, vectors, **network)
            if epochs and given.network is not None:
                given = replace(given, schedule=replace(given.schedule, epochs=epochs))
            if schedule:
                given = replace(given, schedule=replace(given.schedule, **schedule))
            if tokenizer:
                given = replace(given, tokenizer=tokenizer)
            own = Run()
            if given.network is not None:
                own = self.run(name, step.identity_after(done), vectors, begun)
            fitted = fit(given, spoken, [train], dev, told(given, tick), run=own)
            found = {**of_training(fitted), **tested(fitted, test)}
            fitted.save(self.model(name))  # last: a run cut off leaves what the kept result is of
            return found

        step = Step(
            name,
            kind,
            self.told(train, dev, test, **settings),
            work,
            (*needs, init) if init else needs,
            (self.model(name),),
        )
        return step

    def tagger(self, name: str, labels: str) -> Tagger:
        """Load the model of a step."""
        return load_tagger(self.model(name), labels)


def decides(recipe: str, language: str) -> dict[str, Any]:
    """Return what decides a recipe's models beside notes and seeds: settings, rules."""
    spoken = load_recipe(recipe).spoken(language)
    return {"stated": spoken.stated(), "rules": rules_digest(spoken.detectors, language)}


def told(recipe: Recipe, tick: Tick) -> Any:
    """Return what is told of each epoch, or of every tenth iteration."""
    every = 1 if recipe.network is not None else 10

    def tell(epoch: Epoch) -> None:
        if epoch.iteration % every == 0:
            judged = "" if epoch.f1 is None else f", on held-out notes {epoch.f1:.4f}"
            tick(f"{epoch.iteration} of at most {recipe.most_steps}{judged}")

    return tell


def tested(fitted: AnyFitted, test: Corpus) -> dict[str, Any]:
    """Return what a model reaches on notes."""
    return figures(fitted.samples(test.notes), test.label_set)


def of_training(fitted: AnyFitted) -> dict[str, Any]:
    """Return how a training went."""
    steps = fitted.steps
    return {
        "trained_seconds": round(steps[-1].seconds, 1) if steps else None,
        "epochs": len(steps),
        "stopped": fitted.stopped,
        "judged": max((s.f1 for s in steps if s.f1 is not None), default=None),
        "sizes": fitted.sizes,
    }


def rules_for(language: str) -> str:
    """Return the shipped pipeline of rules for a language; English where there is none."""
    name = f"{language}-rules"
    return name if name in pipeline_names() else "en-rules"


def load_tagger(folder: Path, labels: str) -> Tagger:
    """Load a model's folder as a tagger."""
    manifest = read_manifest(folder, str(folder))
    table = {"use": part_of(manifest, str(folder)), "model": str(folder.resolve())}
    made = Shelf(manifest.language, None).detector(table, "tagger", labels)
    return as_tagger(made, "tagger")
