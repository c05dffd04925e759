"""What the rules that a model hears are made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from phiscrub.pipeline.shelf import Shelf


def rules_digest(detectors: Iterable[Mapping[str, Any]], language: str) -> str:
    """Return a digest of the packs and lists that detectors read, by their tables."""
    shelf = Shelf(language, None)
    for at, table in enumerate(detectors):
        shelf.detector(table, f"detector[{at}]")
    return shelf.digest
