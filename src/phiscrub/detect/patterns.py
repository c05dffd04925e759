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
from phiscrub.detect.pack import BEHIND, CompiledRule, Pack, Rule
from phiscrub.tokenize.clinical import clinical_tokens

_Match = Callable[[str, int], re.Match[str] | None]

CACHED_WORDS = 100_000  # word types; a cache starts afresh when it is full


@dataclass(frozen=True, slots=True)
class Settings:
    """The packs whose rules run: names such as `en/contact`, or paths."""

    packs: tuple[str, ...]


def build(settings: Settings, toolbox: Toolbox) -> Patterns:
    """Load the packs."""
    return Patterns([Pack.load(toolbox.folder("packs", name), name) for name in settings.packs])


class _Triggers(dict[str, tuple[int, ...]]):
    """Which rules are tried at a word with the two characters behind it, worked out once each.

    Sets of rules are bits of whole numbers, so that what a word opens and what the characters
    behind it shut meet in one step.
    """

    def __init__(self, rules: Sequence[Rule]) -> None:
        self._by_word: defaultdict[str, int] = defaultdict(int)
        # Of terms, by what of them goes on behind the first word: always; where `next` agrees.
        self._by_term: defaultdict[str, defaultdict[str, list[int]]] = defaultdict(
            lambda: defaultdict(lambda: [0, 0])
        )
        self._by_shape: defaultdict[re.Pattern[str], int] = defaultdict(int)
        self._by_next: defaultdict[re.Pattern[str], int] = defaultdict(int)
        for index, rule in enumerate(rules):
            others = rule.at is not None or rule.at_words
            for term, behind in rule.at_terms:
                self._by_term[term][behind][not others] |= 1 << index
            for word in rule.at_words:
                self._by_word[word] |= 1 << index
            if rule.at is not None:
                self._by_shape[rule.at] |= 1 << index
            if rule.next is not None:
                self._by_next[rule.next] |= 1 << index
        self._opened: dict[str, int] = {}
        self._shut: dict[str, int] = {}
        self._listed: dict[int, tuple[int, ...]] = {}

    def __missing__(self, words: str) -> tuple[int, ...]:
        word, behind = words[:-BEHIND], words[-BEHIND:]
        for cache in (self, self._opened, self._shut, self._listed):
            if len(cache) >= CACHED_WORDS:
                cache.clear()
        if word not in self._opened:
            lower = word.lower()
            by_shape = sum(rules for at, rules in self._by_shape.items() if at.fullmatch(word))
            by_word = self._by_word.get(lower, 0)
            self._opened[word] = by_word | by_shape
        rules, asking = 0, self._opened[word]
        for rest, (always, others) in self._by_term.get(word.lower(), {}).items():
            if _goes_on(rest, behind):
                rules |= always
                asking |= others
        if asking:
            if behind not in self._shut:
                shut = (rules for next_, rules in self._by_next.items() if not next_.match(behind))
                self._shut[behind] = sum(shut)
            rules |= asking & ~self._shut[behind]
        if rules not in self._listed:
            self._listed[rules] = tuple(i for i in range(rules.bit_length()) if rules >> i & 1)
        self[words] = listed = self._listed[rules]
        return listed


def _goes_on(rest: str, behind: str) -> bool:
    """Tell whether what stands behind a word may be the rest of a term; any blanks are a blank."""
    same = [
        sign.isspace() if wanted == " " else sign.lower() == wanted
        for wanted, sign in zip(rest, behind, strict=False)
    ]
    return all(same) or (same[0] and rest[0] == " " and behind[1].isspace())


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
