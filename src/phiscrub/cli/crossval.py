"""The `crossval` command: every note tagged by a model that has not seen it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.htmlreport import report
from phiscrub.cli.printed import plain_table, print_json, stdout
from phiscrub.cli.scoring import Result, of_samples
from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.wording import counted, share
from phiscrub.evaluate.headline import headlines
from phiscrub.evaluate.masking import DOCUMENTS, ENTITIES, Masking
from phiscrub.evaluate.rows import by_label, masked
from phiscrub.evaluate.sample import drawn, subjects_of
from phiscrub.evaluate.uncertainty import Interval
from phiscrub.formats.private import write_private
from phiscrub.jobs.cores import usable_cores
from phiscrub.jobs.reports import refuse_losses
from phiscrub.train.corpus import Corpus, check_training, keep_apart, on_both_sides
from phiscrub.train.crossval import Fold, Line, Plan, Spread, lines, run, samples
from phiscrub.train.fit import features_of
from phiscrub.train.folds import Groups, by_piece, deal, set_aside
from phiscrub.train.schedule import Run

EXAMPLES = (
    "phiscrub crossval phiscrub-crf --data gold/ --folds 5",
    "phiscrub crossval berg-dalianis2019-crf --data target/ --extra news.conll --hold-out 0.1",
    "phiscrub crossval phiscrub-crf --data gold/ -o folds/   # resumes there",
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(crossval)


def crossval(
    recipe: own.RecipeName,
    data: Annotated[Path, typer.Option(help="Folder or file of annotated notes.")],
    folds: Annotated[int | None, typer.Option(help="Number of folds; by default 10.")] = None,
    by: own.Unparted = None,
    groups: Annotated[
        Path | None,
        typer.Option(
            help="File of lines NOTE,GROUP (a writer, a ward): groups stay whole, and without "
            "--folds each is a fold."
        ),
    ] = None,
    extra: Annotated[
        list[Path] | None,
        typer.Option(help="More notes, folded too and only added to training; may be repeated."),
    ] = None,
    hold_out: Annotated[
        float,
        typer.Option(
            min=0, max=0.5, help="Share of the notes set aside to stop training early by."
        ),
    ] = 0.0,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Folder that keeps what is done, so that a run resumes."
        ),
    ] = None,
    report_file: Annotated[
        Path | None, typer.Option("--report", help="Write an HTML report of all notes here.")
    ] = None,
    show_text: Annotated[
        bool, typer.Option("--show-text", help="Quote the notes in the report, not shapes.")
    ] = False,
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
    vectors: own.Vectors = None,
    device: own.Device = "cpu",
    seed: own.Seed = 1,
    workers: own.Jobs = 0,
    quick: own.Quick = False,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Cross-validate a recipe: mean and spread over folds, and figures over all notes.

    Folds have like amounts of text, and run side by side. A fold's models never see its notes.
    """
    reading = opt.read_options(encoding, 20, column, id_column, subject_column, None, scheme)
    refuse_losses([data, *(extra or ())], {"--report": report_file, "--output": output})
    begun = time.monotonic()
    stated = own.chosen(recipe, without, quick=quick)
    target = own.Wanted(reading, read_as, labels, cut=cut).corpus(data)
    more = own.Wanted(reading, read_as, target.label_set, cut=cut)
    others = [more.corpus(path) for path in extra or ()]
    spoken = own.spoken(language, target)
    own.tell(check_training(target, None, others))
    for corpus in others:
        keep_apart(corpus, target)
        own.tell(on_both_sides(corpus, target))
    parted = _groups(target, by, groups)
    if quick:
        target = target.sample(own.QUICK_TRAIN)
        others = [corpus.sample(own.QUICK_TRAIN) for corpus in others]
    if stated.network is None and stated.stack is None:
        features_of(stated.spoken(spoken), spoken)  # what is wrong shows before any worker starts
    dev = set_aside(target, parted, hold_out, seed) if hold_out else ()
    tested = target.without(dev)
    left = {parted[note.document.id] for note in tested.notes}
    number = folds or (len(left) if groups else 10)
    plan = Plan(
        stated,
        spoken,
        tested,
        tuple(deal(tested, parted, number, seed)),
        tuple((c, tuple(deal(c, by_piece(c), number, seed))) for c in others),
        target.only(dev) if dev else None,
        Run(device=device, seed=seed, vectors=vectors),
    )
    with own.counting(number, "folds", quiet=quiet) as tick:
        done = run(plan, output, workers or usable_cores(), lambda fold: tick(_told(fold, tested)))
    parts = samples(tested, done)
    rows = lines(parts)
    seconds = time.monotonic() - begun
    result = of_samples([sample for part in parts for sample in part])
    if report_file is not None:
        html = report([result], redacted=not show_text)
        write_private(report_file, html)
    if as_json:
        table = {"seconds": round(seconds, 1), "seed": seed, **_json(rows, result)}
        whole = {**table, "pooled": own.measures(result)}
        print_json(whole)
        return
    console = stdout()
    if result.masking is not None:
        console.print(_table(rows, number, result.masking))
        console.print(_leaks(result.masking))
    value = _pooled(result)[""]
    console.print(
        f"F1 over all notes at once: {share(value.value)} ({value.low:.3f}–{value.high:.3f} "
        f"at 95 %, over {drawn(result.samples)} drawn again)"
    )
    own.tell([] if quiet else [f"{counted(number, 'fold')} in {seconds:.0f} s"])


def _groups(corpus: Corpus, by: own.By | None, file: Path | None) -> Groups:
    if file is None:
        return own.unparted(corpus, by)
    try:
        text = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise MissingError("cannot be read", where=str(file), hint="lines NOTE,GROUP") from None
    rows = [line.rpartition(",") for line in text.splitlines() if line.strip()]
    known = {note.strip(): group.strip() for note, _, group in rows}
    whole = {n.document.id: corpus.origin(n.document.id) for n in corpus.notes}
    lost = [name for name in whole.values() if name not in known]
    if lost:
        raise SettingsError(
            f"{counted(len(lost), 'note')} of {corpus.name} have no group, such as {lost[0]}",
            where=str(file),
            hint="a line is NOTE,GROUP",
        )
    return {name: known[origin] for name, origin in whole.items()}


def _told(fold: Fold, target: Corpus) -> str:
    f1 = lines(samples(target, [fold]))[-1].pooled.f1
    return f"fold {fold.number + 1}: {counted(len(fold.found), 'note')}, F1 {share(f1)}"


def _leaks(masking: Masking) -> str:
    entities, documents = masking.total(ENTITIES), masking.total(DOCUMENTS)
    return (
        f"{entities.missed} of {entities.hit + entities.missed} mentions leak, in "
        f"{documents.missed} of {documents.hit + documents.missed} notes with identifiers"
    )


def _table(rows: Sequence[Line], number: int, masking: Masking) -> Table:
    table = plain_table(
        f"Mean over {number} folds, ± standard deviation (place and label right)", collapsed=True
    )
    table.add_column("", overflow="fold")
    for name in ("gold", "P", "R", "F1", "pooled", "masked"):
        table.add_column(name, justify="right", no_wrap=True)
    for row in rows:
        if not row.label:
            table.add_section()
        gold = row.pooled.hit + row.pooled.missed
        spreads = map(_spread, (row.precision, row.recall, row.f1))
        hidden = masked(masking, row.label).total if row.label else masking.total(ENTITIES)
        shares = share(row.pooled.f1), share(hidden.recall)
        table.add_row(row.label or "all", f"{gold:,}", *spreads, *shares)
    table.caption = (
        "pooled: F1 over all notes at once\nmasked: share of mentions of which no letter or digit "
        "is left, whatever they were called"
    )
    return table


def _spread(spread: Spread) -> str:
    if spread.deviation is None:
        return share(spread.mean)
    return f"{share(spread.mean)} ±{spread.deviation:.3f}".replace("±0.", "±.")


def _pooled(result: Result) -> dict[str, Interval]:
    """Return F1 over all notes at once with its bounds, by label and of all ('')."""
    if result.masking is None:
        return {}
    whose = subjects_of(result.samples)
    rows = by_label(result.labels, result.masking, whose)
    (whole,) = (line for line in headlines(result.labels, result.masking) if line.figure == "f1")
    return {row.name: row.f1 for row in rows} | {"": whole.interval(whose)}


def _json(rows: Sequence[Line], result: Result) -> dict[str, object]:
    bounds = _pooled(result)
    table = {
        row.label or "all": {
            "folds": [asdict(counts) for counts in row.folds],
            "precision": asdict(row.precision),
            "recall": asdict(row.recall),
            "f1": asdict(row.f1),
            "pooled_f1": row.pooled.f1,
            "pooled_f1_bounds": [bounds[row.label].low, bounds[row.label].high],
        }
        for row in rows
    }
    return {"drawn": drawn(result.samples), "labels": table}
