"""JSON that was read from somewhere, trusted in nothing."""

from __future__ import annotations

import json
from typing import Any, NoReturn

from phiscrub.core.errors import Place, SettingsError

AGAIN = "fetch or train the model again"


def strict_json(text: str, where: Place) -> dict[str, Any]:
    """Read one JSON object: no key twice, no NaN, no endless nesting; else `SettingsError`."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        table = dict(pairs)
        if len(table) < len(pairs):
            raise ValueError
        return table

    def never(_: str) -> NoReturn:
        raise ValueError

    try:
        table = json.loads(text, object_pairs_hook=once, parse_constant=never)
    except (ValueError, RecursionError):
        table = None
    if not isinstance(table, dict):
        raise SettingsError("is no plain JSON object", where=where, hint=AGAIN)
    return table
