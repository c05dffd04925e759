"""JSON that is read as plain text, where its escapes hide letters of names."""

from __future__ import annotations

import re

from phiscrub.cli.report import stderr
from phiscrub.core.errors import InputError
from phiscrub.formats.registry import get_format
from phiscrub.formats.source import Source
from phiscrub.jobs.plan import Task

ESCAPE = re.compile(rb"\\u[0-9a-fA-F]{4}")  # of a letter in JSON


def warn_of_escapes(read_as: str | None, tasks: tuple[Task, ...]) -> None:
    """Say which files are read as plain text though they are JSON whose escapes hide letters."""
    items = [item for task in tasks for item in task.items] if read_as == "text" else []
    found = [item.source.name for item in items if _has_escapes(item.source)]
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        stderr().print(
            f"{found[0]}{more}: JSON, whose escapes (\\u00e9) hide letters where it is read "
            "as text; leave out --from text"
        )


def _has_escapes(source: Source) -> bool:
    """Tell whether a file is JSON with such escapes; what cannot be read is told elsewhere."""
    try:
        head = b"" if source.is_pipe else source.head()
    except InputError:
        return False
    kinds = (get_format("jsonl"), get_format("json"))
    return ESCAPE.search(head) is not None and any(kind.sniff(head, source.path) for kind in kinds)
