"""What each part of the work promises."""

from __future__ import annotations

from typing import Protocol

from phiscrub.core.mention import Annotated
from phiscrub.synthesize.draw import Draw


class Step(Protocol):
    """Changes a note in one way."""

    def change(self, note: Annotated, draw: Draw) -> Annotated:
        """Return the changed note; its mentions still hold their words, and no half word."""
        ...
