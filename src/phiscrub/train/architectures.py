"""The settings of every network, as a recipe's ``[network]`` table has them; no torch needed.

A network is made of parts: word vectors, characters, traits, a context that reads them in their
order, and an output. A paper's architecture is a choice of parts with the paper's numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.inputs import DIGITS, Shown
from phiscrub.pipeline.settings import settings_from

OUTPUTS = ("softmax", "sigmoid", "crf")
ENCODERS = ("bilstm", "cnn")
DIMENSION = 16  # of a trait that says none
MAY_BE_NONE = ("dimension", "hidden", "recurrent", "post_space", "length")
IN_THE_MIDDLE = ("window", "reach")
TRAIT = re.compile(
    r"(?P<name>\S+)(?: (?P<dimension>\d+)(?:/(?P<buckets>\d+)(?:x(?P<hashes>\d+))?)?)?"
)


@dataclass(frozen=True, slots=True)
class WordVectors:
    """Vectors of listed words; `dimension` 0 for none, `spread` the range of random ones.

    Without a spread they are uniform within the square root of 3 / dimension (Lample 2016).
    `frozen` ones are not trained, if they were given. Words are looked up in small letters with
    `lower`, and with `digits` as in `Inputs`.
    """

    dimension: int = 0
    spread: float = 0.0
    frozen: bool = False
    lower: bool = False
    digits: str = "none"


@dataclass(frozen=True, slots=True)
class Characters:
    """How a word is read by its characters; `dimension` 0 where it is not.

    `encoder` ``bilstm`` has `units` in each direction, ``cnn`` as many filters, `reach` wide,
    and takes the highest. `longest` and `post_space` are as in `Inputs`.
    """

    dimension: int = 0
    encoder: str = "bilstm"
    units: int = 25
    reach: int = 3
    longest: int = 30
    post_space: int = 0


@dataclass(frozen=True, slots=True)
class Windows:
    """Windows of so many words instead of whole sequences; `length` 0 for none."""

    length: int = 0
    stride: int = 1


@dataclass(frozen=True, slots=True)
class Recurrent:
    """LSTM layers of `units` in each direction, then a tanh layer of `hidden` units, if any.

    `dropout` is between layers and behind the last; `forget_bias` is where forget gates start.
    """

    units: int = 100
    layers: int = 1
    both_ways: bool = True
    hidden: int = 0
    dropout: float = 0.0
    forget_bias: float = 0.0


@dataclass(frozen=True, slots=True)
class Elman:
    """Recurrence through the hidden layer, over a window of word vectors; a layer a number."""

    units: tuple[int, ...] = (100,)
    window: int = 11
    dropout: float = 0.5
    spread: float = 1.0


@dataclass(frozen=True, slots=True)
class Jordan:
    """Recurrence through the output's probabilities, over a window of word vectors."""

    units: int = 150
    window: int = 9
    dropout: float = 0.5
    spread: float = 1.0


@dataclass(frozen=True, slots=True)
class Dilated:
    """Iterated dilated convolutions: one block of layers, applied `blocks` times."""

    filters: int = 400
    reach: int = 3
    dilations: tuple[int, ...] = (1, 2, 1)
    blocks: int = 1
    dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class Residual:
    """Convolutions with a way around each, a layer a dilation; then an LSTM of `recurrent` units.

    0 units is none.
    """

    units: int = 128
    reach: int = 3
    dilations: tuple[int, ...] = (1, 1, 2)
    recurrent: int = 0
    dropout: float = 0.1


Context = Recurrent | Elman | Jordan | Dilated | Residual
CONTEXTS: Mapping[str, type[Context]] = MappingProxyType(
    {
        "recurrent": Recurrent,
        "elman": Elman,
        "jordan": Jordan,
        "dilated": Dilated,
        "residual": Residual,
    }
)


@dataclass(frozen=True, slots=True)
class Network:
    """All of a network but its inputs' lists. `dropout` is on what the context reads."""

    context: Context
    words: WordVectors = WordVectors()
    characters: Characters = Characters()
    windows: Windows = Windows()
    output: str = "softmax"
    dropout: float = 0.0


@dataclass(frozen=True, slots=True)
class _Said:
    """The keys of the table that stand for themselves."""

    architecture: str
    output: str = "softmax"
    dropout: float = 0.0


def network_from(table: Mapping[str, Any], where: str) -> Network:
    """Make a network's settings from a ``[network]`` table.

    Raises `SettingsError` with the key for whatever does not fit.
    """
    rest = dict(table)
    parts = {name: rest.pop(name, {}) for name in ("context", "words", "characters", "windows")}
    for name, part in parts.items():
        if not isinstance(part, Mapping):
            raise SettingsError(f"'network.{name}' is no table", where=where)
    said = settings_from(_Said, rest, "network", where)
    _one_of(said.architecture, tuple(CONTEXTS), "network.architecture", where)
    _one_of(said.output, OUTPUTS, "network.output", where)
    context = settings_from(CONTEXTS[said.architecture], parts["context"], "network.context", where)
    words = settings_from(WordVectors, parts["words"], "network.words", where)
    characters = settings_from(Characters, parts["characters"], "network.characters", where)
    _one_of(words.digits, DIGITS, "network.words.digits", where)
    _one_of(characters.encoder, ENCODERS, "network.characters.encoder", where)
    windows = settings_from(Windows, parts["windows"], "network.windows", where)
    network = Network(context, words, characters, windows, said.output, said.dropout)
    if fault := _fault(network):
        raise SettingsError(fault, where=where, hint="correct it")
    return network


def architecture(network: Network) -> str:
    """Return the name of a network's context."""
    return next(name for name, kind in CONTEXTS.items() if isinstance(network.context, kind))


def parse_traits(texts: Iterable[str]) -> tuple[Shown, ...]:
    """Read traits as recipes write them; of one that is said twice, the first counts.

    ``found 24`` is a vector of 24 numbers for each value that is seen in training;
    ``lower 32/4096x2`` hashes values twice to 4,096 rows. Raises `SettingsError` for anything
    else.
    """
    shown: dict[str, Shown] = {}
    for text in texts:
        told = TRAIT.fullmatch(text)
        if told is None or any(n is not None and int(n) < 1 for n in told.groups()[1:]):
            hint = "write 'found', 'found 24' or 'lower 32/4096x2'"
            raise SettingsError(f"'{text}' is no trait with its dimension", hint=hint)
        own = Shown(
            told["name"],
            int(told["dimension"] or DIMENSION),
            int(told["buckets"] or 0),
            int(told["hashes"] or 1),
        )
        shown.setdefault(own.trait, own)
    return tuple(shown.values())


def _fault(network: Network) -> str:
    parts = (network, network.context, network.words, network.characters, network.windows)
    for part in parts:
        for name, value in asdict(part).items():
            numbers = value if isinstance(value, tuple) else (value,)
            if name == "dropout" and not 0 <= value < 1:
                return "a 'dropout' of 'network' is no share from 0 to below 1"
            if name in IN_THE_MIDDLE and value % 2 == 0:
                return f"'{name}' of 'network' is even, and a word stands in its middle"
            if any(type(n) is int and n < (name not in MAY_BE_NONE) for n in numbers):
                return f"'{name}' of 'network' is too small"
    return ""


def _one_of(value: str, known: tuple[str, ...], key: str, where: str) -> None:
    if value not in known:
        raise SettingsError(f"'{key}' is {value!r}", where=where, hint=f"known: {', '.join(known)}")
