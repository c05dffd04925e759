"""Traits as vectors: one table a trait."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from phiscrub.detect.tagging.inputs import NOTHING, Shown


class Tables(nn.Module):
    """Looks up the columns of traits; the rows of one trait's hashes are added up.

    ``int64 [..., columns] -> float32 [..., width]``, the traits side by side.
    """

    def __init__(self, shown: Sequence[Shown]) -> None:
        super().__init__()
        self.hashes = tuple(one.hashes for one in shown)
        self.width = sum(one.dimension for one in shown)
        self.tables = nn.ModuleList(
            nn.Embedding(one.rows, one.dimension, padding_idx=NOTHING) for one in shown
        )
        for table in self.tables:
            spread_vectors(table)

    def forward(self, columns: Tensor) -> Tensor:
        """Return a vector a row of columns."""
        parts, first = [columns.new_zeros((*columns.shape[:-1], 0), dtype=torch.float32)], 0
        for table, hashes in zip(self.tables, self.hashes, strict=True):
            own = columns[..., first : first + hashes]
            parts.append(table(own[..., 0]) if hashes == 1 else table(own).sum(dim=-2))
            first += hashes
        return torch.cat(parts, dim=-1)


def spread_vectors(table: nn.Module, spread: float = 0.0) -> None:
    """Fill a table uniformly within `spread`, by default the square root of 3 / dimension.

    Row 0 stays zero. Source of the default: Lample et al. 2016, section 4.1, after Glorot.
    """
    assert isinstance(table, nn.Embedding)  # noqa: S101 - ModuleList forgets types
    within = spread or (3.0 / table.embedding_dim) ** 0.5
    with torch.no_grad():
        table.weight.uniform_(-within, within)
        table.weight[NOTHING] = 0.0
