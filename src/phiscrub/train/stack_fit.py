"""What several detectors say of annotated notes to a learned combination of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.contracts import Tagger
from phiscrub.core.errors import InputError, MissingError, SettingsError
from phiscrub.core.labels import HUB, UNNAMED, label_set, renaming
from phiscrub.core.mention import Annotated
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.core.wording import counted
from phiscrub.detect.carried import changed, gathered, placed
from phiscrub.detect.stacked import Rows, StackedTagger, Witnesses
from phiscrub.detect.stacked_model import BOOSTING, LOGISTIC, Floats, StackModel
from phiscrub.detect.tagging.learned import learned
from phiscrub.detect.tagging.manifest import TrainedOn, name_of
from phiscrub.evaluate.sample import Sample
from phiscrub.pipeline.models import manifests
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train.corpus import Corpus
from phiscrub.train.reading import read, tag
from phiscrub.train.recipe import Recipe, Stack
from phiscrub.train.steps import Step

SEED = 0  # scikit-learn's trees break ties by it
MOST_ITERATIONS = 400


@dataclass(frozen=True, slots=True, eq=False)
class StackFitted:
    """A trained combination; members are as in `fit.Fitted`."""

    model: StackModel
    recipe: Recipe
    data: tuple[Corpus, ...]
    stopped: str = "trained"

    @property
    def steps(self) -> tuple[Step, ...]:
        """None: scikit-learn tells none."""
        return ()

    @property
    def sizes(self) -> dict[str, int]:
        """How many numbers the model has, and from how many columns."""
        numbers = sum(tensor.size for tensor in self.model.tensors.values())
        return {"numbers": numbers, "columns": len(self.model.columns)}

    @property
    def told(self) -> str:
        """How large it is, in words."""
        return f"{self.sizes['numbers']:,} numbers, {self.sizes['columns']:,} columns"

    @property
    def facts(self) -> dict[str, str]:
        """What a report tells of the training."""
        asked = ", ".join(str(table["use"]) for table in self.model.detectors)
        return {"learner": self.model.learner, "detectors": asked}

    def tagger(self) -> Tagger:
        """Return the model ready to tag."""
        return StackedTagger(self.model, Shelf(self.model.language, None))

    def samples(self, notes: Sequence[Annotated]) -> list[Sample]:
        """Return annotated notes with what the model finds in them."""
        found = tag(notes, get_tokenizer(self.model.tokenizer), self.tagger())
        return [Sample.of(gold, own) for gold, own in zip(notes, found, strict=True)]

    def save(self, folder: Path) -> None:
        """Write the model's folder, which names the model and has all that it asks."""
        recipe = replace(self.recipe, detectors=gathered(self.recipe.detectors)[0])
        replace(self.model, name=name_of(folder)).save(
            folder,
            data=[TrainedOn(c.name, c.licence, len(c), c.sha256) for c in self.data],
            training={**recipe.stated(), "cut": "numbers only: no word of a note"},
            created=datetime.now(UTC).isoformat(timespec="seconds"),
        )


@dataclass(frozen=True, slots=True, eq=False)
class StackMaterial:
    """What the detectors tell of every token, and its gold label; to be learned from."""

    recipe: Recipe
    language: str
    data: tuple[Corpus, ...]
    columns: tuple[str, ...]
    rows: Rows = field(repr=False)
    gold: NDArray[np.int64] = field(repr=False)
    classes: tuple[str, ...]
    notices: tuple[str, ...] = ()

    @classmethod
    def of(cls, recipe: Recipe, language: str, data: Sequence[Corpus]) -> StackMaterial:
        """Ask a recipe's detectors about the notes of all corpora.

        A model among the detectors should not have learned from these notes, or it is believed
        too much; a notice says where it did. Raises `InputError` for notes without mentions.
        """
        spoken = recipe.spoken(language)
        if spoken.stack is None or not spoken.detectors:
            raise SettingsError(f"{recipe.name} names no detectors for {language}")
        tables = changed(spoken.detectors, placed)
        asked = Witnesses.of(tables, spoken.stack.lists, data[0].label_set, Shelf(language, None))
        parts = [examples(corpus, asked, spoken.tokenizer) for corpus in data]
        tags = [name for _, own in parts for name in own]
        if spoken.stack.binary:
            label = renaming(label_set(HUB), label_set(data[0].label_set))[UNNAMED]
            tags = [name if name == OUTSIDE else label for name in tags]
        classes = (OUTSIDE, *sorted(set(tags) - {OUTSIDE}))
        if len(classes) == 1:
            raise InputError("no annotated notes to learn from", hint="give more notes")
        number = {name: at for at, name in enumerate(classes)}
        return cls(
            replace(spoken, detectors=tables),
            language,
            tuple(data),
            asked.columns,
            np.concatenate([rows for rows, _ in parts]),
            np.array([number[name] for name in tags]),
            classes,
            tuple(_notices(tables, data, language)),
        )

    def fit(self, recipe: Recipe, tick: Callable[[Step], None]) -> StackFitted:  # noqa: ARG002
        """Learn a combination."""
        how = recipe.stack
        if how is None:
            raise SettingsError(f"{recipe.name} is no recipe of a combination")
        tensors, depth = learn(self.rows, self.gold, len(self.classes), how)
        model = StackModel(
            name=recipe.name,
            language=self.language,
            label_set=self.data[0].label_set,
            tokenizer=recipe.tokenizer,
            learner=how.learner,
            classes=self.classes,
            columns=self.columns,
            detectors=recipe.detectors,
            lists=how.lists,
            depth=depth,
            tensors=tensors,
        )
        return StackFitted(model, recipe, self.data)


def examples(corpus: Corpus, asked: Witnesses, tokenizer: str) -> tuple[Rows, list[str]]:
    """Return what witnesses tell of each token of a corpus, and the token's gold label or `O`."""
    readings = read(corpus.notes, get_tokenizer(tokenizer))
    notes = [reading.note for reading in readings]
    style = scheme("IO")
    tags = [tag for r in readings for tag in style.encode(r.note.tokens, r.gold)]
    return asked.rows(notes), tags


def learn(
    rows: Rows, gold: NDArray[np.int64], classes: int, how: Stack
) -> tuple[dict[str, NDArray[Any]], int]:
    """Return the numbers of a `StackModel` and the depth of its trees.

    `gold` holds each row's class, 0 for nothing; each class has a row. Raises `MissingError`
    without scikit-learn.
    """
    try:
        import sklearn  # noqa: F401, PLC0415 - optional
    except ModuleNotFoundError:
        hint = "pip install 'phiscrub[crf]'"
        raise MissingError("learned stacking needs scikit-learn", hint=hint) from None
    if how.learner == LOGISTIC:
        return _logistic(rows, gold, classes, how), 0
    return (_boosted if how.learner == BOOSTING else _tree)(rows, gold, classes, how)


def _logistic(
    rows: Rows, gold: NDArray[np.int64], classes: int, how: Stack
) -> dict[str, NDArray[Any]]:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - optional

    middle = rows.mean(axis=0, dtype=np.float64)
    spread = rows.std(axis=0, dtype=np.float64)
    spread[spread == 0] = 1.0
    strength = 1 / how.penalty if how.penalty else np.inf
    learner = LogisticRegression(C=strength, max_iter=MOST_ITERATIONS)
    learner.fit((rows - middle) / spread, gold)
    weights, intercepts = learner.coef_, learner.intercept_
    if classes == len(("nothing", "something")):  # scikit-learn tells of the second alone
        weights = np.concatenate([np.zeros_like(weights), weights])
        intercepts = np.concatenate([np.zeros_like(intercepts), intercepts])
    own = weights.T / spread[:, None]
    return {"weights": own, "intercepts": intercepts - middle @ own}


Nodes = tuple[NDArray[Any], ...]  # features, thresholds, left and right sides, values, leaves


def _forest(
    trees: Sequence[Nodes], outputs: Sequence[int], base: Floats
) -> dict[str, NDArray[Any]]:
    """Return trees as the arrays of a `StackModel`, one behind another; a leaf leads to itself."""
    sizes = [len(tree[0]) for tree in trees]
    roots = np.cumsum([0, *sizes])[:-1]
    columns: list[Nodes] = []
    for root, (features, thresholds, left, right, values, is_leaf) in zip(
        roots, trees, strict=True
    ):
        own = np.arange(len(values))
        sides = (np.where(is_leaf, own, side) + root for side in (left, right))
        columns.append((np.where(is_leaf, 0, features), thresholds, *sides, values))
    made = [np.concatenate(column) for column in zip(*columns, strict=True)]
    names = ("features", "thresholds", "lefts", "rights", "values")
    kinds = (np.int32, np.float64, np.int32, np.int32, np.float64)
    return {
        **{name: own.astype(kind) for name, own, kind in zip(names, made, kinds, strict=True)},
        "roots": roots.astype(np.int32),
        "outputs": np.array(outputs, dtype=np.int32),
        "intercepts": base,
    }


def _tree(
    rows: Rows, gold: NDArray[np.int64], classes: int, how: Stack
) -> tuple[dict[str, NDArray[Any]], int]:
    from sklearn.tree import DecisionTreeClassifier  # noqa: PLC0415 - optional

    learner = DecisionTreeClassifier(
        max_depth=how.depth, min_samples_leaf=how.least_leaf, random_state=SEED
    )
    tree = learner.fit(rows, gold).tree_
    shares = tree.value[:, 0, :] / tree.value[:, 0, :].sum(axis=1, keepdims=True)
    left, right, is_leaf = tree.children_left, tree.children_right, tree.children_left < 0
    trees = [
        (tree.feature, tree.threshold, left, right, shares[:, output], is_leaf)
        for output in range(classes)
    ]
    return _forest(trees, range(classes), np.zeros(classes)), int(tree.max_depth)


def _boosted(
    rows: Rows, gold: NDArray[np.int64], classes: int, how: Stack
) -> tuple[dict[str, NDArray[Any]], int]:
    from sklearn.ensemble import HistGradientBoostingClassifier  # noqa: PLC0415 - optional

    learner = HistGradientBoostingClassifier(
        max_iter=how.rounds,
        max_depth=how.depth,
        learning_rate=how.rate,
        l2_regularization=how.penalty,
        min_samples_leaf=how.least_leaf,
        early_stopping=False,
        random_state=SEED,
    )
    learner.fit(rows, gold)
    rounds = learner._predictors
    keys = ("feature_idx", "num_threshold", "left", "right", "value")
    nodes = [predictor.nodes for trees in rounds for predictor in trees]
    trees = [(*(own[key] for key in keys), own["is_leaf"] > 0) for own in nodes]
    one = len(rounds[0]) == 1  # of two classes there is one tree, for the second
    outputs = [at + one for trees_of_round in rounds for at in range(len(trees_of_round))]
    base = np.ravel(learner._baseline_prediction)
    intercepts = np.zeros(classes)
    intercepts[-len(base) :] = base
    depth = max(int(own["depth"].max()) for own in nodes)
    return _forest(trees, outputs, intercepts), depth


def _notices(
    tables: Sequence[Mapping[str, Any]], data: Sequence[Corpus], language: str
) -> Iterator[str]:
    """Yield which models have learned from the very notes that they are weighed on."""
    for model in learned(manifests(tables, Shelf(language, None))):
        for corpus in data:
            texts = {note.document.id: note.document.text for note in corpus.notes}
            known = len(model.known(texts, corpus.sha256))
            if known:
                yield (
                    f"{model.model} has learned from {corpus.name}: {known:,} of "
                    f"{counted(len(corpus), 'note')}, so its word counts for too much there; "
                    "weigh it on other notes"
                )
