"""What a part may ask for while it is built."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeVar

from phiscrub.core.contracts import Detector
from phiscrub.core.labels import HUB

T = TypeVar("T")


class Toolbox(Protocol):
    """Finds a part's data, and remembers what it handed out for the pipeline's fingerprint."""

    @property
    def language(self) -> str:
        """The pipeline's language, such as ``en``."""
        ...

    def folder(self, kind: str, name: str) -> Traversable:
        """Return the folder of a pack or model; raise `SettingsError` where there is none.

        `kind` is ``packs`` or ``models``. A name that begins with ``.`` or ``/`` is a path,
        taken from the pipeline file's folder; any other name is shipped with phiscrub.
        """
        ...

    def detector(self, table: Mapping[str, Any], at: str, labels: str = HUB) -> Detector:
        """Return the detector that a table of a pipeline file declares, the same for the same.

        A pipeline's detector and a part that wants to know what it finds thus share one, which
        reads a batch once. It speaks the label set `labels` where it can speak several. `at` is
        the table's path in its file, for errors. Raises `SettingsError` where the table is wrong.
        """
        ...

    def shared(self, name: str, make: Callable[[], T]) -> T:
        """Return what `make` gives, the same for the same name; the name must tell its type."""
        ...
