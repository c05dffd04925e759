"""A learned combination as numbers only: weights of each column, or trees."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.tensors import pack_tensors, unpack_tensors
from phiscrub.detect.carried import check, digest, gathered, located
from phiscrub.detect.tagging.manifest import (
    Manifest,
    TrainedOn,
    read_folder,
    write_folder,
)
from phiscrub.detect.tagging.stated import table, tables, text, texts

KIND = "stack"
WEIGHTS = "weights.safetensors"
LOGISTIC, SVM, TREE, BOOSTING = "logistic", "svm", "tree", "boosting"
LINEAR_LEARNERS = (LOGISTIC, SVM)
LEARNERS = (*LINEAR_LEARNERS, TREE, BOOSTING)
SETTINGS = {"learner", "classes", "columns", "detectors", "lists", "depth", "carried"}
LINEAR = {"weights": "F64", "intercepts": "F64"}
FOREST = {
    "features": "I32", "thresholds": "F64", "lefts": "I32", "rights": "I32", "values": "F64",
    "roots": "I32", "outputs": "I32", "intercepts": "F64",
}  # fmt: skip
DEEPEST = 64

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class StackModel:
    """What turns the detectors' word on a token into probabilities of `classes`.

    `columns` name the features, in order; `detectors` are the tables of those that are asked and
    `lists` the inverse rule's lists, empty for none. `carried` are the hashes of the models and
    packs that are in its folder with it; once loaded, the tables lead there.

    The `tensors` of linear learners are ``weights [columns, classes]`` and ``intercepts``;
    those of trees are nodes, of which one with itself on its left is a leaf, the `roots` of trees
    and the class that each adds to. A single `tree` adds probabilities,
    `boosting` logits. Raises `SettingsError` where they do not fit.
    """

    name: str
    language: str
    label_set: str
    tokenizer: str
    learner: str
    classes: tuple[str, ...]
    columns: tuple[str, ...]
    detectors: tuple[Mapping[str, Any], ...]
    lists: str
    depth: int
    tensors: Mapping[str, NDArray[Any]] = field(repr=False)
    carried: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise SettingsError(fault, hint=AGAIN)

    @property
    def labels(self) -> tuple[str, ...]:
        """The classes but that of nothing."""
        return tuple(name for name in self.classes if name != OUTSIDE)

    @property
    def tags(self) -> tuple[str, ...]:
        """The classes, as tags of `scheme`."""
        return self.classes

    @property
    def scheme(self) -> str:
        """A class is a bare label."""
        return "IO"

    @property
    def sequence(self) -> str:
        """A mention does not cross lines."""
        return "line"

    def proba(self, rows: Rows) -> Floats:
        """Return the probabilities of the classes, of shape ``[rows, classes]``."""
        own = self.tensors
        if self.learner in LINEAR_LEARNERS:
            return _softmax(rows.astype(np.float64) @ own["weights"] + own["intercepts"])
        total = np.tile(own["intercepts"], (len(rows), 1))
        for root, output in zip(own["roots"].tolist(), own["outputs"].tolist(), strict=True):
            total[:, output] += own["values"][self._leaves(rows, root)]
        return total if self.learner == TREE else _softmax(total)

    def _leaves(self, rows: Rows, root: int) -> NDArray[np.int64]:
        own, every = self.tensors, np.arange(len(rows))
        node = np.full(len(rows), root)
        for _ in range(self.depth):
            goes_left = rows[every, own["features"][node]] <= own["thresholds"][node]
            node = np.where(goes_left, own["lefts"][node], own["rights"][node])
        return node

    def save(
        self, folder: Path, *, data: Sequence[TrainedOn], training: Mapping[str, Any], created: str
    ) -> None:
        """Write the model's folder, with the models and packs that the detectors' tables name.

        Raises `OutputError` where it cannot be written.
        """
        told, folders = gathered(self.detectors)
        carried = {name: digest(path) for name, path in folders.items()}
        own = replace(self, detectors=told, carried=carried)
        settings = {name: getattr(own, name) for name in sorted(SETTINGS)}
        manifest = Manifest.of(KIND, self, settings, data=data, training=training, created=created)
        write_folder(folder, manifest, {WEIGHTS: pack_tensors(self.tensors)}, folders)

    @classmethod
    def load(cls, folder: Traversable, name: str) -> Self:
        """Read a model's folder: manifest, hashes, settings, numbers, in this order.

        `name` is how a toolbox finds the folder; what it carries is found from there.
        Raises `MissingError` where there is none, `SettingsError` where anything does not fit.
        """
        where = str(folder)
        manifest, files = read_folder(folder, KIND, (WEIGHTS,))
        own = manifest.settings
        if {*own, "carried"} != SETTINGS or type(own.get("depth")) is not int:
            keys = ", ".join(sorted(SETTINGS))
            raise SettingsError(f"its settings are not {keys}", where=where, hint=AGAIN)
        try:
            learner = text(own, "learner")
            carried = table(own, "carried") if "carried" in own else {}
            check(folder, carried)
            kinds = LINEAR if learner in LINEAR_LEARNERS else FOREST
            return cls(
                name=manifest.name,
                language=manifest.language,
                label_set=manifest.label_set,
                tokenizer=manifest.tokenizer,
                learner=learner,
                classes=texts(own, "classes"),
                columns=texts(own, "columns"),
                detectors=located(tables(own, "detectors"), carried, name),
                carried=carried,
                lists=str(own["lists"]),
                depth=own["depth"],
                tensors=unpack_tensors(files[WEIGHTS], kinds, f"{where}/{WEIGHTS}"),
            )
        except SettingsError as error:
            raise error.at(Place(where)) from None


def _softmax(scores: Floats) -> Floats:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    return np.asarray(raised / raised.sum(axis=1, keepdims=True))


def _faults(model: StackModel) -> Iterator[str]:
    """Yield what does not fit, in an order in which each check relies on those before it."""
    own, classes, columns = model.tensors, len(model.classes), len(model.columns)
    if model.learner not in LEARNERS:
        yield f"its learner is none of {', '.join(LEARNERS)}"
    if model.classes[:1] != (OUTSIDE,) or len(set(model.classes)) < classes:
        yield f"its classes are not distinct labels behind {OUTSIDE}"
    kinds = LINEAR if model.learner in LINEAR_LEARNERS else FOREST
    if set(own) != set(kinds) or own["intercepts"].shape != (classes,):
        yield "its numbers are not those of its learner and classes"
    if not all(np.isfinite(t).all() for n, t in own.items() if n != "thresholds"):
        yield "a number is not finite"
    if model.learner in LINEAR_LEARNERS:
        if own["weights"].shape != (columns, classes):
            yield "its weights are not those of its columns"
        return
    nodes = len(own["values"])
    sides = (own["lefts"], own["rights"], own["features"], own["thresholds"], own["values"])
    if any(side.shape != (nodes,) for side in sides) or own["roots"].shape != own["outputs"].shape:
        yield "its trees are not whole"
    for name, most in (
        ("lefts", nodes), ("rights", nodes), ("roots", nodes),
        ("features", columns), ("outputs", classes),
    ):  # fmt: skip
        if len(own[name]) and not 0 <= own[name].min() <= own[name].max() < most:
            yield f"its {name} lead nowhere"
    if np.isnan(own["thresholds"]).any() or not 0 <= model.depth <= DEEPEST:
        yield "its trees have a threshold or a depth that is none"
