"""Whose votes a pipeline's detectors are, before any of them has spoken."""

from __future__ import annotations

from collections.abc import Iterable

from phiscrub.combine.vote import MODELS, voter
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.pipeline.parts import Table


def voters(tables: Iterable[Table], tools: Toolbox) -> tuple[str, ...]:
    """Return the different voters among declared detectors, sorted; a model is read for its name.

    Raises `SettingsError` where a model has no manifest.
    """
    return tuple(sorted({voter(_source(table, tools)) for table in tables}))


def _source(table: Table, tools: Toolbox) -> str:
    use = str(table["use"])
    if use not in MODELS:
        return use
    models = table.get("models") or (table["model"],)
    names = (read_manifest(tools.folder("models", name), name).name for name in models)
    return f"{use}:{'+'.join(names)}"
