"""What the rules that a model hears are made of."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from phiscrub.pipeline.shelf import Shelf


def rules_digest(detectors: Iterable[Mapping[str, Any]], language: str) -> str:
    """Return a digest of the packs and lists that detectors read, by their tables."""
    return _digest(json.dumps([dict(table) for table in detectors], sort_keys=True), language)


@cache  # one protocol asks for the same rules at many steps
def _digest(tables: str, language: str) -> str:
    shelf = Shelf(language, None)
    for at, table in enumerate(json.loads(tables)):
        shelf.detector(table, f"detector[{at}]")
    return shelf.digest
