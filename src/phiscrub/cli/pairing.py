"""Which documents of two folders belong together, and what becomes of those that stand alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Generic, TypeVar

from phiscrub.core.errors import InputError, MissingError
from phiscrub.core.wording import shown
from phiscrub.formats.folder import below

T = TypeVar("T")


class Missing(StrEnum):
    """What to do with a gold document that the system does not have."""

    ERROR = "error"  # stop
    ZERO = "zero"  # score it as one in which nothing was found
    IGNORE = "ignore"  # leave it out, as the official scripts do


@dataclass(frozen=True, slots=True)
class Pairing(Generic[T]):
    """Pairs in the order of their ids, and the ids of gold and of system documents left alone."""

    pairs: tuple[tuple[T, T], ...]
    missing: tuple[str, ...]
    extra: tuple[str, ...]


def pair(
    gold: Mapping[str, T], system: Mapping[str, T], missing: Missing, empty: Callable[[T], T]
) -> Pairing[T]:
    """Pair documents by id; `empty` makes of a gold document one in which nothing was found.

    Raises `MissingError` where nothing can be paired, or one is missing and that is an error.
    """
    lost = tuple(sorted(gold.keys() - system.keys()))
    extra = tuple(sorted(system.keys() - gold.keys()))
    if not gold.keys() & system.keys():
        raise MissingError(
            "no document is on both sides",
            hint="documents are paired by the names of their files, records by their ids",
        )
    if lost and missing is Missing.ERROR:
        raise MissingError(
            f"{len(lost)} of {len(gold)} gold documents are not among the system's: {shown(lost)}",
            hint="score them as empty with --missing zero, or leave them out with --missing ignore",
        )
    pairs = [
        (gold[name], system[name] if name in system else empty(gold[name]))
        for name in sorted(gold)
        if name in system or missing is Missing.ZERO
    ]
    return Pairing(tuple(pairs), lost, extra)


def files(folder: Path, suffix: str) -> list[Path]:
    """Return the files below a folder with a suffix, by path; raise `MissingError` without any."""
    if not folder.is_dir():
        raise MissingError("no such folder", where=str(folder), hint="check the path")
    found = sorted(path for path in below(folder) if path.suffix == suffix)
    if not found:
        raise MissingError(
            f"the folder has no {suffix} files",
            where=str(folder),
            hint="it must hold annotations of the gold texts, as phiscrub detect writes them",
        )
    return found


def once(notes: Iterable[tuple[str, Path, T]]) -> dict[str, T]:
    """Return notes by their ids; raise `InputError` where two files are of one id."""
    known: dict[str, tuple[Path, T]] = {}
    for name, path, note in notes:
        if name in known:
            raise InputError(
                f"is of the same document as {known[name][0]}",
                where=str(path),
                hint="documents are told apart by their file names, whatever folder they are in; "
                "what stands behind PATIENT-RECORD is no part of the document's",
            )
        known[name] = path, note
    return {name: note for name, (_, note) in known.items()}
