"""Rule packs at work: cheap triggers by word type decide which pattern runs where."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from phiscrub.core.contracts import Detector
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.core.toolbox import Toolbox
from phiscrub.core.wording import listed
from phiscrub.detect.pack import BEHIND, CompiledRule, Pack, Rule
from phiscrub.detect.triggers import Triggers
from phiscrub.tokenize.clinical import clinical_tokens

_Match = Callable[[str, int], re.Match[str] | None]


@dataclass(frozen=True, slots=True)
class Settings:
    """The packs whose rules run: names such as `en/contact`, or paths.

    With `rules` only those run, by their names within their pack; a pack's name means all of its.
    """

    packs: tuple[str, ...]
    rules: tuple[str, ...] = ()


def build(settings: Settings, toolbox: Toolbox) -> Patterns | Chosen:
    """Load the packs; raise `SettingsError` for a rule that none of them has.

    Where all rules of these packs run anyway, alone or among others, no pattern runs twice: what
    is asked for is heard out of what they find.
    """
    packs = [Pack.load(toolbox.folder("packs", name), name) for name in settings.packs]
    known = {rule.name for pack in packs for rule in pack.rules} | set(settings.packs)
    unknown = sorted(set(settings.rules) - known)
    if unknown:
        raise SettingsError(
            f"no rule {unknown[0]!r} in {listed(settings.packs)}", hint="see phiscrub explain"
        )
    whole = toolbox.shared("patterns: packs that run whole", set[tuple[str, ...]])
    chosen = set(settings.rules or settings.packs)
    for names in sorted(whole):
        own = tuple(name for name in names if name in settings.packs)
        if own == settings.packs and (settings.rules or own != names):
            detector = toolbox.detector({"use": "patterns", "packs": list(names)}, "packs")
            rules = [
                rule for pack in packs for rule in pack.rules if chosen & {rule.name, pack.name}
            ]
            return Chosen(detector, {rule.source: rule.labels for rule in rules})
    if not settings.rules:
        whole.add(settings.packs)
    return Patterns(packs, frozenset(settings.rules))


@dataclass(frozen=True, slots=True)
class Chosen:
    """What some rules find, of a detector's mentions; `rules` are their labels by their source."""

    detector: Detector
    rules: Mapping[str, frozenset[str]]

    @property
    def labels(self) -> frozenset[str]:
        """The labels of these rules."""
        return frozenset[str]().union(*self.rules.values())

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return what the rules match in each note."""
        found = self.detector.detect(notes)
        return [tuple(m for m in mentions if m.source in self.rules) for mentions in found]


class Patterns:
    """Finds what the rules of some packs match.

    Words are those of the clinical tokenizer, whatever tokenizer the pipeline has, because the
    triggers of the packs are written for them. A pattern is compiled when it is first tried, and
    a long one its outline first, and itself where that matches.
    """

    def __init__(self, packs: Sequence[Pack], only: frozenset[str] = frozenset()) -> None:
        rules = [
            rule
            for pack in packs
            for rule in pack.rules
            if not only or only & {rule.name, pack.name}
        ]
        self.labels = frozenset[str]().union(*(rule.labels for rule in rules))
        self._anchored = [rule for rule in rules if rule.anchored]
        self._searched = [rule for rule in rules if not rule.anchored]
        self._searching: dict[int, CompiledRule] = {}
        self._compiled: dict[int, CompiledRule] = {}
        self._matchers: list[_Match] = [
            partial(self._match_first, index) for index in range(len(self._anchored))
        ]
        self._triggers = Triggers(self._anchored)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return what the rules match in each note."""
        return [tuple(self._find(clinical_tokens(note))) for note in notes]

    def _find(self, tokens: Tokens) -> list[Mention]:
        text, opened = tokens.text, self._triggers
        closed = text + "\n" * BEHIND  # each word has a next
        hits = [
            (start, tried)
            for start, end in zip(*tokens.offsets(), strict=True)
            if (tried := opened[closed[start : end + BEHIND]])
        ]
        found: list[Mention] = []
        matchers = self._matchers
        done = [0] * len(matchers)  # behind its last match a rule looks no further back
        for start, candidates in hits:
            for index in candidates:
                match = matchers[index](text, start)
                if match is None or start < done[index]:
                    continue
                if index not in self._compiled:  # what matched is its outline
                    match = self._whole(index).match(text, start)
                if match is not None:
                    done[index] = match.end()
                    found += _mentions(self._anchored[index], self._compiled[index], match)
        for index, rule in enumerate(self._searched):
            if not rule.need or any(words in text for words in rule.need):
                if index not in self._searching:
                    self._searching[index] = rule.compiled()
                compiled = self._searching[index]
                for match in compiled.pattern.finditer(text):
                    found += _mentions(rule, compiled, match)
        return found

    def _match_first(self, index: int, text: str, start: int) -> re.Match[str] | None:
        """Compile a rule's outline, or the rule where it has none, and match that from now on."""
        pattern = self._anchored[index].outlined() or self._whole(index)
        self._matchers[index] = pattern.match
        return pattern.match(text, start)

    def _whole(self, index: int) -> re.Pattern[str]:
        """Compile a rule, and match that from now on."""
        rule = self._compiled[index] = self._anchored[index].compiled()
        self._matchers[index] = rule.pattern.match
        return rule.pattern


def _mentions(rule: Rule, compiled: CompiledRule, match: re.Match[str]) -> list[Mention]:
    """Return what the groups of a match name."""
    places = [(*match.span(group), group, label) for group, label in compiled.groups]
    return [
        Mention(Span(start, end), label, rule.score, rule.source)
        for start, end, group, label in places
        if start < end and (compiled.check is None or compiled.check(match[group]))
    ]
