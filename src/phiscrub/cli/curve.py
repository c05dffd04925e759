"""The `curve` command: how much more annotation would buy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.htmlpictures import page, rising
from phiscrub.cli.printed import plain_table, print_json, stdout
from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import counted, share
from phiscrub.formats.private import write_private
from phiscrub.jobs.reports import refuse_losses
from phiscrub.train.corpus import check_training
from phiscrub.train.curve import Forecast, Point, default_sizes, forecast, learn
from phiscrub.train.folds import by_piece, joined_by_patient, set_aside

EXAMPLES = (
    "phiscrub curve phiscrub-crf --data gold/ --sizes 25,50,100,200",
    "phiscrub curve phiscrub-crf --data gold/train --dev gold/dev --picture curve.svg",
)
TESTED = 0.2  # of the notes, where no others are given


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(curve)


def curve(
    recipe: own.RecipeName,
    data: Annotated[Path, typer.Option(help="Folder or file of annotated notes.")],
    sizes: Annotated[
        str | None,
        typer.Option(help="Numbers of notes, parted by commas; by default doubling up to all."),
    ] = None,
    dev: Annotated[
        Path | None,
        typer.Option(help="Notes to test on; by default a fifth of --data is set aside."),
    ] = None,
    by: own.Unparted = None,
    picture: Annotated[
        Path | None, typer.Option(help="Write the curve as an SVG picture to this file.")
    ] = None,
    language: own.Language = None,
    labels: own.LabelSetName = None,
    without: own.Without = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    scheme: opt.Scheme = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
    cut: own.Cut = 0,
    seed: own.Seed = 1,
    quick: own.Quick = False,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Show how figures grow with the number of annotated notes, and what more would give.

    Each set of training notes holds the one before it; all are tested on the same notes.
    """
    reading = opt.read_options(encoding, 20, column, id_column, subject_column, None, scheme)
    refuse_losses([data, *([dev] if dev else ())], {"--picture": picture})
    stated = own.chosen(recipe, without, quick=quick)
    target = own.Wanted(reading, read_as, labels, cut=cut).corpus(data)
    if dev is None:
        groups = own.unparted(target, by)
        if by is None and len(set(groups.values())) * TESTED < 1:
            groups = joined_by_patient(target, by_piece(target))
        ids = set_aside(target, groups, TESTED, seed)
        target, tested = target.without(ids), target.only(ids)
        if not len(target):
            raise SettingsError(
                f"{target.name} cannot be parted into notes to learn from and notes to test on",
                hint="give other notes with --dev; loose sentences are parted by --cut 20",
            )
    else:
        tested = own.Wanted(reading, read_as, target.label_set, cut=cut).corpus(dev)
    own.tell(check_training(target, tested))
    spoken = own.spoken(language, target)
    if quick:
        target, tested = target.sample(own.QUICK_TRAIN), tested.sample(own.QUICK_DEV)
    asked = default_sizes(len(target)) if sizes is None else _numbers(sizes)
    with own.counting(len(set(asked)), "sizes", quiet=quiet) as tick:
        points = learn(
            stated,
            spoken,
            target,
            tested,
            sizes=asked,
            seed=seed,
            tick=lambda p: tick(f"{counted(p.notes, 'note')}: F1 {p.exact.f1 or 0:.3f}"),
        )
    ahead = forecast(points)
    if picture is not None:
        drawn = rising([(p.notes, p.exact.f1 or 0.0) for p in points], "notes", "strict F1")
        write_private(picture, page(drawn))
    if as_json:
        rows = [{**asdict(p), "f1": p.exact.f1, "masked_recall": p.masked.recall} for p in points]
        table = {"points": rows, "forecast": None if ahead is None else asdict(ahead)}
        print_json(table)
        return
    console = stdout()
    console.print(_table(points, len(tested)))
    for line in _told(points, ahead):
        console.print(line)


def _numbers(sizes: str) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in sizes.split(","))
    except ValueError:
        raise SettingsError(
            "--sizes is no list of numbers", hint="such as --sizes 25,50,100"
        ) from None


def _table(points: Sequence[Point], tested: int) -> Table:
    table = plain_table(f"By number of training notes; tested on {counted(tested, 'note')}")
    for name in ("notes", "mentions", "P", "R", "F1", "gain", "masked"):
        table.add_column(name, justify="right", no_wrap=True)
    before: float | None = None
    for point in points:
        f1 = point.exact.f1
        gain = "" if before is None or f1 is None else f"{f1 - before:+.3f}"
        ratios = (point.exact.precision, point.exact.recall, f1)
        table.add_row(
            f"{point.notes:,}",
            f"{point.mentions:,}",
            *map(share, ratios),
            gain,
            share(point.masked.recall),
        )
        before = f1
    table.caption = "F1: place and label right; masked: mentions of which nothing is left"
    return table


def _told(points: Sequence[Point], ahead: Forecast | None) -> list[str]:
    """Say what twice and four times the notes would give, by the curve through the points."""
    if ahead is None:
        return ["no forecast: it takes three sizes or more, and figures that rise"]
    most = points[-1].notes
    told = [f"{counted(most * by, 'note')}: F1 about {ahead.f1(most * by):.3f}" for by in (2, 4)]
    return [f"If the curve goes on as it is, {'; '.join(told)} (a forecast, not a measure)"]
