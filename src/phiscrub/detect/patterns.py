"""Rule packs at work: cheap triggers by word type decide which pattern runs where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.checks import CHECKS
from phiscrub.detect.pack import Pack, Rule
from phiscrub.tokenize.clinical import Clinical

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full


@dataclass(frozen=True, slots=True)
class Settings:
    """The packs whose rules run: names such as `en/contact`, or paths."""

    packs: tuple[str, ...]


def build(settings: Settings, toolbox: Toolbox) -> Patterns:
    """Load the packs."""
    return Patterns([Pack.load(toolbox.folder("packs", name), name) for name in settings.packs])


class _Anchored(dict[str, tuple[int, ...]]):
    """Which anchored rules are tried at a word, worked out once a word type."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._rules = rules

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        found = tuple(i for i, rule in enumerate(self._rules) if rule.starts_at(word))
        self[word] = found
        return found


class Patterns:
    """Finds what the rules of some packs match.

    Words are those of the clinical tokenizer, whatever tokenizer the pipeline has, because the
    triggers of the packs are written for them.
    """

    def __init__(self, packs: Sequence[Pack]) -> None:
        rules = [rule for pack in packs for rule in pack.rules]
        self.packs = tuple(packs)
        self._anchored = [rule for rule in rules if rule.anchored]
        self._searched = [rule for rule in rules if not rule.anchored]
        self._groups = {id(rule): tuple(rule.groups().items()) for rule in rules}
        self._triggers = _Anchored(self._anchored)
        self._tokenizer = Clinical()

    @property
    def labels(self) -> frozenset[str]:
        """Every label that some rule gives."""
        return frozenset(label for groups in self._groups.values() for _, label in groups)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return what the rules match in each note."""
        return [tuple(self._find(note.text)) for note in notes]

    def _find(self, text: str) -> Iterator[Mention]:
        tokens = self._tokenizer.cut(text)
        rules = self._anchored
        tried = map(self._triggers.__getitem__, tokens.words())
        done = [0] * len(rules)  # behind its last match a rule looks no further back
        for start, candidates in zip(tokens.starts.tolist(), tried, strict=True):
            for index in candidates:
                if start < done[index]:
                    continue
                match = rules[index].pattern.match(text, start)
                if match is not None:
                    done[index] = match.end()
                    yield from self._mentions(rules[index], match)
        for rule in self._searched:
            if not rule.need or any(words in text for words in rule.need):
                for match in rule.pattern.finditer(text):
                    yield from self._mentions(rule, match)

    def _mentions(self, rule: Rule, match: re.Match[str]) -> Iterator[Mention]:
        for group, label in self._groups[id(rule)]:
            start, end = match.span(group)
            if start < end and (not rule.check or CHECKS[rule.check](match[group])):
                yield Mention(Span(start, end), label, rule.score, rule.source)
