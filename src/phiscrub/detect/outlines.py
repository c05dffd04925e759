"""Outlines: what a pattern asks for at the least, as a pattern that takes little to compile."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phiscrub.detect.macros import PLACEHOLDER

LONG = 120  # characters of a group that costs more than a look at its beginning
# Of the verbose syntax: what holds no bracket or bar, and these.
PIECE = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|#[^\n]*|[()|]", re.DOTALL)
QUANTIFIER = re.compile(r"\s*(?:[*+?]|\{\d*,?\d*\}|#)")  # or a comment that may hide one
HOLDING = re.compile(r"\s*(?:(?:[*+?]|\{\d*,?\d*\})\+|#)")
PLAIN = re.compile(r"\((?:\?(?:P<\w+>|[ims]*(?:-[ims]+)?:))?(?!\?)")
AHEAD, BESIDE = "(?=", re.compile(r"\(\?(?:!|<=|<!)")
# What was matched asked for again, and lists of which no way back leads.
UNSURE = re.compile(r"\(\?P=|(?<!\\)\(\?\(|\\[1-9]|\}(?:[*+?]|\{\d*,?\d*\})\+")


def outline(pattern: str) -> str | None:
    """Return a pattern that matches wherever this one does, and elsewhere too; None for no such.

    `pattern` is in the verbose syntax, and so is the outline; lists stay as they are named,
    `{name}`, and may be put in as anything that matches what they do. Long groups, and those
    with lists, are left out where they only forbid or look back; of others what begins them is
    kept, and nothing of what stands behind.
    """
    least, _ = _least(pattern)
    return None if UNSURE.search(least) else least


def _least(pattern: str) -> tuple[str, bool]:
    """Return the outline, and whether it goes on to the pattern's end."""
    told = [_least_of(list(choice)) for choice in _choices(pattern)]
    return "|".join(text for text, _ in told), all(whole for _, whole in told)


def _least_of(parts: list[str]) -> tuple[str, bool]:
    """Outline one choice, given as a text, a group, the text behind it, and so on."""
    told = parts[0]
    for group, behind in zip(parts[1::2], parts[2::2], strict=True):
        opening = PLAIN.match(group)
        if len(group) <= LONG and not PLACEHOLDER.search(group):
            told += group
        elif group.startswith(AHEAD) and not QUANTIFIER.match(behind):
            told += f"{AHEAD}{_least(group[len(AHEAD) : -1])[0]})"
        elif opening:
            inner, whole = _least(group[opening.end() : -1])
            if whole and not HOLDING.match(behind):
                told += f"{opening[0]}{inner})"
            elif QUANTIFIER.match(behind):
                return told, False
            else:
                return f"{told}{opening[0]}{inner})", False
        elif not BESIDE.match(group) or QUANTIFIER.match(behind):
            return told, False
        told += behind
    return told, True


def _choices(pattern: str) -> Iterator[Iterator[str]]:
    """Part a pattern at the bars, and each choice at the groups, that stand in no bracket."""
    depth = start = 0
    parts: list[str] = []
    for piece in PIECE.finditer(pattern):
        sign = piece[0]
        depth += (sign == "(") - (sign == ")")
        at = None
        if (sign, depth) == ("(", 1):
            at = piece.start()
        elif (sign, depth) in ((")", 0), ("|", 0)):
            at = piece.end()
        if at is not None:
            parts.append(pattern[start:at].removesuffix("|") if sign == "|" else pattern[start:at])
            start = at
        if (sign, depth) == ("|", 0):
            yield iter(parts)
            parts = []
    yield iter([*parts, pattern[start:]])
