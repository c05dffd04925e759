"""Patterns that name finitely many words, spelled out, since looking a word up costs little."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST = 2_000  # words of one pattern; more are left to the engine
PIECE = re.compile(
    r"(?P<open>\((?:\?:|\?-i:))|(?P<close>\))|(?P<bar>\|)|(?P<maybe>\?(?![?+]))"
    r"|\[(?P<one>[^\W_]+)\]|\\(?P<sign>[^\w\s])|(?P<plain>[^\W_]|[-/@&'’~–—:;,])"
)


def choices(pattern: str) -> Iterator[str]:
    """Part a pattern at the bars that stand in no bracket."""
    depth = start = 0
    escaped = in_class = False
    for at, sign in enumerate(pattern):
        if escaped or sign == "\\":
            escaped = not escaped
        elif in_class or sign == "[":
            in_class = sign != "]" or pattern[at - 1 : at] in ("[", "^")
        elif sign == "|" and not depth:
            yield pattern[start:at]
            start = at + 1
        else:
            depth += (sign == "(") - (sign == ")")
    yield pattern[start:]


def inside(pattern: str, opening: str) -> str | None:
    """Return what stands in the one group, begun so, that all of a pattern stands in."""
    if not pattern.startswith(opening) or not pattern.endswith(")"):
        return None
    inner = pattern[len(opening) : -1]
    try:
        re.compile(inner)
    except re.error:  # of two groups the first was taken to end where the second does
        return None
    return inner


def spelled(pattern: str) -> tuple[str, ...] | None:
    """Return every text that a pattern matches, or None where they are not few or not sure.

    Known are letters, digits and signs as they stand, `x?`, `[xy]` without ranges, and groups
    `(?:…)` and `(?-i:…)` of these.
    """
    # Of each open group, the texts of its finished choices and those of the one being read;
    # `last` is what a question mark would speak of.
    stack: list[tuple[set[str], set[str]]] = [(set(), {""})]
    last: set[str] | None = None
    at = 0
    while at < len(pattern):
        piece = PIECE.match(pattern, at)
        if piece is None:
            return None
        at = piece.end()
        done, now = stack[-1]
        if piece["open"]:
            stack.append((set(), {""}))
            last = None
            continue
        if piece["bar"]:
            stack[-1] = (done | now, {""})
            last = None
            continue
        if piece["maybe"]:
            if last is None:
                return None
            stack[-1] = (done, now | last)
            last = None
            continue
        if piece["close"]:
            if len(stack) == 1:
                return None
            found = done | now
            stack.pop()
            done, now = stack[-1]
        else:
            found = set(piece["one"] or piece["sign"] or piece["plain"])
        last = now
        now = {begun + more for begun in now for more in found}
        if len(now) > MOST:
            return None
        stack[-1] = (done, now)
    if len(stack) != 1:
        return None
    done, now = stack[0]
    return tuple(sorted(done | now))
