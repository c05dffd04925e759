"""Mentions that are never what their label says where they stand: `38` of `38.5 kg` is no age."""

from __future__ import annotations

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.toolbox import Toolbox
from phiscrub.refine.sieve import NEVER, joined

FILE = "rules.toml"
REACH = 24  # characters before a mention that are read
KEYS = frozenset({"about", "labels", "before", "inside", "behind", "drops", "keeps"})


@dataclass(frozen=True, slots=True)
class Settings:
    """`rules` names a folder with a `rules.toml`, by default that of the pipeline's language."""

    rules: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """What the whole mention matches, what ends before it and what begins behind it."""

    labels: tuple[str, ...]
    inside: re.Pattern[str] = field(repr=False)
    before: re.Pattern[str] | None = field(default=None, repr=False)
    behind: re.Pattern[str] | None = field(default=None, repr=False)
    drops: tuple[str, ...] = field(default=(), repr=False)
    keeps: tuple[str, ...] = field(default=(), repr=False)

    def matches(self, text: str, start: int, end: int) -> bool:
        """Tell whether a mention here is one of those."""
        return bool(
            self.inside.fullmatch(text, start, end)
            and (self.behind is None or self.behind.match(text, end))
            and (self.before is None or self.before.search(text, max(0, start - REACH), start))
        )


def build(settings: Settings, toolbox: Toolbox) -> Excluded:
    """Read the rules."""
    name = settings.rules or toolbox.language
    return Excluded(*read(toolbox.folder("excluded", name), f"{name}/{FILE}"))


class Excluded:
    """Drops what a rule of its label matches, unless another tells that it stands."""

    def __init__(self, rules: Sequence[Rule], stands: Sequence[Rule] = ()) -> None:
        self._drop, self._stand = _by_label(rules), _by_label(stands)
        self._sieves = {
            label: joined([rule.inside for rule in own]) for label, own in self._drop.items()
        }

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions that stand."""
        return tuple(m for m in mentions if not self._drops(note.text, m))

    def _drops(self, text: str, mention: Mention) -> bool:
        sieve = self._sieves.get(mention.label, NEVER)
        if sieve is not None and not sieve.fullmatch(text, mention.span.start, mention.span.end):
            return False
        return _match(self._drop, text, mention) and not _match(self._stand, text, mention)


def _match(rules: Mapping[str, Sequence[Rule]], text: str, mention: Mention) -> bool:
    start, end = mention.span.start, mention.span.end
    return any(rule.matches(text, start, end) for rule in rules.get(mention.label, ()))


def _by_label(rules: Sequence[Rule]) -> Mapping[str, Sequence[Rule]]:
    ordered: defaultdict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        for label in rule.labels:
            ordered[label].append(rule)
    return ordered


def read(folder: Traversable, where: str) -> tuple[tuple[Rule, ...], tuple[Rule, ...]]:
    """Read a folder's rules and what stands; raise `SettingsError` where they are none."""
    try:
        table = tomllib.loads((folder / FILE).read_text("utf-8"))
        rules, stands = table["rule"], table.get("stands", [])
        return tuple(map(_rule, rules)), tuple(map(_rule, stands))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, re.error):
        raise SettingsError("cannot be read as rules", where=where) from None


def _rule(entry: Mapping[str, Any]) -> Rule:
    if not set(entry) <= KEYS:
        raise KeyError
    before, behind = entry.get("before"), entry.get("behind")
    return Rule(
        tuple(entry["labels"]),
        re.compile(entry["inside"]),
        re.compile(rf"(?:{before})\Z") if before else None,
        re.compile(behind) if behind else None,
        tuple(entry["drops"]),
        tuple(entry["keeps"]),
    )
