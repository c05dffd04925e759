"""The `embed` commands that learn word vectors: train, study."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli import embedlook
from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.embedding import (
    LEARNING,
    Algorithm,
    Digits,
    Dimensions,
    Epochs,
    Lower,
    MinCount,
    MinNotes,
    Notes,
    Questions,
    Reading,
    Threads,
    TokenizerName,
    Unit,
    Window,
    questions_of,
    tokens_bar,
)
from phiscrub.cli.embedstudy import study_page, study_table
from phiscrub.cli.printed import print_json, stdout
from phiscrub.cli.report import stderr
from phiscrub.core.errors import SettingsError
from phiscrub.embeddings.files import FORMATS, format_of, write_embedding
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.study import PARTS, Step
from phiscrub.embeddings.study import study as over_parts
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.training import Training
from phiscrub.embeddings.training import train as learn
from phiscrub.formats.private import write_private
from phiscrub.jobs.reports import refuse_losses
from phiscrub.tokenize.registry import DEFAULT


def register(app: typer.Typer) -> None:
    """Add the commands to the program."""
    group = typer.Typer(
        help="Word vectors: learn, look at, judge, compose and convert them.", no_args_is_help=True
    )
    for command, *lines in (
        (
            train,
            "phiscrub embed train notes/ -o notes.safetensors --digits glued",
            "phiscrub embed train notes.csv --column text --algorithm rnnlm -o notes.vec",
        ),
        (embedlook.neighbours, "phiscrub embed neighbours notes.safetensors fever metformin"),
        (embedlook.analogies, "phiscrub embed analogies notes.safetensors --questions en"),
        (study, "phiscrub embed study notes/ --questions en --picture study.html"),
        (embedlook.coverage, "phiscrub embed coverage notes.safetensors glove.txt --notes notes/"),
        (
            embedlook.convert,
            "phiscrub embed convert GoogleNews.bin google.safetensors --most 500000",
        ),
    ):
        group.command(epilog=opt.examples(*lines))(command)
    app.add_typer(group, name="embed")


def train(
    notes: Notes,
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            help="File to write; the suffix tells the format: .safetensors, .bin, .vec, .txt, "
            ".glove. Only .safetensors keeps the settings and parts of words.",
        ),
    ],
    algorithm: Algorithm = "cbow",
    dimensions: Dimensions = None,
    window: Window = 5,
    min_count: MinCount = 2,
    min_notes: MinNotes = 1,
    drop_rare: Annotated[
        bool,
        typer.Option("--drop-rare", help="Leave rare words out; no UNK.", rich_help_panel=LEARNING),
    ] = False,
    digits: Digits = "none",
    lower: Lower = False,
    unit: Unit = "sentence",
    tokenizer: TokenizerName = DEFAULT,
    epochs: Epochs = None,
    negative: Annotated[
        int,
        typer.Option(min=1, help="Words drawn against each right one.", rich_help_panel=LEARNING),
    ] = 5,
    subwords: Annotated[
        int,
        typer.Option(
            min=0,
            help="Buckets for parts of words, from which unseen words get vectors; 0 for none.",
            rich_help_panel=LEARNING,
        ),
    ] = 0,
    write_as: Annotated[
        str | None, typer.Option("--to", help=f"Format: {', '.join(FORMATS)}.")
    ] = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    column: opt.Column = None,
    max_note: opt.MaxNote = 20,
    threads: Threads = 1,
    seed: own.Seed = 1,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Learn word vectors from notes, annotated or not.

    The file holds words of the notes, names among them where they are frequent: only its owner
    may read it. Before it is given away, raise --min-notes.
    """
    format_of(output, write_as)
    refuse_losses(notes, {"--output": output})
    training = Training(
        algorithm,
        dimensions or 0,
        window,
        min_count,
        min_notes,
        not drop_rare,
        epochs or 0,
        negative,
        seed,
        threads,
        subwords,
    )
    read = Reading(opt.read_options(encoding, max_note, column, None, None, None, None), read_as)
    normalise = Normalise(digits, lower)
    text = Text.of(read.notes(notes, tokenizer, quiet=quiet), normalise, unit)
    with tokens_bar(text.tokens * training.rounds, quiet=quiet) as tick:
        embedding = learn(text, training, normalise, output.stem, tick)
    about = {**embedding.about, "tokenizer": tokenizer, "unit": unit}
    write_embedding(replace(embedding, about=about), output, write_as)
    if as_json:
        print_json({**about, "normalise": asdict(normalise), "output": str(output)})
    elif not quiet:
        told = about["text"]
        stderr().print(
            f"{len(embedding.vectors):,} words of {embedding.dimensions} dimensions from "
            f"{told['tokens']:,} tokens of {told['notes']:,} notes -> {output}"
        )


def study(
    notes: Notes,
    questions: Questions = "en",
    parts: Annotated[int, typer.Option(min=2, help="Parts that the notes are cut into.")] = PARTS,
    picture: Annotated[
        Path | None,
        typer.Option(help="Write a picture (.svg), or one with the table (.html), to this file."),
    ] = None,
    algorithm: Algorithm = "cbow",
    dimensions: Dimensions = None,
    window: Window = 5,
    min_count: MinCount = 2,
    digits: Digits = "none",
    lower: Lower = False,
    unit: Unit = "sentence",
    tokenizer: TokenizerName = DEFAULT,
    epochs: Epochs = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    column: opt.Column = None,
    max_note: opt.MaxNote = 20,
    threads: Threads = 1,
    seed: own.Seed = 1,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Show whether more notes would give better vectors: analogies over parts of the notes.

    Vectors are learned from 1/4, 2/4, 3/4 and all of the notes, or as many steps as --parts says;
    the same questions are asked of each, and successive ones are compared by a t test of paired
    figures.
    """
    if picture is not None and picture.suffix not in (".svg", ".html"):
        raise SettingsError("is no picture", where=str(picture), hint="name it .svg or .html")
    refuse_losses(notes, {"--picture": picture})
    asked = questions_of(questions)
    training = Training(
        algorithm,
        dimensions or 0,
        window,
        min_count,
        epochs=epochs or 0,
        seed=seed,
        threads=threads,
    )
    read = Reading(opt.read_options(encoding, max_note, column, None, None, None, None), read_as)
    normalise = Normalise(digits, lower)
    text = Text.of(read.notes(notes, tokenizer, quiet=quiet), normalise, unit)
    work = sum(text.tokens * part // parts for part in range(1, parts + 1)) * training.rounds

    def told(step: Step) -> None:
        if not quiet and not sys.stderr.isatty():
            own.tell([f"{_part(step)}: similarity {step.similarity:.4f}"])

    with tokens_bar(work, quiet=quiet) as tick:
        found = over_parts(text, asked, training, normalise, parts=parts, tick=told, inner=tick)
    if picture is not None:
        write_private(picture, study_page(found, html=picture.suffix == ".html"))
    if as_json:
        print_json(asdict(found))
    else:
        stdout().print(study_table(found))


def _part(step: Step) -> str:
    """Say which part of the notes a step learned from."""
    return f"{step.part:.0%} of the notes"
