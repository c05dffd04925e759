"""How a network is trained, as a recipe's ``[training]`` table has it; no torch needed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from phiscrub.core.errors import SettingsError
from phiscrub.train.augment import Augment

OPTIMISERS = ("adam", "adamw", "nadam", "sgd")
SHAPES = ("constant", "cosine", "linear")
CLASS_WEIGHTS = ("", "root", "balanced")
MEASURES = ("entity_f1", "masking_recall", "hipaa_recall")
QUICK_EPOCHS = 15
WEIGHTS = ".weights"  # behind a model's name: what training can go on from


@dataclass(frozen=True, slots=True)
class Schedule:
    """Epochs over all sequences in batches of `batch`, and what is done at each.

    The `rate` rises over the first `warmup` share of all batches, keeps constant or falls to 0 as
    `shape` says, and is multiplied by `decay` after each epoch. Gradients are clipped to a norm
    of `clip`, 0 for never. `same_length` batches hold sequences of one length. In training, a
    word is read as unknown with probability `word_dropout`, and what a note trait shows as
    nothing with `trait_dropout`. With `average`, the weights kept are a moving mean that keeps
    so much of itself at each batch.

    `class_weights` weigh a tag by how rare it is (``balanced``: inversely to its share,
    ``root``: by the root of that); `weights` multiply the loss at a label's tags, or O's.
    The epoch kept is the best by `measure` on the development notes, a recall only where
    precision is at least `least_precision`, and with a hundredth of precision added; after
    `patience` epochs without gain training ends, 0 for never. Words, characters and values of
    fewer than `min_count` notes are not listed. `mixed` precision is for GPUs alone. Where there
    are teachers, the distance from their probabilities is the share `taught` of the loss.
    `augment` says how the training notes are multiplied, if they are.
    """

    optimiser: str = "adam"
    rate: float = 1e-3
    decay: float = 1.0
    shape: str = "constant"
    warmup: float = 0.0
    weight_decay: float = 0.0
    momentum: float = 0.0
    clip: float = 5.0
    epochs: int = 20
    batch: int = 32
    same_length: bool = False
    word_dropout: float = 0.0
    trait_dropout: float = 0.0
    average: float = 0.0
    class_weights: str = ""
    weights: Mapping[str, float] = field(default_factory=dict)
    measure: str = "entity_f1"
    least_precision: float = 0.0
    patience: int = 0
    min_count: int = 2
    mixed: bool = True
    taught: float = 0.5
    augment: Augment | None = None

    def check(self, where: str) -> None:
        """Raise `SettingsError` for what is out of range."""
        choices = (
            ("optimiser", self.optimiser, OPTIMISERS),
            ("shape", self.shape, SHAPES),
            ("class_weights", self.class_weights, CLASS_WEIGHTS),
            ("measure", self.measure, MEASURES),
        )
        for key, value, known in choices:
            if value not in known:
                hint = f"known: {', '.join(filter(None, known))}"
                raise SettingsError(f"'training.{key}' is {value!r}", where=where, hint=hint)
        shares = ("warmup", "word_dropout", "trait_dropout", "average", "least_precision")
        for key in (*shares, "momentum"):
            if not 0 <= getattr(self, key) < 1:
                raise SettingsError(f"'training.{key}' is no share", where=where, hint="0 to 1")
        if self.rate <= 0 or min(self.epochs, self.batch, self.min_count) < 1:
            raise SettingsError("'training' lacks a rate, epochs or a batch", where=where)
        if not 0 < self.decay <= 1 or min(self.clip, self.weight_decay, self.patience) < 0:
            raise SettingsError("'training' has a number out of range", where=where)
        if not 0 <= self.taught <= 1:
            raise SettingsError("'training.taught' is no share", where=where, hint="0 to 1")
        if any(weight < 0 for weight in self.weights.values()):
            raise SettingsError("'training.weights' has one below 0", where=where)

    def rate_at(self, batch: int, batches: int) -> float:
        """Return the rate of a batch, counted from 0, in a training of so many a epoch."""
        whole = batches * self.epochs
        rate = self.rate * self.decay ** (batch // batches)
        rising = self.warmup * whole
        if batch < rising:
            return rate * (batch + 1) / (rising + 1)
        gone = (batch - rising) / max(1.0, whole - rising)
        if self.shape == "cosine":
            return rate * (1 + math.cos(math.pi * gone)) / 2
        return rate * (1 - gone) if self.shape == "linear" else rate


@dataclass(frozen=True, slots=True)
class Run:
    """What a network's training is given besides the recipe and the notes.

    `device` is ``cpu`` or as torch names a GPU, ``cuda``. Every `minutes` all that is needed to
    go on is written to the folder `checkpoint`, if there is one; `resume` goes on from there.
    `vectors` is a file of word vectors; `init` a model's folder whose weights are begun with, of
    which those stay `frozen` whose names begin so. `teachers` are models' folders, whose
    probabilities are learnt as well.
    """

    device: str = "cpu"
    seed: int = 1
    checkpoint: Path | None = None
    minutes: float = 10.0
    resume: bool = False
    vectors: Path | None = None
    init: Path | None = None
    frozen: tuple[str, ...] = ()
    teachers: tuple[Path, ...] = ()

    @property
    def identity(self) -> tuple[object, ...]:
        """What of it decides the outcome."""
        given = (self.vectors, self.init, *self.teachers)
        return self.seed, self.frozen, *map(str, given)
