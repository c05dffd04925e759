"""Recipes of networks that train in a blink, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phiscrub.train.recipe import Recipe, parse

if TYPE_CHECKING:
    import torch

HEAD = """
about = "for tests"
kind = "network"
scheme = "BIO"
"""
OURS = """
sequence = "line"
[features]
shapes = ["short_shape 8", "suffix:2 8/64x2"]
places = ["gap 4"]
[network]
architecture = "residual"
output = "crf"
dropout = 0.1
context = { units = 24, recurrent = 6 }
words = { dimension = 12 }
[training]
optimiser = "adamw"
rate = 0.01
epochs = 6
batch = 8
average = 0.9
word_dropout = 0.1
trait_dropout = 0.1
"""
WINDOWS = """
sequence = "note"
[network]
architecture = "recurrent"
output = "sigmoid"
words = { dimension = 16, digits = "split" }
windows = { length = 7 }
context = { units = 24, both_ways = false, forget_bias = 1.0 }
[training]
rate = 0.02
epochs = 12
batch = 32
"""
ELMAN = """
[network]
architecture = "elman"
dropout = 0.1
words = { dimension = 12, spread = 0.25, digits = "zero" }
context = { units = [20], window = 5, dropout = 0.1 }
[training]
optimiser = "sgd"
rate = 0.1
clip = 0.0
epochs = 6
batch = 1
"""
JORDAN = ELMAN.replace('"elman"', '"jordan"').replace("[20]", "20")
LAMPLE = """
[network]
architecture = "recurrent"
words = { dimension = 12 }
characters = { dimension = 8, units = 8, post_space = 3 }
context = { units = 12, hidden = 12 }
[training]
rate = 0.02
epochs = 10
batch = 8
class_weights = "root"
weights = { DATE = 1.5 }
measure = "hipaa_recall"
least_precision = 0.3
"""
DILATED = """
[features]
classes = ["class:strubell 5"]
[network]
architecture = "dilated"
output = "crf"
words = { dimension = 12, digits = "glued" }
characters = { dimension = 8, encoder = "cnn", units = 8 }
context = { filters = 24, blocks = 2 }
[training]
optimiser = "nadam"
rate = 0.01
epochs = 12
batch = 8
same_length = true
"""
RECIPES = {
    "ours": OURS,
    "windows": WINDOWS,
    "elman": ELMAN,
    "jordan": JORDAN,
    "lample": LAMPLE,
    "dilated": DILATED,
}


def network_recipe(name: str = "ours", *changes: tuple[str, str]) -> Recipe:
    """Return a recipe; each change is a text and what stands for it."""
    text = HEAD + RECIPES[name]
    for before, after in changes:
        assert before in text, before
        text = text.replace(before, after)
    return parse(text, name, where=f"{name}.toml")


def weights_of(fitted: object) -> dict[str, torch.Tensor]:
    """Return the weights of a network that was trained."""
    return fitted.trained.network.state_dict()  # type: ignore[attr-defined,no-any-return]
