"""A recipe and annotated notes to a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol, Self

import numpy as np

from phiscrub.core.contracts import Tagger
from phiscrub.core.errors import InputError, MissingError, SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.core.schemes import scheme
from phiscrub.core.wording import counted
from phiscrub.detect.tagging.crf import CrfTagger
from phiscrub.detect.tagging.manifest import name_of
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.detect.tagging.templates import Template, parse_templates, trait_names
from phiscrub.detect.tagging.traits import Traits
from phiscrub.evaluate.sample import Sample
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.augment import augmented
from phiscrub.train.begun import Begun
from phiscrub.train.corpus import Corpus
from phiscrub.train.examples import Examples, encode
from phiscrub.train.known import known_notices
from phiscrub.train.reading import read, reading_notices, tried
from phiscrub.train.recipe import Recipe
from phiscrub.train.schedule import Run
from phiscrub.train.sources import sources_of
from phiscrub.train.stack_fit import StackMaterial
from phiscrub.train.steps import Step, Weighed
from phiscrub.train.weigh import weigh

RUN = Run()
HOLDOUT_CHARACTERS = 200_000  # of development notes that are tried at every iteration


class AnyFitted(Protocol):
    """A trained model of any kind; members are as in `Fitted`."""

    @property
    def recipe(self) -> Recipe: ...  # noqa: D102
    @property
    def data(self) -> tuple[Corpus, ...]: ...  # noqa: D102
    @property
    def steps(self) -> tuple[Step, ...]: ...  # noqa: D102
    @property
    def stopped(self) -> str: ...  # noqa: D102
    @property
    def sizes(self) -> dict[str, int]: ...  # noqa: D102
    @property
    def told(self) -> str: ...  # noqa: D102
    @property
    def facts(self) -> dict[str, str]: ...  # noqa: D102
    def tagger(self) -> Tagger: ...  # noqa: D102
    def samples(self, notes: Sequence[Annotated]) -> list[Sample]: ...  # noqa: D102
    def save(self, folder: Path) -> None: ...  # noqa: D102


class AnyMaterial(Protocol):
    """Notes read for training, of any kind; members are as in `Material`."""

    @property
    def recipe(self) -> Recipe: ...  # noqa: D102
    @property
    def notices(self) -> tuple[str, ...]: ...  # noqa: D102
    def fit(self, recipe: Recipe, tick: Callable[[Step], None]) -> AnyFitted: ...  # noqa: D102


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A trained model, how it came about, and what it was trained on.

    `least` is the weight below which weights were left out, `begun` what it was begun with.
    """

    model: CrfModel
    recipe: Recipe
    data: tuple[Corpus, ...]
    weighed: Weighed
    notices: tuple[str, ...] = ()
    least: float = 0.0
    begun: Begun | None = None

    def trimmed(self, least: float) -> Self:
        """Return it without weights below `least`, which its manifest will say, and rounded."""
        return replace(self, model=self.model.trimmed(least).rounded(), least=least)

    @property
    def steps(self) -> tuple[Step, ...]:
        """The iterations."""
        return self.weighed.steps

    @property
    def stopped(self) -> str:
        """Why training ended."""
        return self.weighed.stopped

    @property
    def sizes(self) -> dict[str, int]:
        """How large the model is: features in use, and those that there were to choose from."""
        return {"features": len(self.model.attributes), "seen": self.weighed.attributes}

    @property
    def told(self) -> str:
        """How large the model is, in words."""
        own = self.sizes
        return f"{own['features']:,} of {own['seen']:,} features have weight"

    @property
    def facts(self) -> dict[str, str]:
        """What a report tells of the training."""
        own, recipe = self.sizes, self.recipe
        return {
            "features": f"{own['features']:,} in use, of {own['seen']:,} seen in "
            f"{counted(recipe.training.min_count, 'note')} or more; "
            f"groups {', '.join(recipe.features)}",
            "penalties": f"c1 {recipe.training.c1:g}, c2 {recipe.training.c2:g}",
        }

    def tagger(self) -> Tagger:
        """Return the model ready to tag."""
        return CrfTagger.of(self.model, Shelf(self.model.language, None))

    def samples(self, notes: Sequence[Annotated]) -> list[Sample]:
        """Return annotated notes with what the model finds in them."""
        return tried(notes, get_tokenizer(self.model.tokenizer), self.tagger())

    def save(self, folder: Path) -> None:
        """Write the model's folder with all that its manifest must say; it names the model."""
        noun = "piece" if any(corpus.origins for corpus in self.data) else "note"
        seen = counted(self.recipe.training.min_count, noun)
        cut = f"features seen in fewer than {seen} of different patients or texts were dropped"
        if self.least:
            cut += f", and weights below {self.least:g}"
        data = [corpus.stated for corpus in self.data]
        init: dict[str, str] = {}
        if self.begun is not None:
            data += [one for one in self.begun.manifest.data if one not in data]
            init = {"begun_with": self.begun.model.name}
        replace(self.model, name=name_of(folder)).save(
            folder,
            data=data,
            training={
                **self.recipe.stated(),
                **init,
                "iterations": len(self.weighed.steps),
                "stopped": self.weighed.stopped,
                "cut": cut,
            },
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )


@dataclass(frozen=True, slots=True, eq=False)
class Material:
    """Notes that are written out as examples once, to be trained on several times."""

    recipe: Recipe
    language: str
    data: tuple[Corpus, ...]
    train: Examples = field(repr=False)
    dev: Examples | None = field(default=None, repr=False)
    notices: tuple[str, ...] = ()
    begun: Begun | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        recipe: Recipe,
        language: str,
        data: Sequence[Corpus],
        dev: Corpus | None,
        init: Path | None = None,
    ) -> Material:
        """Read the notes of all corpora with a recipe; the first corpus is the target.

        `init` is a model whose weights are begun with. Raises `SettingsError` for a feature that
        is not there or a model that does not fit, `InputError` for notes without words or
        mentions.
        """
        spoken = recipe.spoken(language)
        begun = None
        if init is not None:
            begun = Begun.load(init, spoken, language, data[0].label_set)
        templates, traits = features_of(spoken, language)
        tokenizer, style = get_tokenizer(spoken.tokenizer), scheme(spoken.scheme)
        notes = [note for corpus in data for note in corpus.notes]
        grown = augmented(notes, spoken.augment, language, data[0].label_set)
        readings = read(grown.notes, tokenizer)
        if not any(reading.gold for reading in readings):
            raise InputError("no annotated notes to learn from", hint="give more notes")
        own = sources_of(data)
        sources = [own[origin] for origin in grown.origins]
        train = encode(readings, templates, traits, style, spoken.sequence, sources=sources)
        held = None
        if dev is not None:
            few = read(dev.sample(HOLDOUT_CHARACTERS).notes, tokenizer)
            held = encode(few, templates, traits, style, spoken.sequence)
        notices = list(reading_notices(recipe, language, readings))
        if begun is not None:
            notices += known_notices([begun.manifest], (), dev)
        return cls(spoken, language, tuple(data), train, held, tuple(notices), begun)

    def fit(self, recipe: Recipe, tick: Callable[[Step], None]) -> Fitted:
        """Train a recipe that has the material's features, or some of their groups.

        Raises `InputError` where none of them is seen in as many notes as the recipe asks.
        """
        names = tuple(template.name for template in parse_templates(recipe.templates))
        least = recipe.training.min_count
        keep = self.train.of_templates(names) & (self.train.seen() >= least)
        if not np.any(keep):
            raise InputError(
                f"no feature is seen in {counted(least, 'note')} of different patients or texts",
                hint="give notes of more patients, or a smaller training.min_count",
            )
        weighed = weigh(self.train, keep, self.dev, recipe.training, tick, begun=self.begun)
        own = weighed.trained
        model = CrfModel(
            name=recipe.name,
            language=self.language,
            label_set=self.data[0].label_set,
            tokenizer=recipe.tokenizer,
            scheme=recipe.scheme,
            sequence=recipe.sequence,
            tags=own.tags,
            templates=names,
            detectors=recipe.detectors,
            attributes=own.attributes,
            pointers=own.pointers,
            columns=own.columns,
            weights=own.weights,
            transitions=own.transitions,
        )
        return Fitted(model, recipe, self.data, weighed, self.notices, begun=self.begun)


def features_of(recipe: Recipe, language: str) -> tuple[tuple[Template, ...], Traits]:
    """Return the templates of a recipe and the traits that they ask for, ready to be read.

    Raises `SettingsError` for a trait that is unknown, and `MissingError` for one that needs a
    package or list that is not there; the hint then names the groups to leave out.
    """
    templates = parse_templates(recipe.templates)
    tools = Shelf(language, None)
    try:
        return templates, Traits.of(trait_names(templates), tools, recipe.detectors)
    except MissingError as error:
        failing = [name for name in recipe.features if not _is_there(recipe, name, tools)]
        options = " ".join(f"--without {name}" for name in failing)
        raise MissingError(
            error.what, where=error.where, hint=f"{error.hint}; that is {options}"
        ) from None


def _is_there(recipe: Recipe, group: str, tools: Shelf) -> bool:
    """Tell whether a group's traits can be made."""
    try:
        Traits.of(trait_names(parse_templates(recipe.features[group])), tools, recipe.detectors)
    except MissingError:
        return False
    return True


def material_of(
    recipe: Recipe, language: str, data: Sequence[Corpus], dev: Corpus | None, run: Run = RUN
) -> AnyMaterial:
    """Read the notes as the recipe's kind wants them; see `Material.of` and `NetworkMaterial.of`.

    Raises `MissingError` where the kind's package is not there, and `SettingsError` where the
    run gives what only networks take.
    """
    if recipe.network is None:
        if run.vectors or run.frozen or run.teachers:
            raise SettingsError(
                f"recipe {recipe.name} is no network: it takes no vectors, teachers, or weights "
                "that stay",
                hint="leave them out, or take a recipe of kind 'network'",
            )
        if recipe.stack is None:
            return Material.of(recipe, language, data, dev, run.init)
        if run.init:
            raise SettingsError(
                f"recipe {recipe.name} is a stack, which begins with no weights",
                hint="leave --init out",
            )
        return StackMaterial.of(recipe, language, data, dev)
    try:
        from phiscrub.train.network import NetworkMaterial  # noqa: PLC0415 - torch is optional
    except ModuleNotFoundError as error:
        raise MissingError(
            f"training a network needs the package {error.name}",
            hint="pip install 'phiscrub[train]'",
        ) from None
    return NetworkMaterial.of(recipe, language, data, dev, run)


def fit(
    recipe: Recipe,
    language: str,
    data: Sequence[Corpus],
    dev: Corpus | None,
    tick: Callable[[Step], None] = lambda _: None,
    *,
    run: Run = RUN,
) -> AnyFitted:
    """Train a recipe in a language; see `material_of`."""
    material = material_of(recipe, language, data, dev, run)
    return material.fit(material.recipe, tick)
