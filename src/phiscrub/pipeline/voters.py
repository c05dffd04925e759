"""Whose votes a pipeline's detectors are, before any of them has spoken."""

from __future__ import annotations

import os
from collections.abc import Iterable

from phiscrub.combine.vote import MODELS, voter
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.pipeline.parts import Table


def voters(tables: Iterable[Table], tools: Toolbox) -> tuple[str, ...]:
    """Return the different voters among declared detectors, sorted; a model is read for its name.

    Models of several folders that have one name are told as often. Raises `SettingsError` where a
    model has no manifest.
    """
    told = {_source(table, tools) for table in tables}
    return tuple(sorted(voter(source) for source, _ in told))


def _source(table: Table, tools: Toolbox) -> tuple[str, tuple[str, ...]]:
    """Return how a detector's mentions name it, and the folders of its models."""
    use = str(table["use"])
    if use not in MODELS:
        return use, ()
    models = table.get("models") or (table["model"],)
    folders = [tools.folder("models", name) for name in models]
    names = (read_manifest(folder, name).name for folder, name in zip(folders, models, strict=True))
    return f"{use}:{'+'.join(names)}", tuple(os.path.realpath(str(folder)) for folder in folders)
