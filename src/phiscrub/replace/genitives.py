"""The Swedish genitive, whose s stands behind a name without an apostrophe: `Annas`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phiscrub.replace.namelists import NameLists
from phiscrub.replace.people import PART, fold
from phiscrub.replace.pieces import Person

SIBILANTS = ("s", "x", "z")  # behind them no s is written


def without_genitives(
    mentions: Sequence[Person], lists: NameLists
) -> tuple[list[Person], list[str]]:
    """Return the mentions without the s of a genitive at their end, and that s or "" of each.

    It is one where the name stands in the lists, or among the mentions, without it, and the lists
    know no such name with it.
    """
    stand = {part for mention in mentions for part in PART.findall(fold(mention.words))}
    known = lists.known | lists.families | stand
    nominative: list[Person] = []
    endings: list[str] = []
    for mention in mentions:
        last = next(reversed(PART.findall(fold(mention.words))), "")
        stem = last.removesuffix("s")
        is_name = last in lists.sexes or last in lists.families
        genitive = len(stem) > 1 and stem != last and not is_name and stem in known
        genitive = genitive and mention.words[-1:] in ("s", "S")
        endings.append(mention.words[-1] if genitive else "")
        nominative.append(replace(mention, words=mention.words[:-1]) if genitive else mention)
    return nominative, endings


def genitive(name: str, ending: str) -> str:
    """Return a name with the ending of its genitive, if any."""
    return name if name.lower().endswith(SIBILANTS) else name + ending
