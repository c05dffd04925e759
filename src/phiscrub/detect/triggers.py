"""Triggers: which rules of a pack are tried at a word, by the word and what stands behind it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from phiscrub.core.memo import Memo
from phiscrub.detect.pack import BEHIND, Rule

CACHED_WORDS = 100_000  # word types; a cache starts afresh when it is full
# A pattern of nothing but digits, and signs that part or count them: no letter matches it.
OF_DIGITS = re.compile(r"(?:\\d|[\d\[\]{}(),?|+-]|\?:)+")


class Triggers(Memo[str, tuple[int, ...]]):
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
        by_shape: defaultdict[re.Pattern[str], int] = defaultdict(int)
        self._by_exact: defaultdict[str, int] = defaultdict(int)
        self._by_next: defaultdict[str, int] = defaultdict(int)
        self._followers: dict[str, re.Pattern[str]] = {}  # compiled when first asked
        self._rules = rules
        for index, rule in enumerate(rules):
            others = rule.at or rule.at_words or rule.at_exactly
            for term, behind in rule.at_terms:
                self._by_term[term][behind][not others] |= 1 << index
            for word in rule.at_words:
                self._by_word[word] |= 1 << index
            for word in rule.at_exactly:
                self._by_exact[word] |= 1 << index
            for shape in rule.at:
                by_shape[shape] |= 1 << index
            if rule.next is not None:
                self._by_next[rule.next] |= 1 << index
        self._by_shape = list(by_shape.items())
        self._by_letters = [
            one for one in self._by_shape if not OF_DIGITS.fullmatch(one[0].pattern)
        ]
        self._asking = sum(self._by_next.values())
        self._opened: dict[str, int] = {}
        # By what stands behind a word: the rules that were decided, and those that are shut.
        self._shut: dict[str, tuple[int, int]] = {}
        self._listed: dict[int, tuple[int, ...]] = {}

    def __missing__(self, words: str) -> tuple[int, ...]:
        word, behind = words[:-BEHIND], words[-BEHIND:]
        for cache in (self, self._opened, self._shut, self._listed):
            if len(cache) >= CACHED_WORDS:
                cache.clear()
        if word not in self._opened:
            self._opened[word] = self._open(word)
        rules, asking = 0, self._opened[word]
        for rest, (always, others) in self._by_term.get(word.lower(), {}).items():
            if _goes_on(rest, behind):
                rules |= always
                asking |= others
        if asking:
            rules |= asking & ~self._shut_by(asking, behind)
        if rules not in self._listed:
            self._listed[rules] = tuple(i for i in range(rules.bit_length()) if rules >> i & 1)
        self[words] = listed = self._listed[rules]
        return listed

    def _open(self, word: str) -> int:
        """Return the rules that a word opens, what stands behind it aside."""
        rules = self._by_word.get(word.lower(), 0) | self._by_exact.get(word, 0)
        for shape, opened in self._by_letters if word.isalpha() else self._by_shape:
            if shape.fullmatch(word):
                rules |= opened
        return rules

    def _shut_by(self, asking: int, behind: str) -> int:
        """Return the rules that what stands behind a word shuts, at least those that ask."""
        decided, shut = self._shut.get(behind, (0, 0))
        left = asking & self._asking & ~decided
        while left:
            rule = self._rules[left.bit_length() - 1]
            wanted = rule.next or ""
            if wanted not in self._followers:
                self._followers[wanted] = rule.follower()
            alike = self._by_next[wanted]
            decided |= alike
            if not self._followers[wanted].match(behind):
                shut |= alike
            left &= ~alike
        self._shut[behind] = decided, shut
        return shut


def _goes_on(rest: str, behind: str) -> bool:
    """Tell whether what stands behind a word may be the rest of a term; any blanks are a blank."""
    same = [
        sign.isspace() if wanted == " " else sign.lower() == wanted
        for wanted, sign in zip(rest, behind, strict=False)
    ]
    return all(same) or (same[0] and rest[0] == " " and behind[1].isspace())
