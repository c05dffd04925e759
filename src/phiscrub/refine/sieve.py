"""Many patterns asked as one, where most of what is asked matches none of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

# What does not mean the same inside a longer pattern: groups by name, groups asked back.
OWN = re.compile(r"\\[1-9]|\(\?\(|\(\?P")
NEVER = re.compile(r"(?!)")


def joined(patterns: Sequence[re.Pattern[str]]) -> re.Pattern[str] | None:
    """Return a pattern that matches where any of these does, None where they cannot be joined."""
    flags = {pattern.flags for pattern in patterns}
    if not patterns:
        return NEVER
    if len(flags) > 1 or any(OWN.search(pattern.pattern) for pattern in patterns):
        return None
    text = "|".join(f"(?:{pattern.pattern})" for pattern in patterns)
    try:
        return re.compile(text, flags.pop())
    except re.error:  # flags inside a pattern stand at its beginning only
        return None
