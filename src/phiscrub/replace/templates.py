"""Fixed templates by label, as `XYZ_Patient` and `00.00.Date` (Shweta et al. 2017; paper 5)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources
from types import MappingProxyType

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import HUB, UNNAMED, label_set
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox


@dataclass(frozen=True, slots=True)
class Settings:
    """The label set of the mentions, and templates of one's own by its labels."""

    label_set: str = HUB
    templates: Mapping[str, str] = field(default_factory=dict)


def build(settings: Settings, toolbox: Toolbox) -> Templates:  # noqa: ARG001 - every part's signature
    """Make the replacer: the shipped templates under the set's own labels."""
    file = resources.files("phiscrub") / "data" / "templates.toml"
    shipped: dict[str, str] = tomllib.loads(file.read_text("utf-8"))["templates"]
    to_hub = label_set(settings.label_set).to_hub
    mine = {label: shipped[hub] for label, hub in to_hub.items()}
    return Templates(MappingProxyType({**mine, **settings.templates}), shipped[UNNAMED])


@dataclass(frozen=True, slots=True)
class Templates:
    """`Lena Ortiz` becomes `XYZ_Doctor`; a label without a template takes the `unnamed` one."""

    templates: Mapping[str, str]
    unnamed: str

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with templates for mentions."""
        told = (self.templates.get(mention.label, self.unnamed) for mention in cover)
        return Redaction(document, cover, tuple(told))
