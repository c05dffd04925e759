"""Which traits of which neighbours make the attributes of a token."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError

if TYPE_CHECKING:
    from phiscrub.detect.tagging.frame import Frame
    from phiscrub.detect.tagging.layout import Column
    from phiscrub.detect.tagging.traits import Traits

EDGE = "<edge>"  # what every trait shows beyond the ends of a sequence
REACH = 20  # tokens; a template that looks farther is a slip
PART = re.compile(r"(?P<trait>[^\s\[\]|]+)\[(?P<low>[+-]?\d+)(?:\.\.(?P<high>[+-]?\d+))?\]")


@dataclass(frozen=True, slots=True)
class Template:
    """Traits at offsets from the token, whose values together make one attribute.

    `parts` are ``(trait, offset)`` pairs; offset -1 is the token before.
    """

    parts: tuple[tuple[str, int], ...]

    @property
    def name(self) -> str:
        """The template as it is written: ``lower[-1]|shape[0]``."""
        return "|".join(f"{trait}[{offset}]" for trait, offset in self.parts)

    def attribute(self, values: Sequence[str]) -> str:
        """Return the attribute of a token with these values, one a part, or '' for none.

        Bars in the values of a conjunction are escaped, so that it can be read back.
        """
        if not all(values):
            return ""
        written = values[0] if len(values) == 1 else "|".join(map(_barless, values))
        return f"{self.name}={written}"

    def values(self, written: str) -> tuple[str, ...]:
        """Return the values of an attribute from what stands behind its ``=``."""
        if len(self.parts) == 1:
            return (written,)
        return tuple(v.replace("\\p", "|").replace("\\b", "\\") for v in written.split("|"))


def parse_templates(texts: Iterable[str]) -> tuple[Template, ...]:
    """Read templates as recipes write them; one that is said twice counts once.

    ``lower[0]`` is one trait; ``suffix:3[-1..1]`` is three templates, one an offset;
    ``lower[-1]|shape[0]`` is one template of two traits, and can hold no range. Raises
    `SettingsError` for anything else.
    """
    return tuple(dict.fromkeys(template for text in texts for template in _parsed(text)))


def trait_names(templates: Iterable[Template]) -> tuple[str, ...]:
    """Return every trait that the templates ask for, once, in order."""
    return tuple(dict.fromkeys(trait for template in templates for trait, _ in template.parts))


def coded(
    frame: Frame, traits: Traits, templates: Sequence[Template]
) -> list[tuple[list[str], NDArray[np.int64]]]:
    """Return each template's attributes, '' for none, and the place among them of every token's."""
    columns = traits.columns(frame)
    return [_coded(frame, columns, template) for template in templates]


def _barless(value: str) -> str:
    return value.replace("\\", "\\b").replace("|", "\\p")


def _parsed(text: str) -> Iterator[Template]:
    parts = [PART.fullmatch(part.strip()) for part in text.split("|")]
    found = [part for part in parts if part is not None]
    if len(found) < len(parts):
        hint = "write trait[0], trait[-1..1] or trait[-1]|other[0]"
        raise SettingsError(f"'{text}' is no template", hint=hint)
    bounds = [(int(part["low"]), int(part["high"] or part["low"])) for part in found]
    if any(low > high or max(-low, high) > REACH for low, high in bounds):
        hint = f"offsets rise, and reach {REACH} tokens at most"
        raise SettingsError(f"'{text}' has a wrong offset", hint=hint)
    if len(found) == 1:
        low, high = bounds[0]
        for offset in range(low, high + 1):
            yield Template(((found[0]["trait"], offset),))
    elif any(part["high"] for part in found):
        raise SettingsError(
            f"'{text}' has a range beside another trait", hint="write one template an offset"
        )
    else:
        yield Template(tuple((p["trait"], b[0]) for p, b in zip(found, bounds, strict=True)))


def _coded(
    frame: Frame, columns: dict[str, Column], template: Template
) -> tuple[list[str], NDArray[np.int64]]:
    """Write the template's attributes once a distinct row of values."""
    shown: list[tuple[str, ...]] = [()]
    ids = np.zeros(len(frame), dtype=np.int64)
    for trait, offset in template.parts:
        values = (*columns[trait].values, EDGE)
        beside = at_offset(frame, columns[trait].ids, offset, edge=len(values) - 1)
        rows, ids = np.unique(ids * len(values) + beside, return_inverse=True)
        pairs = (divmod(row, len(values)) for row in rows.tolist())
        shown = [(*shown[before], values[last]) for before, last in pairs]
    return [template.attribute(row) for row in shown], ids


def at_offset(frame: Frame, ids: NDArray[np.int32], offset: int, edge: int) -> NDArray[np.int32]:
    """Return for each token the id of its neighbour at `offset`, or `edge` beyond its sequence."""
    place = np.arange(len(frame)) + offset
    lengths = np.diff(frame.starts)
    low, high = np.repeat(frame.starts[:-1], lengths), np.repeat(frame.starts[1:], lengths)
    inside = (place >= low) & (place < high)
    shifted = np.full(len(frame), edge, dtype=np.int32)
    shifted[inside] = ids[place[inside]]
    return shifted
