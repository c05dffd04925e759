"""Which models the tables of parts name, and what those say of themselves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from phiscrub.detect.carried import located
from phiscrub.detect.tagging.manifest import Manifest, read_manifest
from phiscrub.pipeline.shelf import Shelf

MODELS = ("model", "models")  # settings that name them


def manifests(tables: object, shelf: Shelf) -> tuple[Manifest, ...]:
    """Return the manifest of each model that tables within tables and lists name.

    Those that a model asks in its turn are among them. Raises as `read_manifest`.
    """
    found: dict[str, Manifest] = {}
    asked = list(_named(tables))
    while asked:
        name = asked.pop()
        if name not in found:
            found[name] = read_manifest(shelf.folder("models", name), name)
            own = found[name].settings
            asked += _named(located(own.get("detectors", ()), own.get("carried", ()), name))
    return tuple(found.values())


def _named(told: object) -> Iterator[str]:
    if isinstance(told, Mapping):
        for key, value in told.items():
            if key in MODELS:
                yield from (value,) if isinstance(value, str) else map(str, value)
            else:
                yield from _named(value)
    elif isinstance(told, list | tuple):
        for value in told:
            yield from _named(value)
