"""What a run keeps on disk of itself: checkpoints to resume from, and lists that grow with it."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, BinaryIO

from phiscrub.core.errors import SettingsError
from phiscrub.formats.record import Position
from phiscrub.formats.stream import PRIVATE, let_go, written

fcntl = import_module("fcntl") if find_spec("fcntl") else None  # Windows has none


class Lines:
    """A JSON Lines file that appears at its path only when the run has ended.

    It grows in the staging folder and can be cut back to a checkpoint's length. Only its owner
    may read it: who has the hash of a note and the clean note could try names.
    """

    def __init__(self, path: Path, staged: Path, length: int) -> None:
        self._path, self._staged = path, staged
        with written(staged):
            staged.touch(PRIVATE)
            staged.chmod(PRIVATE)  # one that stands from an earlier run
            self._file: BinaryIO = staged.open("r+b" if length else "wb")
            self._file.truncate(length)
            self._file.seek(length)

    def add(self, row: dict[str, Any]) -> None:
        """Append one row.

        Bytes of file names that are no UTF-8 become JSON's escapes of lone surrogates (U+DCFF);
        a reader undoes those, and `os.fsencode` gives the bytes again.
        """
        line = json.dumps(row, ensure_ascii=False).encode("utf-8", "backslashreplace")
        with written(self._path):
            self._file.write(line + b"\n")

    def rows(self) -> Iterator[bytes]:
        """Yield the lines that are there, as bytes."""
        self.checkpoint()
        with self._staged.open("rb") as file:
            yield from file

    def values(self) -> Iterator[dict[str, Any]]:
        """Yield the rows that are there."""
        yield from map(json.loads, self.rows())

    def cut(self, length: int) -> None:
        """Forget what was added behind a length."""
        with written(self._path):
            self._file.flush()
            self._file.truncate(length)
            self._file.seek(length)

    def checkpoint(self) -> int:
        """Bring all to disk; return the length."""
        with written(self._path):
            self._file.flush()
            os.fsync(self._file.fileno())
            return self._file.tell()

    def abandon(self) -> None:
        """Let go of the file as it is."""
        let_go(self._file)

    def close(self, *, keep_empty: bool) -> None:
        """Put the file at its path, unless it is empty and need not be kept."""
        length = self.checkpoint()
        self._file.close()
        with written(self._path):
            if length or keep_empty:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                shutil.move(self._staged, self._path)
            else:
                self._path.unlink(missing_ok=True)  # of an earlier run: it no longer holds


@dataclass(slots=True)
class Progress:
    """How far a run has come: tasks that are done, and the point reached in the next one.

    `lists` and `totals` are the lists' lengths and the summary at that point, `base` both at the
    start of the next task, for when its file turns out to be broken.
    """

    done: int = 0
    state: str = "open"  # or `closed`: the task's file is whole but may not be in its place
    position: Position = field(default_factory=Position)
    output: int = 0
    lists: dict[str, int] = field(default_factory=dict)
    totals: dict[str, Any] = field(default_factory=dict)
    base: dict[str, Any] = field(default_factory=dict)


class Journal:
    """The checkpoints of a run, one line each; the last whole line counts."""

    def __init__(self, folder: Path, identity: object) -> None:
        self.folder = folder
        self._path = folder / "journal.jsonl"
        told = json.dumps(identity, sort_keys=True, default=str)
        self._identity = hashlib.sha256(told.encode()).hexdigest()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Hold the folder, made where it is not there; `SettingsError` where another run does."""
        with written(self.folder.parent):
            self.folder.parent.mkdir(parents=True, exist_ok=True)
        with written(self.folder):
            self.folder.mkdir(exist_ok=True, mode=0o700)
        with _locked(self.folder) as is_ours:
            if not is_ours:
                raise SettingsError(
                    "another run is writing there",
                    where=str(self.folder),
                    hint="wait for its end, or write to another place",
                )
            yield

    def start(self, *, resume: bool) -> Progress:
        """Begin afresh, or return the last checkpoint of a run with the same identity.

        Raises `SettingsError` where the interrupted run was another one.
        """
        last = self._last() if resume else None
        if last is None:
            with written(self.folder):
                for path in self.folder.iterdir():
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
            return Progress()
        if last.pop("identity") != self._identity:
            raise SettingsError(
                "the interrupted run had other input, options or pipeline",
                where=str(self.folder),
                hint="run the same command with --resume, or start afresh without it",
            )
        return Progress(**{**last, "position": Position(**last["position"])})

    def save(self, progress: Progress) -> None:
        """Write a checkpoint."""
        line = json.dumps({"identity": self._identity, **asdict(progress)}) + "\n"
        with written(self._path), self._path.open("ab") as file:
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())

    def remove(self) -> None:
        """Forget the run."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _last(self) -> dict[str, Any] | None:
        if not self._path.exists():
            return None
        for line in reversed(self._path.read_bytes().splitlines(keepends=True)):
            if line.endswith(b"\n"):
                row: dict[str, Any] = json.loads(line)
                return row
        return None


@contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Lock a folder, till the process ends at the latest; yield False where another has locked it.

    What cannot be locked, as on Windows and some network disks, counts as locked.
    """
    if fcntl is None:
        yield True
        return
    with written(folder):
        descriptor = os.open(folder, os.O_RDONLY)
    try:
        yield _is_free(descriptor, fcntl)
    finally:
        os.close(descriptor)


def _is_free(descriptor: int, system: ModuleType) -> bool:
    try:
        system.flock(descriptor, system.LOCK_EX | system.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
