from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch

from network_recipes import RECIPES, network_recipe, weights_of
from phiscrub.core.counts import Counts
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.inputs import Encoder, Inputs
from phiscrub.detect.tagging.traits import Traits
from phiscrub.evaluate.entities import exact
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.train import crossval, curve
from phiscrub.train.apply import apply
from phiscrub.train.architectures import parse_traits
from phiscrub.train.corpus import Corpus
from phiscrub.train.figures import Judge, score
from phiscrub.train.fit import fit, material_of
from phiscrub.train.folds import by_document, deal
from phiscrub.train.reading import read
from phiscrub.train.recipe import parse
from phiscrub.train.rows import Rows, class_weights, lay_out, learn_inputs
from phiscrub.train.schedule import Run, Schedule
from phiscrub.train.steps import Step
from phiscrub.train.trained import Trained
from phiscrub.train.tune import tune
from training_notes import corpus

TRAIN, DEV = corpus(30), corpus(12, seed=2, first=100)
FEW = replace(TRAIN, notes=TRAIN.notes[:10])


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def strict(fitted: object, notes: Corpus = DEV) -> float:
    tallies = exact(fitted.samples(notes.notes))  # type: ignore[attr-defined]
    return sum((tally.total for tally in tallies.values()), Counts()).f1 or 0.0


@pytest.mark.parametrize("name", RECIPES)
def test_every_architecture_learns_and_runs_alone_as_a_pipeline(name: str, tmp_path: Path) -> None:
    steps: list[Step] = []
    fitted = fit(network_recipe(name), "en", [TRAIN], DEV, steps.append)
    assert [step.iteration for step in steps] == list(range(1, len(steps) + 1))
    assert steps[-1].loss < steps[0].loss
    assert strict(fitted) > 0.6
    folder = tmp_path / fitted.recipe.name
    fitted.save(folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    assert manifest["training"]["network"]["architecture"]
    assert "fewer than 2 notes" in manifest["training"]["cut"]
    pipeline = load_pipeline(str(folder))
    found = [note.mentions for note in pipeline.annotate([n.document for n in DEV.notes])]
    assert found == [sample.claims for sample in fitted.samples(DEV.notes)]


class _CutError(Exception):
    pass


@pytest.mark.parametrize("name", ["ours", "elman"])
def test_a_training_cut_off_goes_on_as_if_it_never_was(name: str, tmp_path: Path) -> None:
    recipe = network_recipe(name)
    recipe = replace(recipe, schedule=replace(recipe.schedule, epochs=3))
    whole = fit(recipe, "en", [FEW], DEV)
    run = Run(checkpoint=tmp_path / "state", minutes=0)

    def cut(step: Step) -> None:
        if step.iteration == 2:
            raise _CutError

    with pytest.raises(_CutError):
        fit(recipe, "en", [FEW], DEV, cut, run=run)
    assert (tmp_path / "state" / "state.json").exists()
    steps: list[Step] = []
    resumed = fit(recipe, "en", [FEW], DEV, steps.append, run=replace(run, resume=True))
    assert len(steps) == 3
    for key, weight in weights_of(whole).items():
        assert torch.equal(weight, weights_of(resumed)[key]), key
    assert not (tmp_path / "state").exists()


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    run = Run(checkpoint=tmp_path / "state", minutes=0)

    def cut(_: Step) -> None:
        raise _CutError

    with pytest.raises(_CutError):
        fit(network_recipe("elman"), "en", [TRAIN], None, cut, run=run)
    with pytest.raises(SettingsError, match="another training: architecture"):
        fit(network_recipe("jordan"), "en", [TRAIN], None, run=replace(run, resume=True))
    file = next((tmp_path / "state").glob("weights-*"))
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(SettingsError, match="damaged"):
        fit(network_recipe("elman"), "en", [TRAIN], None, run=replace(run, resume=True))


def test_another_seed_is_another_network() -> None:
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 1"))
    one, other = (fit(recipe, "en", [FEW], None, run=Run(seed=s)) for s in (1, 2))
    same = [torch.equal(w, weights_of(other)[n]) for n, w in weights_of(one).items()]
    assert not all(same)


def test_a_loss_that_is_no_number_says_where(tmp_path: Path) -> None:
    recipe = network_recipe("ours", ("rate = 0.01", "rate = 1e25\nclip = 0.0"))
    run = Run(checkpoint=tmp_path / "state", minutes=0)
    with pytest.raises(SettingsError, match=r"at epoch 1, batch \d+; .*last good checkpoint"):
        fit(recipe, "en", [TRAIN], None, run=run)
    assert (tmp_path / "state" / "state.json").exists()


def test_a_gpu_that_is_not_there_is_one_clear_line() -> None:
    if torch.cuda.is_available():
        pytest.skip("there is a GPU")
    with pytest.raises(SettingsError, match="no GPU here"):
        fit(network_recipe(), "en", [TRAIN], None, run=Run(device="cuda"))
    with pytest.raises(SettingsError, match="no device 'tpu9'"):
        fit(network_recipe(), "en", [TRAIN], None, run=Run(device="tpu9"))


def test_training_ends_early_and_keeps_the_best_epoch() -> None:
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 30\npatience = 2"))
    fitted = fit(recipe, "en", [TRAIN], DEV)
    assert len(fitted.steps) < 30
    best = max(step.f1 or 0 for step in fitted.steps)
    assert "no gain after epoch" in fitted.stopped
    material = material_of(recipe, "en", [TRAIN], DEV)
    assert material.recipe.name == "ours"
    judged = judged_again(fitted, recipe.schedule)
    assert judged == pytest.approx(best, abs=1e-3)


def judged_again(fitted: object, schedule: Schedule) -> float:

    trained: Trained = fitted.trained  # type: ignore[attr-defined]
    encoder = Encoder(trained.inputs, trained.traits(Shelf("en", None)))
    style = scheme(trained.scheme)
    dev = lay_out(read(DEV.notes, get_tokenizer()), encoder, style, trained.tags, trained.sequence)
    judge = Judge.of(dev, trained.tags, style, "i2b2-2014", schedule.measure)
    applied = apply(
        *(trained.network, dev.numbers, dev.type, dev.notes, dev.starts),
        window=(0, 1),
        outside=trained.outside,
    )
    return score(judge.entities(applied.tags), schedule.measure, 0.0)


def test_epochs_before_the_first_find_do_not_end_training() -> None:
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 5\npatience = 2"))
    bare = replace(FEW, notes=tuple(Annotated(note.document) for note in DEV.notes))
    fitted = fit(recipe, "en", [FEW], bare)
    assert len(fitted.steps) == 5
    assert "no gain" not in fitted.stopped


def test_plain_descent_moves_only_the_vectors_of_words_read_and_as_a_whole_gradient_does(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    recipe = network_recipe("elman", ("epochs = 6", "epochs = 1"))
    seen: list[bool] = []
    told = torch.optim.SGD.step

    def step(self: torch.optim.SGD, closure: None = None) -> None:
        own = [w.grad for group in self.param_groups for w in group["params"]]
        seen.append(any(grad is not None and grad.is_sparse for grad in own))
        told(self, closure)

    monkeypatch.setattr(torch.optim.SGD, "step", step)
    few = fit(recipe, "en", [FEW], None)
    assert set(seen) == {True}
    seen.clear()
    whole = replace(recipe.schedule, clip=1e9)  # the same step, of a gradient whose length is asked
    slow = fit(replace(recipe, schedule=whole), "en", [FEW], None)
    assert set(seen) == {False}
    for key, weight in weights_of(slow).items():
        torch.testing.assert_close(weights_of(few)[key], weight, rtol=1e-4, atol=1e-5)


def test_given_vectors_are_begun_with(tmp_path: Path) -> None:
    file = tmp_path / "small.vec"
    words = ("Seen", "hospital", "Zanzibar", "UNK")
    rows = [
        " ".join([word, *(str(number + i / 8) for i in range(12))])
        for number, word in enumerate(words)
    ]
    file.write_text(f"{len(words)} 12\n" + "\n".join(rows) + "\n")
    frozen = ("words = { dimension = 12 }", "words = { dimension = 12, frozen = true }")
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 1"), frozen)
    fitted = fit(recipe, "en", [TRAIN], None, run=Run(vectors=file))
    table = weights_of(fitted)["words.vectors.weight"].numpy()
    assert fitted.sizes["words"] == 4
    assert np.allclose(table[2:, 0], [0, 1, 2, 3])
    assert np.allclose(table[1], table[5])  # unknown words have the vector of UNK
    assert not table[0].any()
    free = fit(
        network_recipe("ours", ("epochs = 6", "epochs = 1")),
        "en",
        [TRAIN],
        None,
        run=Run(vectors=file),
    )
    assert free.sizes["words"] > 4
    with pytest.raises(SettingsError, match="12 dimensions, and the recipe reads 16"):
        fit(network_recipe("windows"), "en", [TRAIN], None, run=Run(vectors=file))


def test_it_can_be_cross_validated_tuned_and_drawn_as_a_curve() -> None:
    recipe = network_recipe("ours", ("epochs = 6", "epochs = 3"))
    dealt = tuple(deal(FEW, by_document(FEW), 2, 1))
    plan = crossval.Plan(recipe, "en", FEW, dealt, run=Run(seed=3))
    assert plan.identity != replace(plan, run=Run(seed=4)).identity
    folds = crossval.run(plan, None, 1, lambda _: None)
    assert {name for fold in folds for name in fold.found} == {n.document.id for n in FEW.notes}
    points = curve.learn(recipe, "en", TRAIN, DEV, sizes=[5, 20], seed=1, tick=lambda _: None)
    assert (points[1].exact.f1 or 0) > (points[0].exact.f1 or 0)
    tuned = tune(material_of(recipe, "en", [FEW], DEV), DEV, 0.0, lambda _: None)
    assert tuned.trials[0].kept


def test_rows_deal_all_sequences_and_windows_cut_phrases() -> None:
    recipe = network_recipe("windows")
    readings = read(TRAIN.notes[:3], get_tokenizer())

    assert recipe.network is not None
    traits = Traits.of((), Shelf("en", None))
    each = range(len(readings))
    inputs = learn_inputs(
        readings, (), traits, recipe.network, sequence="note", min_count=1, sources=each
    )
    style = scheme("BIO")
    tags = style.tags({m.label for r in readings for m in r.gold})
    positions = lay_out(readings, Encoder(inputs, traits), style, tags, "note")
    assert len(positions.type) > sum(len(r.note.tokens) for r in readings)  # split digits
    whole = Rows.of(positions, 0, 1, tags.index("O"))
    assert np.array_equal(whole.tags, positions.tags)
    windows = Rows.of(positions, 3, 1, tags.index("O"))
    for low, high in zip(windows.starts[:-1], windows.starts[1:], strict=True):
        place, own = windows.place[low:high], windows.tags[low:high]
        for chunk in set(positions.chunk[place].tolist()) - {0}:
            inside = np.flatnonzero(positions.chunk == chunk)
            is_whole = set(inside.tolist()) <= set(place.tolist())
            told = own[positions.chunk[place] == chunk]
            expected = positions.tags[place][positions.chunk[place] == chunk]
            assert told.tolist() == (expected.tolist() if is_whole else [0] * len(told))
    rng = np.random.default_rng(1)
    for same in (True, False):
        dealt = windows.batches(4, rng, same_length=same)
        assert sorted(np.concatenate(dealt).tolist()) == list(range(len(windows.lengths)))
        assert not same or all(len(set(windows.lengths[rows].tolist())) == 1 for rows in dealt)
    place, _, mask = windows.matrix(np.array([0, 5]))
    assert place[mask].tolist() == [
        *windows.place[windows.starts[0] : windows.starts[1]].tolist(),
        *windows.place[windows.starts[5] : windows.starts[6]].tolist(),
    ]


def test_rare_words_are_in_no_list() -> None:
    readings = read(TRAIN.notes[:5], get_tokenizer())

    recipe = network_recipe("lample")
    assert recipe.network is not None
    shown = parse_traits(["lower 4", "suffix:3 4/16"])
    traits = Traits.of([one.trait for one in shown], Shelf("en", None))
    inputs = learn_inputs(
        *(readings, shown, traits, recipe.network),
        sequence="sentence",
        min_count=2,
        sources=range(5),
        given=["Xyz"],
    )
    texts = [set(r.note.tokens.words()) for r in readings]
    for word in inputs.words[1:]:
        assert sum(word in text for text in texts) >= 2
    assert inputs.words[0] == "Xyz"
    for value in inputs.traits[0].values:
        assert sum(value in {w.lower() for w in text} for text in texts) >= 2
    assert inputs.traits[1].values == ()


def test_class_weights_lean_to_the_rare_and_keep_the_mean() -> None:
    readings = read(TRAIN.notes[:5], get_tokenizer())

    tags = scheme("IO").tags(["DATE", "DOCTOR", "HOSPITAL"])
    encoder = Encoder(Inputs(), Traits.of((), Shelf("en", None)))
    positions = lay_out(readings, encoder, scheme("IO"), tags, "note")
    flat = class_weights(positions, tags, "", lambda _: 1.0)
    assert flat.tolist() == [1.0] * 4
    root, balanced = (
        class_weights(positions, tags, k, lambda _: 1.0) for k in ("root", "balanced")
    )
    counts = np.bincount(positions.tags, minlength=4)
    for weights in (root, balanced):
        assert (weights * counts).sum() / counts.sum() == pytest.approx(1.0)
        assert weights[0] == weights.min()
    assert np.allclose(balanced * counts, (balanced * counts)[0])
    assert class_weights(positions, tags, "", lambda t: 2.0 if t == "DATE" else 1.0)[1] == 2.0


def test_a_recall_bought_with_false_alarms_is_worth_less_than_any_other() -> None:
    eager, careful = Counts(10, 0, 90), Counts(2, 8, 0)
    assert score(eager, "hipaa_recall", 0.5) < score(careful, "hipaa_recall", 0.5)
    assert score(eager, "hipaa_recall", 0.05) > score(careful, "hipaa_recall", 0.05)


def test_rates_rise_and_fall_as_the_schedule_says() -> None:
    own = Schedule(rate=1.0, shape="cosine", warmup=0.1, epochs=10)
    rates = [own.rate_at(batch, 10) for batch in range(100)]
    assert max(rates) == pytest.approx(1.0, abs=0.05)
    assert rates[:10] == sorted(rates[:10])
    assert rates[11:] == sorted(rates[11:], reverse=True)
    assert rates[-1] < 0.01
    assert Schedule(rate=1.0, decay=0.5).rate_at(25, 10) == 0.25


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (('"residual"', '"transformer"'), "network.architecture"),
        (('"crf"', '"argmax"'), "network.output"),
        (("dropout = 0.1", "dropout = 1.5"), "no share"),
        (("units = 24", "units = 0"), "'units' of 'network' is too small"),
        (("units = 24", "reach = 4"), "even"),
        (("units = 24", "nodes = 24"), "unknown key 'network.context.nodes'"),
        (('"adamw"', '"lion"'), "training.optimiser"),
        (("rate = 0.01", "rate = 0.0"), "lacks a rate"),
        (("rate = 0.01", "rate = 1\nmeasure = 'loss'"), "training.measure"),
        (("gap 4", "gap four"), "no trait with its dimension"),
        (("gap 4", "gap 0"), "do not fit|no trait"),
        (('kind = "network"', 'kind = "crf"'), "'network' is for kind"),
    ],
)
def test_a_wrong_recipe_is_one_clear_line(change: tuple[str, str], fault: str) -> None:
    with pytest.raises(SettingsError, match=fault):
        network_recipe("ours", change)


def test_a_network_that_reads_nothing_is_refused() -> None:
    text = 'about = "x"\nkind = "network"\n[network]\narchitecture = "elman"\n'
    with pytest.raises(SettingsError, match="reads neither"):
        parse(text, "x", where="x.toml")
