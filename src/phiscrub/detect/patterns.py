"""Rule packs at work: cheap triggers by word type decide which pattern runs where."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.pack import CompiledRule, Pack, Rule
from phiscrub.tokenize.clinical import clinical_tokens

_Match = Callable[[str, int], re.Match[str] | None]

CACHED_WORDS = 100_000  # word types; the cache starts afresh when it is full


@dataclass(frozen=True, slots=True)
class Settings:
    """The packs whose rules run: names such as `en/contact`, or paths."""

    packs: tuple[str, ...]


def build(settings: Settings, toolbox: Toolbox) -> Patterns:
    """Load the packs."""
    return Patterns([Pack.load(toolbox.folder("packs", name), name) for name in settings.packs])


class _Triggers(dict[str, tuple[int, ...]]):
    """Which rules are tried at a word with the character behind it, worked out once a pair.

    Rules share triggers: each is asked once.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_term: defaultdict[str, set[int]] = defaultdict(set)
        self._by_shape: defaultdict[re.Pattern[str], set[int]] = defaultdict(set)
        self._next: dict[int, re.Pattern[str]] = {}
        for index, rule in enumerate(rules):
            for term in rule.at_terms:
                self._by_term[term].add(index)
            if rule.at is not None:
                self._by_shape[rule.at].add(index)
            if rule.next is not None:
                self._next[index] = rule.next

    def __missing__(self, words: str) -> tuple[int, ...]:
        if len(self) >= CACHED_WORDS:
            self.clear()
        word, following = words[:-1], words[-1]
        found = set(self._by_term.get(word.lower(), ()))
        for shape, rules in self._by_shape.items():
            if shape.fullmatch(word):
                found |= rules
        wanted = {i: self._next[i] for i in found if i in self._next}
        shut = {i for i, pattern in wanted.items() if not pattern.fullmatch(following)}
        self[words] = result = tuple(sorted(found - shut))
        return result


class Patterns:
    """Finds what the rules of some packs match.

    Words are those of the clinical tokenizer, whatever tokenizer the pipeline has, because the
    triggers of the packs are written for them. A pattern is compiled when it is first tried.
    """

    def __init__(self, packs: Sequence[Pack]) -> None:
        rules = [rule for pack in packs for rule in pack.rules]
        self.labels = frozenset[str]().union(*(rule.labels for rule in rules))
        self._anchored = [rule for rule in rules if rule.anchored]
        self._searched = [(rule, rule.compiled()) for rule in rules if not rule.anchored]
        self._compiled: dict[int, CompiledRule] = {}
        self._matchers: list[_Match] = [
            partial(self._match_first, index) for index in range(len(self._anchored))
        ]
        self._triggers = _Triggers(self._anchored)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return what the rules match in each note."""
        return [tuple(self._find(clinical_tokens(note))) for note in notes]

    def _find(self, tokens: Tokens) -> Iterator[Mention]:
        text = tokens.text
        starts, closed = tokens.starts.tolist(), text + "\n"  # so that each word has a next
        words = [closed[s : e + 1] for s, e in zip(starts, tokens.ends.tolist(), strict=True)]
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
        for searched, rule in self._searched:
            if not searched.need or any(words in text for words in searched.need):
                for match in rule.pattern.finditer(text):
                    yield from _mentions(searched, rule, match)

    def _match_first(self, index: int, text: str, start: int) -> re.Match[str] | None:
        rule = self._compiled[index] = self._anchored[index].compiled()
        self._matchers[index] = rule.pattern.match
        return rule.pattern.match(text, start)


def _mentions(rule: Rule, compiled: CompiledRule, match: re.Match[str]) -> Iterator[Mention]:
    for group, label in compiled.groups:
        start, end = match.span(group)
        if start < end and (compiled.check is None or compiled.check(match[group])):
            yield Mention(Span(start, end), label, rule.score, rule.source)
