"""Chunks of tag columns as conlleval.pl (2004-01-26) counts them.

Source: Tjong Kim Sang, https://www.clips.uantwerpen.be/conll2000/chunking/output.html. It knows
IOB1 and IOB2, and reads both leniently. It does not know S, L and U, nor a B behind an E, so that
neighbours of one type in IOBES or BILOU are one chunk.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.core.counts import Counts, ratio
from phiscrub.evaluate.bytype import ByType

TYPED = re.compile("([^-]*)-(.*)", re.DOTALL)
OUTSIDE = ("O", "")
ENDS = frozenset(("BB", "BO", "IB", "IO", "EE", "EI", "EO"))
STARTS = frozenset(("BB", "IB", "OB", "OI", "EE", "EI", "OE"))
NEUTRAL = frozenset(("O", "."))
ALONE = frozenset(("[", "]"))  # chunks of one token

Parts = tuple[str, str]  # prefix and type


@dataclass(frozen=True, slots=True)
class Conlleval:
    """Chunks by type, and how many tokens have the right tag, `O` included."""

    chunks: ByType
    tokens: int
    right: int

    @property
    def accuracy(self) -> float | None:
        """The share of tokens with the right tag."""
        return ratio(self.right, self.tokens)


def score(gold: Sequence[Sequence[str]], found: Sequence[Sequence[str]]) -> Conlleval:
    """Score the tags of found sentences, token by token beside those of the gold ones."""
    hits: Counter[str] = Counter()
    expected: Counter[str] = Counter()
    claimed: Counter[str] = Counter()
    tokens = right = 0
    inside = False  # a chunk that both sides began together goes on
    last_gold, last_found = OUTSIDE, OUTSIDE
    for one, other in zip(gold, found, strict=True):
        for index, tags in enumerate([*zip(one, other, strict=True), ("O", "O")]):
            now_gold, now_found = _split(tags[0]), _split(tags[1])
            if inside:
                closes = _ends(last_gold, now_gold), _ends(last_found, now_found)
                hits[last_gold[1]] += all(closes)
                inside = not any(closes)
            opens = _starts(last_gold, now_gold), _starts(last_found, now_found)
            if all(opens) and now_gold[1] == now_found[1]:
                inside = True
            expected[now_gold[1]] += opens[0]
            claimed[now_found[1]] += opens[1]
            if index < len(one):
                tokens += 1
                right += now_gold == now_found
            last_gold, last_found = now_gold, now_found
    names = sorted(+expected | +claimed)
    counts = {
        name: Counts(hits[name], expected[name] - hits[name], claimed[name] - hits[name])
        for name in names
    }
    return Conlleval(ByType(counts), tokens, right)


def _split(tag: str) -> Parts:
    """Part a tag at its first hyphen."""
    match = TYPED.fullmatch(tag)
    return (match[1], match[2]) if match else (tag, "")


def _ends(last: Parts, now: Parts) -> bool:
    changes = last[0] not in NEUTRAL and last[1] != now[1]
    return changes or last[0] + now[0] in ENDS or last[0] in ALONE


def _starts(last: Parts, now: Parts) -> bool:
    changes = now[0] not in NEUTRAL and last[1] != now[1]
    return changes or last[0] + now[0] in STARTS or now[0] in ALONE
