"""The `evaluate` command: gold against a system's output, measured as the official scorers do."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli import options as opt
from phiscrub.cli.compare import against_first, named, show_lines, show_notices
from phiscrub.cli.htmlreport import report
from phiscrub.cli.insights import Question, insights
from phiscrub.cli.insights import as_json as answered
from phiscrub.cli.pairing import Missing
from phiscrub.cli.request import Request
from phiscrub.cli.scoretable import show, show_insight
from phiscrub.cli.scoring import Result, score
from phiscrub.cli.sideformat import FormatName, detected
from phiscrub.evaluate.fields import official_masking
from phiscrub.evaluate.rows import Row, by_category, by_label
from phiscrub.evaluate.sample import drawn, subjects_of
from phiscrub.evaluate.usefulness import LANGUAGES
from phiscrub.formats.private import write_json, write_private
from phiscrub.jobs.reports import refuse_losses

EXAMPLES = (
    "phiscrub evaluate --gold gold/ --system found/ --json figures.json",
    "phiscrub evaluate --gold gold.jsonl --system found.jsonl --html report.html --redacted",
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(evaluate)


def evaluate(
    gold: Annotated[Path, typer.Option(help="Folder of gold files, or a file of columns.")],
    system: Annotated[Path, typer.Option(help="Folder of the system's files, or a file.")],
    format: Annotated[  # noqa: A002 - the option's name
        FormatName | None, typer.Option(help="Format of both; by default told by the files.")
    ] = None,
    scheme: Annotated[
        str | None,
        typer.Option(help="Tag scheme of columns, read strictly; by default each that fits."),
    ] = None,
    sentences: Annotated[
        Path | None,
        typer.Option(help="Folder with a line a sentence for each document (leak score)."),
    ] = None,
    missing: Annotated[
        Missing, typer.Option(help="What to do with gold documents that the system lacks.")
    ] = Missing.ERROR,
    json_file: Annotated[
        Path | None, typer.Option("--json", help="Write all measures to this file.")
    ] = None,
    html_file: Annotated[
        Path | None,
        typer.Option("--html", help="Write a report with every leak in its context to this file."),
    ] = None,
    redacted: Annotated[
        bool, typer.Option("--redacted", help="Show shapes instead of text in the report.")
    ] = False,
    useful: Annotated[
        str | None,
        typer.Option(
            help=f"Language ({', '.join(LANGUAGES)}): count too what share of drugs, doses, "
            "laboratory values, diagnoses and the like survives."
        ),
    ] = None,
    by_type: Annotated[
        str | None,
        typer.Option(
            metavar="folder|name|KEY",
            help="What says which type a note is of: its first folder, the words of its file's "
            "name, or a key or column of its record; by default note_type, type or category, else "
            "the folder.",
        ),
    ] = None,
    risk_threshold: Annotated[
        float,
        typer.Option(help="Highest acceptable chance that a note is re-identified."),
    ] = 0.09,
    risk_attempt: Annotated[
        float, typer.Option(help="Chance that somebody tries to re-identify a note.")
    ] = 1.0,
    direct: Annotated[
        list[str] | None,
        typer.Option(
            help="Label that identifies by itself, all not named only together; by default "
            "names of patients, streets, contacts and numbers. Repeatable."
        ),
    ] = None,
    other: Annotated[
        Path | None,
        typer.Option("--compare", help="Another system's folder: how does it differ?"),
    ] = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
) -> None:
    """Compare a system's output with gold annotations.

    Gives the measures of the i2b2 2014 and MEDDOCAN scripts, conlleval, seqeval and nervaluate,
    what share of the identifiers was masked, whatever they were called, and how likely a note is
    to be re-identified by what was not.
    """
    refuse_losses(
        [gold, system, *filter(None, (sentences, other))],
        {"--json": json_file, "--html": html_file},
    )
    question = Question(
        useful, risk_threshold, risk_attempt, None if direct is None else tuple(direct)
    )
    reading = opt.read_options(None, 20, column, id_column, subject_column, None, None)
    request = Request(
        gold,
        system,
        detected(format, gold, system),
        scheme or None,
        sentences,
        missing,
        by_type,
        reading,
    )
    results = score(request)
    answers = insights(results, question)
    if json_file is not None:
        whole = as_json(results) | answered(answers)
        write_json(json_file, whole)
    if html_file is not None:
        write_private(html_file, report(results, redacted=redacted, insights=answers))
    show_notices(results)
    for result in results:
        show(result)
        if result.system in answers:
            show_insight(answers[result.system])
    if other is not None:
        others = score(replace(request, system=other, format=detected(format, gold, other)))
        show_notices(others, str(other))
        show_lines(against_first(named(system, results) + named(other, others)))


def as_json(results: list[Result]) -> dict[str, object]:
    """Return all results as the evaluation kit has them, with every leak by its place.

    Holds no text of a note. `exact` has figures by category and by label with their bounds;
    `reference_not_official` repeats the masking measures of a single system, which no official
    script has.
    """
    whole: dict[str, object] = {
        "systems": {result.system: result.measures for result in results},
        "documents": {
            result.system: {
                "scored": result.documents,
                "missing": list(result.missing),
                "extra": list(result.extra),
            }
            for result in results
        },
        "leaks": {
            result.system: [
                {
                    "document": leak.document,
                    "start": leak.start,
                    "end": leak.end,
                    "labels": list(leak.labels),
                    "uncovered": [list(place) for place in leak.uncovered],
                }
                for leak in result.masking.leaks
            ]
            for result in results
            if result.masking is not None
        },
    }
    whole["exact"] = {
        result.system: {
            "drawn": drawn(result.samples),
            "categories": _rows(by_category(*exact)),
            "labels": _rows(by_label(*exact)),
        }
        for result in results
        if result.masking is not None
        for exact in ((result.labels, result.masking, subjects_of(result.samples)),)
    }
    if len(results) == 1 and results[0].masking is not None:
        only = results[0]
        whole["reference_not_official"] = official_masking(only.measures, results[0].masking)
    return whole


def _rows(rows: list[Row]) -> dict[str, object]:
    return {row.name: asdict(row) for row in rows}
