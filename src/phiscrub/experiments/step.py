"""A step of a protocol: what it is made of, and its result, which is kept."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from phiscrub.core.errors import SettingsError
from phiscrub.core.version import VERSION
from phiscrub.formats.whole import write_whole

KINDS = (
    *("vectors", "train", "fold", "transfer", "fine-tune", "ablate"),
    *("threshold", "pipeline", "correlate", "t test"),
)

Result = Mapping[str, Any]  # plain values, as JSON has them
Results = Mapping[str, Result]  # by the names of steps; `IDENTITY` in each is its step's
Tick = Callable[[str], None]
IDENTITY = "identity"


@dataclass(frozen=True, slots=True)
class Step:
    """A named part of a protocol, of one of the `KINDS`.

    `told` is all that decides the result but for the steps that it `needs`, whose results `work`
    is given; it ends with hashes of the notes. `makes` are files and folders that others need:
    where one is missing, the step is done again.
    """

    name: str
    kind: str
    told: Mapping[str, Any]
    work: Callable[[Results, Tick], Result] = field(repr=False)
    needs: tuple[str, ...] = ()
    makes: tuple[Path, ...] = ()

    @property
    def slug(self) -> str:
        """The name as a file may have it."""
        return slug(self.name)

    def identity(self, found: Mapping[str, str]) -> str:
        """Return a hash of its settings, data and needs, whose identities are `found`."""
        told = [VERSION, self.kind, self.name, self.told, [found[name] for name in self.needs]]
        text = json.dumps(told, sort_keys=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def identity_after(self, done: Results) -> str:
        """Return the same where what it needs is done: what its unfinished work is kept by."""
        return self.identity({name: done[name][IDENTITY] for name in self.needs})


def slug(name: str) -> str:
    """Return a name as a file may have it."""
    kept = "".join(letter if letter.isalnum() or letter in ".-" else " " for letter in name)
    return "-".join(kept.lower().split())


def identities(steps: Sequence[Step]) -> dict[str, str]:
    """Return each step's identity; a step stands behind what it needs."""
    found: dict[str, str] = {}
    for step in steps:
        found[step.name] = step.identity(found)
    return found


def chosen(steps: Sequence[Step], only: Iterable[str]) -> tuple[Step, ...]:
    """Return the steps whose names begin so, or all for none, and what they need, in order.

    Raises `SettingsError` where no step is called so.
    """
    wanted = tuple(only)
    by_name = {step.name: step for step in steps}
    for start in wanted:
        if not any(name.startswith(start) for name in by_name):
            names = "; ".join(by_name)
            raise SettingsError(f"no step {start!r}", hint=f"the steps: {names}")
    taken = {name for name in by_name if not wanted or name.startswith(wanted)}
    for step in reversed(steps):
        if step.name in taken:
            taken.update(step.needs)
    return tuple(step for step in steps if step.name in taken)


def kept(steps: Sequence[Step], folder: Path) -> dict[str, dict[str, Any]]:
    """Return what is there of the steps' own results, with their seconds; others' are passed by."""
    found = {}
    for name, identity in identities(steps).items():
        file = folder / f"{slug(name)}.json"
        try:
            table = json.loads(file.read_text("utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(table, dict) and table.get(IDENTITY) == identity:
            found[name] = table
    return found


def missing(steps: Sequence[Step], folder: Path, only: Iterable[str] = ()) -> tuple[Step, ...]:
    """Return the steps that are asked for and not done, or whose files are gone."""
    done = kept(steps, folder)
    return tuple(
        step
        for step in chosen(steps, only)
        if step.name not in done or not all(path.exists() for path in step.makes)
    )


def go(steps: Sequence[Step], folder: Path, only: Iterable[str], tick: Tick) -> dict[str, Result]:
    """Do what is missing of the steps that are asked for; return all results that there are.

    Each is kept in the folder when it ends, so that a call that was cut off goes on with the rest.
    """
    names = identities(steps)
    done: dict[str, Result] = {
        name: {**table["result"], IDENTITY: names[name]}
        for name, table in kept(steps, folder).items()
    }
    for step in missing(steps, folder, only):
        tick(step.name)
        begun = time.monotonic()
        result = dict(step.work(done, partial(_within, tick, step.name)))
        seconds = round(time.monotonic() - begun, 1)
        table = {IDENTITY: names[step.name], "step": step.name, "kind": step.kind}
        write(folder / f"{step.slug}.json", {**table, "seconds": seconds, "result": result})
        done[step.name] = {**result, IDENTITY: names[step.name]}
    return done


def _within(tick: Tick, name: str, line: str) -> None:
    tick(f"{name}: {line}")


def write(file: Path, table: Mapping[str, Any]) -> None:
    """Write JSON, whole or not at all; raise `OutputError` where it cannot be written."""
    write_whole(file, json.dumps(table, indent=1, ensure_ascii=False) + "\n")
