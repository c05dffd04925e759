"""LSTM layers over a sequence or window.

Sources: Lample et al. 2016 (one layer both ways, a tanh layer before the output), Chiu and
Nichols 2016 (stacked), Kassaie 2016 (one way over windows), Dernoncourt et al. 2017.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from phiscrub.train.architectures import Recurrent
from phiscrub.train.networks.sequences import BothWays


class RecurrentContext(nn.Module):
    """Reads ``[b, t, width]``, gives scores ``[b, t, tags]``."""

    def __init__(self, settings: Recurrent, width: int, tags: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList()
        for _ in range(settings.layers):
            layer = BothWays(
                width,
                settings.units,
                both=settings.both_ways,
                forget_bias=settings.forget_bias,
            )
            self.layers.append(layer)
            width = layer.width
        self.drop = nn.Dropout(settings.dropout)
        self.hidden = nn.Linear(width, settings.hidden) if settings.hidden else None
        self.output = nn.Linear(settings.hidden or width, tags)

    def stages(self, vectors: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the scores, as the one stage that there is."""
        states = vectors
        for layer in self.layers:
            states = self.drop(layer(states, mask))
        if self.hidden is not None:
            states = torch.tanh(self.hidden(states))
        return [self.output(states)]
