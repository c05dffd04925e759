"""The labels of another set in the output."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from phiscrub.core.contracts import Replacer
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.redaction import Redaction


@dataclass(frozen=True, slots=True)
class Renamed:
    """Renames every mention before another replacer words it."""

    names: Mapping[str, str]
    replacer: Replacer

    @property
    def whole(self) -> frozenset[str]:
        """What the other replacer must be asked about as a whole."""
        return getattr(self.replacer, "whole", frozenset())

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with replacements for the renamed mentions."""
        return self.replacer.replace(document, rename(cover, self.names))


def rename(cover: Cover, names: Mapping[str, str]) -> Cover:
    """Return the cover under other labels; one that `names` lacks stays."""
    return Cover(tuple(mention.renamed(names) for mention in cover))
