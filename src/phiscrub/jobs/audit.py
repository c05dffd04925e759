"""The account of a run: what became of which note, of which files, without a word of either."""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phiscrub.core.errors import PhiscrubError, Place
from phiscrub.core.mention import Annotated
from phiscrub.core.version import VERSION
from phiscrub.formats.digest import Digest
from phiscrub.formats.record import Failure, Record, is_note_format
from phiscrub.formats.stream import STDOUT
from phiscrub.jobs.ledger import Lines
from phiscrub.jobs.plan import BESIDE, Item, Task
from phiscrub.jobs.reports import AUDIT_ROWS, ROW


class Audit:
    """Rows of notes and of files, and a last one with the totals and a hash of those before it.

    A file of one note has its rows beside the note's, one of many notes behind them.
    """

    def __init__(self, lines: Lines, pipeline: str) -> None:
        self._lines, self._pipeline = lines, pipeline

    def note(
        self, item: Item, record: Record, given: Annotated, text: str, mentions: Mapping[str, int]
    ) -> None:
        """Say what became of a note: `text` is what was written in place of it."""
        document = given.document
        self._add(
            "note",
            item.source.name,
            document.id,
            number_of(item, record),
            record.line,
            len(document.text),
            dict(sorted(mentions.items())),
            hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
            self._pipeline,
            VERSION,
        )

    def kept_back(self, error: PhiscrubError, number: int | None) -> None:
        """Say which note, or which whole file, was kept back, and why."""
        where = error.where if isinstance(error.where, Place) else Place()
        self._add("kept back", where.path, where.record, number, where.line, error.what)

    def read(self, item: Item, *, is_whole: bool = True) -> None:
        """Say what the files of an item were; what came by a pipe must have been read to its end.

        What cannot be told, of a file that cannot be read, is null.
        """
        source, path = item.source, item.source.path
        if path is None or source.is_pipe:
            self._file("input", source.name, source.digest if is_whole else None)
            return
        beside = sorted(BESIDE.get(item.format.name, ()))
        for file in [path.with_suffix(suffix) for suffix in beside] or [path]:
            self._file("input", str(file), Digest.of(file))

    def wrote(self, path: Path, content: bytes) -> None:
        """Say what a file of one note is."""
        self._file("output", str(path), Digest(content))

    def ended(self, task: Task, printed: Digest, *, is_whole: bool) -> None:
        """Say what the files of many notes of a task are; a broken one has no output."""
        if not task.reads_notes:
            self.read(task.items[0], is_whole=is_whole)
        if is_whole and task.out == STDOUT:
            self._file("output", "standard output", printed)
        elif is_whole and not task.writes_notes:
            self._file("output", str(task.out), Digest.of(task.out))

    def duplicates(self) -> int:
        """Count the ids that several notes of one file have, eight bytes of memory a note."""
        seen = array("Q")
        for line in self._lines.rows():
            row = json.loads(line)
            if row[ROW] == "note":
                name = json.dumps([row["source"], row["note"]]).encode()
                seen.frombytes(hashlib.blake2b(name, digest_size=8).digest())
        ordered = np.sort(np.frombuffer(seen, dtype=np.uint64)) if seen else np.empty(0)
        twice = ordered[1:] == ordered[:-1]
        return len(np.unique(ordered[1:][twice]))

    def close(self, totals: Mapping[str, Any]) -> None:
        """Sum up: counts, and how many rows stand above and their hash, so that none can go."""
        rows, above = 0, hashlib.sha256()
        for line in self._lines.rows():
            rows += 1
            above.update(line)
        counts = [totals[name] for name in AUDIT_ROWS["end"] if name in totals]
        self._add("end", *counts, rows, above.hexdigest(), self._pipeline, VERSION)

    def _file(self, kind: str, name: str, digest: Digest | None) -> None:
        told = (None, None) if digest is None else (digest.size, digest.sha256)
        self._add(kind, name, *told)

    def _add(self, kind: str, *cells: object) -> None:
        self._lines.add({ROW: kind, **dict(zip(AUDIT_ROWS[kind], cells, strict=True))})


def number_of(item: Item, record: Record | Failure) -> int:
    """Return the number of a record in its file, from 1."""
    return 1 if is_note_format(item.format) else record.after.index
