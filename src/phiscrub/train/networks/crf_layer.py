"""A linear-chain CRF as the last layer, trained by its likelihood.

Source: Lafferty, McCallum and Pereira 2001; Lample et al. 2016, section 2.2, for edges.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from phiscrub.core.schemes import Scheme

NEVER = -60.0  # the weight of what the scheme does not write: e ** -60 is nothing, and a number


class CrfLayer(nn.Module):
    """Scores of steps from tag to tag, and of a sequence's first and last tag.

    `forbidden`, bool ``[tags, tags]``, are steps that never are; their weight is `NEVER`.
    """

    def __init__(self, tags: int, forbidden: Tensor | None = None) -> None:
        super().__init__()
        self.steps = nn.Parameter(torch.zeros(tags, tags))
        self.first = nn.Parameter(torch.zeros(tags))
        self.last = nn.Parameter(torch.zeros(tags))
        none = torch.zeros(tags, tags, dtype=torch.bool)
        self.register_buffer("forbidden", none if forbidden is None else forbidden, False)
        self.forbidden: Tensor

    def transitions(self) -> Tensor:
        """Return the scores of steps, ``[tags, tags]``, from row to column."""
        return self.steps.masked_fill(self.forbidden, NEVER)

    def edged(self, scores: Tensor, mask: Tensor) -> Tensor:
        """Return scores with those of the first and last tag added where they belong."""
        place = torch.arange(mask.shape[1], device=mask.device).unsqueeze(0)
        is_first = (place == 0) & mask
        is_last = (place == mask.sum(dim=1, keepdim=True) - 1) & mask
        edges = is_first.unsqueeze(-1) * self.first + is_last.unsqueeze(-1) * self.last
        return scores + edges

    def losses(self, scores: Tensor, mask: Tensor, tags: Tensor) -> Tensor:
        """Return each sequence's negative log-likelihood, ``[b]``; `scores` have edges added.

        Padding stands behind; no sequence is empty.
        """
        steps = self.transitions()
        own = (scores.gather(2, tags.unsqueeze(-1))[..., 0] * mask).sum(dim=1)
        own = own + (steps[tags[:, :-1], tags[:, 1:]] * mask[:, 1:]).sum(dim=1)
        onward = steps.exp()
        total = scores[:, 0]
        for step in range(1, scores.shape[1]):
            highest = total.amax(dim=1, keepdim=True).detach()
            summed = (total - highest).exp() @ onward
            new = summed.clamp_min(1e-37).log() + highest + scores[:, step]
            total = torch.where(mask[:, step, None], new, total)
        return total.logsumexp(dim=1) - own


def never(scheme: Scheme, tags: tuple[str, ...]) -> Tensor:
    """Return the steps that a scheme does not write, bool ``[tags, tags]``."""
    return torch.tensor([[not scheme.follows(left, right) for right in tags] for left in tags])
