"""Which label set the notes of a run's input have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace

from phiscrub.core.errors import PhiscrubError, SettingsError
from phiscrub.core.labels import HUB, recognised
from phiscrub.core.wording import listed
from phiscrub.formats.record import Options, Position, Record
from phiscrub.jobs.plan import Item, Task
from phiscrub.jobs.read import entries


def spoken_in(tasks: Iterable[Task], options: Options) -> str:
    """Return the label set of the input: the one its formats fix, or that all its labels tell.

    Where a format fixes none, every file is read through once for its labels, so that they decide
    together and not those of the first notes. A pipe cannot be read twice: its labels are taken
    to be the hub's. Raises `LabelError` where the labels tell no set, and
    `SettingsError` where formats fix several.
    """
    tasks = tuple(tasks)
    found = {i.format.label_set for t in tasks for i in t.items if i.format.label_set}
    seen = {label for task in tasks for label in _labels(task, options)}
    if seen or not found:
        found.add(recognised(seen, (*sorted(found), HUB)).name)
    if len(found) > 1:
        raise SettingsError(
            f"the input has notes of several label sets: {listed(sorted(found))}",
            hint="convert those of each by themselves",
        )
    return found.pop()


def _labels(task: Task, options: Options) -> Iterator[str]:
    """Yield the labels of files whose format fixes no set, as far as they can be read."""
    items = tuple(item for item in task.items if _is_open(item))
    if not items:
        return
    with suppress(PhiscrubError):  # the run itself will tell
        for _, record in entries(replace(task, items=items), options, Position())[1]:
            if isinstance(record, Record):
                yield from (m.label for note in record.notes for m in note.mentions)


def _is_open(item: Item) -> bool:
    """Tell whether a file's labels are to be looked at, and can be read twice: no pipe can."""
    path = item.source.path
    known = not item.format.annotates or item.format.label_set is not None
    return not known and path is not None and path.is_file()
