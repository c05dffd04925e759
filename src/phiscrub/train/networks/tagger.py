"""A whole network: words, places, context and output put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.inputs import Inputs, Shown
from phiscrub.train.architectures import Network, architecture
from phiscrub.train.networks.convolutions import DilatedContext, ResidualContext
from phiscrub.train.networks.crf_layer import CrfLayer, never
from phiscrub.train.networks.elman import ElmanContext
from phiscrub.train.networks.jordan import JordanContext
from phiscrub.train.networks.recurrent import RecurrentContext
from phiscrub.train.networks.tables import Tables
from phiscrub.train.networks.words import Words

CONTEXTS: dict[str, Callable[[Any, int, int], nn.Module]] = {
    "recurrent": RecurrentContext,
    "elman": ElmanContext,
    "jordan": JordanContext,
    "dilated": DilatedContext,
    "residual": ResidualContext,
}


class TaggerNetwork(nn.Module):
    """Scores the tags of every position of a batch.

    Word types go through `words` once (float32 ``[types, words.width]``), note traits through
    `places` (``[b, t, columns] -> [b, t, places.width]``); side by side they are what `forward`
    reads. `output` says what scores are: ``softmax`` and ``sigmoid`` are per position, ``crf``
    goes with `transitions`.
    """

    def __init__(
        self,
        settings: Network,
        inputs: Inputs,
        *,
        word_shown: Sequence[Shown],
        note_shown: Sequence[Shown],
        tags: tuple[str, ...],
        style: str,
    ) -> None:
        super().__init__()
        self.words = Words(inputs, word_shown, settings.words, settings.characters)
        self.places = Tables(note_shown)
        self.drop = nn.Dropout(settings.dropout)
        self.width = self.words.width + self.places.width
        made = CONTEXTS[architecture(settings)](settings.context, self.width, len(tags))
        self.context: Any = made  # a module with `stages`
        self.output = settings.output
        self.crf: CrfLayer | None = None
        if settings.output == "crf":
            self.crf = CrfLayer(len(tags), never(scheme(style), tags))

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Read float32 ``[b, t, width]`` and bool ``[b, t]``; return scores ``[b, t, tags]``."""
        return self.stages(vectors, mask)[-1]

    def stages(self, vectors: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the scores after every stage of the context, the last ones as `forward` does."""
        told: list[Tensor] = self.context.stages(self.drop(vectors), mask)
        return told if self.crf is None else [self.crf.edged(scores, mask) for scores in told]

    def transitions(self) -> Tensor | None:
        """Return the scores of steps from tag to tag, or None where the output knows none."""
        return None if self.crf is None else self.crf.transitions()

    def loss(self, vectors: Tensor, mask: Tensor, tags: Tensor, weights: Tensor) -> Tensor:
        """Return a sequence's loss, in the mean; `weights`, ``[tags]``, say what a tag counts.

        It is the sum over its positions; padding counts nothing. In a CRF a sequence counts what
        its tags do in the mean.
        """
        return self.loss_of(self.stages(vectors, mask), mask, tags, weights)

    def loss_of(
        self, stages: Sequence[Tensor], mask: Tensor, tags: Tensor, weights: Tensor
    ) -> Tensor:
        """Return the loss of what `stages` gave; otherwise as `loss`."""
        told = torch.stack([self._loss(scores, mask, tags, weights) for scores in stages])
        return told.mean()

    def _loss(self, scores: Tensor, mask: Tensor, tags: Tensor, weights: Tensor) -> Tensor:
        counts = weights[tags] * mask
        if self.crf is not None:
            mean = counts.sum(dim=1) / mask.sum(dim=1)
            return (self.crf.losses(scores.float(), mask, tags) * mean).mean()
        if self.output == "sigmoid":
            target = functional.one_hot(tags, scores.shape[-1]).to(scores.dtype)
            each = functional.binary_cross_entropy_with_logits(scores, target, reduction="none")
            return (each.mean(dim=-1) * counts).sum() / len(mask)
        own = functional.cross_entropy(scores.transpose(1, 2), tags, reduction="none")
        return (own * counts).sum() / len(mask)
