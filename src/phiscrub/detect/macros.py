"""Macros: what `{name}` in a rule's pattern stands for, a text or any term of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from functools import cache

from phiscrub.core.errors import SettingsError

PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)\}")  # a quantifier such as {2,4} is none

_Tree = dict[str, "_Tree"]  # a character to what may follow it; "" where a term ends


class Macros:
    """The macros that a file of rules sees: the terms of lists, and the texts written for it."""

    def __init__(self, lists: Mapping[str, Sequence[str]]) -> None:
        self._lists = lists
        self._texts = {name: f"{{{name}}}" for name in lists}
        self._patterns: dict[str, str] = {}  # made when a rule is first tried, as many never are

    def joined_by(self, written: Mapping[str, str], where: str) -> Macros:
        """Return these with those that a file writes; each may use any before it.

        Raises `SettingsError` where one uses what is not known.
        """
        joined = copy(self)
        joined._texts = dict(self._texts)
        for name, text in written.items():
            joined._texts[name] = joined.expand(text, where, f"macros.{name}")
        return joined

    def expand(self, text: str, where: str, at: str) -> str:
        """Put in what `text` names, but for lists; raise `SettingsError` where it is not known."""

        def replace(match: re.Match[str]) -> str:
            if match[1] not in self._texts:
                raise SettingsError(
                    f"'{at}' uses {{{match[1]}}}, which is neither a macro nor a list",
                    where=where,
                    hint=f"known: {', '.join(sorted(self._texts))}",
                )
            return self._texts[match[1]]

        return PLACEHOLDER.sub(replace, text)

    def filled(self, text: str) -> str:
        """Put in the lists of an expanded text, as patterns that match their terms."""

        def replace(match: re.Match[str]) -> str:
            if match[1] not in self._patterns:
                self._patterns[match[1]] = _alternatives(self._lists[match[1]])
            return self._patterns[match[1]]

        return PLACEHOLDER.sub(replace, text)

    def loosened(self, text: str) -> str:
        """Put in the lists of an expanded text, as short patterns that match more than terms."""
        return PLACEHOLDER.sub(lambda match: _wordlike(self._lists[match[1]]), text)

    def size(self, text: str) -> int:
        """Return about how long an expanded text is with its lists filled in."""
        named = PLACEHOLDER.findall(text)
        return len(text) + sum(len(term) for name in named for term in self._lists[name])


def _alternatives(terms: Iterable[str]) -> str:
    """Return a pattern that matches any term, the longest first, blanks as any white space.

    Terms share their beginnings, so that a word is read once and not once a term.
    """
    tree: _Tree = {}
    for term in sorted(set(terms), key=lambda term: (-len(term), term)):
        node = tree
        for character in term:
            node = node.setdefault(character, {})
        node[""] = {}
    return f"(?:{_pattern(tree)})"


@cache
def _written(character: str) -> str:
    return r"\s+" if character == " " else re.escape(character)


def _pattern(tree: _Tree) -> str:
    ends = "" in tree
    tails = [_written(character) + _pattern(node) for character, node in tree.items() if character]
    if ends and tails:
        return f"(?:{'|'.join(tails)})?"
    return tails[0] if len(tails) == 1 else f"(?:{'|'.join(tails)})" if tails else ""


def _wordlike(terms: Sequence[str]) -> str:
    """Return a pattern of as many words, as long and of the same characters, as any term has."""
    signs = "".join(map(re.escape, sorted({*"".join(terms)} - {" "})))
    if not signs:
        return "(?:)"
    words = [term.split(" ") for term in terms]
    word = f"[{signs}]{{1,{max(len(word) for term in words for word in term)}}}"
    return rf"(?:{word}(?:\s+{word}){{0,{max(map(len, words)) - 1}}})"
