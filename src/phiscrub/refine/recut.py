"""Mentions cut as the guideline says: `[Mon]/[Thu]` apart, `[555 0100] ext. [9]` too.

Rules and models find what identifies; where annotators draw its edges, and by which label they
call it, is another matter, which differs from guideline to guideline. A file of rules says it for
one: what was found stays found, cut otherwise.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.stated import check_labels
from phiscrub.core.toolbox import Toolbox

FILE = "rules.toml"
REACH = 80  # characters before a mention that a rule may ask
KEYS = frozenset({"name", "labels", "when", "before", "after", "grow", "split", "label", "cases"})


@dataclass(frozen=True, slots=True)
class Settings:
    """A folder with a `rules.toml`, by default that of the pipeline's language.

    `label_set` is the set that its labels are of; empty, it is not known.
    """

    rules: str = ""
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> Recut:
    """Read the rules; raise `SettingsError` for a wrong one, `LabelError` for an unknown label."""
    name = settings.rules or toolbox.language
    where = f"{name}/{FILE}"
    try:
        table = tomllib.loads((toolbox.folder("recut", name) / FILE).read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
        raise SettingsError("cannot be read as rules", where=where) from None
    words, given = table.get("words", {}), table.get("rule", [])
    is_list = isinstance(given, list) and all(isinstance(one, dict) for one in given)
    if not is_list or not isinstance(words, dict):
        raise SettingsError("is not made of [words] and [[rule]] tables", where=where)
    rules = tuple(Rule.read(one, words, where) for one in given)
    spoken = {label for rule in rules for label in (*rule.labels, rule.label) if label}
    check_labels(settings.label_set, rules=sorted(spoken))
    return Recut(rules)


@dataclass(frozen=True, slots=True)
class Rule:
    """Which mentions are cut otherwise, and how.

    A mention of one of the `labels` is meant where `when` is all of it, `before` is all of the
    `REACH` characters before it and `after` begins what follows. It then takes in what `grow`
    matches right before or behind it, is parted at each `split`, or where `when` has groups into
    these, and gets the new `label`.
    """

    name: str
    labels: frozenset[str]
    when: re.Pattern[str] = field(repr=False)
    before: re.Pattern[str] | None = field(repr=False)
    after: re.Pattern[str] | None = field(repr=False)
    grow: re.Pattern[str] | None = field(repr=False)
    split: re.Pattern[str] | None = field(repr=False)
    label: str

    @classmethod
    def read(cls, given: Mapping[str, Any], words: Mapping[str, str], where: str) -> Self:
        """Build it from a table of the file; `words` stand in its patterns by name: `{day}`."""
        name = str(given.get("name", ""))
        both = {"grow", "split"} if {"grow", "split"} <= set(given) else set()
        wrong = sorted(set(given) - KEYS) or sorted({"name", "labels"} - set(given)) or sorted(both)
        if wrong:
            raise SettingsError(f"rule {name!r}: {wrong[0]!r} is wrong or missing", where=where)

        def pattern(key: str) -> re.Pattern[str] | None:
            if key not in given:
                return None
            text = str(given[key])
            for word, meant in words.items():
                text = text.replace(f"{{{word}}}", f"(?:{meant})")
            try:
                return re.compile(text, re.DOTALL)
            except re.error:
                raise SettingsError(f"rule {name!r}: {key!r} is no pattern", where=where) from None

        return cls(
            name,
            frozenset(given["labels"]),
            pattern("when") or re.compile(".*", re.DOTALL),
            pattern("before"),
            pattern("after"),
            pattern("grow"),
            pattern("split"),
            str(given.get("label", "")),
        )

    def cut(self, text: str, mention: Mention) -> tuple[Mention, ...] | None:
        """Return what a mention of one of the labels becomes, or None where it is not meant."""
        start, end = mention.span.start, mention.span.end
        if self.after is not None and not self.after.match(text, end):
            return None
        found = self.when.fullmatch(text, start, end)
        if found is None:
            return None
        if self.before is not None and not self.before.fullmatch(
            text, max(0, start - REACH), start
        ):
            return None
        label = self.label or mention.label
        return tuple(
            replace(mention, span=Span(*place), label=label) for place in self._places(text, found)
        )

    def _places(self, text: str, found: re.Match[str]) -> Iterator[tuple[int, int]]:
        if self.grow is not None:
            start, end = found.span()
            grown = self.grow.search(text, max(0, start - REACH), start)
            behind = self.grow.match(text, end)
            yield (
                grown.start() if grown is not None and grown.end() == start else start,
                behind.end() if behind is not None else end,
            )
        elif self.split is not None:
            at = found.start()
            for mark in self.split.finditer(text, *found.span()):
                yield at, mark.start()
                at = mark.end()
            yield at, found.end()
        else:
            groups = [found.span(at) for at in range(1, self.when.groups + 1)]
            yield from [place for place in groups if place[0] < place[1]] or [found.span()]


class Recut:
    """Applies each rule in turn, to what the ones before it left."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        labels = {label for rule in rules for label in rule.labels}
        self._rules = {  # by label, each with its place among all
            label: [(at, rule) for at, rule in enumerate(rules) if label in rule.labels]
            for label in labels
        }

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions, cut otherwise where a rule says so."""
        return tuple(part for mention in mentions for part in self._cut(note.text, mention, 0))

    def _cut(self, text: str, mention: Mention, first: int) -> tuple[Mention, ...]:
        """Return what a mention becomes by the rules from the one at a place on."""
        for at, rule in self._rules.get(mention.label, ()):
            if at >= first and (parts := rule.cut(text, mention)):
                return tuple(left for part in parts for left in self._cut(text, part, at + 1))
        return (mention,)
