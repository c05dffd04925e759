"""Tables of a file to frozen settings; what does not fit fails with its place."""

from __future__ import annotations

import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from phiscrub.core.errors import SettingsError

T = TypeVar("T")


def settings_from(kind: type[T], table: Mapping[str, object], at: str, where: str) -> T:
    """Make a settings dataclass from a table.

    `at` is the table's path in the file, such as ``detector[0]``. Raises `SettingsError` for an
    unknown or missing key and for a value of another type.
    """
    known = {field.name: field for field in fields(kind)}  # type: ignore[arg-type]  # a dataclass
    for key in table:
        if key not in known:
            names = ", ".join(known) or "none, this part has no settings"
            raise SettingsError(f"unknown key '{at}.{key}'", where=where, hint=f"known: {names}")
    hints = get_type_hints(kind)
    values = {}
    for name, field in known.items():
        if name in table:
            values[name] = _fit(table[name], hints[name], f"{at}.{name}", where)
        elif field.default is MISSING and field.default_factory is MISSING:
            raise SettingsError(f"'{at}.{name}' is missing", where=where, hint="add it")
    return kind(**values)


def _fit(  # noqa: PLR0911 - one return a kind of type
    value: object, hint: Any, at: str, where: str
) -> object:
    """Return the value as the type that the settings want."""
    if hint is Any:
        return value
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _fit(value, next(h for h in inner if h is not type(None)), at, where)
    if origin is tuple and isinstance(value, (list, tuple)):
        return tuple(_fit(item, inner[0], f"{at}[{i}]", where) for i, item in enumerate(value))
    if origin is not None and issubclass(origin, Mapping) and isinstance(value, Mapping):
        return {key: _fit(item, inner[1], f"{at}.{key}", where) for key, item in value.items()}
    if is_dataclass(hint) and isinstance(value, Mapping):
        return settings_from(cast(type[object], hint), value, at, where)
    if hint is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if isinstance(hint, type) and type(value) is hint:
        return value
    wanted = "a list" if origin is tuple else "a table" if origin else _NAMES.get(hint, str(hint))
    raise SettingsError(f"'{at}' is not {wanted}", where=where, hint="correct its value")


_NAMES = {str: "a string", int: "a whole number", float: "a number", bool: "true or false"}
