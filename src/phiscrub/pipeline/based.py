"""Pipeline files that name a shipped pipeline as their base, and say what they add to it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from typing import Any

from phiscrub.combine.vote import MODELS
from phiscrub.core.errors import Place, SettingsError
from phiscrub.pipeline.shipped import shipped

KEYS = ("base", "mode")
ADDED = ("detector", "refiner")


def shipped_text(name: str) -> str:
    """Return the file of a shipped pipeline."""
    file = resources.files("phiscrub") / "data" / "pipelines" / f"{name}.toml"
    return file.read_text("utf-8")


def with_base(data: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Return a file's keys with those of its `base`, if it names one.

    Detectors and refiners stand behind the base's; any other key is the file's own where it has
    it. Where the base's combiner says who is believed first, that are the rules and parts that
    the file adds; models that it adds are believed as any other. Raises `SettingsError` where
    there is no such base, or where it is for another language.
    """
    own = {key: value for key, value in data.items() if key not in KEYS}
    if "base" not in data:
        return dict(data)
    base = tomllib.loads(shipped_text(_named(data, where)))
    if own.get("language", base["language"]) != base["language"]:
        hint = "leave 'language' out, or take another base"
        what = f"'base' is for language {base['language']!r}"
        raise SettingsError(what, where=where, hint=hint)
    if "combiner" not in own and isinstance(own.get("detector"), list):
        own["combiner"] = _preferring(base["combiner"], list(_believed(own["detector"])))
    for key in ADDED:
        if isinstance(own.get(key), list):
            own[key] = [*base.get(key, ()), *own[key]]
    return {**base, **own}


def _named(data: Mapping[str, Any], where: str) -> str:
    """Return the shipped pipeline that is the base."""
    try:
        name = shipped(str(data["base"]), data.get("mode"))
    except SettingsError as error:
        raise error.at(Place(where)) from None
    if name is None:
        hint = 'such as base = "en", with mode = "fast" or another if wanted'
        raise SettingsError("'base' names no shipped pipeline", where=where, hint=hint)
    return name


def _believed(tables: Sequence[Any]) -> Iterator[str]:
    """Yield the sources of mentions that added detectors give, but for models."""
    for table in tables:
        use = table.get("use") if isinstance(table, Mapping) else None
        if use == "patterns":
            yield from (f"patterns:{pack}" for pack in table.get("packs", ()))
        elif isinstance(use, str) and use not in MODELS:
            yield use


def _preferring(combiner: Mapping[str, Any], first: Sequence[str]) -> dict[str, Any]:
    """Return the combiner with sources that are believed before those that it prefers."""
    prefer = combiner.get("prefer", {})
    if not prefer:
        return dict(combiner)
    return {**combiner, "prefer": {label: [*first, *then] for label, then in prefer.items()}}
