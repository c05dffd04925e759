"""What a part may ask for while it is built."""

from __future__ import annotations

from importlib.resources.abc import Traversable
from typing import Protocol


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
