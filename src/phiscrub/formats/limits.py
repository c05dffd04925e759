"""Bounds on what one note may be."""

from __future__ import annotations

from phiscrub.core.errors import InputError, Place


def check_size(size: int, limit: int, where: Place) -> None:
    """Raise `InputError` where a note of `size` bytes or characters is over the limit."""
    if size > limit:
        raise InputError(
            f"the note has {size / 1e6:.1f} million characters; the limit is {limit / 1e6:g}",
            where=where,
            hint="split it, or raise the limit with --max-note",
        )
