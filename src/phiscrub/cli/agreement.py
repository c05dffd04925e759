"""The `agreement` command: how far annotators of the same notes agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Annotated as Option

import typer

from phiscrub.cli import options as opt
from phiscrub.cli.printed import plain_table, stdout
from phiscrub.cli.report import stderr
from phiscrub.core.errors import AnnotationError, MissingError, Place, SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.core.wording import share
from phiscrub.evaluate.agreement import RATERS, Joint, alpha, entity_counts, kappa
from phiscrub.evaluate.sample import marks
from phiscrub.formats.annotated import read_gold
from phiscrub.formats.private import write_json
from phiscrub.jobs.reports import refuse_losses
from phiscrub.tokenize.registry import DEFAULT, TOKENIZERS, get_tokenizer

DIGITS = 4
EXAMPLE = "phiscrub agreement ann/ bo/ --json figures.json"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two annotators, how many notes both annotated, and how far they agree on those."""

    annotators: tuple[str, str]
    notes: int
    entity_f1: float | None
    token_kappa: float | None


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(EXAMPLE))(agreement)


def agreement(
    folders: Option[
        list[Path],
        typer.Argument(help="A folder or file of annotated notes for each annotator."),
    ],
    tokenizer: Option[
        str, typer.Option(help=f"What cuts tokens for kappa and alpha: {', '.join(TOKENIZERS)}.")
    ] = DEFAULT,
    column: opt.Column = None,
    id_column: opt.IdColumn = None,
    json_file: Option[
        Path | None, typer.Option("--json", help="Write all figures to this file.")
    ] = None,
) -> None:
    """Measure how far annotators of the same notes agree.

    Gives entity F1 (place and label) and Cohen's kappa over tokens for each two annotators, and
    Krippendorff's alpha over tokens for all. Notes of only one annotator are left out.
    """
    if len(folders) < RATERS:
        raise SettingsError("one annotator cannot agree", hint="give two folders or more")
    refuse_losses(folders, {"--json": json_file})
    reading = opt.read_options(None, 20, column, id_column, None, None, None)
    sides = [read_gold(folder, reading) for folder in folders]
    for folder, side in zip(folders, sides, strict=True):
        for line in side.notices(folder):
            stderr().print(line)
    documents = joined([{name: own.note for name, own in side.notes.items()} for side in sides])
    cut = get_tokenizer(tokenizer)
    pairs = [
        Pair(
            (str(folders[one]), str(folders[other])),
            sum(d.sides[one] is not None and d.sides[other] is not None for d in documents),
            entity_counts(documents, one, other).f1,
            kappa(documents, one, other, cut),
        )
        for one, other in combinations(range(len(folders)), 2)
    ]
    of_all = alpha(documents, cut)
    if json_file is not None:
        whole = {"notes": len(documents), "pairs": list(map(asdict, pairs)), "token_alpha": of_all}
        write_json(json_file, whole)
    _show(pairs, of_all, len(documents))


def joined(sides: Sequence[Mapping[str, Annotated]]) -> list[Joint]:
    """Put the marks of all annotators beside each other, for notes that two or more annotated.

    Raises `AnnotationError` where texts differ, `MissingError` where no note has two annotators.
    """
    documents = []
    for name in sorted({name for side in sides for name in side}):
        notes = [side.get(name) for side in sides]
        texts = {note.document.text for note in notes if note is not None}
        if len(texts) > 1:
            raise AnnotationError(
                "the annotators had different texts",
                where=Place(record=name),
                hint="only marks on the very same text can be compared",
            )
        if sum(note is not None for note in notes) >= RATERS:
            own = tuple(None if note is None else marks(note.mentions) for note in notes)
            documents.append(Joint(name, texts.pop(), own))
    if not documents:
        raise MissingError("no note has two annotators", hint="notes are paired by their ids")
    return documents


def _show(pairs: Sequence[Pair], all_alpha: float | None, notes: int) -> None:
    table = plain_table(f"{notes} notes")
    for name in ("annotator", "annotator"):
        table.add_column(name, overflow="fold")
    for name in ("notes", "entity F1", "token kappa"):
        table.add_column(name, justify="right", no_wrap=True)
    for pair in pairs:
        figures = share(pair.entity_f1, DIGITS), share(pair.token_kappa, DIGITS)
        table.add_row(*pair.annotators, str(pair.notes), *figures)
    console = stdout()
    console.print(table)
    console.print(f"Krippendorff's alpha over tokens, all annotators: {share(all_alpha, DIGITS)}")
