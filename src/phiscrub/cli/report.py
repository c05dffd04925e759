"""What a run shows on the terminal: a progress bar while it goes, a summary at its end."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from phiscrub.core.wording import counted
from phiscrub.core.wording import listed as enumerated
from phiscrub.formats.annotated import left_out
from phiscrub.formats.mentions import WHERE
from phiscrub.jobs.summary import Summary

CONVERTED = "converted"  # the verb of what only passes annotations on


def stderr() -> Console:
    """Return a console on standard error, which takes words as they are."""
    return Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)


@contextmanager
def progress_bar(total: int, *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error if that is a terminal; yield what advances it, in bytes."""
    if quiet or not sys.stderr.isatty():
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=stderr(), transient=True) as bar:
        task = bar.add_task("notes", total=total or None)
        yield lambda size: bar.advance(task, size)


def _beside(summary: Summary) -> Iterator[str]:
    """Yield what there is to say of what passes through beside the notes."""
    if summary.unscrubbed:
        yield (
            f"columns that look like notes were not scrubbed: {', '.join(summary.unscrubbed)}; "
            "name every column that holds notes with --column"
        )
    if summary.identifying:
        yield (
            "columns that hold what was removed from the notes beside them, and pass through: "
            f"{', '.join(summary.identifying)}; drop them, or scrub them with --column"
        )
    if summary.identifying_names:
        yield (
            "names of files, folders or notes that hold what was removed from the note, and pass "
            f"through: {summary.identifying_names:,}; rename the files before, or name another "
            "column of ids with --id-column"
        )


def _there(summary: Summary, out: str) -> Iterator[str]:
    """Yield what there is to say of files that an earlier run, or somebody else, left."""
    if summary.foreign:
        yield (
            f"files in {out} that this run did not write: {summary.foreign:,}; look whether they "
            "may be passed on, or write to a new folder"
        )


def _amiss(summary: Summary, verb: str) -> Iterator[str]:
    """Yield what a user hardly meant: patients that nobody knows, annotations that are not read."""
    if summary.unknown_subjects:
        most = summary.unknown_subjects * 2 > summary.written
        yield (
            f"of no patient that --subjects knows: {summary.unknown_subjects:,} of "
            f"{counted(summary.written, 'note')}; what is known of patients was not sought there"
            + ("; are the keys written alike, in case and zeros too?" if most else "")
        )
    if verb == CONVERTED and summary.written and not summary.mentions:
        yield f"no annotation was found: {WHERE}"


def _left_out(summary: Summary) -> Iterator[str]:
    """Say what of the input was not to be written."""
    yield from left_out(0, summary.declined)
    if summary.left_out:
        yield (
            "left out as no mentions (relations, attributes, comments): "
            f"{counted(summary.left_out, 'annotation')}"
        )


def _merged(labels: Iterable[str], written_as: Mapping[str, str]) -> Iterator[str]:
    """Say which labels the output cannot tell apart any more."""
    parted: dict[str, list[str]] = {}
    for label in sorted(labels):
        parted.setdefault(written_as.get(label, label), []).append(label)
    for name, own in sorted(parted.items()):
        if len(own) > 1:
            yield f"written as {name} alike: {enumerated(own)}"


def show_summary(
    summary: Summary,
    seconds: float,
    out: str,
    *,
    verb: str,
    listed: Path | None,
    quiet: bool,
    as_json: bool,
    more: Mapping[str, object],
    written_as: Mapping[str, str],
) -> None:
    """Print what a run did; failures, and warnings of leaks, are shown even when quiet.

    `listed` is where all is told that was not done, if anywhere; JSON has `more` beside the totals.
    `written_as` is what labels are called in the output.
    """
    console = stderr()
    for line in summary.failures:
        console.print(f"kept back: {line}")
    hidden = summary.kept_back - len(summary.failures)
    if hidden > 0:
        where = f"{listed} lists all" if listed else "give --quarantine FILE to have all listed"
        console.print(f"… and {hidden} more; {where}")
    if as_json:
        row = {**summary.totals(), **more, "seconds": round(seconds, 3), "output": out}
        told = json.dumps(row, ensure_ascii=False)
        told = told.encode("utf-8", "backslashreplace").decode()  # a file's name may be no UTF-8
        sys.stdout.write(told + "\n")
    for line in (*_beside(summary), *_there(summary, out), *_amiss(summary, verb)):
        console.print(line)
    if quiet or as_json:
        return
    rate = summary.characters / seconds if seconds else 0.0
    console.print(
        f"{summary.written:,} of {counted(summary.notes, 'note')} {verb} in {seconds:.1f} s "
        f"({rate:,.0f} characters a second)" + ("" if out == "-" else f" -> {out}")
    )
    if summary.passed_by:
        where = f"; {listed} lists them" if listed else ""
        console.print(f"{counted(summary.passed_by, 'hidden file')} passed by{where}")
    if summary.empty:
        console.print(f"without a word: {counted(summary.empty, 'note')}")
    if summary.duplicate_ids:
        console.print(
            f"{counted(summary.duplicate_ids, 'id')} of several notes of one file; record and line "
            "in the audit tell them apart"
        )
    for line in _left_out(summary):
        console.print(line)
    if summary.mentions:
        table = Table(box=None, pad_edge=False)
        table.add_column("label")
        table.add_column("mentions", justify="right")
        for label, count in sorted(summary.mentions.items(), key=lambda row: (-row[1], row[0])):
            table.add_row(label, f"{count:,}")
        console.print(table)
    for line in _merged(summary.mentions, written_as):
        console.print(line)
