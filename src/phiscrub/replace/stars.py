"""Stars: every character but white space becomes one, so that offsets and layout stay."""

from __future__ import annotations

import re
from dataclasses import dataclass

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox

SHOWN = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Settings:
    """Nothing to set."""


def build(settings: Settings, toolbox: Toolbox) -> Stars:  # noqa: ARG001 - every part's signature
    """Make the replacer."""
    return Stars()


@dataclass(frozen=True, slots=True)
class Stars:
    """`Lena Ortiz` becomes `**** *****`; the length of what stood there is told."""

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with stars for mentions; no offset moves."""
        text = document.text
        words = (text[mention.span.start : mention.span.end] for mention in cover)
        return Redaction(document, cover, tuple(SHOWN.sub("*", word) for word in words))
