"""Small networks with random weights over invented notes, for the tests of neural taggers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import torch

from crf_models import TAGS, charts
from phiscrub.core.note import Note
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.inputs import Encoder
from phiscrub.detect.tagging.manifest import TrainedOn
from phiscrub.detect.tagging.network import NetworkModel
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.architectures import network_from, parse_traits
from phiscrub.train.export import export
from phiscrub.train.reading import Reading
from phiscrub.train.rows import learn_inputs
from phiscrub.train.trained import Trained

TRAITS = ("classes 4", "lower 6/64x2", "suffix:3 5/32", "gap 3", "nth 3", "line_place 3/16")
NETWORKS: Mapping[str, Mapping[str, Any]] = {
    "bilstm": {
        "architecture": "recurrent",
        "context": {"units": 9, "layers": 2, "hidden": 7},
        "words": {"dimension": 8, "lower": True},
        "characters": {"dimension": 5, "units": 4, "post_space": 3},
    },
    "bilstm-crf": {
        "architecture": "recurrent",
        "context": {"units": 9},
        "characters": {"dimension": 5, "units": 6, "encoder": "cnn"},
        "output": "crf",
    },
    "windows": {
        "architecture": "recurrent",
        "context": {"units": 9, "both_ways": False},
        "words": {"dimension": 8, "digits": "split"},
        "windows": {"length": 5},
        "output": "sigmoid",
    },
    "elman": {
        "architecture": "elman",
        "context": {"units": [6, 5], "window": 3},
        "words": {"dimension": 8},
    },
    "jordan": {
        "architecture": "jordan",
        "context": {"units": 6, "window": 3},
        "words": {"dimension": 8},
    },
    "dilated": {
        "architecture": "dilated",
        "context": {"filters": 12, "blocks": 2},
        "words": {"dimension": 8},
        "output": "crf",
    },
    "residual": {
        "architecture": "residual",
        "context": {"units": 12, "recurrent": 5},
        "output": "crf",
    },
}
torch.set_num_threads(1)  # threads of so small networks only wait for each other
NOTES, _ = charts(6, seed=1, lines=8)


def fresh(
    name: str,
    *,
    notes: Sequence[Note] = NOTES,
    seed: int = 0,
    style: str = "BIO",
    sequence: str = "sentence",
    traits: Sequence[str] = TRAITS,
    table: Mapping[str, Any] | None = None,
    gain: float = 3.0,
) -> Trained:
    """Make a network of one kind, its weights drawn by a seed and larger than usual by `gain`."""
    settings = network_from(table or NETWORKS[name], "test")
    shown = parse_traits(traits)
    made = Traits.of((one.trait for one in shown), Shelf("en", None))
    inputs = learn_inputs(
        [Reading(note, ()) for note in notes],
        shown,
        made,
        settings,
        sequence=sequence,
        min_count=2,
        sources=range(len(notes)),
    )
    torch.manual_seed(seed)
    labels = sorted({tag[2:] for tag in TAGS if tag != "O"})
    trained = Trained.fresh(
        name=name,
        language="en",
        label_set="i2b2-2014",
        tokenizer="clinical",
        style=style,
        sequence=sequence,
        tags=scheme(style).tags(labels),
        detectors=(),
        settings=settings,
        encoder=Encoder(inputs, made),
    )
    with torch.no_grad():
        for weight in trained.network.parameters():
            weight.add_(torch.randn_like(weight) * 0.1).mul_(gain if weight.ndim > 1 else 1.0)
    return trained


def save(model: NetworkModel, folder: Path) -> Path:
    """Save a model as training would."""
    data = [TrainedOn("invented", "CC0-1.0", 3)]
    model.save(folder, data=data, training={}, created="2025-01-01T00:00:00+00:00")
    return folder


@cache
def runnable(name: str, seed: int = 0, style: str = "BIO") -> NetworkModel:
    """Export a network as it is, in floats."""
    return export(fresh(name, seed=seed, style=style), NOTES[:2], whole=False).model
