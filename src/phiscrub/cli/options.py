"""Options that several commands share, and what they mean for the rooms below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.core.errors import SettingsError
from phiscrub.formats.encoding import known_encoding
from phiscrub.formats.record import Options
from phiscrub.tokenize.registry import get_tokenizer

IN_FILES, IN_TABLES, RUN, ABOUT = "Input and output", "Tables", "The run", "What is found"

Inputs = Annotated[
    list[str] | None,
    typer.Argument(
        help="Files, folders, or - for standard input. PDF, RTF, Office files, images, HTML and "
        "unknown XML are kept back: export them as text.",
        show_default=False,
    ),
]
Out = Annotated[
    str | None,
    typer.Option(
        "--output",
        "-o",
        help="File or folder to write, a folder with / at its end; standard output if left out.",
        rich_help_panel=IN_FILES,
    ),
]
From = Annotated[
    str | None,
    typer.Option("--from", help="Input format, instead of detection.", rich_help_panel=IN_FILES),
]
To = Annotated[
    str | None,
    typer.Option("--to", help="Output format; by default the input's.", rich_help_panel=IN_FILES),
]
Found = Annotated[
    str | None,
    typer.Option(
        "--to",
        help="Output format; one that holds annotations, by default jsonl.",
        rich_help_panel=IN_FILES,
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(help="Encoding of the input, instead of detection.", rich_help_panel=IN_FILES),
]
MaxNote = Annotated[
    float,
    typer.Option(
        "--max-note",
        help="Longest note, in millions of characters; a longer one is kept back.",
        rich_help_panel=IN_FILES,
    ),
]
Markup = Annotated[
    bool,
    typer.Option(
        "--markup",
        help="Read notes in tables, JSON and annotated files that are HTML or RTF as text, tags "
        "and all, instead of keeping them back: their escapes can hide parts of names. Of plain "
        "text files --from text does that.",
        rich_help_panel=IN_FILES,
    ),
]
Column = Annotated[
    list[str] | None,
    typer.Option(
        "--column",
        help="Column or key that holds notes; may be given several times. "
        "By default the one called note, text, note_text, report, …",
        rich_help_panel=IN_TABLES,
    ),
]
IdColumn = Annotated[
    str | None,
    typer.Option("--id-column", help="Column with the note's id.", rich_help_panel=IN_TABLES),
]
SubjectColumn = Annotated[
    str | None,
    typer.Option(
        "--subject-column", help="Column with the patient's key.", rich_help_panel=IN_TABLES
    ),
]
Delimiter = Annotated[
    str | None,
    typer.Option(help="Column delimiter, instead of detection.", rich_help_panel=IN_TABLES),
]
Escape = Annotated[
    str | None,
    typer.Option(
        help="Sign before a delimiter, line end or itself that is text, in tables that do not "
        "quote such cells: '\\' for MySQL's, Hive's and Python's. They are written so, too.",
        rich_help_panel=IN_TABLES,
    ),
]
Scheme = Annotated[
    str | None,
    typer.Option(
        help="Tag scheme of CoNLL columns: BIO, IOB1, BIOES, BILOU or IO.",
        rich_help_panel=IN_TABLES,
    ),
]
PipelineName = Annotated[
    str,
    typer.Option(
        "--pipeline",
        "-p",
        help="Language of the notes (en, es, sv; auto tells it note by note), a TOML file, or the "
        "folder of a trained model.",
        rich_help_panel=ABOUT,
    ),
]
Mode = Annotated[
    str | None,
    typer.Option(
        help="Of a language: balanced (by default), safe (leaves least, and removes more that is "
        "harmless), fast (no network), or rules (no model).",
        rich_help_panel=ABOUT,
    ),
]
Models = Annotated[
    list[Path] | None,
    typer.Option(
        "--model",
        help="Folder of a trained model, which runs alone instead of a pipeline; several, given "
        "one by one, run as an ensemble.",
        rich_help_panel=ABOUT,
    ),
]
Labels = Annotated[
    str | None,
    typer.Option(
        help="Label set of what is written: i2b2, i2b2-2006, hipaa, meddocan, stockholm, "
        "ontonotes, conll, suc, vigibase.",
        rich_help_panel=ABOUT,
    ),
]
SourceLabels = Annotated[
    str | None,
    typer.Option(
        "--source-labels",
        help="Label set of what is read, where its format does not say; by default the hub i2b2 "
        "or the only set that has all labels of the input.",
        rich_help_panel=ABOUT,
    ),
]
OwnLabels = Annotated[
    list[str] | None,
    typer.Option(
        "--map",
        metavar="OWN=LABEL",
        help="What a label of your own is called in the set of --labels, by default i2b2; OWN= "
        "drops its mentions. Repeatable.",
        rich_help_panel=ABOUT,
    ),
]
Policy = Annotated[
    str | None,
    typer.Option(
        help="What is removed: i2b2, safe-harbor, limited-data-set, gdpr, or a TOML file; "
        "by default the pipeline's. See phiscrub policies.",
        rich_help_panel=ABOUT,
    ),
]
Replace = Annotated[
    str | None,
    typer.Option(
        "--replace",
        help="What stands in: tags, surrogates, phi, stars, templates or remove; "
        "by default the pipeline's.",
        rich_help_panel=ABOUT,
    ),
]
Subjects = Annotated[
    Path | None,
    typer.Option(
        help="CSV of what is known of each patient (names, dates, numbers, addresses): it is "
        "removed from that patient's notes. A table needs --subject-column.",
        rich_help_panel=ABOUT,
    ),
]
Workers = Annotated[
    int,
    typer.Option(
        "--workers",
        "-w",
        min=0,
        help="Processes; 0 means one a core that it may use, where the input is large.",
        rich_help_panel=RUN,
    ),
]
Resume = Annotated[
    bool,
    typer.Option(
        "--resume", help="Go on with the same command's interrupted run.", rich_help_panel=RUN
    ),
]
Audit = Annotated[
    Path | None,
    typer.Option(
        help="Write a JSON line a note and a file, and one with the totals: counts, hashes, "
        "version; no text. Replaces an earlier audit, and no other file.",
        rich_help_panel=RUN,
    ),
]
Quarantine = Annotated[
    Path | None,
    typer.Option(
        help="Where notes that were kept back are listed; by default beside the output. Replaces "
        "an earlier list, and no other file.",
        rich_help_panel=RUN,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="No progress bar, no summary; what warns of a leak is said all the same.",
        rich_help_panel=RUN,
    ),
]
Json = Annotated[
    bool,
    typer.Option(
        "--json", help="Print the summary as JSON on standard output.", rich_help_panel=RUN
    ),
]


def examples(*lines: str) -> str:
    """Return the end of a command's help: lines to copy."""
    return f"Example{'s' * (len(lines) > 1)}:\n\n" + "\n\n".join(f"  {line}" for line in lines)


def read_options(
    encoding: str | None,
    max_note: float,
    columns: Sequence[str] | None,
    id_column: str | None,
    subject_column: str | None,
    delimiter: str | None,
    scheme: str | None,
    escape: str | None = None,
    *,
    doubts: bool = False,
) -> Options:
    """Make the options that files are read with; `max_note` is in millions of characters.

    `doubts` is for those that pass on the cells beside the notes.
    Raises `SettingsError` where that is not above 0, or there is no such encoding.
    """
    if max_note <= 0:
        raise SettingsError("--max-note is not above 0", hint="give millions of characters")
    if encoding is not None:
        known_encoding(encoding)
    return Options(
        encoding=encoding,
        text_columns=tuple(columns or ()),
        id_column=id_column,
        subject_column=subject_column,
        delimiter="\t" if delimiter in ("\\t", "tab") else delimiter,
        escape=escape,
        doubts=doubts,
        scheme=scheme,
        tokenizer=get_tokenizer(),
        max_note=int(max_note * 1_000_000),
    )


def write_options(options: Options, scheme: str | None, *, verbatim: bool = False) -> Options:
    """Make the options that files are written with: UTF-8, and the scheme that was asked for."""
    return replace(options, encoding=None, scheme=scheme, verbatim=verbatim)
