"""A model that runs, back in torch, so that training can go on from it alone.

Which number of an ONNX half is which weight is found by writing out a network of the same settings
whose weights are their own places; so no layer needs to be known here by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources.abc import Traversable
from typing import Any

import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from onnx import numpy_helper

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.inputs import Encoder
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.detect.tagging.network import NetworkModel
from phiscrub.detect.tagging.stated import table
from phiscrub.detect.tagging.traits import Traits
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.architectures import network_from
from phiscrub.train.export import halves
from phiscrub.train.networks.tagger import TaggerNetwork
from phiscrub.train.trained import Trained

DIGIT = 4096  # places are written in two digits, so that floats hold them
MARK = 0.5  # what tells a place from numbers that are no weights
STEPS = "crf.steps"  # not in a half, but beside them
Floats = NDArray[np.float32]


def thawed(folder: Traversable) -> Trained:
    """Return a saved network's weights in torch; those in whole numbers as near as they are.

    Raises as `NetworkModel.load`, and `SettingsError` where the halves are not as phiscrub and
    this version of torch write them.
    """
    where = str(folder)
    model = NetworkModel.load(folder)
    told = read_manifest(folder, where).training
    settings = network_from(table(told, "network"), where)
    traits = Traits.of(model.inputs.trait_names, Shelf(model.language, None), model.detectors)
    trained = Trained.fresh(
        name=model.name,
        language=model.language,
        label_set=model.label_set,
        tokenizer=model.tokenizer,
        style=model.scheme,
        sequence=model.sequence,
        tags=model.tags,
        detectors=model.detectors,
        settings=settings,
        encoder=Encoder(model.inputs, traits),
    )
    network = trained.network
    flat = np.full(sum(weight.numel() for weight in network.state_dict().values()), np.nan)
    for low, high, own in _weights(trained, model):
        is_place = (low % 1 == MARK) & (high % 1 == MARK)
        place = ((high - MARK) * DIGIT + (low - MARK))[is_place].astype(np.int64)
        flat[place] = own[is_place]
    state, at = {}, 0
    for name, weight in network.state_dict().items():
        state[name] = torch.from_numpy(flat[at : at + weight.numel()]).float().reshape(weight.shape)
        at += weight.numel()
    if network.crf is not None:
        steps = torch.from_numpy(np.array(model.transitions)).float()
        state[STEPS] = steps.masked_fill(network.crf.forbidden, 0.0)
    if any(bool(torch.isnan(weight).any()) for weight in state.values()):
        raise SettingsError(
            "its weights are not found again in its ONNX halves",
            where=where,
            hint="begin with the folder .weights that its training left beside it",
        )
    network.load_state_dict(state)
    return trained


def _weights(trained: Trained, model: NetworkModel) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Yield of each array of the halves both digits of its weights' places, and its numbers."""
    digits = []
    for is_high in (False, True):
        _mark(trained.network, is_high=is_high)
        digits.append([_arrays(half) for half in halves(trained)])
    for low, high, half in zip(*digits, (model.words, model.top), strict=True):
        known = _arrays(half)
        for key, places in low.items():
            if key in known and known[key].shape == places.shape:
                yield places, high[key], known[key]


def _mark(network: TaggerNetwork, *, is_high: bool) -> None:
    """Make every weight a digit of its own place."""
    at = 0
    state = {}
    for name, weight in network.state_dict().items():
        place = np.arange(at, at + weight.numel())
        digit = (place // DIGIT if is_high else place % DIGIT) + MARK
        state[name] = torch.from_numpy(digit).float().reshape(weight.shape)
        at += weight.numel()
    network.load_state_dict(state)


def _arrays(data: bytes) -> Mapping[tuple[str, int], Floats]:
    """Return the float arrays of an ONNX model by who reads them: its output, and as which input.

    What `quantise` made whole numbers is given in floats again.
    """
    graph = onnx.load_from_string(data).graph
    stored: dict[str, Any] = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found: dict[tuple[str, int], Floats] = {}
    for node in graph.node:
        if node.op_type == "Identity" and node.input[0] in stored:  # arrays alike are stored once
            stored[node.output[0]] = stored[node.input[0]]
            continue
        for number, name in enumerate(node.input):
            own = stored.get(name)
            if own is not None and own.dtype == np.float32:
                found.setdefault((node.output[0], number), own)
    for name, own in stored.items():
        at, _, kind = name.rpartition(":")
        if kind == "rows":
            found[at, 0] = own * stored[f"{at}:scales"]
        elif kind == "whole":
            found[at, 1] = own * (stored[f"{at}:scales"] / stored[f"{at}:step"])
    return found
