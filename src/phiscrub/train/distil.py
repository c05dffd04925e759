"""A student that learns from its teachers' probabilities as well as from the gold tags.

Sources: Hinton, Vinyals and Dean 2015; for students with transitions the posterior distillation
of Wang et al. 2020, section 3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import listed
from phiscrub.detect.tagging.ensemble import Agreed, EnsembleTagger, Settings, build
from phiscrub.detect.tagging.manifest import FILE
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.examples import in_batches
from phiscrub.train.networks.tagger import TaggerNetwork
from phiscrub.train.reading import Reading

SMALLEST = 1e-37


def load_teachers(folders: Sequence[Path], language: str) -> EnsembleTagger:
    """Load models as one; raise `SettingsError` where they do not go together."""
    for folder in folders:
        if not (folder / FILE).is_file():
            raise SettingsError("is no model", where=str(folder), hint="name a model's folder")
    paths = tuple(str(folder.resolve()) for folder in folders)
    return build(Settings(paths), Shelf(language, None))


def check_student(teachers: Agreed, *, tokenizer: str, label_set: str, tags: Sequence[str]) -> None:
    """Raise `SettingsError` where a student cannot learn what the teachers say of tokens."""
    for what, own, other in (
        ("tokenizer", tokenizer, teachers.tokenizer),
        ("label set", label_set, teachers.label_set),
    ):
        if own != other:
            raise SettingsError(
                f"the teachers are of {what} {other!r}, and the student of {own!r}",
                hint="train the teachers on the same notes",
            )
    lost = sorted(set(teachers.tags) - set(tags))
    if lost:
        raise SettingsError(
            f"the teachers know tags that the student does not: {listed(lost)}",
            hint=f"give the student the teachers' notes and scheme, {teachers.scheme}",
        )


def lessons(
    teachers: EnsembleTagger,
    readings: Sequence[Reading],
    is_first: NDArray[np.bool_],
    tags: Sequence[str],
) -> NDArray[np.float32]:
    """Return what the teachers think of each position of some notes, ``[positions, tags]``.

    `is_first` is where a token begins, as in `Positions`; of what else there is, nothing is
    thought, and its row is zero.
    """
    columns = np.array([tags.index(tag) for tag in teachers.model.tags])
    thought = [
        scores.proba
        for batch in in_batches(readings)
        for scores in teachers.tag_scores([reading.note for reading in batch])
    ]
    told = np.zeros((len(is_first), len(tags)), dtype=np.float32)
    if thought:
        told[np.ix_(np.flatnonzero(is_first), columns)] = np.concatenate(thought)
    return told


def distance(
    network: TaggerNetwork, stages: Sequence[Tensor], mask: Tensor, told: Tensor
) -> Tensor:
    """Return the mean cross entropy between lessons and what a network's stages say.

    `stages` are scores ``[b, t, tags]`` as `TaggerNetwork.stages` gives them, `told` lessons of
    the same shape; positions without a lesson, and padding, count nothing.
    """
    told = told * mask.unsqueeze(-1)
    taught = told.sum().clamp_min(1.0)
    each = torch.stack([_entropy(network, scores.float(), mask, told) for scores in stages])
    return each.mean() / taught


def marginals(scores: Tensor, mask: Tensor, steps: Tensor) -> Tensor:
    """Return the logarithms of tags' probabilities in a CRF, ``[b, t, tags]``.

    `scores` have those of edges added; `steps` are from row to column. Padding stands behind,
    and what is said of it means nothing.
    """
    size = scores.shape[1]
    onward = steps.exp()
    forward = [scores[:, 0]]
    for step in range(1, size):
        new = _carried(forward[-1], onward) + scores[:, step]
        forward.append(torch.where(mask[:, step, None], new, forward[-1]))
    backward = [torch.zeros_like(scores[:, 0])]
    for step in range(size - 1, 0, -1):
        new = _carried(backward[-1] + scores[:, step], onward.T)
        backward.append(torch.where(mask[:, step, None], new, backward[-1]))
    joined = torch.stack(forward, dim=1) + torch.stack(backward[::-1], dim=1)
    return joined - joined.logsumexp(dim=-1, keepdim=True)


def _entropy(network: TaggerNetwork, scores: Tensor, mask: Tensor, told: Tensor) -> Tensor:
    """Return the summed cross entropy of one stage."""
    steps = network.transitions()
    if steps is not None:
        return -(told * marginals(scores, mask, steps)).sum()
    if network.output == "sigmoid":
        each = functional.binary_cross_entropy_with_logits(scores, told, reduction="none")
        return (each * told.sum(dim=-1, keepdim=True)).mean(dim=-1).sum()
    return -(told * scores.log_softmax(dim=-1)).sum()


def _carried(totals: Tensor, onward: Tensor) -> Tensor:
    """Return the logarithms of sums over steps from, or to, all tags."""
    highest = totals.amax(dim=1, keepdim=True).detach()
    return ((totals - highest).exp() @ onward).clamp_min(SMALLEST).log() + highest
