"""Labels of single tokens, as token-level figures count them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from phiscrub.core.schemes import OUTSIDE
from phiscrub.evaluate.bytype import ByType, Chunk


def score(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> ByType:
    """Count tokens by label, whatever their prefixes: a hit has the label of the gold tag."""
    return ByType.of(set(_tokens(gold)), set(_tokens(found)))


def _tokens(sentences: Sequence[Sequence[str]]) -> Iterator[Chunk]:
    flat = (tag for tags in sentences for tag in tags)
    for at, tag in enumerate(flat):
        if tag != OUTSIDE:
            prefix, dash, label = tag.partition("-")
            yield at, at, label if dash else prefix
