"""Nothing in place of a mention."""

from __future__ import annotations

from dataclasses import dataclass

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Settings:
    """Nothing to set."""


def build(settings: Settings, toolbox: Toolbox) -> Remove:  # noqa: ARG001 - every part's signature
    """Make the replacer."""
    return Remove()


@dataclass(frozen=True, slots=True)
class Remove:
    """`by Lena Ortiz today` becomes `by  today`: what stands around a mention is untouched."""

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document without its mentions."""
        return Redaction(document, cover, ("",) * len(cover))
