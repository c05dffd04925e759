"""Distillation: marginals by enumeration, gradients by finite differences, students that learn."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import torch

from crf_models import random_model
from crf_models import save as save_crf
from network_models import NOTES, fresh, runnable, save
from phiscrub.core.errors import SettingsError
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.ensemble import Agreed, EnsembleTagger
from phiscrub.detect.tagging.inputs import Encoder
from phiscrub.detect.tagging.neural import NeuralTagger
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.distil import check_student, distance, lessons, load_teachers, marginals
from phiscrub.train.export import export
from phiscrub.train.network_fit import Task, train_network
from phiscrub.train.reading import Reading
from phiscrub.train.rows import lay_out
from phiscrub.train.schedule import Run, Schedule

READINGS = [Reading(note, ()) for note in NOTES]


def test_marginals_are_those_of_all_taggings() -> None:
    torch.manual_seed(1)
    scores, steps = torch.randn(2, 4, 3), torch.randn(3, 3)
    mask = torch.tensor([[True] * 4, [True, True, False, False]])
    found = marginals(scores, mask, steps).exp()
    for row, length in enumerate((4, 2)):
        summed = np.zeros((length, 3))
        for way in product(range(3), repeat=length):
            total = sum(float(scores[row, at, tag]) for at, tag in enumerate(way))
            total += sum(float(steps[a, b]) for a, b in pairwise(way))
            for at, tag in enumerate(way):
                summed[at, tag] += np.exp(total)
        expected = summed / summed.sum(axis=1, keepdims=True)
        np.testing.assert_allclose(found[row, :length].numpy(), expected, atol=1e-5)


@pytest.mark.parametrize("name", ["bilstm", "windows", "dilated"])
def test_gradients_are_finite_differences(name: str) -> None:
    torch.manual_seed(2)
    network = fresh(name).network
    tags = network.context.output.out_features
    mask = torch.tensor([[True, True, True], [True, True, False]])
    told = torch.rand(2, 3, tags)
    told = told / told.sum(dim=-1, keepdim=True)
    told[0, 1] = 0.0  # a piece of a token: no lesson
    scores = torch.randn(2, 3, tags, requires_grad=True)
    distance(network, [scores], mask, told).backward()
    assert scores.grad is not None
    assert not scores.grad[1, 2].any()
    with torch.no_grad():
        for at in ((0, 0, 1), (0, 2, 0), (1, 1, 3)):
            near = []
            for change in (0.02, -0.02):
                other = scores.clone()
                other[at] += change
                near.append(float(distance(network, [other], mask, told)))
            expected = (near[0] - near[1]) / 0.04
            assert float(scores.grad[at]) == pytest.approx(expected, rel=0.03, abs=2e-4)


def test_nothing_is_nearer_to_lessons_than_what_they_say() -> None:
    network = fresh("bilstm").network
    tags = network.context.output.out_features
    told = torch.rand(1, 5, tags).softmax(dim=-1)
    mask = torch.ones(1, 5, dtype=torch.bool)
    best = distance(network, [told.log()], mask, told)
    assert best < distance(network, [told.log() + torch.randn_like(told)], mask, told)


def test_lessons_are_the_teachers_probabilities(tmp_path: Path) -> None:
    folders = [
        save(runnable("bilstm"), tmp_path / "one"),
        save_crf(random_model(NOTES), tmp_path / "two"),
    ]
    teachers = load_teachers(folders, "en")
    tags = tuple(reversed(teachers.model.tags))
    size = sum(len(note.tokens) for note in NOTES)
    is_first = np.ones(size + 2, dtype=bool)
    is_first[[1, size + 1]] = False  # pieces of tokens
    told = lessons(teachers, READINGS, is_first, tags)
    expected = np.concatenate([one.proba for one in teachers.tag_scores(NOTES)])
    np.testing.assert_allclose(told[is_first][:, ::-1], expected, atol=1e-7)
    assert not told[~is_first].any()


def test_students_that_cannot_learn(tmp_path: Path) -> None:
    model = Agreed("t", "i2b2-2014", "clinical", "BIO", "sentence", ("O", "B-A", "I-A"), ("A",))
    fits = {"tokenizer": "clinical", "label_set": "i2b2-2014", "tags": model.tags}
    check_student(model, **fits)  # type: ignore[arg-type]
    for changes, what in (
        ({"tokenizer": "i2b2"}, "of tokenizer 'clinical'"),
        ({"label_set": "hipaa"}, "of label set 'i2b2-2014'"),
        ({"tags": ("O", "S-A")}, "does not: B-A, I-A"),
    ):
        with pytest.raises(SettingsError, match=what):
            check_student(model, **{**fits, **changes})  # type: ignore[arg-type]
    with pytest.raises(SettingsError, match="is no model"):
        load_teachers([tmp_path], "en")


def test_a_student_learns_what_its_teacher_thinks() -> None:
    """Gold that says nothing, a teacher that knows: all of the loss is the teacher's."""
    table = {"architecture": "dilated", "context": {"filters": 16, "dilations": [1]}}
    traits = ["classes 4", "suffix:3 8/32"]
    teacher, student = (
        fresh("dilated", table=table, traits=traits, seed=seed, gain=gain)
        for seed, gain in ((3, 2.0), (5, 1.0))
    )
    tools, style = Shelf("en", None), scheme(student.scheme)
    encoder = Encoder(student.inputs, student.traits(tools))
    train = lay_out(READINGS, encoder, style, student.tags, student.sequence)
    tagger = EnsembleTagger([NeuralTagger.of(export(teacher, NOTES, whole=False).model, tools)])
    told = lessons(tagger, READINGS, train.is_first, student.tags)

    def apart() -> float:
        own = student.tagger().tag_scores(NOTES)
        return float(np.abs(np.concatenate([one.proba for one in own]) - told).mean())

    before = apart()
    task = Task(train, lessons=told)
    schedule = Schedule(epochs=60, batch=16, rate=0.02, taught=1.0)
    train_network(student, task, schedule, Run(), lambda _: None)
    assert apart() < 0.3 * before
