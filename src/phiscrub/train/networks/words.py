"""What a word shows, as one vector: the half of a network that is worked out once a word type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import torch
from torch import Tensor, nn

from phiscrub.detect.tagging.inputs import FIRST, PADDING, Inputs, Shown
from phiscrub.train.architectures import Characters, WordVectors
from phiscrub.train.networks.sequences import BothWays, around
from phiscrub.train.networks.tables import Tables, spread_vectors


class CharacterStates(nn.Module):
    """A bidirectional LSTM over a word's characters, its last states (Lample et al. 2016)."""

    def __init__(self, settings: Characters, characters: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(FIRST + characters, settings.dimension, padding_idx=PADDING)
        spread_vectors(self.vectors)
        self.states = BothWays(settings.dimension, settings.units, both=True)
        self.width = self.states.width

    def forward(self, characters: Tensor) -> Tensor:
        """Read ``int64 [types, longest]``; return ``[types, width]``."""
        last: Tensor = self.states.last(self.vectors(characters), characters != PADDING)
        return last


class CharacterPeaks(nn.Module):
    """A convolution over a word's characters and the highest of each filter (Chiu and Nichols).

    Beyond a word's ends stands padding, as in the paper; padding itself is no candidate.
    """

    def __init__(self, settings: Characters, characters: int) -> None:
        super().__init__()
        self.vectors = nn.Embedding(FIRST + characters, settings.dimension, padding_idx=PADDING)
        spread_vectors(self.vectors)
        self.reach = settings.reach
        self.filters = nn.Linear(settings.reach * settings.dimension, settings.units)
        self.width = settings.units

    def forward(self, characters: Tensor) -> Tensor:
        """Read ``int64 [types, longest]``; return ``[types, width]``."""
        mask = characters != PADDING
        vectors = self.vectors(characters)
        half = self.reach // 2
        edge = vectors.new_zeros(vectors.shape[-1])
        scores = self.filters(around(vectors, mask, range(-half, half + 1), edge))
        peaks = scores.masked_fill(~mask.unsqueeze(-1), -1e4).amax(dim=1)
        return torch.where(mask.any(dim=1, keepdim=True), peaks, torch.zeros_like(peaks))


ENCODERS: Mapping[str, type[CharacterStates | CharacterPeaks]] = MappingProxyType(
    {"bilstm": CharacterStates, "cnn": CharacterPeaks}
)


class Words(nn.Module):
    """Word vector, characters and traits of a word type, side by side; `width` of all."""

    def __init__(
        self,
        inputs: Inputs,
        shown: Sequence[Shown],
        vectors: WordVectors,
        characters: Characters,
    ) -> None:
        super().__init__()
        self.vectors: nn.Embedding | None = None
        self.characters: CharacterStates | CharacterPeaks | None = None
        if vectors.dimension:
            size = FIRST + len(inputs.words)
            self.vectors = nn.Embedding(size, vectors.dimension, padding_idx=PADDING)
            spread_vectors(self.vectors, vectors.spread)
        if characters.dimension:
            self.characters = ENCODERS[characters.encoder](characters, len(inputs.characters))
        self.shown = Tables(shown)
        own = self.characters.width if self.characters is not None else 0
        self.width = vectors.dimension + own + self.shown.width

    def forward(self, word: Tensor, characters: Tensor, shown: Tensor) -> Tensor:
        """Read what `TypeNumbers` holds; return float32 ``[types, width]``."""
        parts = [self.shown(shown)]
        if self.characters is not None:
            parts.insert(0, self.characters(characters))
        if self.vectors is not None:
            parts.insert(0, self.vectors(word))
        return torch.cat(parts, dim=-1)
