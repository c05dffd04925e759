"""Label tags: each mention becomes its label in brackets."""

from __future__ import annotations

from dataclasses import dataclass

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Settings:
    """Nothing to set."""


def build(settings: Settings, toolbox: Toolbox) -> Tags:  # noqa: ARG001 - every part's signature
    """Make the replacer."""
    return Tags()


@dataclass(frozen=True, slots=True)
class Tags:
    """`Dr. Lena Ortiz` becomes `Dr. [DOCTOR]`."""

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with tags for mentions."""
        return Redaction(document, cover, tuple(f"[{mention.label}]" for mention in cover))
