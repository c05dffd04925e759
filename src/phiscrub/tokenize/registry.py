"""Every tokenizer by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from phiscrub.core.contracts import Tokenizer
from phiscrub.core.errors import SettingsError
from phiscrub.tokenize.clinical import Clinical
from phiscrub.tokenize.i2b2 import I2b2
from phiscrub.tokenize.treebank import Treebank

TOKENIZERS: Mapping[str, Callable[[], Tokenizer]] = MappingProxyType(
    {
        "clinical": Clinical,
        "i2b2": I2b2,
        "treebank": Treebank,
    }
)
DEFAULT = "clinical"


def get_tokenizer(name: str = DEFAULT) -> Tokenizer:
    """Return a tokenizer by name; raise `SettingsError` where there is none."""
    if name not in TOKENIZERS:
        raise SettingsError(f"no tokenizer {name!r}", hint=f"known: {', '.join(TOKENIZERS)}")
    return TOKENIZERS[name]()
