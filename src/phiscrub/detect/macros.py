"""Macros: what `{name}` in a rule's pattern stands for, a text or any term of a list."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Iterable, Mapping, MutableMapping
from functools import cache

from phiscrub.core.errors import SettingsError

PLACEHOLDER = re.compile(r"\{([a-z][a-z_]*)\}")  # a quantifier such as {2,4} is none

_Tree = dict[str, "_Tree"]  # a character to what may follow it; "" where a term ends


class Macros:
    """The macros that a file of rules sees: the terms of lists, and the texts written for it."""

    def __init__(self, lists: Mapping[str, tuple[str, ...]]) -> None:
        self._texts: MutableMapping[str, str] = _Alternatives(lists)

    def joined_by(self, written: Mapping[str, str], where: str) -> Macros:
        """Return these with those that a file writes; each may use any before it.

        Raises `SettingsError` where one uses what is not known.
        """
        joined = Macros({})
        joined._texts = ChainMap({}, self._texts)
        for name, text in written.items():
            joined._texts[name] = joined.expand(text, where, f"macros.{name}")
        return joined

    def expand(self, text: str, where: str, at: str) -> str:
        """Put in what `text` names; raise `SettingsError` where that is not known."""

        def replace(match: re.Match[str]) -> str:
            if match[1] not in self._texts:
                raise SettingsError(
                    f"'{at}' uses {{{match[1]}}}, which is neither a macro nor a list",
                    where=where,
                    hint=f"known: {', '.join(sorted(self._texts))}",
                )
            return self._texts[match[1]]

        return PLACEHOLDER.sub(replace, text)


class _Alternatives(dict[str, str]):
    """The patterns of lists: each is made when a pattern first uses it, as many never are."""

    def __init__(self, lists: Mapping[str, tuple[str, ...]]) -> None:
        super().__init__(dict.fromkeys(lists, ""))
        self._lists = lists

    def __getitem__(self, name: str) -> str:
        if not super().__getitem__(name):
            self[name] = _alternatives(self._lists[name])
        return super().__getitem__(name)


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
