"""The pipelines that ship with phiscrub: a file for each language and mode, `en-safe`."""

from __future__ import annotations

from importlib import resources

from phiscrub.core.errors import SettingsError

BALANCED, SAFE, FAST, RULES = "balanced", "safe", "fast", "rules"
MODES = (BALANCED, SAFE, FAST, RULES)
ANY = "auto"  # each note by the pipeline of its own language


def pipeline_names() -> tuple[str, ...]:
    """Return the names of all shipped pipelines, by their files."""
    folder = resources.files("phiscrub") / "data" / "pipelines"
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir()))


def languages() -> tuple[str, ...]:
    """Return the languages that a pipeline ships for."""
    return tuple(sorted({name.partition("-")[0] for name in pipeline_names()}))


def modes(language: str) -> tuple[str, ...]:
    """Return the modes that a language has: the rules always, others once its models ship."""
    names = pipeline_names()
    return tuple(mode for mode in MODES if f"{language}-{mode}" in names)


def shipped(name: str, mode: str | None = None) -> str | None:
    """Return the shipped pipeline that a name and a mode mean, None where the name is of none.

    A language alone means its balanced mode, or its rules where no models of it ship. Raises
    `SettingsError` where there is no such mode.
    """
    if mode is not None and mode not in MODES:
        raise SettingsError(f"no mode {mode!r}", hint=f"modes are {', '.join(MODES)}")
    if name in languages():
        there = modes(name)
        if mode is not None and mode not in there:
            raise SettingsError(
                f"{name!r} has no mode {mode!r}: no models of that language ship",
                hint=f"it has {', '.join(there)}",
            )
        return f"{name}-{mode or there[0]}"
    if mode is not None:
        raise SettingsError(
            f"pipeline {name!r} has no modes",
            hint=f"a mode is of a language: {', '.join(languages())}, {ANY}",
        )
    return name if name in pipeline_names() else None
