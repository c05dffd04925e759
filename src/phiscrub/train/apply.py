"""A network in torch put to notes: scores, probabilities and tags of every position."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import torch
from numpy.typing import NDArray

from phiscrub.detect.tagging.decode import posterior, viterbi
from phiscrub.detect.tagging.inputs import TypeNumbers
from phiscrub.detect.tagging.neural import MOST_ODDS
from phiscrub.detect.tagging.weights import Floats, Ints
from phiscrub.detect.tagging.windows import NONE, merged, sliding
from phiscrub.train.networks.tagger import TaggerNetwork

TYPES = 4096  # that go through the words half at a time
POSITIONS = 8192  # that go through the context at a time


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """Probabilities of tags, ``[positions, tags]``, and the number of each position's tag."""

    proba: Floats = field(repr=False)
    tags: Ints = field(repr=False)


def apply(
    network: TaggerNetwork,
    numbers: TypeNumbers,
    type_: NDArray[np.int32],
    notes: Ints,
    starts: Ints,
    *,
    window: tuple[int, int],
    outside: int,
) -> Applied:
    """Score positions as `Encoded` has them; `window` is length and stride, length 0 for none."""
    network.eval()
    length, stride = window
    places = sliding(starts, length, stride) if length else None
    with torch.inference_mode():
        vectors = _words(network, numbers)
        if places is None:
            scores = _sequences(network, vectors, type_, notes, starts)
        else:
            scores = _windows(network, vectors, type_, notes, places)
    transitions = network.transitions()
    if transitions is not None:
        steps = transitions.detach().double().cpu().numpy()
        known = posterior(scores, starts, steps)
        return Applied(known.proba, viterbi(scores, starts, steps, known))
    proba = _proba(scores, network.output)
    if places is not None:
        proba = merged(places, proba, outside)
    return Applied(proba, proba.argmax(axis=1))


def vectors_of(
    network: TaggerNetwork, types: torch.Tensor, ids: torch.Tensor, notes: torch.Tensor
) -> torch.Tensor:
    """Return what the context reads: vectors of word types, and those of note traits.

    `types` is ``[types, width]``, `ids` ``[batch, time]``, `notes` ``[batch, time, columns]``; what
    is returned ``[batch, time, width and more]``.
    """
    return torch.cat((types[ids], network.places(notes)), dim=-1)


def _words(network: TaggerNetwork, numbers: TypeNumbers) -> torch.Tensor:
    device = next(network.parameters()).device
    parts = []
    for low in range(0, len(numbers.word), TYPES):
        rows = slice(low, low + TYPES)
        own = (numbers.word[rows], numbers.characters[rows], numbers.shown[rows])
        parts.append(network.words(*(torch.from_numpy(one).to(device) for one in own)))
    return torch.cat([torch.zeros(0, network.words.width, device=device), *parts])


def _sequences(
    network: TaggerNetwork,
    vectors: torch.Tensor,
    type_: NDArray[np.int32],
    notes: Ints,
    starts: Ints,
) -> Floats:
    lengths = np.diff(starts)
    order = np.argsort(lengths, kind="stable")
    scores: Floats | None = None
    for rows in _portions(order, lengths):
        offsets = np.arange(lengths[rows].max())
        mask = offsets < lengths[rows][:, None]
        place = np.where(mask, starts[rows][:, None] + offsets, 0)
        told = _forward(network, vectors, type_[place], notes[place], mask)
        if scores is None:
            scores = np.empty((len(type_), told.shape[-1]))
        scores[place[mask]] = told[mask]
    return np.zeros((0, 1)) if scores is None else scores


def _portions(order: Ints, lengths: Ints) -> list[Ints]:
    """Cut sequences, the shortest first, into batches of a bounded size with padding."""
    made, low = [], 0
    for high in range(1, len(order) + 1):
        if high == len(order) or (high + 1 - low) * lengths[order[high]] > POSITIONS:
            made.append(order[low:high])
            low = high
    return made


def _windows(
    network: TaggerNetwork,
    vectors: torch.Tensor,
    type_: NDArray[np.int32],
    notes: Ints,
    places: Ints,
) -> Floats:
    told = []
    step = max(1, POSITIONS // max(1, places.shape[1]))
    for low in range(0, len(places), step):
        own = places[low : low + step]
        mask = own != NONE
        place = np.where(mask, own, 0)
        told.append(_forward(network, vectors, type_[place], notes[place], mask))
    return np.concatenate(told) if told else np.zeros((0, places.shape[1], 1))


def _forward(
    network: TaggerNetwork,
    vectors: torch.Tensor,
    ids: NDArray[np.int32],
    notes: Ints,
    mask: NDArray[np.bool_],
) -> Floats:
    device = vectors.device
    own = vectors_of(
        network,
        vectors,
        torch.from_numpy(ids).long().to(device),
        torch.from_numpy(notes).to(device),
    )
    scores: torch.Tensor = network(own, torch.from_numpy(mask).to(device))
    return np.asarray(scores.double().cpu().numpy(), dtype=np.float64)


def _proba(scores: Floats, output: str) -> Floats:
    """Return probabilities of tags; independent ones are scaled to add up to 1."""
    if output == "sigmoid":
        own = 1 / (1 + np.exp(-np.clip(scores, -MOST_ODDS, MOST_ODDS)))
    else:
        own = np.exp(scores - scores.max(axis=-1, keepdims=True, initial=-np.inf))
    return np.asarray(own / own.sum(axis=-1, keepdims=True))
