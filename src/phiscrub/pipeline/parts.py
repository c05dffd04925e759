"""Tables that declare parts to the parts themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from phiscrub.core.contracts import Detector
from phiscrub.core.errors import LabelError, SettingsError
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.routed import Routed
from phiscrub.pipeline.registry import Part, get_part
from phiscrub.pipeline.settings import settings_from

Table = Mapping[str, Any]
ROUTING = ("only", "map")
LABELS = "label_set"


@dataclass(frozen=True, slots=True)
class Declared:
    """A part's table, once the part is known; `at` and `where` place it in its file."""

    part: Part
    table: Table
    at: str
    where: str

    @classmethod
    def of(cls, kind: str, table: Table, at: str, where: str, labels: str) -> Declared:
        """Find the part that a table names.

        `labels` is the label set of mentions that the part gets or gives, where that is one of
        its settings and the table says no other. Raises `SettingsError` where there is no such
        part.
        """
        name = table.get("use")
        if not isinstance(name, str):
            raise SettingsError(f"'{at}.use' is missing", where=where, hint=f"name the {kind}")
        part = get_part(kind, name, f"{at}.use", where)
        knows = LABELS in part.Settings.__dataclass_fields__
        return cls(part, {LABELS: labels, **table} if knows else table, at, where)

    def build(self, tools: Toolbox) -> Any:
        """Build the part; an error of its own is placed in the file."""
        own = {key: value for key, value in self.table.items() if key != "use"}
        settings = settings_from(self.part.Settings, own, self.at, self.where)
        try:
            return self.part.build(settings, tools)
        except SettingsError as error:
            raise (
                error
                if error.where
                else SettingsError(f"'{self.at}': {error.what}", where=self.where, hint=error.hint)
            ) from None


@dataclass(frozen=True, slots=True)
class Routing:
    """Which labels of a detector are heard, and what they are then called."""

    only: tuple[str, ...] | None = None
    map: Mapping[str, str] = field(default_factory=dict)

    def route(self, detector: Detector, labels: frozenset[str], at: str, where: str) -> Detector:
        """Return the detector, or one that lets through what is heard.

        `labels` are those of the label set that it speaks, of which it may give only some.
        Raises `LabelError` for a label of neither, and `SettingsError` where nothing is heard: a
        slip there would leave PHI in notes.
        """
        if self.only == ():
            what, hint = (
                f"'{at}.only' is empty, so that nothing is heard",
                "name labels, or drop it",
            )
            raise SettingsError(what, where=where, hint=hint)
        known = detector.labels | labels
        for key, named in (("only", self.only or ()), ("map", self.map)):
            for label in named:
                if label not in known:
                    hint = f"known: {', '.join(sorted(known))}"
                    what = f"'{at}.{key}' names no label of the detector: {label!r}"
                    raise LabelError(what, where=where, hint=hint)
        if self.only is not None and detector.labels.isdisjoint(self.only):
            what = f"'{at}.only' names no label that the detector gives, so that nothing is heard"
            given = ", ".join(sorted(detector.labels)) or "none"
            hint = f"it gives {given}; 'map' renames what 'only' lets through"
            raise SettingsError(what, where=where, hint=hint)
        if self.only is None and not self.map:
            return detector
        return Routed(detector, None if self.only is None else frozenset(self.only), self.map)


def split_routing(table: Table, at: str, where: str) -> tuple[Table, Routing]:
    """Return a detector's table without its routing, and the routing."""
    own = {key: value for key, value in table.items() if key not in ROUTING}
    heard = {key: value for key, value in table.items() if key in ROUTING}
    return own, settings_from(Routing, heard, at, where)
