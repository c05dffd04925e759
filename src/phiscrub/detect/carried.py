"""The models and packs that a learned combination carries in its own folder."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.jsontext import AGAIN

Tables = tuple[Mapping[str, Any], ...]
FOLDER = "carried"
NAMED = re.compile(rf"{FOLDER}/\w[\w.-]*")
PATHS = frozenset({"model", "models", "packs"})  # keys of tables that name folders


def changed(tables: Iterable[Mapping[str, Any]], change: Callable[[str], str]) -> Tables:
    """Return detectors' tables with what names a model or a pack changed, however deep."""

    def inner(value: Any, *, named: bool) -> Any:
        if isinstance(value, Mapping):
            return {key: inner(item, named=key in PATHS) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [inner(item, named=named) for item in value]
        return change(value) if named and isinstance(value, str) else value

    return tuple(inner(table, named=False) for table in tables)


def placed(name: str) -> str:
    """Return the absolute path of a folder; the name of what ships stays."""
    return str(Path(name).resolve()) if name.startswith((".", "/")) else name


def gathered(tables: Iterable[Mapping[str, Any]]) -> tuple[Tables, dict[str, Path]]:
    """Return tables as they are told beside what they carry, and that by its name there."""
    names: dict[Path, str] = {}

    def carry(name: str) -> str:
        if not name.startswith((".", "/")):
            return name
        path = Path(name).resolve()
        if path not in names:
            own = re.sub(r"[^\w.-]", "-", path.name).lstrip(".-") or "part"
            if f"{FOLDER}/{own}" in names.values():
                own = f"{len(names)}-{own}"
            names[path] = f"{FOLDER}/{own}"
        return f"./{names[path]}"

    told = changed(tables, carry)
    return told, {name: path for path, name in names.items()}


def located(tables: Sequence[Mapping[str, Any]], carried: Iterable[str], model: str) -> Tables:
    """Return tables with what is carried seen from where the model's own name starts."""
    own = {f"./{name}" for name in carried}
    return changed(tables, lambda name: f"{model.rstrip('/')}{name[1:]}" if name in own else name)


def digest(folder: Traversable) -> str:
    """Return a hash of all files of a folder; raise `MissingError` where one cannot be read."""
    told = hashlib.sha256()
    try:
        for name, data in sorted(_files(folder, "")):
            told.update(f"{name}\0{len(data)}\0".encode())
            told.update(data)
    except OSError:
        raise MissingError("cannot be read", where=str(folder), hint=AGAIN) from None
    return told.hexdigest()


def check(folder: Traversable, carried: Mapping[str, Any]) -> None:
    """Raise `SettingsError` where what a model carries is not as it was when it learned."""
    for name, told in carried.items():
        where = f"{folder}/{name}"
        if not NAMED.fullmatch(name):
            raise SettingsError("carries a folder without a plain name", where=str(folder))
        if digest(folder.joinpath(*name.split("/"))) != told:
            raise SettingsError("is not what the model learned from", where=where, hint=AGAIN)


def _files(folder: Traversable, at: str) -> Iterable[tuple[str, bytes]]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, f"{at}{entry.name}/")
        else:
            yield f"{at}{entry.name}", entry.read_bytes()
