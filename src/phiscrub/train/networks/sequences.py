"""Moves along padded sequences: turned around, beside their neighbours, and recurrence both ways.

All batches are ``[batch, time, …]``, with what is padded behind, where `mask` is False. No
function lets padding reach what is not padding, so that a batch changes only speed.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn


def turned(values: Tensor, mask: Tensor) -> Tensor:
    """Return each sequence back to front, its padding where it was."""
    place = torch.arange(mask.shape[1], device=mask.device).unsqueeze(0)
    back = mask.sum(dim=1, keepdim=True) - 1 - place
    index = torch.where(mask, back, place)
    return values.gather(1, index.unsqueeze(-1).expand(values.shape))


def around(values: Tensor, mask: Tensor, offsets: range, edge: Tensor) -> Tensor:
    """Return the neighbours at all offsets side by side, ``[batch, time, width * offsets]``.

    `edge`, ``[width]``, stands beyond the sequence.
    """
    inside = torch.where(mask.unsqueeze(-1), values, edge)
    before, behind = max(0, -offsets[0]), max(0, offsets[-1])
    beyond = edge.expand(values.shape[0], before + behind, values.shape[2])
    wide = torch.cat((beyond[:, :before], inside, beyond[:, before:]), dim=1)
    size = values.shape[1]
    return torch.cat([wide[:, before + at : before + at + size] for at in offsets], dim=-1)


class BothWays(nn.Module):
    """An LSTM forwards, and one backwards if wanted: ``[b, t, width] -> [b, t, units (* 2)]``."""

    def __init__(self, width: int, units: int, *, both: bool, forget_bias: float = 0.0) -> None:
        super().__init__()
        self.ways = nn.ModuleList(nn.LSTM(width, units, batch_first=True) for _ in range(1 + both))
        self.width = units * (1 + both)
        for name, weight in self.ways.named_parameters():
            if "weight_hh" in name:
                for gate in weight.chunk(4):
                    nn.init.orthogonal_(gate)
            elif "weight" in name:
                nn.init.xavier_uniform_(weight)
            else:
                nn.init.zeros_(weight)
                if "bias_ih" in name:
                    with torch.no_grad():
                        weight[units : 2 * units] = forget_bias

    def forward(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Return the states at every place."""
        states = [self.ways[0](vectors)[0]]
        if len(self.ways) > 1:
            states.append(turned(self.ways[1](turned(vectors, mask))[0], mask))
        return torch.cat(states, dim=-1)

    def last(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """Return the last state of each way, ``[b, units (* 2)]``."""
        read = [vectors, turned(vectors, mask)]
        end = (mask.sum(dim=1) - 1).clamp(min=0).reshape(-1, 1, 1)
        states = [way(own)[0] for way, own in zip(self.ways, read, strict=False)]
        return torch.cat([s.gather(1, end.expand(-1, 1, s.shape[2]))[:, 0] for s in states], dim=-1)
