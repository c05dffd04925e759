"""A training on disk as it stands, to go on from; numbers and plain JSON, nothing that runs."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from phiscrub.core.errors import Place, SettingsError
from phiscrub.core.jsontext import strict_json
from phiscrub.core.tensors import TYPES, pack_tensors, unpack_tensors
from phiscrub.formats.stream import written
from phiscrub.formats.whole import write_whole

STATE = "state.json"
AWAY = "name another folder, or train without --resume"


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """Tensors by name, and what else there is to know as plain data."""

    told: Mapping[str, Any]
    tensors: Mapping[str, Tensor] = field(repr=False)


def write_checkpoint(folder: Path, checkpoint: Checkpoint, identity: str) -> None:
    """Write a checkpoint, and only then remove the one before it.

    Raises `OutputError` where it cannot be written.
    """
    arrays = {n: t.detach().cpu().contiguous().numpy() for n, t in checkpoint.tensors.items()}
    data = pack_tensors(arrays)
    digest = hashlib.sha256(data).hexdigest()
    name = f"weights-{digest[:16]}.safetensors"
    codes = {np.dtype(kind): code for code, kind in TYPES.items()}
    kinds = {n: codes[array.dtype.newbyteorder("<")] for n, array in arrays.items()}
    told = {"identity": identity, "file": name, "sha256": digest, "kinds": kinds}
    with written(folder / STATE):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
        write_whole(folder / STATE, json.dumps({**told, "told": checkpoint.told}, allow_nan=False))
        for old in folder.glob("weights-*.safetensors"):
            if old.name != name:
                old.unlink()


def read_checkpoint(folder: Path, identity: str) -> Checkpoint | None:
    """Read a checkpoint, None where there is none.

    Raises `SettingsError` where it is of another training: another architecture, recipe, seed or
    notes; or where it is damaged.
    """
    file = folder / STATE
    if not file.is_file():
        return None
    try:
        table = strict_json(file.read_text("utf-8"), Place(str(file)))
        own, name, digest = table["identity"], Path(table["file"]).name, table["sha256"]
        kinds, told = dict(table["kinds"]), dict(table["told"])
        if own != identity:
            raise SettingsError(
                "is a checkpoint of another training: architecture, recipe, seed or notes differ",
                where=str(folder),
                hint=AWAY,
            )
        data = (folder / name).read_bytes()
        if hashlib.sha256(data).hexdigest() != digest or not set(kinds.values()) <= set(TYPES):
            raise ValueError
    except (KeyError, TypeError, ValueError, OSError):
        raise SettingsError("is a damaged checkpoint", where=str(folder), hint=AWAY) from None
    arrays = unpack_tensors(data, kinds, str(folder / name))
    return Checkpoint(told, {n: torch.from_numpy(array.copy()) for n, array in arrays.items()})


def remove_checkpoint(folder: Path) -> None:
    """Remove a checkpoint that is needed no more, and its folder if nothing else is there."""
    with written(folder):
        for file in (folder / STATE, *folder.glob("weights-*.safetensors")):
            file.unlink(missing_ok=True)
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
