"""Recipes: what is learned, from which features, and how. They are data, as pipelines are."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import resources
from pathlib import Path
from typing import Any

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.schemes import scheme
from phiscrub.detect.stacked_model import BOOSTING, LEARNERS
from phiscrub.detect.tagging.frame import SEQUENCES
from phiscrub.pipeline.settings import settings_from
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.architectures import Network, architecture, network_from, parse_traits
from phiscrub.train.augment import Augment
from phiscrub.train.schedule import QUICK_EPOCHS, Schedule

Table = Mapping[str, Any]

CRF, NETWORK, STACK = "crf", "network", "stack"
KINDS = (CRF, NETWORK, STACK)
PERCEPTRON = "ap"
ALGORITHMS = ("lbfgs", PERCEPTRON)
LANGUAGE = "{language}"  # in a name or template: the language that the recipe is trained for
ASKS_DETECTORS = re.compile(r"(?:^|\|)(?:found|echo)(?:_[a-z]+)?(?:[:\[ ]|$)")  # in a template
QUICK_ITERATIONS = 25


@dataclass(frozen=True, slots=True)
class Training:
    """How weights are found.

    `lbfgs` minimises the loss with `c1` times the sum of absolute weights and `c2` times that of
    squared ones, until the gradient is below `epsilon` of the weights or the loss fell by less
    than `delta` in `period` iterations; `ap` is the averaged perceptron, which knows neither.
    Where weights are begun with, penalties are on what changes, and `change` stands for `c2`.
    Features seen less than `min_frequency` times are dropped, and so is every feature that holds
    a word of which fewer than `min_count` were seen, because a rare word can be a name.
    `patience` is after how many iterations without gain on the development notes training stops,
    0 for never. `augment` says how the training notes are multiplied, if they are.
    """

    algorithm: str = "lbfgs"
    c1: float = 0.1
    c2: float = 0.01
    change: float = 1.0
    max_iterations: int = 150
    epsilon: float = 1e-4
    period: int = 10
    delta: float = 1e-4
    min_frequency: float = 0.0
    min_count: int = 2
    patience: int = 25
    augment: Augment | None = None


@dataclass(frozen=True, slots=True)
class Stack:
    """How a learned combination of the recipe's detectors is found, by scikit-learn.

    `learner` is ``logistic``, ``svm`` (linear support vector machines), ``tree`` or ``boosting``;
    `lists` the inverse rule's lists, whose features are read too, empty for none. With `binary` it
    only learns what is identifying, not as what: faster, and enough for the inverse rule. `penalty`
    is the strength of the squared penalty on weights or leaves; `rounds`, `depth`, `rate` and
    `least_leaf` (tokens) are of trees.
    """

    learner: str = BOOSTING
    lists: str = ""
    binary: bool = False
    penalty: float = 1.0
    rounds: int = 60
    depth: int = 4
    rate: float = 0.1
    least_leaf: int = 20


@dataclass(frozen=True, slots=True)
class Variant:
    """What a recipe has in one language: groups of features and detectors of its own."""

    features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    detectors: tuple[Table, ...] | None = None


@dataclass(frozen=True, slots=True)
class Recipe:
    """A tagger to be trained. `features` are templates, by the group that a search may drop.

    Those of a network are traits with their dimensions; it has a `network` and a `schedule`, and
    a CRF has its `training`, a combination its `stack`. `detectors` are tables as in a pipeline;
    what they find is a feature, or what is combined. `variants` replace groups (an empty one
    drops it) and detectors in a language. `lacks` says what the recipe does not have of its
    `source`.
    """

    name: str
    about: str
    kind: str
    features: Mapping[str, tuple[str, ...]]
    source: str = ""
    lacks: tuple[str, ...] = ()
    tokenizer: str = "clinical"
    scheme: str = "BIO"
    sequence: str = "sentence"
    detectors: tuple[Table, ...] = ()
    training: Training = Training()
    network: Network | None = None
    stack: Stack | None = None
    schedule: Schedule = field(default_factory=Schedule)
    variants: Mapping[str, Variant] = field(default_factory=dict)

    @property
    def augment(self) -> Augment | None:
        """How the training notes are multiplied, if they are."""
        return self.training.augment if self.network is None else self.schedule.augment

    @property
    def most_steps(self) -> int:
        """How many iterations or epochs training takes at most."""
        return self.training.max_iterations if self.network is None else self.schedule.epochs

    @property
    def templates(self) -> tuple[str, ...]:
        """Every template of every group, once, in order."""
        return tuple(dict.fromkeys(t for group in self.features.values() for t in group))

    def spoken(self, language: str) -> Recipe:
        """Return the recipe as it is for a language: without variants, all names filled in.

        Where it has no detectors, templates that ask what they found are left out.
        """
        own = self.variants.get(language, Variant())
        groups = {**self.features, **own.features}
        detectors = self.detectors if own.detectors is None else own.detectors
        if not detectors:
            groups = {
                name: tuple(t for t in templates if not ASKS_DETECTORS.search(t))
                for name, templates in groups.items()
            }
        return replace(
            self,
            features={
                name: tuple(t.replace(LANGUAGE, language) for t in templates)
                for name, templates in groups.items()
                if templates
            },
            detectors=tuple(_filled(table, language) for table in detectors),
            stack=None
            if self.stack is None
            else replace(self.stack, lists=self.stack.lists.replace(LANGUAGE, language)),
            variants={},
        )

    def quick(self) -> Recipe:
        """Return the recipe cut to a smoke run's iterations."""
        if self.network is not None:
            epochs = min(self.schedule.epochs, QUICK_EPOCHS)
            return replace(self, schedule=replace(self.schedule, epochs=epochs))
        most = min(self.training.max_iterations, QUICK_ITERATIONS)
        return replace(self, training=replace(self.training, max_iterations=most))

    def tuned(
        self, *, c1: float | None = None, c2: float | None = None, without: Iterable[str] = ()
    ) -> Recipe:
        """Return the recipe with other penalties, or without some groups of features."""
        dropped = set(without)
        kept = {name: group for name, group in self.features.items() if name not in dropped}
        training = replace(
            self.training,
            c1=self.training.c1 if c1 is None else c1,
            c2=self.training.c2 if c2 is None else c2,
        )
        return replace(self, features=kept, training=training)

    def stated(self) -> dict[str, Any]:
        """Return what decides the model, as plain data for a manifest or a fingerprint."""
        told: dict[str, Any] = {
            "recipe": self.name,
            "source": self.source,
            "features": {name: list(group) for name, group in self.features.items()},
            "detectors": [dict(table) for table in self.detectors],
        }
        if self.stack is not None:
            return {**told, "training": asdict(self.stack)}
        if self.network is None:
            return {**told, "training": asdict(self.training)}
        own = self.network
        network = {"architecture": architecture(own), **asdict(own)}
        return {**told, "network": network, "training": asdict(self.schedule)}


def recipe_names() -> tuple[str, ...]:
    """Return the names of the recipes that ship with phiscrub."""
    folder = resources.files("phiscrub") / "data" / "recipes"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir()))


def load_recipe(name: str) -> Recipe:
    """Load a recipe by its shipped name, or from a TOML file.

    Raises `SettingsError` naming the file and the key, or `MissingError` where there is neither.
    """
    if name in recipe_names():
        file = resources.files("phiscrub") / "data" / "recipes" / f"{name}.toml"
        return parse(file.read_text("utf-8"), name, where=name)
    path = Path(name)
    try:
        text = path.read_text("utf-8")
    except FileNotFoundError:
        hint = f"shipped recipes: {', '.join(recipe_names())}; any other name is a TOML file"
        raise MissingError(f"no recipe {name!r}", hint=hint) from None
    except (OSError, UnicodeDecodeError):
        raise SettingsError("cannot be read as a recipe", where=name) from None
    return parse(text, path.stem, where=name)


def parse(text: str, name: str, *, where: str) -> Recipe:
    """Make a recipe from the TOML of its file; raise `SettingsError` where a key is wrong."""
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"is not TOML: {error}", where=where) from None
    detectors = _tables(table.pop("detector", []), "detector", where)
    own = table.pop("language", {})
    if not isinstance(own, dict):
        raise SettingsError("'language' is no table", where=where, hint="[language.en]")
    variants = {code: _variant(part, f"language.{code}", where) for code, part in own.items()}
    parts: dict[str, Any] = {}
    training, network = table.pop("training", {}), table.pop("network", None)
    if table.get("kind") == NETWORK:
        if not isinstance(network, dict):
            raise SettingsError("'network' is no table", where=where, hint="[network]")
        parts["network"] = network_from(network, where)
        parts["schedule"] = settings_from(Schedule, training, "training", where)
    elif network is not None:
        raise SettingsError("'network' is for kind 'network'", where=where, hint="correct 'kind'")
    elif table.get("kind") == STACK:
        parts["stack"] = settings_from(Stack, training, "training", where)
    else:
        parts["training"] = settings_from(Training, training, "training", where)
    said = settings_from(_Said, table, "recipe", where)
    recipe = Recipe(
        name=name,
        **{key: getattr(said, key) for key in _Said.__dataclass_fields__},
        detectors=detectors,
        variants=variants,
        **parts,
    )
    _check(recipe, where)
    return recipe


@dataclass(frozen=True, slots=True)
class _Said:
    """The keys of a recipe's file that stand for themselves."""

    about: str
    kind: str
    features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    source: str = ""
    lacks: tuple[str, ...] = ()
    tokenizer: str = "clinical"
    scheme: str = "BIO"
    sequence: str = "sentence"


@dataclass(frozen=True, slots=True)
class _Groups:
    features: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def _variant(table: object, at: str, where: str) -> Variant:
    if not isinstance(table, dict):
        raise SettingsError(f"'{at}' is no table", where=where, hint=f"[{at}]")
    rest = {key: value for key, value in table.items() if key != "detector"}
    features = settings_from(_Groups, rest, at, where).features
    named = _tables(table["detector"], f"{at}.detector", where) if "detector" in table else None
    return Variant(features, named)


def _tables(value: object, at: str, where: str) -> tuple[Table, ...]:
    if not isinstance(value, list) or not all(isinstance(table, dict) for table in value):
        raise SettingsError(f"'{at}' is no list of tables", where=where, hint=f"[[{at}]]")
    return tuple(value)


def _check(recipe: Recipe, where: str) -> None:
    choices = (
        ("kind", recipe.kind, KINDS),
        ("sequence", recipe.sequence, SEQUENCES),
        ("training.algorithm", recipe.training.algorithm, ALGORITHMS),
    )
    for key, value, known in choices:
        if value not in known:
            hint = f"known: {', '.join(known)}"
            raise SettingsError(f"'{key}' is {value!r}", where=where, hint=hint)
    own = recipe.training
    if min(own.c1, own.c2, own.change, own.period) < 0 or own.max_iterations < 1:
        raise SettingsError(
            "'training' has a penalty or period below 0, or no iteration",
            where=where,
            hint="correct it",
        )
    if recipe.augment is not None:
        recipe.augment.check(where)
    if recipe.stack is not None:
        _check_stack(recipe, recipe.stack, where)
    elif recipe.network is None and not recipe.templates:
        raise SettingsError("'features' names no template", where=where, hint='words = ["word[0]"]')
    if recipe.network is not None:
        _check_network(recipe, recipe.network, where)
    try:
        scheme(recipe.scheme)
        get_tokenizer(recipe.tokenizer)
    except SettingsError as error:
        raise SettingsError(error.what, where=where, hint=error.hint) from None


def _check_stack(recipe: Recipe, stack: Stack, where: str) -> None:
    if stack.learner not in LEARNERS:
        hint = f"known: {', '.join(LEARNERS)}"
        raise SettingsError(f"'training.learner' is {stack.learner!r}", where=where, hint=hint)
    if not recipe.detectors and not any(own.detectors for own in recipe.variants.values()):
        raise SettingsError("'detector' names none to combine", where=where, hint="[[detector]]")
    if recipe.features:
        raise SettingsError("'features' are for taggers", where=where, hint="name detectors")
    if stack.penalty < 0 or not stack.rate > 0 or min(stack.rounds, stack.depth) < 1:
        raise SettingsError("'training' has a number below what it needs", where=where)


def _check_network(recipe: Recipe, network: Network, where: str) -> None:
    recipe.schedule.check(where)
    groups = [*recipe.features.values()]
    groups += [group for own in recipe.variants.values() for group in own.features.values()]
    try:
        traits = [trait for group in groups for trait in parse_traits(group)]
    except SettingsError as error:
        raise SettingsError(error.what, where=where, hint=error.hint) from None
    if not (traits or network.words.dimension or network.characters.dimension):
        raise SettingsError(
            "'network' reads neither words nor characters nor traits",
            where=where,
            hint="[network.words] dimension = 100",
        )


def _filled(value: Any, language: str) -> Any:
    """Fill the language into every string of a table."""
    if isinstance(value, str):
        return value.replace(LANGUAGE, language)
    if isinstance(value, Mapping):
        return {key: _filled(item, language) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_filled(item, language) for item in value]
    return value
