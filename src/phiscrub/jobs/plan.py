"""What a run will read and where it will write: files to tasks, and every conflict found first."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import cast

from phiscrub.core.errors import InputError, MissingError, PhiscrubError, SettingsError
from phiscrub.core.wording import counted
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.formats.annotated import BRAT
from phiscrub.formats.digest import Digest
from phiscrub.formats.folder import STAGING, hidden_below, hidden_beside, note_files
from phiscrub.formats.plain import DetectedText
from phiscrub.formats.record import Format, Options, is_note_format
from phiscrub.formats.registry import detect_format, get_format
from phiscrub.formats.source import Source
from phiscrub.formats.stream import STDOUT

BESIDE = MappingProxyType({"brat": (".ann", ".txt")})  # suffixes of files that a note has more of


@dataclass(frozen=True, slots=True)
class Item:
    """One input file: where and what it is, its path below the named input, its bytes."""

    source: Source
    format: Format
    below: PurePath
    size: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    """Files that are read in order and written to one place in one format.

    Either all items are of formats with one note a file, or there is one item with many. `out`
    is a folder where the target has one note a file, else the file itself; `STDOUT` is standard
    output. `target` None keeps each item's format. `single` names the one file that a lone note
    is written to.
    """

    items: tuple[Item, ...]
    target: Format | None
    out: Path
    single: Path | None = None

    @property
    def name(self) -> str:
        """What tells it from the other tasks of the run."""
        return f"{self.out}:{self.items[0].below}"

    def format_of(self, item: Item) -> Format:
        """Return the format that an item is written in."""
        return self.target or item.format

    @property
    def writes_notes(self) -> bool:
        """Whether each note becomes a file of its own."""
        return is_note_format(self.format_of(self.items[0]))

    @property
    def keeps_format(self) -> bool:
        """Whether what is written is of the format that was read."""
        return self.format_of(self.items[0]).name == self.items[0].format.name

    @property
    def reads_notes(self) -> bool:
        """Whether each item holds one note."""
        return is_note_format(self.items[0].format)


def plan(
    inputs: Sequence[str],
    out: str | None,
    read_as: str | None,
    write_as: str | None,
    *,
    gold: bool = False,
) -> tuple[Task, ...]:
    """Plan a run. `-` is standard input, and `out` None standard output.

    Of `gold` the files of a folder are left out that are neither annotated nor beside an .ann,
    where others are.

    Raises `MissingError`, `InputError` or `SettingsError` before anything is written: no such
    file, output inside the input, two notes for one file, more notes than standard output holds.
    """
    forced = None if read_as is None else get_format(read_as)
    target = None if write_as is None else get_format(write_as)
    if not inputs:
        raise SettingsError("no input", hint="name files or folders, or - for standard input")
    given = ([*_items(name, forced)] for name in inputs)
    items = [item for found in given for item in (_marked(found) if gold else found)]
    if not items:
        hidden = len(passed_by(inputs))
        hint = f"{counted(hidden, 'hidden file')} passed by" if hidden else "is the folder right?"
        raise MissingError("no notes in the input", where=inputs[0], hint=hint)
    if out is None or out == "-":
        return _to_stdout(items, target)
    folder = Path(out)
    refuse_overlap(inputs, folder)
    _refuse_model(folder)
    _refuse_device(folder)
    lone = len(items) == 1 and not Path(inputs[0]).is_dir()
    names_file = is_file_name(out)
    tasks = tuple(_tasks(items, target, folder, is_file=lone and names_file, names_file=names_file))
    _refuse_collisions(tasks)
    _refuse_overwriting(tasks)
    return tasks


def unmarked(inputs: Iterable[str], tasks: Iterable[Task]) -> int:
    """Return how many files of the input folders a plan of gold leaves out."""
    read = {item.source.path for task in tasks for item in task.items}
    folders = {Path(name) for name in inputs if Path(name).is_dir()}
    return len({file for folder in folders for file in note_files(folder)} - read)


def passed_by(inputs: Iterable[str]) -> tuple[Path, ...]:
    """Return the hidden files of the input folders, which are not read."""
    folders = [Path(name) for name in inputs if Path(name).is_dir()]
    return tuple(file for folder in folders for file in hidden_below(folder))


def _refuse_device(out: Path) -> None:
    """Raise where a device or pipe would make room for a file."""
    if out.exists() and not (out.is_file() or out.is_dir()):
        hint = "name a file or folder, or give - for standard output"
        raise SettingsError("is neither a file nor a folder", where=str(out), hint=hint)


def is_file_name(out: str) -> bool:
    """Tell whether an output path names a file: it has a suffix, and is and asks for no folder."""
    path = Path(out)
    asks_folder = out.endswith(("/", "/."))
    return bool(path.suffix) and not asks_folder and not path.is_dir()


def _items(name: str, forced: Format | None) -> Iterator[Item]:
    if name == "-":
        source = Source(None, Digest())
        yield Item(source, forced or detect_format(source), PurePath("stdin"))
        return
    top = Path(name)
    if _is_stdin(top):
        yield from _items("-", forced)
        return
    if not top.is_dir():
        source = Source(top, Digest())
        if forced is None or not is_note_format(forced):
            source.refuse_pipe()
        if not source.is_pipe:
            source.open().close()  # a lone file that cannot be read ends the run here
        yield Item(source, forced or detect_format(source), PurePath(top.name), source.size)
        return
    for path in note_files(top):
        source = Source(path)
        try:
            kind = forced or detect_format(source)
        except InputError:
            kind = get_format("text")  # what cannot be opened fails as a note of its own
        yield Item(source, kind, path.relative_to(top), source.size)


def _marked(items: list[Item]) -> list[Item]:
    """Leave out texts that nobody annotated, where others have their .ann beside them."""
    if not any(item.format.name == BRAT for item in items):
        return items
    return [item for item in items if not isinstance(cast(object, item.format), DetectedText)]


def _is_stdin(path: Path) -> bool:
    """Tell whether a path is another name of the pipe at standard input, such as /dev/stdin."""
    try:
        is_pipe = path.is_fifo() or path.is_socket()
        return is_pipe and os.path.samestat(path.stat(), os.fstat(0))
    except OSError:
        return False


def _stat(path: Path) -> os.stat_result | None:
    """Return what is known of a file; None for a link to nowhere, of which reading tells."""
    try:
        return path.stat()
    except OSError:
        return None


def _tasks(
    items: Sequence[Item], target: Format | None, out: Path, *, is_file: bool, names_file: bool
) -> Iterator[Task]:
    notes = tuple(item for item in items if is_note_format(item.format))
    if notes and (target is None or is_note_format(target)):
        yield Task(notes, target, out.parent if is_file else out, out if is_file else None)
    elif notes and target is not None:
        yield Task(notes, target, out if names_file else named_file(out, "notes", target))
    for item in items:
        if is_note_format(item.format):
            continue
        kind = target or item.format
        if is_note_format(kind):
            yield Task((item,), kind, out if len(items) == 1 else out / item.below.with_suffix(""))
        elif is_file:
            yield Task((item,), kind, out)
        elif kind is item.format:
            yield Task((item,), kind, out / item.below)
        else:
            yield Task((item,), kind, named_file(out / item.below.parent, item.below.stem, kind))


def named_file(folder: Path, stem: str, kind: Format) -> Path:
    """Return the path of a file of many notes in a folder."""
    return folder / f"{stem}{kind.suffix}"


def _to_stdout(items: Sequence[Item], target: Format | None) -> tuple[Task, ...]:
    kind = target or items[0].format
    if len(items) > 1 or (is_note_format(kind) and not is_note_format(items[0].format)):
        raise SettingsError("standard output holds one file", hint="say where to write with -o")
    if kind.name in ("brat", "parquet", "i2b2-2006"):
        raise SettingsError(
            f"{kind.name} cannot go to standard output", hint="say where to write with -o"
        )
    return (Task(tuple(items), kind, STDOUT),)


def refuse_overlap(inputs: Iterable[str], out: Path) -> None:
    """Raise where the output would be read as input, or written over it."""
    target = out.resolve()
    for name in inputs:
        if name == "-":
            continue
        source = Path(name).resolve()
        if target == source or (source.is_dir() and target.is_relative_to(source)):
            raise SettingsError(
                "the output is inside the input",
                where=str(out),
                hint="write somewhere else, so that notes are not read again or overwritten",
            )


def _refuse_model(folder: Path) -> None:
    """Raise where notes would stand in a model's folder, and be passed on with it."""
    for place in (folder, *folder.absolute().parents):
        with suppress(PhiscrubError):
            read_manifest(place, str(place))
            break
    else:
        return
    raise SettingsError(
        "is a model's folder",
        where=str(place),
        hint="write somewhere else: notes beside a model would be passed on with it",
    )


def output_path(task: Task, item: Item) -> Path:
    """Return where the note of an item is written, its suffix the target format's.

    A note that stays in its format keeps its whole name.
    """
    if task.single is not None:
        return task.single
    kind = task.format_of(item)
    if item.format.name == kind.name and kind.name != "brat":
        return task.out / item.below
    return task.out / item.below.with_suffix(kind.suffix)


def _refuse_collisions(tasks: Sequence[Task]) -> None:
    taken: dict[Path, Path | None] = {}
    from_tables = {task.out for task in tasks if task.writes_notes and not task.reads_notes}
    for task in tasks:
        for path, item in _named(task):
            by_id = task.reads_notes and path.parent in from_tables
            if path in taken or by_id:
                other = "the notes of a table" if by_id else taken[path]
                raise SettingsError(
                    f"{other} and {item.source.path} would be written to the same "
                    + ("folder" if by_id else "file"),
                    where=str(path),
                    hint="give them separate runs, or rename one",
                )
            taken[path] = item.source.path
    lone = {task.out for task in tasks if not task.writes_notes}
    folders = {path for task in tasks for path in task.out.parents}
    folders |= {task.out for task in tasks if task.writes_notes}
    for path in lone & folders:
        raise SettingsError(
            "would be a file and a folder",
            where=str(path),
            hint=f"the input has notes and tables: name a folder, {path}/",
        )


def _named(task: Task) -> Iterator[tuple[Path, Item]]:
    """Yield where a task writes, as far as that is known, and what is written there."""
    if task.reads_notes and task.writes_notes:
        yield from ((output_path(task, item), item) for item in task.items)
    else:
        yield task.out, task.items[0]


def _refuse_overwriting(tasks: Sequence[Task]) -> None:
    """Raise where an input, by whatever name, would be written over, or notes beside it by ids."""
    inputs: set[tuple[int, int]] = set()
    homes: set[Path] = set()
    for item in (item for task in tasks for item in task.items):
        if item.source.path is not None:
            inputs.update(_marks(item.source.path, item.format))
            homes.add(item.source.path.parent)
    for task in tasks:
        by_id = task.writes_notes and not task.reads_notes
        known = {mark for home in homes for mark in _marks(home)} if by_id else inputs
        for path, item in _named(task):
            if any(mark in known for mark in _marks(path, task.format_of(item))):
                raise SettingsError(
                    "notes would be written among the inputs, and by their ids over them"
                    if by_id
                    else "an input would be written over",
                    where=str(path),
                    hint="write to another folder",
                )


def _marks(path: Path, kind: Format | None = None) -> Iterator[tuple[int, int]]:
    """Yield what tells a file, and those beside it that a note has more of, if they are there."""
    for suffix in (path.suffix, *(() if kind is None else BESIDE.get(kind.name, ()))):
        with suppress(OSError, ValueError):  # ValueError: `.` has no suffix
            found = path.with_suffix(suffix).stat() if suffix else path.stat()
            yield found.st_dev, found.st_ino


def staging_folder(tasks: Sequence[Task]) -> Path:
    """Return the folder that a run keeps its state in: in the output folder, or beside a file."""
    task = tasks[0]
    if task.out == STDOUT:
        return Path(tempfile.mkdtemp(prefix="phiscrub-"))
    lone = task.single if task.writes_notes else task.out
    if len(tasks) == 1 and lone is not None:
        return hidden_beside(lone, STAGING)
    return (task.out if task.writes_notes else task.out.parent) / STAGING


def total_bytes(tasks: Iterable[Task]) -> int:
    """Return how many bytes the inputs of the tasks have, standard input not counted."""
    return sum(item.size for task in tasks for item in task.items)


def fingerprint_of(tasks: Iterable[Task], options: Options) -> list[object]:
    """Return what must be the same for a run to be gone on with: files, sizes, times, options."""
    files: list[object] = []
    for task in tasks:
        for item in task.items:
            stat = None if item.source.path is None else _stat(item.source.path)
            seen = None if stat is None else (stat.st_size, stat.st_mtime_ns)
            files.append((task.name, str(item.source.path), item.format.name, seen))
        files.append(None if task.target is None else task.target.name)
    told = (options.encoding, options.text_columns, options.id_column, options.subject_column)
    return [*files, *told, options.delimiter, options.escape, options.scheme, options.max_note]
