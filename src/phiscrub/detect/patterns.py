"""Rule packs at work: cheap triggers by word type decide which pattern runs where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

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

    With `rules` only those run, by their names within their pack.
    """

    packs: tuple[str, ...]
    rules: tuple[str, ...] = ()


def build(settings: Settings, toolbox: Toolbox) -> Patterns:
    """Load the packs; raise `SettingsError` for a rule that none of them has."""
    packs = [Pack.load(toolbox.folder("packs", name), name) for name in settings.packs]
    known = {rule.name for pack in packs for rule in pack.rules}
    unknown = sorted(set(settings.rules) - known)
    if unknown:
        raise SettingsError(
            f"no rule {unknown[0]!r} in {listed(settings.packs)}", hint="see phiscrub explain"
        )
    return Patterns(packs, frozenset(settings.rules))


class Patterns:
    """Finds what the rules of some packs match.

    Words are those of the clinical tokenizer, whatever tokenizer the pipeline has, because the
    triggers of the packs are written for them. A pattern is compiled when it is first tried, and
    a long one its outline first, and itself where that matches.
    """

    def __init__(self, packs: Sequence[Pack], only: frozenset[str] = frozenset()) -> None:
        rules = [rule for pack in packs for rule in pack.rules if not only or rule.name in only]
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

    def _find(self, tokens: Tokens) -> Iterator[Mention]:
        text = tokens.text
        starts, ends = tokens.offsets()
        closed = text + "\n" * BEHIND  # each word has a next
        words = [closed[start : end + BEHIND] for start, end in zip(starts, ends, strict=True)]
        tried = map(self._triggers.__getitem__, words)
        hits = [hit for hit in zip(starts, tried, strict=True) if hit[1]]
        matchers = self._matchers
        done = [0] * len(matchers)  # behind its last match a rule looks no further back
        for start, candidates in hits:
            for index in candidates:
                if start >= done[index]:
                    match = matchers[index](text, start)
                    if match is not None:
                        done[index] = match.end()
                        yield from _mentions(self._anchored[index], self._compiled[index], match)
        for index, rule in enumerate(self._searched):
            if not rule.need or any(words in text for words in rule.need):
                if index not in self._searching:
                    self._searching[index] = rule.compiled()
                compiled = self._searching[index]
                for match in compiled.pattern.finditer(text):
                    yield from _mentions(rule, compiled, match)

    def _match_first(self, index: int, text: str, start: int) -> re.Match[str] | None:
        least = self._anchored[index].outlined()
        whole: _Match = partial(self._match_whole, index)
        match = whole if least is None else lambda *at: whole(*at) if least.match(*at) else None
        self._matchers[index] = match
        return match(text, start)

    def _match_whole(self, index: int, text: str, start: int) -> re.Match[str] | None:
        rule = self._compiled[index] = self._anchored[index].compiled()
        self._matchers[index] = rule.pattern.match
        return rule.pattern.match(text, start)


def _mentions(rule: Rule, compiled: CompiledRule, match: re.Match[str]) -> Iterator[Mention]:
    for group, label in compiled.groups:
        start, end = match.span(group)
        if start < end and (compiled.check is None or compiled.check(match[group])):
            yield Mention(Span(start, end), label, rule.score, rule.source)
