"""Convolutions written as shifts and one product, which run faster than a convolution on a CPU.

Sources: Strubell et al. 2017 (iterated dilated convolutions); ours is the residual one.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from phiscrub.train.architectures import Dilated, Residual
from phiscrub.train.networks.sequences import BothWays, around


class Convolution(nn.Module):
    """``[b, t, width] -> [b, t, filters]``; zeros stand beyond the sequence."""

    def __init__(self, width: int, filters: int, reach: int, dilation: int) -> None:
        super().__init__()
        half = reach // 2 * dilation
        self.offsets = range(-half, half + 1, dilation)
        self.product = nn.Linear(width * reach, filters)

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Return the filters' values at every place."""
        edge = vectors.new_zeros(vectors.shape[-1])
        values: Tensor = self.product(around(vectors, mask, self.offsets, edge))
        return values


class DilatedContext(nn.Module):
    """A layer to `filters` values, then one block of dilated layers, again and again.

    A block's layers are the same each time; each application is scored by the same output, and
    in training all of them count (Strubell, section 4).
    """

    def __init__(self, settings: Dilated, width: int, tags: int) -> None:
        super().__init__()
        filters, reach = settings.filters, settings.reach
        self.first = Convolution(width, filters, reach, 1)
        self.block = nn.ModuleList(
            Convolution(filters, filters, reach, dilation) for dilation in settings.dilations
        )
        self.blocks = settings.blocks
        self.drop = nn.Dropout(settings.dropout)
        self.output = nn.Linear(filters, tags)

    def stages(self, vectors: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the scores after every block, ``[batch, time, tags]`` each."""
        states = torch.relu(self.first(vectors, mask))
        told = []
        for _ in range(self.blocks):
            for layer in self.block:
                states = torch.relu(layer(states, mask))
            states = self.drop(states)
            told.append(self.output(states))
        return told


class ResidualContext(nn.Module):
    """Ours: a product to `units` values, convolutions with a way around each, a light LSTM."""

    def __init__(self, settings: Residual, width: int, tags: int) -> None:
        super().__init__()
        units = settings.units
        self.first = nn.Linear(width, units)
        self.layers = nn.ModuleList(
            Convolution(units, units, settings.reach, dilation) for dilation in settings.dilations
        )
        self.norms = nn.ModuleList(nn.LayerNorm(units) for _ in settings.dilations)
        self.drop = nn.Dropout(settings.dropout)
        self.states: BothWays | None = None
        seen = units
        if settings.recurrent:
            self.states = BothWays(units, settings.recurrent, both=True)
            seen += self.states.width
        self.output = nn.Linear(seen, tags)

    def stages(self, vectors: Tensor, mask: Tensor) -> list[Tensor]:
        """Return the scores, ``[batch, time, tags]``, as the one stage that there is."""
        states = self.first(vectors)
        for layer, norm in zip(self.layers, self.norms, strict=True):
            states = states + self.drop(torch.relu(layer(norm(states), mask)))
        if self.states is not None:
            states = torch.cat((states, self.drop(self.states(states, mask))), dim=-1)
        return [self.output(states)]
