"""Why a note is covered as it is, in colour."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from phiscrub.calibrate.certificate import told
from phiscrub.cli import options as opt
from phiscrub.cli.printed import stdout
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.formats.record import Failure, StreamFormat, is_note_format
from phiscrub.formats.registry import detect_format, get_format
from phiscrub.formats.source import Source
from phiscrub.pipeline.load import load_any, read_declaration
from phiscrub.pipeline.pipeline import Explanation
from phiscrub.pipeline.shipped import ANY

COLOURS = ("cyan", "green", "yellow", "magenta", "blue", "red", "bright_cyan", "bright_green")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command(epilog=opt.examples("phiscrub explain note.txt --pipeline en"))(explain)


def explain(
    file: str = typer.Argument(help="One note, or - for standard input.", show_default=False),
    read_as: opt.From = None,
    pipeline: opt.PipelineName = "en",
    mode: opt.Mode = None,
    encoding: opt.Encoding = None,
) -> None:
    """Show what each detector said of one note, and why the final cover is what it is.

    Prints the note's text: for the eyes of those who may read it.
    """
    source = Source(None if file == "-" else Path(file))
    kind = detect_format(source) if read_as is None else get_format(read_as)
    options = opt.read_options(encoding, 20, None, None, None, None, None)
    if is_note_format(kind):
        record = kind.load(source, options)
    else:
        first = next(iter(cast(StreamFormat, kind).open(source, options).records()), None)
        if first is None:
            raise SettingsError("holds no note", where=source.name)
        if isinstance(first, Failure):
            raise first.error
        record = first
    console = stdout()
    loaded = load_any(pipeline, mode)
    for note in record.notes:
        show(loaded.explain(note.document), console)
    if pipeline == ANY:
        return
    promised = read_declaration(pipeline, mode)[0].certificate
    if promised:
        console.print(told(promised, loaded.fingerprint))


def show(explanation: Explanation, console: Console) -> None:
    """Print the note with its cover marked, then every claim and its fate."""
    text = explanation.document.text
    marked, done = Text(), 0
    for mention in explanation.cover:
        span = mention.span
        marked.append(text[done : span.start])
        marked.append(text[span.start : span.end], style=f"bold {colour(mention.label)}")
        marked.append(f"[{mention.label}]", style=f"dim {colour(mention.label)}")
        done = span.end
    marked.append(text[done:])
    console.print(marked, soft_wrap=True)
    table = Table(title="Claims", title_justify="left")
    for column in ("offsets", "words", "label", "score", "said by", "fate"):
        table.add_column(column, justify="right" if column == "score" else "left")
    refined = set(explanation.refined)
    claimed = {m for _, mentions in explanation.claims for m in mentions}
    for mention in sorted(claimed | refined, key=lambda m: m.key):
        table.add_row(
            f"{mention.span.start}-{mention.span.end}",
            Text(" ".join(text[mention.span.start : mention.span.end].split())),
            Text(mention.label, style=colour(mention.label)),
            f"{mention.score:.2f}",
            mention.source,
            Text(fate(mention, explanation, refined)),
        )
    console.print(table)


def fate(mention: Mention, explanation: Explanation, refined: set[Mention]) -> str:
    """Say in a few words what became of a claim."""
    if mention not in refined:
        return "dropped by a refiner"
    if mention in explanation.cover.mentions:
        return "stands"
    winners = [m for m in explanation.cover if m.span.overlaps(mention.span)]
    winner = next((m for m in winners if m.source != mention.source), None)
    if winner is None:
        return "cut"
    return f"yields to {winner.label} by {winner.source}"


def colour(label: str) -> str:
    """Return a label's colour, the same in every run."""
    return COLOURS[sum(map(ord, label)) % len(COLOURS)]
