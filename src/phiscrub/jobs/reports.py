"""Where a run's reports may go: to no place where a file would be lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from phiscrub.core.errors import SettingsError
from phiscrub.formats.stream import STDOUT
from phiscrub.jobs.plan import BESIDE, Item, Task, output_path

AUDIT, QUARANTINE = "audit", "quarantine"
ROW = "row"  # the key that tells what a row of an audit is of
AUDIT_ROWS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "note": (
            "source",
            "note",
            "record",
            "line",
            "characters",
            "mentions",
            "output_sha256",
            "pipeline",
            "version",
        ),
        "kept back": ("source", "note", "record", "line", "error"),
        "input": ("file", "bytes", "sha256"),
        "output": ("file", "bytes", "sha256"),
        "end": (
            "notes",
            "written",
            "quarantined",
            "broken_files",
            "characters",
            "passed_by",
            "duplicate_ids",
            "mentions",
            "rows",
            "rows_sha256",
            "pipeline",
            "version",
        ),
    }
)
QUARANTINE_ROW = ("source", "record", "line", "offset", "error", "hint")
LONGEST_ROW = 1 << 20  # bytes


def refuse_losses(inputs: Iterable[str | Path], written: Mapping[str, Path | None]) -> None:
    """Raise `SettingsError` where a file that is to be written would be lost, or lose another.

    `written` names each by its option. None may be an input or lie in an input folder, hold an
    input, or be another one.
    """
    there = {
        option: path.resolve()
        for option, path in written.items()
        if path is not None and path != STDOUT
    }
    for option, path in there.items():
        for name in inputs:
            if str(name) == "-":
                continue
            source = Path(name).resolve()
            if path == source:
                _refuse(option, path, "is the input")
            if path.is_relative_to(source) and source.is_dir():
                _refuse(option, path, "is inside the input")
            if source.is_relative_to(path):
                _refuse(option, path, "is a folder of the input")
    options = list(there)
    for at, option in enumerate(options):
        for other in options[at + 1 :]:
            if there[option] == there[other]:
                _refuse(option, there[option], f"is {other} too")


def refuse_clashes(
    inputs: Sequence[str | Path],
    tasks: Sequence[Task],
    reports: Mapping[str, Path | None],
    others: Mapping[str, Path | None] = MappingProxyType({}),
) -> None:
    """Raise `SettingsError` where a report would replace what a run reads or writes.

    `reports` are the run's lists by their kind, `others` more files of the command by their
    option. A list may replace one that an earlier run wrote, and no other file.
    """
    named = {f"--{kind}": path for kind, path in reports.items()} | dict(others)
    refuse_losses(inputs, named)
    for option, report in named.items():
        if report is not None and any(_writes(task, report.resolve()) for task in tasks):
            _refuse(option, report, "is where a note is written")
    for kind, report in reports.items():
        if report is not None:
            _refuse_foreign(kind, report)


def _writes(task: Task, path: Path) -> bool:
    """Tell whether a task writes, or could write, a file there, above or below."""
    if task.out == STDOUT:
        return False
    lone = task.single if task.writes_notes else task.out
    out = (lone or task.out).resolve()
    if out.is_relative_to(path) or lone is not None:
        return out.is_relative_to(path) or path.is_relative_to(out)
    if not path.is_relative_to(out):
        return False
    below, kind = path.relative_to(out), task.format_of(task.items[0])
    if not task.reads_notes:  # the notes' ids, which nobody knows yet, will name the files
        return len(below.parts) == 1 and below.suffix in (kind.suffix, *BESIDE.get(kind.name, ()))
    return any(
        name.is_relative_to(below) or below.is_relative_to(name)
        for item in task.items
        for name in _names(task, item)
    )


def _names(task: Task, item: Item) -> Iterator[Path]:
    """Yield the files of one item, below the task's folder."""
    name = output_path(task, item).relative_to(task.out)
    yield name
    for suffix in BESIDE.get(task.format_of(item).name, ()):
        yield name.with_suffix(suffix)


def _refuse_foreign(kind: str, path: Path) -> None:
    """Raise `SettingsError` where something is there that no run has written as such a list."""
    option = f"--{kind}"
    if path.is_dir():
        _refuse(option, path, "is a folder")
    if not path.exists():
        return
    if not path.is_file():
        _refuse(option, path, "is no regular file")
    with path.open("rb") as file:
        row = file.readline(LONGEST_ROW)
    if row and not _is_row(kind, row):
        _refuse(option, path, f"is a file that is no {kind} report of phiscrub")


def _is_row(kind: str, row: bytes) -> bool:
    try:
        told = json.loads(row)
    except (ValueError, RecursionError):
        return False
    if not isinstance(told, dict):
        return False
    if kind == QUARANTINE:
        return tuple(told) == QUARANTINE_ROW
    keys = AUDIT_ROWS.get(str(told.get(ROW)))
    return keys is not None and tuple(told) == (ROW, *keys)


def _refuse(option: str, path: Path, what: str) -> None:
    raise SettingsError(
        f"the file of {option} {what}",
        where=str(path),
        hint=f"name another file with {option}, so that nothing is lost",
    )
