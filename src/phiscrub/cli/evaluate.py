"""The `evaluate` command: gold against a system's output, measured as the official scorers do."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli.pairing import Missing, shown
from phiscrub.cli.report import stderr
from phiscrub.cli.scoretable import show
from phiscrub.cli.scoring import Request, Result, score
from phiscrub.core.errors import OutputError, SettingsError
from phiscrub.evaluate.fields import official_masking

PRIVATE = 0o600


class FormatName(StrEnum):
    """What the two folders hold."""

    I2B2 = "i2b2"
    MEDDOCAN = "meddocan"
    BRAT = "brat"
    CONLL = "conll"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(evaluate)


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
) -> None:
    """Compare a system's output with gold annotations.

    Gives the measures of the i2b2 2014 and MEDDOCAN scripts, conlleval, seqeval and nervaluate,
    and what share of the identifiers was masked, whatever they were called.
    """
    request = Request(
        gold, system, (format or _detected(gold)).value, scheme or None, sentences, missing
    )
    results = score(request)
    if json_file is not None:
        _write(json_file, as_json(results))
    for line in _notices(results):
        stderr().print(line, markup=False)
    for result in results:
        show(result)


def as_json(results: list[Result]) -> dict[str, object]:
    """Return all results as the evaluation kit has them, with every leak by its place.

    Holds no text of a note. `reference_not_official` repeats the masking measures of a single
    system, which no official script has.
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
    if len(results) == 1 and results[0].masking is not None:
        only = results[0]
        whole["reference_not_official"] = official_masking(only.measures, results[0].masking)
    return whole


def _detected(gold: Path) -> FormatName:
    """Tell what the gold side holds from the names of its files."""
    if gold.is_file():
        return FormatName.CONLL
    suffixes = {path.suffix for path in gold.iterdir()} if gold.is_dir() else set()
    if ".xml" in suffixes and ".ann" not in suffixes:
        return FormatName.I2B2
    if ".ann" in suffixes and ".xml" not in suffixes:
        return FormatName.BRAT
    known = ", ".join(FormatName)
    raise SettingsError(
        f"cannot tell the format of {gold}", hint=f"name it with --format; known: {known}"
    )


def _notices(results: list[Result]) -> Iterator[str]:
    for result in results:
        name = f"system {result.system}: " if result.system else ""
        for ids, what in (
            (result.missing, "gold documents are not in the system's folder"),
            (result.extra, "of the system's documents have no gold, and are not scored"),
        ):
            if ids:
                yield f"{name}{len(ids)} {what}: {shown(ids)}"
        yield from (f"{name}{notice}" for notice in result.notices)


def _write(path: Path, content: dict[str, object]) -> None:
    """Write JSON that only the owner can read: ids of documents may identify."""
    try:
        with open(path, "w", encoding="utf-8", opener=_private) as file:
            json.dump(content, file, ensure_ascii=False, allow_nan=False, indent=1)
            file.write("\n")
    except OSError as error:
        raise OutputError(f"cannot be written: {error.strerror}", where=str(path)) from None


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, PRIVATE)
