from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import PredefinedSplit, cross_val_predict
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from phiscrub.core.errors import SettingsError
from phiscrub.core.tensors import pack_tensors
from phiscrub.detect.stacked import StackedTagger
from phiscrub.detect.stacked_model import LEARNERS, WEIGHTS, StackModel
from phiscrub.pipeline.load import Declaration, build, load_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.pipeline.tunable import Tunable
from phiscrub.tokenize.clinical import Clinical
from phiscrub.train.corpus import read_corpus
from phiscrub.train.fit import fit
from phiscrub.train.recipe import Recipe, Stack, parse
from phiscrub.train.stack_fit import StackFitted, StackMaterial, learn
from training_notes import corpus
from training_notes import recipe as tagger_recipe

HELD = PredefinedSplit(np.arange(400) // 200)  # blocks of rows, as the machines are scored
ROOT = Path(__file__).parents[2]
RECIPE = """
about = "for tests"
kind = "stack"
[training]
learner = "{learner}"
lists = "{lists}"
rounds = 8
depth = 3
least_leaf = 2
[[detector]]
use = "patterns"
packs = ["en/dates"]
[[detector]]
use = "crf"
model = "{model}"
"""


def drawn(classes: int) -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(classes)
    gold = np.arange(400) % classes
    rows = chance.normal(size=(400, 5)) + gold[:, None] * [1.0, 0.5, 0.0, -0.5, 0.2]
    rows[:, 4] = rows[:, 4] > 0
    return rows.astype(np.float32), gold


def model_of(learner: str, classes: int, rows: np.ndarray, gold: np.ndarray) -> StackModel:
    tensors, depth = learn(rows, gold, classes, Stack(learner, rounds=12, depth=4, least_leaf=5))
    labels = ("O", *(f"L{n}" for n in range(1, classes)))
    columns = tuple(f"c{n}" for n in range(rows.shape[1]))
    settings = ("m", "en", "i2b2-2014", "clinical", learner, labels, columns, (), "", depth)
    return StackModel(*settings, tensors)


def machines(rows: np.ndarray, gold: np.ndarray) -> np.ndarray:
    """Return one machine a class, their margins scaled by a search that knows no slopes."""
    one = OneVsRestClassifier(LinearSVC(C=1.0, dual=False, random_state=0))
    made = make_pipeline(StandardScaler(), one)
    held = cross_val_predict(made, rows, gold, cv=HELD, method="decision_function")

    def loss(told: np.ndarray) -> float:
        return -log_softmax(told[0] * held + told[1:], axis=1)[np.arange(len(gold)), gold].mean()

    how = {"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-6, "fatol": 1e-10}
    found = minimize(loss, [1.0, 0, 0, 0, 0], method="Nelder-Mead", options=how).x
    return softmax(found[0] * made.fit(rows, gold).decision_function(rows) + found[1:], axis=1)


def reference(learner: str, rows: np.ndarray, gold: np.ndarray) -> np.ndarray:
    if learner == "logistic":
        made = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=400))
    elif learner == "svm" and gold.max() > 1:
        return machines(rows.astype(np.float64), gold)
    elif learner == "svm":
        machine = LinearSVC(C=1.0, dual=False, random_state=0)
        platt = CalibratedClassifierCV(machine, method="sigmoid", cv=HELD, ensemble=False)
        made = make_pipeline(StandardScaler(), platt)
    elif learner == "tree":
        made = DecisionTreeClassifier(max_depth=4, min_samples_leaf=5, random_state=0)
    else:
        made = HistGradientBoostingClassifier(
            max_iter=12,
            max_depth=4,
            learning_rate=0.1,
            l2_regularization=1.0,
            min_samples_leaf=5,
            early_stopping=False,
            random_state=0,
        )
    return made.fit(rows.astype(np.float64), gold).predict_proba(rows.astype(np.float64))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("classes", [2, 4])
def test_numbers_alone_say_what_scikit_learn_says(learner: str, classes: int) -> None:
    rows, gold = drawn(classes)
    own = model_of(learner, classes, rows, gold).proba(rows)
    closeness = {"logistic": 1e-3, "svm": 0.01}.get(learner, 1e-9)  # float32, another stop
    np.testing.assert_allclose(own, reference(learner, rows, gold), atol=closeness)
    assert (own.argmax(axis=1) == gold).mean() > 1.2 / classes
    np.testing.assert_allclose(own.sum(axis=1), 1.0)


@pytest.fixture(scope="module")
def inner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("inner") / "crf"
    fit(tagger_recipe(), "en", [corpus(40)], None).save(folder)
    return folder


def stacked(inner: Path, learner: str = "logistic", lists: str = "en") -> Recipe:
    text = RECIPE.format(learner=learner, lists=lists, model=inner)
    return parse(text, "stack", where="stack.toml")


@pytest.fixture(scope="module")
def fitted(inner: Path) -> StackFitted:
    made = fit(stacked(inner), "en", [corpus(40, seed=2, first=100)], None)
    assert isinstance(made, StackFitted)
    return made


def loaded(folder: Path) -> StackModel:
    return StackModel.load(folder, str(folder))


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_combination_finds_what_its_detectors_find(inner: Path, learner: str) -> None:
    made = fit(stacked(inner, learner), "en", [corpus(40, seed=2, first=100)], None)
    samples = made.samples(corpus(20, seed=3, first=200).notes)
    gold = {(s.id, m) for s in samples for m in s.gold}
    found = {(s.id, m) for s in samples for m in s.found}
    assert len(gold & found) >= 0.9 * len(gold)


def test_load_after_save_predicts_identically(fitted: StackFitted, tmp_path: Path) -> None:
    fitted.save(tmp_path / "stack")
    notes = [note.document for note in corpus(10, seed=4, first=300).notes]
    (tmp_path / "own.toml").write_text(
        'language = "en"\n[[detector]]\nuse = "stacked"\nmodel = "./stack"\n'
    )
    own = StackedTagger(fitted.model, Shelf("en", None))
    cut = Clinical().tokenize(notes)
    again = StackedTagger(loaded(tmp_path / "stack"), Shelf("en", None))
    for left, right in zip(own.scores(cut), again.scores(cut), strict=True):
        assert left.labels == right.labels
        assert np.array_equal(left.proba, right.proba)
    alone = load_pipeline(str(tmp_path / "stack")).covers(notes)
    assert load_pipeline(str(tmp_path / "own.toml")).covers(notes) == alone
    assert [mention for cover in alone for mention in cover]


def test_its_folder_can_be_moved_without_those_that_it_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a/crf", "b/crf"):
        fit(tagger_recipe(), "en", [corpus(40)], None).save(tmp_path / name)
    second = '[[detector]]\nuse = "ensemble"\nmodels = ["./b/crf", "./a/crf"]\n'
    text = RECIPE.format(learner="logistic", lists="", model="./a/crf") + second
    recipe = parse(text, "stack", where="x.toml")
    made = fit(recipe, "en", [corpus(40, seed=2, first=100)], None)
    made.save(tmp_path / "stack")
    notes = [note.document for note in corpus(10, seed=4, first=300).notes]
    expected = load_pipeline("stack").covers(notes)
    assert any(expected)
    rmtree("a")
    rmtree("b")
    (tmp_path / "away").mkdir()
    (tmp_path / "stack").rename(tmp_path / "away" / "stack")
    told = (tmp_path / "away" / "stack" / "manifest.json").read_text("utf-8")
    assert str(tmp_path) not in told
    assert "./a/crf" not in told
    assert load_pipeline("away/stack").covers(notes) == expected
    own = tmp_path / "away" / "own.toml"
    own.write_text('language = "en"\n[[detector]]\nuse = "stacked"\nmodel = "./stack"\n', "utf-8")
    assert load_pipeline(str(own)).covers(notes) == expected
    assert len(Tunable.load(str(own)).manifests()) == 3
    manifest = tmp_path / "away" / "stack" / "carried" / "crf" / "manifest.json"
    manifest.write_text(manifest.read_text("utf-8") + "\n", "utf-8")
    with pytest.raises(SettingsError, match="crf: is not what the model learned from"):
        load_pipeline(str(own))


def test_one_of_an_earlier_version_with_paths_still_loads(
    fitted: StackFitted, inner: Path, tmp_path: Path
) -> None:
    fitted.save(tmp_path / "stack")
    rmtree(tmp_path / "stack" / "carried")
    manifest = tmp_path / "stack" / "manifest.json"
    told = json.loads(manifest.read_text("utf-8"))
    del told["settings"]["carried"]
    told["settings"]["detectors"][1]["model"] = str(inner)
    manifest.write_text(json.dumps(told), "utf-8")
    assert loaded(tmp_path / "stack").detectors == fitted.model.detectors


def test_batching_changes_only_speed(fitted: StackFitted) -> None:
    tagger = StackedTagger(fitted.model, Shelf("en", None))
    notes = Clinical().tokenize([n.document for n in corpus(6, seed=5, first=400).notes])
    together = tagger.detect(notes)
    assert together == [tagger.detect([note])[0] for note in notes]
    assert tagger.detect([]) == []
    (empty,) = Clinical().tokenize([type(notes[0].document)("e", "")])
    assert tagger.detect([empty]) == [()]


def test_it_is_a_tagger_for_the_inverse_rule(fitted: StackFitted, tmp_path: Path) -> None:
    fitted.save(tmp_path / "stack")
    table = {"use": "stacked", "model": str(tmp_path / "stack")}
    detector = {"use": "inverse", "tagger": table, "low": 0.5, "high": 0.6, "labels": "tagger"}
    made = build(Declaration("en", (detector,)))
    note = corpus(1, seed=6, first=500).notes[0]
    found = {m.label for m in made.covers([note.document])[0]}
    assert {"DOCTOR", "DATE", "HOSPITAL"} <= found


def test_binary_knows_one_label(inner: Path) -> None:
    text = RECIPE.format(learner="boosting", lists="", model=inner)
    binary = parse(text.replace("rounds", "binary = true\nrounds"), "x", where="x.toml")
    made = fit(binary, "en", [corpus(40, seed=2, first=100)], None)
    assert made.tagger().labels == {"PHI"}
    (sample,) = made.samples(corpus(1, seed=3, first=200).notes)
    assert [m[:2] for m in sample.found] == [m[:2] for m in sample.gold]


def test_a_model_that_learned_from_the_same_notes_is_noticed(inner: Path) -> None:
    assert not StackMaterial.of(stacked(inner), "en", [corpus(9, seed=7, first=600)]).notices
    (notice,) = StackMaterial.of(stacked(inner), "en", [corpus(40)]).notices
    assert "crf has learned from seed-1: 40 of 40 notes" in notice


def test_a_shipped_model_that_learned_from_some_of_the_notes_is_noticed() -> None:
    learned_from, _ = read_corpus(ROOT / "corpus" / "en" / "n-odd")
    known = learned_from.only([note.document.id for note in learned_from.notes[:3]])
    fresh = corpus(2)
    mixed = replace(fresh, notes=(*fresh.notes, *known.notes))
    recipe = stacked(Path("en-crf"), lists="")
    (notice,) = StackMaterial.of(recipe, "en", [mixed]).notices
    assert "en-crf has learned from seed-1: 3 of 5 notes" in notice
    assert not StackMaterial.of(recipe, "en", [fresh]).notices
    (notice,) = StackMaterial.of(recipe, "en", [fresh], mixed).notices
    assert "3 of 5 notes, so figures are too good" in notice


def test_other_detectors_than_it_learned_from(fitted: StackFitted, tmp_path: Path) -> None:
    fitted.save(tmp_path / "stack")
    model = loaded(tmp_path / "stack")
    own = {n: getattr(model, n) for n in StackModel.__dataclass_fields__}
    fewer = StackModel(**{**own, "detectors": model.detectors[1:]})
    with pytest.raises(SettingsError, match="tell other things"):
        StackedTagger(fewer, Shelf("en", None))


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("roots", [99_999]),
        ("outputs", [-1]),
        ("lefts", None),
        ("thresholds", [np.nan]),
        ("values", [np.inf]),
    ],
)
def test_numbers_that_lead_nowhere(key: str, value: list[float] | None) -> None:
    rows, gold = drawn(3)
    model = model_of("boosting", 3, rows, gold)
    own = {n: getattr(model, n) for n in StackModel.__dataclass_fields__}
    wrong = model.tensors[key][:-1].copy() if value is None else model.tensors[key].copy()
    if value is not None:
        wrong[: len(value)] = value
    with pytest.raises(SettingsError):
        StackModel(**{**own, "tensors": {**model.tensors, key: wrong}})


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('about = "x"\nkind = "stack"\n', "names none to combine"),
        (RECIPE.replace("{learner}", "forest"), "'training.learner' is 'forest'"),
        (RECIPE.replace("rounds = 8", "rounds = 0"), "below what it needs"),
    ],
)
def test_recipes_that_do_not_fit(text: str, what: str) -> None:
    with pytest.raises(SettingsError, match=what):
        parse(text.replace("{learner}", "tree").replace("{lists}", ""), "x", where="x.toml")


def test_weights_are_numbers_alone(fitted: StackFitted, tmp_path: Path) -> None:
    fitted.save(tmp_path / "stack")
    assert {f.name for f in (tmp_path / "stack").iterdir()} == {WEIGHTS, "manifest.json", "carried"}
    assert (tmp_path / "stack" / WEIGHTS).read_bytes() == pack_tensors(fitted.model.tensors)
    assert "Ortiz" not in (tmp_path / "stack" / "manifest.json").read_text("utf-8")


def test_what_is_weighed_once_is_settled_at_any_threshold(fitted: StackFitted) -> None:
    notes = Clinical().tokenize([n.document for n in corpus(6, seed=8, first=700).notes])
    tools = Shelf("en", None)
    weighed = StackedTagger(fitted.model, tools).weigh(notes)
    for threshold in (0.999999, 0.9, 0.01):
        alone = StackedTagger(fitted.model, tools, threshold=threshold)
        assert StackedTagger(fitted.model, tools).settle(weighed, threshold) == alone.detect(notes)
