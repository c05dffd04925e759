"""The Jordan network: recurrence through the output (Shweta et al. 2017, section 3.2)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from phiscrub.train.architectures import Jordan
from phiscrub.train.networks.elman import spread_weights
from phiscrub.train.networks.loops import jordan_loop, run
from phiscrub.train.networks.sequences import around


class JordanContext(nn.Module):
    """``h(t) = f(W C(t) + U P(y(t-1)) + b)``, f sigmoid; P are the probabilities of the tags.

    C(t) is as in the Elman network. ``[b, t, width] -> [b, t, tags]``.
    """

    def __init__(self, settings: Jordan, width: int, tags: int) -> None:
        super().__init__()
        half = settings.window // 2
        self.offsets = range(-half, half + 1)
        self.edge = nn.Parameter(torch.zeros(width))
        self.inputs = nn.Linear(width * settings.window, settings.units)
        self.recurrent = nn.Linear(tags, settings.units, bias=False)
        self.output = nn.Linear(settings.units, tags)
        self.drop = nn.Dropout(settings.dropout)
        spread_weights(self, settings.spread)

    def stages(self, vectors: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the scores, as the one stage that there is."""
        inputs = self.inputs(around(vectors, mask, self.offsets, self.edge))
        kept = self.drop(torch.ones_like(inputs[:, 0]))
        own = (self.recurrent.weight.t(), self.output.weight.t(), self.output.bias)
        return [run(jordan_loop, inputs, *own, kept)]
