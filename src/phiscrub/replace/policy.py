"""Policies: what is removed of that which was found, and why. The policies themselves are data."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.labels import HUB, LabelSet, label_set
from phiscrub.replace.shorten import METHODS, Limits

KEYS = frozenset({"about", "base", "unmarked", "limits", "labels"})
LIMITS = frozenset(Limits.__dataclass_fields__)


class Action(StrEnum):
    """What happens to a mention. Shortening keeps a part: the year, ages under 90, three digits."""

    KEEP = "keep"
    REPLACE = "replace"
    SHORTEN = "shorten"


@dataclass(frozen=True, slots=True)
class Rule:
    """What happens to the mentions of one label, and the reason, which is shown to users."""

    action: Action
    reason: str


@dataclass(frozen=True, slots=True)
class Policy:
    """A rule for every label of the hub set, and one for labels that the hub set does not mark."""

    name: str
    about: str
    rules: Mapping[str, Rule]
    unmarked: Action
    limits: Limits

    def action(self, label: str, labels: LabelSet) -> tuple[Action, str]:
        """Return what happens to a label of a label set, and what it is called in the hub set.

        A label that the set does not know is replaced: nothing says that it may stay.
        """
        hub = labels.to_hub.get(label)
        if hub is not None:
            return self.rules[hub].action, hub
        return (self.unmarked if label in labels.categories else Action.REPLACE), ""

    @property
    def rows(self) -> tuple[tuple[str, str, str], ...]:
        """``(label, action, reason)`` for every label of the hub set, to print."""
        return tuple((label, rule.action.value, rule.reason) for label, rule in self.rules.items())


def policy_names() -> tuple[str, ...]:
    """Return the names of the policies that ship with phiscrub, the default first."""
    folder = resources.files("phiscrub") / "data" / "policies"
    names = (file.name.removesuffix(".toml") for file in folder.iterdir())
    return tuple(sorted(names, key=lambda name: (name != "i2b2", name)))


def load_policy(name: str, home: Path | None = None) -> Policy:
    """Load a policy by its shipped name, or from a TOML file; `home` is where paths start.

    A file may name a shipped policy as its `base` and say only what differs. Raises
    `SettingsError` naming the file and the key, or `MissingError` where there is neither.
    """
    if name in policy_names():
        file = resources.files("phiscrub") / "data" / "policies" / f"{name}.toml"
        return _policy(file.read_text("utf-8"), name)
    path = (home or Path()) / name
    try:
        return _policy(path.read_text("utf-8"), str(path))
    except FileNotFoundError:
        hint = f"shipped policies: {', '.join(policy_names())}; any other name is a TOML file"
        raise MissingError(f"no policy {name!r}", hint=hint) from None
    except (OSError, UnicodeDecodeError):
        raise SettingsError("cannot be read as a policy file", where=str(path)) from None


def _policy(text: str, where: str) -> Policy:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"is not TOML: {error}", where=where) from None
    _refuse_unknown(data, KEYS, "", where)
    base = _base(data, where)
    labels, limits = data.get("labels", {}), data.get("limits", {})
    if not isinstance(labels, dict) or not isinstance(limits, dict):
        raise SettingsError("'labels' or 'limits' is no table", where=where, hint="[labels]")
    hub = label_set(HUB).labels
    _refuse_unknown(labels, frozenset(hub), "labels.", where)
    rules = dict(base.rules) if base else {}
    rules |= {label: _rule(label, entry, where) for label, entry in labels.items()}
    if lacking := [label for label in hub if label not in rules]:
        hint = 'name it under [labels], or take the rest from a base = "i2b2"'
        raise SettingsError(f"says nothing about {', '.join(lacking)}", where=where, hint=hint)
    return Policy(
        name=where,
        about=str(data.get("about", "")),
        rules=MappingProxyType({label: rules[label] for label in hub}),
        unmarked=_action(data["unmarked"], "unmarked", where)
        if "unmarked" in data
        else base.unmarked
        if base
        else Action.REPLACE,
        limits=_limits(limits, base.limits if base else Limits(), where),
    )


def _base(data: Mapping[str, Any], where: str) -> Policy | None:
    if "base" not in data:
        return None
    if data["base"] not in policy_names():
        hint = f"shipped policies: {', '.join(policy_names())}"
        raise SettingsError("'base' names no shipped policy", where=where, hint=hint)
    return load_policy(data["base"])


def _rule(label: str, entry: object, where: str) -> Rule:
    at = f"labels.{label}"
    if not isinstance(entry, dict) or not isinstance(entry.get("reason"), str):
        hint = 'a rule is { action = "keep", reason = "…" }'
        raise SettingsError(f"'{at}' is no rule with a reason", where=where, hint=hint)
    _refuse_unknown(entry, frozenset({"action", "reason"}), f"{at}.", where)
    action = _action(entry.get("action"), f"{at}.action", where)
    if action is Action.SHORTEN and label not in METHODS:
        hint = f"only {', '.join(METHODS)} can be shortened"
        raise SettingsError(f"'{at}.action' is 'shorten'", where=where, hint=hint)
    return Rule(action, entry["reason"])


def _action(value: Any, at: str, where: str) -> Action:
    try:
        return Action(value)
    except ValueError:
        hint = f"actions are {', '.join(action.value for action in Action)}"
        raise SettingsError(f"'{at}' is no action", where=where, hint=hint) from None


def _limits(table: Mapping[str, Any], base: Limits, where: str) -> Limits:
    _refuse_unknown(table, LIMITS, "limits.", where)
    zips = table.get("restricted_zips", sorted(base.restricted_zips))
    numbers = {key: table.get(key, getattr(base, key)) for key in ("oldest_age", "oldest_year")}
    for key, value in numbers.items():
        if type(value) is not int:
            raise SettingsError(f"'limits.{key}' is no whole number", where=where)
    if not isinstance(zips, list) or not all(isinstance(prefix, str) for prefix in zips):
        hint = 'such as ["036", "059"]'
        raise SettingsError("'limits.restricted_zips' is no list", where=where, hint=hint)
    return Limits(restricted_zips=frozenset(zips), **numbers)


def _refuse_unknown(
    table: Mapping[str, object], known: frozenset[str], at: str, where: str
) -> None:
    for key in table:
        if key not in known:
            hint = f"known: {', '.join(sorted(known))}"
            raise SettingsError(f"unknown key '{at}{key}'", where=where, hint=hint)
