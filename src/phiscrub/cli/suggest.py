"""The `suggest` command: which notes to annotate next."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, cast

import typer

from phiscrub.cli import options as opt
from phiscrub.cli.printed import plain_table, print_json, stdout
from phiscrub.core.contracts import Tagger
from phiscrub.core.errors import MissingError
from phiscrub.detect.tagging.manifest import FILE
from phiscrub.formats.annotated import documents
from phiscrub.pipeline.load import load_pipeline
from phiscrub.train.suggest import suggest as choose

EXAMPLE = "phiscrub suggest our-model --pool notes/ -n 20"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(EXAMPLE))(suggest)


def suggest(
    model: Annotated[Path, typer.Argument(help="Folder of a trained model.")],
    pool: Annotated[Path, typer.Option(help="Folder or file of notes to choose from.")],
    number: Annotated[int, typer.Option("-n", min=1, help="How many notes to suggest.")] = 20,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    max_note: opt.MaxNote = 20,
    as_json: opt.Json = False,
) -> None:
    """Suggest which notes to annotate next, the most useful first.

    Chosen are notes in whose words the model has most doubt for their length, and other words
    than those chosen before: twenty copies of one puzzle teach no more than one.
    """
    if not (model / FILE).is_file():
        hint = "give the folder that phiscrub train wrote"
        raise MissingError("is no model", where=str(model), hint=hint)
    reading = opt.read_options(encoding, max_note, column, id_column, None, None, None)
    pipeline = load_pipeline(str(model))
    notes = list(documents(pool, reading, read_as))
    if not notes:
        raise MissingError("holds no notes", where=str(pool), hint="check the path")
    found = choose(notes, pipeline.tokenizer, cast(Tagger, pipeline.detectors[0][1]), number)
    if as_json:
        print_json([asdict(one) for one in found])
        return
    table = plain_table(f"{len(found)} of {len(notes)} notes to annotate next")
    table.add_column("note", overflow="fold")
    for name in ("tokens", "doubt", "gain"):
        table.add_column(name, justify="right", no_wrap=True)
    for one in found:
        table.add_row(one.document, f"{one.tokens:,}", f"{one.doubt:.1f}", f"{one.gain:.2f}")
    table.caption = (
        "doubt: tokens that the model expects to get wrong\n"
        "gain: what the note adds to those above, for its length"
    )
    stdout().print(table)
