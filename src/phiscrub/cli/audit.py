"""The `audit-sample` command: which cleaned notes to review, and what the review proves."""

from __future__ import annotations

import csv
import io
import json
import secrets
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from phiscrub.calibrate.audit import Plan, Reviewed, Verdict, verdict
from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.printed import stdout
from phiscrub.core.document import Document
from phiscrub.core.errors import (
    EncodingError,
    InputError,
    MissingError,
    OutputError,
    Place,
    SettingsError,
)
from phiscrub.core.jsontext import strict_json
from phiscrub.core.wording import counted
from phiscrub.formats.annotated import documents
from phiscrub.formats.folder import note_files
from phiscrub.formats.private import write_private
from phiscrub.formats.record import Options
from phiscrub.formats.source import Source
from phiscrub.jobs.reports import refuse_losses

SHEET, PLAN, NOTES, WORDS = "review.csv", "plan.json", "notes", "words"
SEED_BITS = 32
COLUMNS = ("file", "note", "words", "reviewed", "leaks")
YES, NO = (
    frozenset(("yes", "y", "x", "1", "true", "ja", "sí", "si")),
    frozenset(("", "no", "n", "0")),
)
EXAMPLES = (
    "phiscrub audit-sample clean/ --bound 0.005 --confidence 0.95 -o review/",
    "phiscrub audit-sample --result review/review.csv",
)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("audit-sample", epilog=opt.examples(*EXAMPLES))(audit_sample)


def audit_sample(
    cleaned: Annotated[
        Path | None, typer.Argument(help="Folder or file of cleaned notes.", show_default=False)
    ] = None,
    bound: Annotated[
        float, typer.Option(help="The share of notes with leaks that is not to be exceeded.")
    ] = 0.005,
    confidence: Annotated[float, typer.Option(help="How sure that is to be.")] = 0.95,
    allow: Annotated[
        int,
        typer.Option(min=0, help="Leaking notes that the sample may show; more make it larger."),
    ] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder to write: the notes to review, and the sheet."),
    ] = None,
    result: Annotated[
        Path | None, typer.Option(help="A sheet that was filled in: what does it prove?")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(help="Seed of the draw; by default a new one, which the plan keeps."),
    ] = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    max_note: opt.MaxNote = 20,
    as_json: opt.Json = False,
) -> None:
    """Draw the smallest random sample of cleaned notes whose review bounds what leaks in all.

    The folder gets the notes, `review.csv` to fill in (reviewed: yes; leaks: how many words that
    identify were left, 0 for none), and `plan.json`. Given the sheet with --result, says how many
    notes leak at most; only the whole sample, reviewed, can show the bound.
    """
    if result is not None:
        if cleaned is not None or output is not None:
            raise SettingsError("--result goes alone", hint="give the sheet, and no folder")
        plan, words = _read_plan(result.with_name(PLAN))
        found = verdict(plan, read_sheet(result, words))
        _tell_json({"plan": asdict(plan), "verdict": asdict(found)}) if as_json else _tell(
            plan, found
        )
        return
    if cleaned is None or output is None:
        raise SettingsError("no notes or no folder to write", hint=f"such as {EXAMPLES[0]}")
    refuse_losses([cleaned], {"--output": output})
    reading = opt.read_options(encoding, max_note, column, id_column, None, None, None)
    there = [note is not None for note in _notes(cleaned, reading, read_as)]
    population, empty = sum(there), there.count(False)
    if not population:
        what = "holds only empty notes" if empty else "holds no notes"
        raise MissingError(what, where=str(cleaned), hint="check the path")
    if empty:
        own.tell([f"{counted(empty, 'empty note')} left out: where nothing is, nothing leaks"])
    drawn_by = secrets.randbits(SEED_BITS) if seed is None else seed
    plan = Plan.of(population, bound, confidence, allow, drawn_by)
    write_sample(plan, cleaned, reading, read_as, output)
    if as_json:
        _tell_json({"plan": asdict(plan)})
        return
    _say(
        f"{counted(plan.size, 'note')} of {population:,} to review, in {output / NOTES}.",
        f"If {'none' if not allow else f'at most {allow}'} of them leaks, then with confidence "
        f"{confidence:g} at most {bound:.3%} of all {population:,} do.",
        f"Fill in {output / SHEET}, all of it and in its order; then: phiscrub audit-sample "
        f"--result {output / SHEET}",
    )


def write_sample(
    plan: Plan, cleaned: Path, reading: Options, read_as: str | None, folder: Path
) -> None:
    """Write notes, sheet and plan into a new folder; raise `OutputError` where it is not empty."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError("is there and not empty", where=str(folder), hint="name a new folder")
    (folder / NOTES).mkdir(mode=0o700, parents=True, exist_ok=True)
    order = {place: number for number, place in enumerate(plan.places(), 1)}
    rows = []
    held = (note for note in _notes(cleaned, reading, read_as) if note is not None)
    for place, document in enumerate(held):
        if place in order:
            number = order[place]
            name = _file(number, plan.size)
            write_private(folder / name, document.text)
            rows.append((number, (name, document.id, len(document.text.split()), "", "")))
    rows.sort()
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(row for _, row in rows)
    write_private(folder / SHEET, sheet.getvalue())
    kept = asdict(plan) | {WORDS: [row[2] for _, row in rows]}
    write_private(folder / PLAN, json.dumps(kept) + "\n")


def _notes(path: Path, reading: Options, read_as: str | None) -> Iterator[Document | None]:
    """Yield every note, None for each that is empty: a file of no bytes, a text of blanks."""
    for file in note_files(path) if path.is_dir() else [path]:
        if path.is_dir() and file.suffix != ".ann" and not Source(file).head():
            yield None
            continue
        for document in documents(file, reading, read_as):
            yield document if document.text.strip() else None


def _file(number: int, size: int) -> str:
    return f"{NOTES}/{number:0{len(str(size))}}.txt"


def read_sheet(path: Path, words: Sequence[int]) -> list[Reviewed]:
    """Return the reviewed notes; raise `InputError` where they are no random sample, by line.

    That they are where the rows are those that were drawn, each once and in their order, and none
    was passed by: what was reviewed is the top of the sheet. `words` are those of each drawn note.
    """
    try:
        text = path.read_text("utf-8-sig")
    except FileNotFoundError:
        raise MissingError("no such file", where=str(path), hint="check the path") from None
    except UnicodeDecodeError:
        raise EncodingError("is not UTF-8", where=str(path), hint="save it as CSV UTF-8") from None
    head = text.partition("\n")[0]
    reader = csv.DictReader(io.StringIO(text), delimiter=";" if ";" in head else ",")
    if not set(COLUMNS) <= set(reader.fieldnames or ()):
        raise InputError(
            f"lacks one of the columns {', '.join(COLUMNS)}", where=str(path), hint="keep them all"
        )
    rows = list(_rows(reader, path, words))
    there = len(rows) + sum(1 for _ in reader)
    if there != len(words):
        raise InputError(
            f"has {there} notes, and {len(words)} were drawn",
            where=str(path),
            hint="a sample that lost or gained notes is none: keep every row",
        )
    found = [row for _, row in rows if row is not None]
    if not found:
        raise InputError("no note is reviewed", where=str(path), hint="say yes, and how many leaks")
    if any(row is None for _, row in rows[: len(found)]):
        line = next(line for line, row in rows if row is None)
        raise InputError(
            "this note was passed by",
            where=Place(str(path), line),
            hint="review from the top: what is picked is no random sample",
        )
    return found


def _rows(
    reader: csv.DictReader[str], path: Path, drawn: Sequence[int]
) -> Iterator[tuple[int, Reviewed | None]]:
    for number, (many, row) in enumerate(zip(drawn, reader, strict=False), 1):
        line, file = reader.line_num, _file(number, len(drawn))
        name, words, told, leaks = (
            (row[column] or "").strip().casefold() for column in (*COLUMNS[:1], *COLUMNS[2:])
        )
        if (name, words) != (file, str(many)):
            raise InputError(
                f"is not the row of {file} with its {counted(many, 'word')}, which was drawn here",
                where=Place(str(path), line),
                hint="keep each row once, in the order of `file`, its file and words as they were",
            )
        if told in NO and not leaks:
            yield line, None
            continue
        if told not in YES:
            _refuse(
                path, line, "says neither that it was reviewed nor that it was not", "yes or no"
            )
        if not leaks.isdecimal():
            _refuse(path, line, "has no number of leaks", "0 where there is none")
        if int(leaks) > many:
            what = f"has more leaks, {int(leaks):,}, than the note has words, {many:,}"
            _refuse(path, line, what, "how many words were left: what stands between blanks is one")
        yield line, Reviewed(int(leaks), many)


def _refuse(path: Path, line: int, what: str, wanted: str) -> NoReturn:
    raise InputError(what, where=Place(str(path), line), hint=f"write {wanted}")


def _read_plan(path: Path) -> tuple[Plan, tuple[int, ...]]:
    """Return a plan and how many words each drawn note has."""
    try:
        table = strict_json(path.read_text("utf-8"), Place(str(path)))
        words = tuple(int(many) for many in table[WORDS])
        plan = Plan(
            population=int(table["population"]),
            size=int(table["size"]),
            bound=float(table["bound"]),
            confidence=float(table["confidence"]),
            allowed=int(table["allowed"]),
            seed=int(table["seed"]),
        )
        if len(words) != plan.size:
            raise ValueError
        return plan, words
    except FileNotFoundError:
        hint = "the sheet must stay beside the plan that it was drawn by"
        raise MissingError("no such file", where=str(path), hint=hint) from None
    except (KeyError, TypeError, ValueError):
        raise InputError("is no plan of a sample", where=str(path), hint="draw again") from None


def _tell_json(table: object) -> None:
    sys.stdout.write(json.dumps(table) + "\n")


def _tell(plan: Plan, found: Verdict) -> None:
    notes, future = found.notes, found.future
    sure = f"With confidence {plan.confidence:g}"
    part = "" if found.is_whole else f" (of {plan.size} drawn)"
    held = "exact, and" if found.is_whole else "whenever and why ever the review ended, and it"
    if not found.is_whole:
        kept = f"can be shown by all {plan.size} drawn notes alone: review the rest"
    else:
        kept = "is kept" if found.is_within else "is NOT shown"
    _say(
        f"{counted(found.reviewed, 'note')} reviewed{part}, {found.leaking} with leaks, "
        f"{counted(found.left, 'word')} left in them.",
        f"{sure} at most {notes.at_most:.3%} of the {plan.population:,} notes leak (two-sided "
        f"interval {notes.low:.3%} to {notes.high:.3%}; {held} assumes nothing but the draw).",
        f"{sure} at most {found.words_at_most:.3%} of a note's words are left and identify, on "
        f"average over the notes (seen: {found.words:.3%}).",
        f"Of further notes like these, each independent of the others, at most "
        f"{future.at_most:.3%} ({future.low:.3%} to {future.high:.3%}).",
        f"The bound of {plan.bound:.3%} {kept}.",
    )


def _say(*lines: str) -> None:
    console = stdout()
    for line in lines:
        console.print(line)
