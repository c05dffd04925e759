"""Traits that depend on where a word stands, by name; one pass over a batch gives each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from phiscrub.core.contracts import Detector
from phiscrub.core.errors import SettingsError
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.remembered import LastBatch
from phiscrub.detect.tagging.fields import field, section
from phiscrub.detect.tagging.found import ASPECTS, after, aspect, before, claimed, listed
from phiscrub.detect.tagging.layout import Column, Layout
from phiscrub.detect.tagging.linguistics import parser, part
from phiscrub.detect.tagging.places import gap, line_case, line_place, note_place
from phiscrub.detect.tagging.repeats import echo, elsewhere, nth

Table = Mapping[str, Any]
Columns = Mapping[str, Column]
NoteTrait = Callable[[Layout, Columns], Column]

PLAIN: Mapping[str, Callable[[Layout], Column]] = MappingProxyType(
    {
        "gap": gap,
        "line_place": line_place,
        "note_place": note_place,
        "line_case": line_case,
        "nth": nth,
        "elsewhere": elsewhere,
        "section": section,
        "field": field,
    }
)
TAGS = MappingProxyType({"pos": 0, "chunk": 1})
PARSED = "parsed"
BY_SEQUENCE = frozenset({"elsewhere", PARSED, *TAGS})  # of the same notes, not always the same
FOUND, CLAIMED = "found", "claimed"
TOLD: Mapping[str, Callable[[Layout, Column], Column]] = MappingProxyType(
    {"echo": echo, "found_before": before, "found_after": after}
)
IN = "in"
NOTE_TRAITS = (*PLAIN, *TAGS, *ASPECTS, f"{FOUND}:DETECTOR", *TOLD, f"{IN}:NAME")


class Shown(dict[str, Column]):
    """The columns of one batch, each worked out when it is first asked for."""

    def __init__(self, layout: Layout, traits: Mapping[str, NoteTrait]) -> None:
        super().__init__()
        self._layout = layout
        self._traits = traits

    def __missing__(self, name: str) -> Column:
        self[name] = column = self._traits[name](self._layout, self)
        return column


def note_traits(
    names: Sequence[str], tools: Toolbox, detectors: Sequence[Table]
) -> dict[str, NoteTrait]:
    """Return the note traits among `names`, and those that they are made from.

    `detectors` are the tables of the recipe's own detectors, for `found` and what is made of it.
    Models that share their tools share what they show of the last batch. Raises `SettingsError`
    where there are no tables, or none of the name behind ``found:``.
    """
    traits: dict[str, NoteTrait] = {}
    made: list[tuple[str, Detector]] = []
    for name in names:
        head, _, argument = name.partition(":")
        if (head in ASPECTS or name in TOLD) and not made:
            made = _made(detectors, tools, name)
            traits[CLAIMED] = _claimed([detector for _, detector in made])
            traits[FOUND] = _aspect(FOUND, CLAIMED)
        if head in PLAIN and not argument:
            traits[name] = _alone(PLAIN[head])
        elif head in TAGS and not argument:
            traits.setdefault(PARSED, _alone(parser(tools.language)))
            traits[name] = _part(TAGS[head])
        elif head == IN and argument:
            traits[name] = tools.shared(f"trait {name}", partial(_listed, argument, tools))
        elif name in TOLD:
            traits[name] = _told(TOLD[name])
        elif head == FOUND and argument:
            named = [detector for use, detector in made if use == argument]
            if not named:
                known = ", ".join(dict.fromkeys(use for use, _ in made))
                raise SettingsError(f"trait '{name}' names no detector", hint=f"known: {known}")
            claims = f"{CLAIMED}:{argument}"
            traits |= {claims: _claimed(named), name: _aspect(FOUND, claims)}
        elif name in ASPECTS:
            traits[name] = _aspect(name, CLAIMED)
    asked = json.dumps([dict(table) for table in detectors], sort_keys=True, default=str)
    return {
        name: trait
        if name in BY_SEQUENCE
        else tools.shared(f"trait {name} of {asked}", partial(_remembered, trait))
        for name, trait in traits.items()
    }


def _made(tables: Sequence[Table], tools: Toolbox, name: str) -> list[tuple[str, Detector]]:
    if not tables:
        hint = "name detectors beside the features, or leave the trait out"
        raise SettingsError(f"trait '{name}' has no detectors to ask", hint=hint)
    return [
        (str(table.get("use")), tools.detector(table, f"detectors[{index}]"))
        for index, table in enumerate(tables)
    ]


def _remembered(trait: NoteTrait) -> NoteTrait:
    last = LastBatch[Column]()
    return lambda layout, columns: last.of(layout.frame.notes, lambda: trait(layout, columns))


def _alone(trait: Callable[[Layout], Column]) -> NoteTrait:
    return lambda layout, _: trait(layout)


def _listed(argument: str, tools: Toolbox) -> NoteTrait:
    return _alone(listed(argument, tools))


def _part(number: int) -> NoteTrait:
    return lambda _, columns: part(number, columns[PARSED])


def _told(trait: Callable[[Layout, Column], Column]) -> NoteTrait:
    return lambda layout, columns: trait(layout, columns[FOUND])


def _claimed(detectors: Sequence[Detector]) -> NoteTrait:
    return lambda layout, _: claimed(layout, detectors)


def _aspect(name: str, claims: str) -> NoteTrait:
    return lambda _, columns: aspect(name, columns[claims])
