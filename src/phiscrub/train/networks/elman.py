"""The Elman network: recurrence through the hidden layer (Shweta et al. 2017, section 3.1)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from phiscrub.train.architectures import Elman
from phiscrub.train.networks.loops import elman_loop, run
from phiscrub.train.networks.sequences import around


class ElmanContext(nn.Module):
    """``h1(t) = f(W1 C(t) + U1 h1(t-1) + b1)``, deeper layers read the layer below; f is sigmoid.

    C(t) are the vectors of the window around the word; a learnt vector stands beyond the
    sequence. ``[b, t, width] -> [b, t, tags]``.
    """

    def __init__(self, settings: Elman, width: int, tags: int) -> None:
        super().__init__()
        half = settings.window // 2
        self.offsets = range(-half, half + 1)
        self.edge = nn.Parameter(torch.zeros(width))
        self.inputs, self.recurrent = nn.ModuleList(), nn.ParameterList()
        below = width * settings.window
        for units in settings.units:
            self.inputs.append(nn.Linear(below, units))
            self.recurrent.append(nn.init.orthogonal_(torch.empty(units, units)))
            below = units
        self.drop = nn.Dropout(settings.dropout)
        self.output = nn.Linear(below, tags)
        spread_weights(self, settings.spread)

    def stages(self, vectors: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the scores, as the one stage that there is."""
        states = around(vectors, mask, self.offsets, self.edge)
        for inputs, recurrent in zip(self.inputs, self.recurrent, strict=True):
            states = self.drop(run(elman_loop, inputs(states), recurrent))
        return [self.output(states)]


def spread_weights(module: nn.Module, spread: float) -> None:
    """Draw all weights uniformly within `spread` of 0; 0 leaves them as they are."""
    if spread:
        with torch.no_grad():
            for weight in module.parameters():
                weight.uniform_(-spread, spread)
