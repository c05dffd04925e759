"""The `subjects` command: names that a patient's notes tell, for the patient's other notes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli import options as opt
from phiscrub.cli.report import stderr
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.wording import listed
from phiscrub.detect.subjects import written_subjects
from phiscrub.formats.private import write_private
from phiscrub.formats.record import Failure, Options, Position
from phiscrub.jobs.plan import Task, plan
from phiscrub.jobs.read import entries
from phiscrub.jobs.reports import refuse_losses
from phiscrub.pipeline.load import load_any
from phiscrub.pipeline.patients import Gathered

EXAMPLES = (
    "phiscrub subjects notes.csv -o patients.csv --subject-column patient_id",
    "phiscrub scrub notes.csv -o clean.csv --subject-column patient_id --subjects patients.csv",
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=opt.examples(*EXAMPLES))(subjects)


def subjects(
    inputs: opt.Inputs = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="CSV of patients to write.")
    ] = None,
    pipeline: opt.PipelineName = "en",
    mode: opt.Mode = None,
    label: Annotated[
        list[str] | None,
        typer.Option(help="Label whose words are kept, PATIENT and DOCTOR by default."),
    ] = None,
    least_score: Annotated[
        float, typer.Option(min=0, max=1, help="Score from which a mention is believed.")
    ] = 0.85,
    read_as: opt.From = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    subject_column: opt.SubjectColumn = None,
    delimiter: opt.Delimiter = None,
    escape: opt.Escape = None,
    encoding: opt.Encoding = None,
    max_note: opt.MaxNote = 20,
    quiet: opt.Quiet = False,
) -> None:
    """Gather the names that each patient's notes tell, so that they go from all of them.

    The table holds identifiers: only its owner may read it. Give it to phiscrub scrub or detect
    with --subjects; columns of your own may be added.
    """
    if output is None:
        raise SettingsError("no file to write", hint="name one with -o; it will hold identifiers")
    refuse_losses(inputs or ["-"], {"--output": output})
    wanted = frozenset(label or ("PATIENT", "DOCTOR"))
    known = label_set(HUB).labels
    for name in sorted(wanted - set(known)):
        raise SettingsError(f"--label {name} is none of {HUB}", hint=f"known: {listed(known)}")
    reading = opt.read_options(
        encoding, max_note, column, id_column, subject_column, delimiter, None, escape
    )
    loaded = load_any(pipeline, mode)
    gathered = Gathered(wanted, least_score)
    tasks = plan(inputs or ["-"], f"{output}.notes", read_as, None)  # which are never written
    gathered.read(loaded, _documents(tasks, reading))
    found = gathered.subjects()
    if not found:
        raise SettingsError(
            "no note says whose it is",
            hint="name the column with --subject-column, or files PATIENT-RECORD",
        )
    write_private(output, written_subjects(found))
    if not quiet:
        count = sum(len(subject.known) for subject in found.values())
        stderr().print(f"{count:,} names of {len(found):,} patients -> {output}")


def _documents(tasks: Sequence[Task], options: Options) -> Iterator[Document]:
    """Yield the notes that can be read; scrubbing tells of the others."""
    for task in tasks:
        for _, record in entries(task, options, Position())[1]:
            if not isinstance(record, Failure):
                yield from (note.document for note in record.notes)
