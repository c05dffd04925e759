"""A model that runs, back in torch: the same weights, whatever the layers, and training goes on."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from network_models import NETWORKS, NOTES, fresh
from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.detect.tagging.neural import NeuralTagger
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.architectures import architecture
from phiscrub.train.export import export
from phiscrub.train.thaw import thawed


def saved(name: str, folder: Path, *, whole: bool, **training: Any) -> NeuralTagger:
    """Save a network as a model that runs, and return it."""
    own = fresh(name)
    model = export(own, NOTES, whole=whole).model
    table = {"architecture": architecture(own.settings), **asdict(own.settings)}
    model.save(folder, data=[], training={"network": table, **training}, created="")
    return NeuralTagger.of(model, Shelf("en", None))


LOOPS = {"elman", "jordan"}  # written as loops with graphs of their own


@pytest.mark.parametrize("name", sorted(set(NETWORKS) - LOOPS))
def test_every_weight_is_found_again(name: str, tmp_path: Path) -> None:
    saved(name, tmp_path / "model", whole=False)
    before = fresh(name).network
    after = thawed(tmp_path / "model").network
    crf = before.crf
    wanted = before.state_dict()
    if crf is not None:
        wanted["crf.steps"] = crf.steps.detach().masked_fill(crf.forbidden, 0.0)
    for key, weight in wanted.items():
        assert torch.equal(weight, after.state_dict()[key]), key


def test_whole_numbers_come_back_as_near_as_they_are(tmp_path: Path) -> None:
    runs = saved("residual", tmp_path / "model", whole=True)
    back = thawed(tmp_path / "model").tagger()
    for own, other in zip(runs.tag_scores(NOTES), back.tag_scores(NOTES), strict=True):
        assert np.abs(own.proba - other.proba).mean() < 0.005


@pytest.mark.parametrize("name", sorted(LOOPS))
def test_loops_are_refused_in_one_line(name: str, tmp_path: Path) -> None:
    saved(name, tmp_path / "model", whole=False)
    with pytest.raises(SettingsError, match="not found again"):
        thawed(tmp_path / "model")


def test_a_model_that_says_nothing_of_its_network_is_refused(tmp_path: Path) -> None:
    saved("residual", tmp_path / "model", whole=False, network={})
    with pytest.raises((SettingsError, MissingError)):
        thawed(tmp_path / "model")
