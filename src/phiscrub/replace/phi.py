"""`PHI` for every mention, as in the output of the inverse hybrid system (paper 4)."""

from __future__ import annotations

from dataclasses import dataclass

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import UNNAMED
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Settings:
    """Nothing to set."""


def build(settings: Settings, toolbox: Toolbox) -> Phi:  # noqa: ARG001 - every part's signature
    """Make the replacer."""
    return Phi()


@dataclass(frozen=True, slots=True)
class Phi:
    """`Dr. Lena Ortiz` becomes `Dr. PHI`: what kind of identifier stood there is not told."""

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with `PHI` for mentions."""
        return Redaction(document, cover, (UNNAMED,) * len(cover))
