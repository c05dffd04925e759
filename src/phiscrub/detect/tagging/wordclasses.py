"""Word classes as published taggers draw them, by the name of the variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

MOSTLY = 0.5
SALUTATIONS = frozenset({"mr", "mrs", "ms"})


def chiu(word: str) -> str:
    """Return one of seven classes: Chiu and Nichols 2016, as the PHI scrubber has them."""
    digits = sum(map(str.isdigit, word))
    if digits == len(word):
        return "numeric"
    if digits > MOSTLY * len(word):
        return "mostly numeric"
    if word.islower() and not digits:
        return "lower"
    if word.isupper() and not digits:
        return "upper"
    if word[:1].isupper():
        return "initial upper"
    return "contains digit" if digits else "other"


def strubell(word: str) -> str:
    """Return one of four classes: Strubell et al. 2017, after Lample's features."""
    if word.isupper():
        return "upper"
    if word[:1].isupper() and word[1:] == word[1:].lower():
        return "initial upper"
    return "camel case" if any(map(str.isupper, word)) else "other"


def inverse(word: str) -> str:
    """Return the extra inputs of the inverse hybrid's variations c and d, as one value.

    They are: all lower, all upper, capitalised, and a salutation (Mr, Mrs, Ms).
    """
    case = "lower" if word.islower() else "upper" if word.isupper() else ""
    case = case or ("capitalised" if word[:1].isupper() else "other")
    return f"{case} salutation" if word.lower().rstrip(".") in SALUTATIONS else case


CLASSES: Mapping[str, Callable[[str], str]] = MappingProxyType(
    {"chiu": chiu, "strubell": strubell, "inverse": inverse}
)
