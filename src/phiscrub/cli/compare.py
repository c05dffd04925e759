"""The `compare` command: systems side by side on one gold, with the significance of differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli import options as opt
from phiscrub.cli.pairing import Missing
from phiscrub.cli.printed import plain_table, stdout
from phiscrub.cli.report import stderr
from phiscrub.cli.request import Request
from phiscrub.cli.scoring import Result, score
from phiscrub.cli.sideformat import FormatName, detected
from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import shown
from phiscrub.evaluate.headline import SEED, headlines
from phiscrub.evaluate.sample import drawn, subjects_of
from phiscrub.evaluate.uncertainty import (
    FIGURES,
    Difference,
    Interval,
    paired_bootstrap,
    randomisation,
)
from phiscrub.formats.private import write_json
from phiscrub.jobs.reports import refuse_losses

SURE = 0.05  # a p-value below is marked
FEWEST = 2
EXAMPLE = "phiscrub compare --gold gold/ --system found/ --system other/ --json figures.json"
COLUMNS = ("", "figure", "95 %", "differs", "95 %", "p boot", "p rand", "")


@dataclass(frozen=True, slots=True)
class Against:
    """A system's figure, and where it is not the first one, how it differs from that one's.

    `randomised` is the p-value of approximate randomisation; that of the difference is from the
    paired bootstrap.
    """

    system: str
    interval: Interval
    difference: Difference | None = None
    randomised: float | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One figure of all systems; `drawn` is what its intervals are over."""

    name: str
    measure: str
    figure: str
    drawn: str
    systems: tuple[Against, ...]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(EXAMPLE))(compare)


def compare(
    gold: Annotated[Path, typer.Option(help="Folder of gold files, or a file of mentions.")],
    system: Annotated[
        list[Path], typer.Option(help="A system's folder or file; give it once a system.")
    ],
    format: Annotated[  # noqa: A002 - the option's name
        FormatName | None, typer.Option(help="Format of all; by default told by the files.")
    ] = None,
    missing: Annotated[
        Missing, typer.Option(help="What to do with gold documents that a system lacks.")
    ] = Missing.ERROR,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write all figures to this file.")
    ] = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
) -> None:
    """Compare systems on the same gold, each with the first one that is given.

    Differences have 95 % intervals and p-values of the paired bootstrap and of approximate
    randomisation, over documents, or over patients where those are known.
    """
    if len(system) < FEWEST:
        raise SettingsError("there is nothing to compare", hint="give --system twice or more")
    refuse_losses([gold, *system], {"--json": json_file})
    reading = opt.read_options(None, 20, column, id_column, subject_column, None, None)
    systems: list[tuple[str, Result]] = []
    for folder in system:
        kind = detected(format, gold, folder)
        results = score(Request(gold, folder, kind, missing=missing, reading=reading))
        show_notices(results, str(folder))
        systems += named(folder, results)
    lines = against_first(systems)
    if json_file is not None:
        write_json(json_file, [asdict(line) for line in lines])
    show_lines(lines)


def against_first(systems: Sequence[tuple[str, Result]]) -> list[Line]:
    """Compare every system with the first.

    Raises `SettingsError` where one has no text, or was scored on other documents.
    """
    rows = []
    for name, result in systems:
        if result.masking is None:
            raise SettingsError(
                "columns of tags cannot be compared", hint="score each, and read the figures"
            )
        rows.append((name, headlines(result.labels, result.masking)))
    scored = systems[0][1].samples
    known, over = subjects_of(scored), drawn(scored)
    lines = []
    for at, first in enumerate(rows[0][1]):
        figure, found = FIGURES[first.figure], [Against(rows[0][0], first.interval(known))]
        for name, own in rows[1:]:
            pair = first.tally, own[at].tally
            found.append(
                Against(
                    name,
                    own[at].interval(known),
                    paired_bootstrap(*pair, figure, seed=SEED, subjects=known),
                    randomisation(*pair, figure, seed=SEED, subjects=known),
                )
            )
        lines.append(Line(first.name, first.measure, first.figure, over, tuple(found)))
    return lines


def named(folder: Path, results: Sequence[Result]) -> list[tuple[str, Result]]:
    """Name the systems that a folder holds."""
    return [(f"{folder}, {one.system}" if one.system else str(folder), one) for one in results]


def show_notices(results: Sequence[Result], system: str = "") -> None:
    """Say on standard error what to mind in the figures of the systems that a folder holds."""
    console = stderr()
    for result in results:
        name = ", ".join(filter(None, (system, result.system and f"system {result.system}")))
        before = f"{name}: " if name else ""
        for ids, what in (
            (result.missing, "gold documents are not among the system's"),
            (result.extra, "of the system's documents have no gold, and are not scored"),
        ):
            if ids:
                console.print(f"{before}{len(ids)} {what}: {shown(ids)}")
        for notice in result.notices:
            console.print(f"{before}{notice}")


def show_lines(lines: Sequence[Line]) -> None:
    """Print a table a figure, a row a system; systems are numbered in their order."""
    out = stdout()
    for number, one in enumerate(lines[0].systems, 1):
        out.print(f"{number}: {one.system}", soft_wrap=True)
    out.print(f"Intervals and p-values are over {lines[0].drawn}, drawn again.")
    for line in lines:
        table = plain_table(line.name)
        for name in COLUMNS:
            table.add_column(name, justify="right", no_wrap=True, min_width=min(6, len(name)))
        for number, one in enumerate(line.systems, 1):
            table.add_row(str(number), *_cells(one))
        out.print(table)
    out.print(
        "Differences are from system 1. p: of the paired bootstrap, and of approximate "
        f"randomisation; * where both are below {SURE:g}"
    )


def _cells(one: Against) -> tuple[str, ...]:
    value, there = one.interval, one.difference
    own = (
        "–" if value.value is None else f"{value.value:.4f}",
        f"{value.low:.3f}–{value.high:.3f}",
    )
    if there is None or one.randomised is None:
        return own
    sure = there.p < SURE and one.randomised < SURE
    return (
        *own,
        f"{there.value:+.4f}",
        f"{there.low:+.3f} {there.high:+.3f}",
        f"{there.p:.4f}",
        f"{one.randomised:.4f}",
        "*" if sure else "",
    )
