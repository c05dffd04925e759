"""Where packs and models stand, and a digest of all that was taken from there."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, TypeVar

from phiscrub.core.contracts import Detector
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import HUB, label_set
from phiscrub.detect.remembered import Remembered
from phiscrub.pipeline.parts import LABELS, Declared, Table, split_routing

T = TypeVar("T")


class Shelf:
    """The toolbox of one pipeline: finds folders by name or path, and digests what it gave.

    Paths start from `home`; `where` names the file in errors.
    """

    def __init__(self, language: str, home: Path | None, where: str = "pipeline") -> None:
        self._language = language
        self._home = home
        self._where = where
        self._detectors: dict[str, Detector | None] = {}
        self._shared: dict[str, Any] = {}
        self._digest = hashlib.sha256()
        self._given: set[str] = set()

    @property
    def language(self) -> str:
        """The pipeline's language."""
        return self._language

    def folder(self, kind: str, name: str) -> Traversable:
        """Return the folder of a pack or model; raise `SettingsError` where there is none."""
        found: Traversable
        if name.startswith((".", "/")):
            found = (self._home or Path()) / name
        else:
            found = resources.files("phiscrub").joinpath("data", kind, *name.split("/"))
        if not found.is_dir():
            raise SettingsError(
                f"no folder {name!r} among the {kind}",
                hint="a name that begins with '.' or '/' is a path from the pipeline file",
            )
        if f"{kind}/{name}" not in self._given:
            self._given.add(f"{kind}/{name}")
            self._add(found, f"{kind}/{name}")
        return found

    def detector(self, table: Table, at: str, labels: str = HUB) -> Detector:
        """Return the detector that a table declares, the same one for the same table.

        `labels` is the set that it speaks where it can speak several. A tagger is returned as it
        is; any other detector remembers what it found in the last batch. Raises `SettingsError`
        where the table is wrong, or asks for itself.
        """
        own, routing = split_routing(table, at, self._where)
        declared = Declared.of("detector", own, at, self._where, labels)
        key = json.dumps(declared.table, sort_keys=True, default=str)
        if key not in self._detectors:
            self._detectors[key] = None  # until it is built, so that one within itself is seen
            made: Detector = declared.build(self)
            self._detectors[key] = made if hasattr(made, "scores") else Remembered(made)
        found = self._detectors[key]
        if found is None:
            raise SettingsError(f"'{at}' asks for itself", where=self._where)
        spoken = label_set(str(declared.table.get(LABELS, labels)))
        return routing.route(found, frozenset(spoken.labels), at, self._where)

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """Return what `make` gives, the same for the same name."""
        if name not in self._shared:
            self._shared[name] = make()
        found: T = self._shared[name]
        return found

    @property
    def digest(self) -> str:
        """Sha256 over the names and bytes of every file handed out so far."""
        return self._digest.hexdigest()

    def _add(self, folder: Traversable, at: str) -> None:
        for entry in sorted(folder.iterdir(), key=lambda e: e.name):
            if entry.is_dir():
                self._add(entry, f"{at}/{entry.name}")
            elif not entry.name.endswith((".pyc", ".py")):
                data = entry.read_bytes()
                self._digest.update(f"{at}/{entry.name}\0{len(data)}\0".encode())
                self._digest.update(data)
