"""Lists and numbers as messages word them."""

from __future__ import annotations

from collections.abc import Iterable

SHOWN = 5  # ids that a message names


def listed(names: Iterable[str], most: int = 12) -> str:
    """Return names as a list for a message, cut where it would fill the screen."""
    every = list(names)
    return ", ".join(every[:most]) + (f" and {len(every) - most} more" if every[most:] else "")


def shown(ids: Iterable[str]) -> str:
    """Return some ids for a message."""
    return listed(ids, SHOWN)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun."""
    return f"{number:,} {noun}{'s' * (number != 1)}"


def share(value: float | None, digits: int = 3) -> str:
    """Return a share with so many decimals, a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"
