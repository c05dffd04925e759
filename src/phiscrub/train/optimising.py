"""The optimisers by name, moving means of weights, and one device's settings."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from phiscrub.core.errors import SettingsError
from phiscrub.train.schedule import Schedule

Named = Mapping[str, nn.Parameter]


def optimiser_of(schedule: Schedule, weights: Iterable[nn.Parameter]) -> torch.optim.Optimizer:
    """Return the recipe's optimiser over some weights."""
    rate, own = schedule.rate, list(weights)
    if schedule.optimiser == "sgd":
        return torch.optim.SGD(
            own, lr=rate, momentum=schedule.momentum, weight_decay=schedule.weight_decay
        )
    kinds: dict[str, Callable[..., torch.optim.Optimizer]] = {
        "adam": torch.optim.Adam,
        "adamw": torch.optim.AdamW,
        "nadam": torch.optim.NAdam,
    }
    return kinds[schedule.optimiser](own, lr=rate, weight_decay=schedule.weight_decay)


def is_plain(schedule: Schedule) -> bool:
    """Return whether a step changes only weights that have a gradient.

    Then word vectors that a batch does not read need none: with a large table, most of a step.
    """
    extra = schedule.momentum or schedule.weight_decay or schedule.clip
    return schedule.optimiser == "sgd" and not extra


def optimiser_state(optimiser: torch.optim.Optimizer, named: Named) -> dict[str, Tensor]:
    """Return an optimiser's tensors as ``key/weight``."""
    return {
        f"{key}/{name}": value
        for name, weight in named.items()
        for key, value in optimiser.state.get(weight, {}).items()
        if isinstance(value, Tensor)
    }


def set_optimiser_state(
    optimiser: torch.optim.Optimizer, named: Named, tensors: Mapping[str, Tensor]
) -> None:
    """Put back what `optimiser_state` gave."""
    for told, value in tensors.items():
        key, _, name = told.partition("/")
        weight = named[name]
        # As torch keeps them: counts of steps stay on the CPU.
        own = value if value.ndim == 0 else value.to(weight.device)
        optimiser.state[weight][key] = own


class Averaged:
    """A moving mean of weights: it keeps `share` of itself at each step, less in the beginning."""

    def __init__(self, named: Named, share: float) -> None:
        """Begin with the weights as they are."""
        self.named, self.share = named, share
        self.mean = {name: weight.detach().clone() for name, weight in named.items()}

    def update(self, step: int) -> None:
        """Take the weights in; `step` counts from 1."""
        share = min(self.share, step / (10 + step))
        means, weights = list(self.mean.values()), [w.detach() for w in self.named.values()]
        torch._foreach_lerp_(means, weights, 1 - share)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Let the network have the mean for a while."""
        own = {name: weight.detach().clone() for name, weight in self.named.items()}
        put(self.named, self.mean)
        try:
            yield
        finally:
            put(self.named, own)


def put(named: Named, values: Mapping[str, Tensor]) -> None:
    """Write values into weights; raise `SettingsError` where they are another network's."""
    if set(values) != set(named) or any(values[n].shape != w.shape for n, w in named.items()):
        raise SettingsError("is a checkpoint of another architecture", hint="train afresh")
    with torch.no_grad():
        for name, weight in named.items():
            weight.copy_(values[name])


@contextmanager
def deterministic(device: torch.device, seed: int) -> Iterator[None]:
    """Seed torch, and make a GPU do the same each time."""
    before = torch.are_deterministic_algorithms_enabled()
    torch.manual_seed(seed)
    if device.type == "cuda":
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # torch asks for it
        torch.use_deterministic_algorithms(True, warn_only=True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before)


def device_of(name: str) -> torch.device:
    """Return a device by name; raise `SettingsError` where it is not there."""
    try:
        device = torch.device(name)
    except RuntimeError:
        raise SettingsError(f"no device {name!r}", hint="say cpu, cuda or cuda:1") from None
    if device.type == "cuda" and not torch.cuda.is_available():
        raise SettingsError("no GPU here that torch can use", hint="leave out --device")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        raise SettingsError(f"no GPU {device.index}", hint=f"there are {torch.cuda.device_count()}")
    if device.type not in ("cpu", "cuda"):
        raise SettingsError(f"no device {name!r}", hint="say cpu, cuda or cuda:1")
    return device
