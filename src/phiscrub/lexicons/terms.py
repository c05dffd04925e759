"""Lists as files: one term a line."""

from __future__ import annotations

from importlib.resources.abc import Traversable


def terms_of(file: Traversable) -> list[str]:
    """Return the terms of a file, without blanks around them; `#` starts a line of comment."""
    lines = map(str.strip, file.read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]
