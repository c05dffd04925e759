"""The names that notes go out under, and whether those identify."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

from phiscrub.formats.record import Position, Record
from phiscrub.formats.stream import STDOUT
from phiscrub.jobs.beside import SAMPLE
from phiscrub.jobs.plan import Item, Task, output_path
from phiscrub.jobs.sought import Sought
from phiscrub.jobs.work import Outcome

DIGIT = re.compile(r"\d")


class Called:
    """Counts names of files, folders and notes that hold what was removed from their note.

    The name of a file of many notes is looked at beside the first of them, and counts once.
    """

    def __init__(self, task: Task, begun: Position) -> None:
        self._task = task
        self._left = 0 if begun.index else SAMPLE

    def count(self, item: Item, record: Record, outcomes: Sequence[Outcome]) -> int:
        """Count those of a record's notes, and of its file."""
        own, shared = list(self._own(item, record)), set(self._shared(item))
        if not own and not shared:
            return 0
        sought = Sought.of(record, outcomes)
        if not sought.words:
            return 0
        self._left -= bool(self._left)
        found = sum(bool(sought.found_in(_parts(name))) for name in own)
        if any(sought.found_in(_parts(name)) for name in shared):
            self._left, found = 0, found + 1
        return found

    def _own(self, item: Item, record: Record) -> Iterator[PurePath]:
        """Yield the names of the notes; ids that stay in a table are looked at as its columns."""
        task = self._task
        if task.reads_notes and task.writes_notes:
            if task.out != STDOUT:
                path = output_path(task, item)
                yield PurePath(path.name) if task.single else path.relative_to(task.out)
        elif task.reads_notes or not task.keeps_format:
            counted = f"{item.source.stem}-{record.after.index}"  # of a note that has no id
            ids = (note.document.id for note in record.notes)
            yield from (PurePath(one) for one in ids if not one.startswith(counted))

    def _shared(self, item: Item) -> Iterator[PurePath]:
        """Yield the name of the file of many notes, or of its folder, and what ids have of it."""
        task, below = self._task, item.below.parts
        if task.reads_notes or not self._left:
            return
        if task.out != STDOUT:
            tail = task.out.parts[-len(below) :]
            yield PurePath(*tail) if tail[:-1] == below[:-1] else PurePath(task.out.name)
        if not task.keeps_format:
            yield PurePath(item.source.stem)


def _parts(name: PurePath) -> dict[str, str]:
    last = [name.stem, *([name.name] if DIGIT.search(name.suffix) else [])]
    return {part: part for part in (*name.parts[:-1], *last)}
