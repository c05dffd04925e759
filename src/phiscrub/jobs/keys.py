"""Whether the keys that the user named stand in what is read: a misspelt one would leak."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from phiscrub.core.errors import InputError, MissingError
from phiscrub.formats.record import Options
from phiscrub.formats.source import HEAD, Source
from phiscrub.formats.stream import CHUNK
from phiscrub.jobs.plan import Task

JSON = ("json", "jsonl")  # whose records may each lack a key; tables refuse for themselves
ESCAPE = re.compile(r"\\u[0-9a-f]{4}")


def refuse_unknown_keys(tasks: Iterable[Task], options: Options) -> None:
    """Raise `MissingError` for a named key that no JSON record of the whole run has.

    Of standard input only the first bytes are looked at, and trusted where there are more.
    """
    named = (*options.text_columns, options.id_column, options.subject_column)
    wanted = {key: _pattern(key, options.encoding) for key in named if key is not None}
    sources = [i.source for task in tasks for i in task.items if i.format.name in JSON]
    seen = False
    for source in sources if wanted else ():
        for data in _chunks(source, max(map(len, wanted)) * 6 + 9):
            seen = seen or not data.isspace()
            wanted = {key: mark for key, mark in wanted.items() if not mark.search(data)}
            if not wanted:
                return
    if wanted and seen:
        raise MissingError(
            f"no record has the key {next(iter(wanted))!r}",
            where=sources[0].name if len(sources) == 1 else None,
            hint="check its spelling: small and capital letters differ",
        )


def _chunks(source: Source, overlap: int) -> Iterable[bytes]:
    """Yield the bytes of a file, each piece with the end of the one before it."""
    if source.path is None:
        head = source.head()
        yield from [head] if 0 < len(head) < HEAD else []
        return
    try:
        with source.open() as file:
            last = b""
            while data := file.read(CHUNK):
                yield last + data
                last = data[-overlap:]
    except InputError:
        return  # told where it is read


def _pattern(key: str, encoding: str | None) -> re.Pattern[bytes]:
    """Return what finds a key in JSON, its letters written as such or as escapes."""
    escaped = json.dumps(key)
    bare = json.dumps(key, ensure_ascii=False).encode(encoding or "utf-8", "replace")
    upper = ESCAPE.sub(lambda match: match[0][:2] + match[0][2:].upper(), escaped)
    forms = {bare, escaped.encode(), upper.encode()}
    return re.compile(b"(?:" + b"|".join(map(re.escape, sorted(forms))) + rb")\s*:")
