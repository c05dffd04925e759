"""What scikit-learn finds of a learned combination, as the plain numbers of a `StackModel`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import MissingError
from phiscrub.detect.stacked import Rows
from phiscrub.detect.stacked_model import BOOSTING, LINEAR_LEARNERS, SVM, Floats
from phiscrub.train.recipe import Stack

SEED = 0  # scikit-learn's trees break ties by it
MOST_ITERATIONS = 400
MOST_STEPS = 10_000  # of a support vector machine, which takes small ones
FOLDS = 5  # parts of the rows, each scored by a machine that did not learn from it
BLOCK = 200  # rows that follow each other and are of one part: about a note
NO_PENALTY = 1e6  # the strength of errors where weights cost nothing
TWO = 2  # classes, of which scikit-learn tells the second alone

Ints = NDArray[np.int64]
Linear = tuple[Floats, Floats]  # weights ``[columns, classes]`` and intercepts


def learn(rows: Rows, gold: Ints, classes: int, how: Stack) -> tuple[dict[str, NDArray[Any]], int]:
    """Return the numbers of a `StackModel` and the depth of its trees.

    `gold` holds each row's class, 0 for nothing; each class has a row. Raises `MissingError`
    without scikit-learn.
    """
    try:
        import sklearn  # noqa: F401, PLC0415 - optional
    except ModuleNotFoundError:
        hint = "pip install 'phiscrub[crf]'"
        raise MissingError("learned stacking needs scikit-learn", hint=hint) from None
    if how.learner in LINEAR_LEARNERS:
        middle = rows.mean(axis=0, dtype=np.float64)
        spread = rows.std(axis=0, dtype=np.float64)
        spread[spread == 0] = 1.0
        fitted = _svm if how.learner == SVM else _logistic
        weights, intercepts = fitted((rows - middle) / spread, gold, classes, how)
        weights = weights / spread[:, None]
        return {"weights": weights, "intercepts": intercepts - middle @ weights}, 0
    return (_boosted if how.learner == BOOSTING else _tree)(rows, gold, classes, how)


def _logistic(rows: Floats, gold: Ints, classes: int, how: Stack) -> Linear:
    from sklearn.linear_model import LogisticRegression  # noqa: PLC0415 - optional

    strength = 1 / how.penalty if how.penalty else np.inf
    learner = LogisticRegression(C=strength, max_iter=MOST_ITERATIONS).fit(rows, gold)
    weights, intercepts = learner.coef_, learner.intercept_
    if classes == TWO:  # scikit-learn tells of the second alone
        weights = np.concatenate([np.zeros_like(weights), weights])
        intercepts = np.concatenate([np.zeros_like(intercepts), intercepts])
    return weights.T, intercepts


def _svm(rows: Floats, gold: Ints, classes: int, how: Stack) -> Linear:
    """Return support vector machines, one a class against the rest, that give probabilities.

    Their decision values become those by one factor for all and an offset a class, the most likely
    ones over rows that a machine has not learned from (Platt scaling, Platt 1999, for any number
    of classes; of two, the second alone has a machine).
    """
    from scipy.optimize import minimize  # noqa: PLC0415 - comes with scikit-learn

    fold = np.arange(len(rows)) // BLOCK % FOLDS
    values = np.zeros((len(rows), classes))
    for one in range(FOLDS):
        weights, intercepts = _hyperplanes(rows[fold != one], gold[fold != one], classes, how)
        values[fold == one] = rows[fold == one] @ weights + intercepts
    is_gold = np.eye(classes)[gold]

    def unlikely(told: Floats) -> tuple[float, Floats]:
        scores = told[0] * values + told[1:]
        top = scores.max(axis=1, keepdims=True)
        mass = np.exp(scores - top)
        total = mass.sum(axis=1, keepdims=True)
        loss = (np.log(total[:, 0]) + top[:, 0] - (scores * is_gold).sum(axis=1)).mean()
        slope = mass / total - is_gold
        return loss, np.append((slope * values).sum(), slope.sum(axis=0)) / len(rows)

    begun, bounds = np.append(1.0, np.zeros(classes)), [(0, None), *[(None, None)] * classes]
    found = minimize(unlikely, begun, jac=True, method="L-BFGS-B", bounds=bounds).x
    weights, intercepts = _hyperplanes(rows, gold, classes, how)
    return weights * found[0], intercepts * found[0] + found[1:]


def _hyperplanes(rows: Floats, gold: Ints, classes: int, how: Stack) -> Linear:
    """Return the lines of each class's machine; where none or all rows are of it, 0 and -1 or 1."""
    from sklearn.svm import LinearSVC  # noqa: PLC0415 - optional

    weights, intercepts = np.zeros((rows.shape[1], classes)), np.zeros(classes)
    for label in range(1 if classes == TWO else 0, classes):
        is_it = gold == label
        if is_it.all() or not is_it.any():
            intercepts[label] = 1.0 if is_it.all() else -1.0
            continue
        strength = 1 / how.penalty if how.penalty else NO_PENALTY
        learner = LinearSVC(C=strength, dual=False, max_iter=MOST_STEPS, random_state=SEED)
        learner.fit(rows, is_it)
        weights[:, label], intercepts[label] = learner.coef_[0], learner.intercept_[0]
    return weights, intercepts


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


def _tree(rows: Rows, gold: Ints, classes: int, how: Stack) -> tuple[dict[str, NDArray[Any]], int]:
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
    rows: Rows, gold: Ints, classes: int, how: Stack
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
