"""The `experiment` command: a source paper's whole protocol, its figures beside ours."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markdown import Markdown

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.printed import print_json, stdout
from phiscrub.core.errors import MissingError, SettingsError, StoppedError
from phiscrub.core.mention import Annotated as Note
from phiscrub.embeddings.files import read_embedding
from phiscrub.experiments.bench import Bench, How
from phiscrub.experiments.corpus import Own, Reading, open_sides
from phiscrub.experiments.paper import PAPERS, paper
from phiscrub.experiments.run import prepared, run
from phiscrub.experiments.step import Step, Tick, kept, missing
from phiscrub.formats.annotated import documents
from phiscrub.formats.record import Options
from phiscrub.train.corpus import Corpus

EXAMPLES = (
    "phiscrub experiment shweta2017 --data meddocan/ -o out --quick",
    "phiscrub experiment inverse-hybrid --data meddocan/ --extra english_notes/ -o out",
    "phiscrub experiment berg-dalianis2019 --data sv.conll --extra prose.conll --cut 10 -o out",
    "phiscrub experiment kassaie2016 --data notes/ -o out --only 'folds, LSTM'",
)
DRAWN = (
    "holds no official sides that are known; a quarter of the text is tested, drawn by chance: put "
    "the official ones into train/ and dev/"
)
CPU = "cpu"
STOPPED = "the same command goes on where it stood"

Paper = StrEnum("Paper", {name: name for name in PAPERS})  # type: ignore[misc]


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(experiment)


def experiment(
    name: Annotated[Paper, typer.Argument(help="The paper.", show_default=False)],
    data: Annotated[
        Path,
        typer.Option(
            help="Annotated notes: a file, a folder, or a folder with train/ and dev/ or the sides "
            "of i2b2 2006, i2b2 2014, CoNLL-2003 or CoNLL-2012 inside. Without those, a quarter of "
            "the records is tested."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", help="Folder of results, models and pages.")
    ],
    extra: Annotated[
        list[Path] | None,
        typer.Option(
            help="A second corpus, to transfer or fine-tune to or to add; may be repeated. For "
            "berg-dalianis2019 the first is of the same domain and the second general text, a "
            "single one general text."
        ),
    ] = None,
    owned: Annotated[
        list[Own] | None,
        typer.Option(
            "--own",
            help="Which notes are the paper's own corpora, those of --data or of --extra: its page "
            "says so, instead of what they stand in for; may be repeated.",
        ),
    ] = None,
    vectors: own.Vectors = None,
    text: Annotated[
        Path | None,
        typer.Option(
            help="More notes, annotated or not, whose text word vectors are learnt from.",
            rich_help_panel=opt.ABOUT,
        ),
    ] = None,
    only: Annotated[
        list[str] | None,
        typer.Option(
            help="Run only steps whose names begin so, and those that they need; may be repeated.",
            rich_help_panel=opt.RUN,
        ),
    ] = None,
    listed: Annotated[
        bool,
        typer.Option("--steps", help="List the steps and stop.", rich_help_panel=opt.RUN),
    ] = False,
    epochs: Annotated[
        int,
        typer.Option(
            min=0, help="Epochs of every network; 0 for the paper's.", rich_help_panel=opt.RUN
        ),
    ] = 0,
    folds: Annotated[
        int,
        typer.Option(min=0, help="Number of folds; 0 for the paper's.", rich_help_panel=opt.RUN),
    ] = 0,
    language: own.Language = None,
    extra_language: Annotated[
        str | None,
        typer.Option(
            help="Language of the --extra notes; by default that of their label set.",
            rich_help_panel=opt.ABOUT,
        ),
    ] = None,
    labels: own.LabelSetName = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    scheme: opt.Scheme = None,
    column: opt.Column = None,
    cut: Annotated[
        int,
        typer.Option(
            min=0,
            help="Cut CoNLL columns after so many lines, for corpora of loose sentences; 0 leaves "
            "them whole. Notes of other formats are never cut.",
            rich_help_panel=opt.ABOUT,
        ),
    ] = 0,
    device: own.Device = CPU,
    seed: own.Seed = 1,
    quick: own.Quick = False,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Run a paper's whole protocol and write its tables with ours beside the paper's figures.

    Each step is kept in OUTPUT/steps when it ends, and done again only where notes or settings
    changed: a run that was cut off goes on. OUTPUT holds models and words of the notes.
    """
    reading = opt.read_options(encoding, 20, column, None, None, None, scheme)
    how = Reading(reading, read_as, labels, language, cut)
    other = replace(how, language=extra_language)
    _check_device(device)
    vectors_sha256 = _sha256(vectors)
    more_text = None if text is None else _text(text, reading)
    module = paper(name.value)
    others, unused = (extra or [])[: module.EXTRA], (extra or [])[module.EXTRA :]
    if Own.EXTRA in (owned or ()) and not others:
        raise SettingsError("--own extra, but no --extra is used", hint="leave it out")
    sides = [open_sides(data, how), *(open_sides(path, other) for path in others)]
    own.tell(notice for one in sides for notice in one.notices)
    own.tell(f"{path}: left out: {name.value} has no use for it" for path in unused)
    if module.SIDED:
        own.tell(f"{one.whole.name}: {DRAWN}" for one in sides if one.drawn)
    bench = prepared(
        module,
        Bench(
            name.value,
            sides[0],
            output,
            tuple(sides[1:]),
            vectors,
            vectors_sha256,
            more_text,
            tuple(owned or ()),
            How(epochs, folds, quick, seed, device),
        ),
    )
    steps = module.protocol(bench)
    if listed:
        _list(steps, bench, as_json=as_json)
        return
    try:
        with _progress(len(missing(steps, bench.steps, only or ())), quiet=quiet) as tick:
            told = run(module, bench, only or (), tick)
    except KeyboardInterrupt:
        raise StoppedError("interrupted", hint=STOPPED) from None
    page = output / f"{name.value}.md"
    if as_json:
        print_json(told)
    elif not quiet:
        stdout().print(Markdown(page.read_text("utf-8")))
        own.tell([f"written to {page}"])


def _check_device(name: str) -> None:
    if name == CPU:
        return
    try:
        from phiscrub.train.optimising import device_of  # noqa: PLC0415 - torch is optional
    except ModuleNotFoundError as error:
        raise MissingError(
            f"a device for networks needs the package {error.name}",
            hint="pip install 'phiscrub[train]'",
        ) from None
    device_of(name)


def _text(path: Path, options: Options) -> Corpus:
    notes = [Note(document) for document in documents(path, options)]
    if not notes:
        raise MissingError("holds no notes", where=str(path), hint="check the path")
    return Corpus(path.resolve().name, tuple(notes), "i2b2-2014")


def _sha256(file: Path | None) -> str:
    """Return the hash of a file of vectors, "" for none; raise where its head is broken."""
    if file is None:
        return ""
    read_embedding(file, 1)
    try:
        with file.open("rb") as read:
            return hashlib.file_digest(read, "sha256").hexdigest()
    except OSError:
        raise MissingError("cannot be read", where=str(file), hint="check the path") from None


def _list(steps: Sequence[Step], bench: Bench, *, as_json: bool) -> None:
    there = kept(steps, bench.steps)
    rows: list[dict[str, Any]] = [
        {
            "step": step.name,
            "kind": step.kind,
            "needs": list(step.needs),
            "seconds": there[step.name]["seconds"] if step.name in there else None,
        }
        for step in steps
    ]
    if as_json:
        print_json(rows)
        return
    for row in rows:
        state = "to do" if row["seconds"] is None else f"done in {row['seconds']:,.0f} s"
        sys.stdout.write(f"{row['step']} ({row['kind']}): {state}\n")


@contextmanager
def _progress(total: int, *, quiet: bool) -> Iterator[Tick]:
    """Show the step that runs and how far it is; a line each where there is no terminal."""
    if quiet:
        yield lambda _: None
        return
    if not sys.stderr.isatty():
        yield lambda line: own.tell([line])
        return
    with own.bar(" steps") as bar:
        task = bar.add_task("", total=total)

        def tick(line: str) -> None:
            begins = ": " not in line
            bar.update(task, description=line, advance=1 if begins else 0)

        yield tick
