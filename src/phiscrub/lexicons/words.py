"""Compiled word lists: how frequent each word is, as a rank."""

from __future__ import annotations

from importlib.resources.abc import Traversable

from phiscrub.core.errors import Place, SettingsError


def load_words(folder: Traversable, name: str) -> dict[str, int]:
    """Read `NAME.txt`: a line is a rank, from 1, and its words, parted by blanks.

    Ranks rise with frequency; a word that the list lacks has none. Raises `SettingsError` where
    the file is missing or a line does not begin with a rank.
    """
    where = f"{name}.txt"
    try:
        lines = (folder / where).read_text("utf-8").splitlines()
    except FileNotFoundError:
        raise SettingsError("no such word list", where=where) from None
    words: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        rank, _, rest = line.partition(" ")
        if not rank.isdecimal() or int(rank) < 1:
            hint = "a line is a rank, from 1, and its words"
            raise SettingsError("has no rank", where=Place(where, line=number), hint=hint)
        words.update(dict.fromkeys(rest.split(), int(rank)))
    return words
