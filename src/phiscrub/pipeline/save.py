"""Pipelines to pipeline files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime, time
from pathlib import Path
from typing import Any

from phiscrub.pipeline.load import Declaration
from phiscrub.replace.policy import policy_names

BARE = re.compile(r"[A-Za-z0-9_-]+")
BLOCKS = ("detector", "refiner")
LAST = "certificate"
OF_PACK = "patterns:"  # as mentions name the pack that they are from


def pipeline_text(declaration: Declaration) -> str:
    """Return what `load_pipeline` reads as this declaration."""
    stated = {name: getattr(declaration, name) for name in Declaration.__dataclass_fields__}
    lines = [
        f"{key} = {_value(value)}\n"
        for key, value in stated.items()
        if key not in (*BLOCKS, LAST) and value != ""
    ]
    for block in BLOCKS:
        for table in stated[block]:
            lines += ["\n", f"[[{block}]]\n", *_lines(table)]
    if stated[LAST]:
        lines += ["\n", f"[{LAST}]\n", *_lines(stated[LAST])]
    return "".join(lines)


def moved(declaration: Declaration, home: Path | None, folder: Path) -> Declaration:
    """Return the declaration as it must stand in a file in `folder`.

    A path is what begins with a dot and is there, seen from `home`; of a declaration without a
    file also what begins with a slash. A source of mentions may be a pack's path.
    """
    base, signs = home or Path(), "." if home else "./"

    def there(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: there(inner) for key, inner in value.items()}
        if isinstance(value, (list, tuple)):
            return [there(inner) for inner in value]
        if isinstance(value, str) and value.startswith(OF_PACK):
            pack, colon, rule = value.removeprefix(OF_PACK).partition(":")
            return f"{OF_PACK}{there(pack)}{colon}{rule}"
        if isinstance(value, str) and value[:1] in signs and value and (base / value).exists():
            return _path(base / value, folder)
        return value

    policy = declaration.policy
    if policy not in policy_names() and not Path(policy).is_absolute():
        policy = _path(base / policy, folder)
    return replace(
        declaration,
        policy=policy,
        detector=tuple(there(table) for table in declaration.detector),
        refiner=tuple(there(table) for table in declaration.refiner),
        combiner=there(declaration.combiner),
        replacer=there(declaration.replacer),
    )


def _path(path: Path, folder: Path) -> str:
    way = Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    return way if way.startswith(".") else f"./{way}"


def _lines(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}\n" for key, value in table.items()]


def _key(key: str) -> str:
    return key if BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    if isinstance(value, Mapping):
        inner = ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_value, value))}]"
    return repr(value)


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
