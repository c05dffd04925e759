"""The `synth` command: annotated notes multiplied, with other identifiers, layout and noise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Annotated, cast

import typer

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.job import listed_beside, run_job
from phiscrub.cli.runs import ANNOTATED
from phiscrub.core.document import Document
from phiscrub.core.errors import MissingError, SettingsError
from phiscrub.core.mention import Annotated as Note
from phiscrub.core.wording import counted
from phiscrub.formats.annotated import documents
from phiscrub.formats.record import Format, is_note_format
from phiscrub.formats.registry import get_format
from phiscrub.formats.source import Source
from phiscrub.formats.stream import STDOUT
from phiscrub.jobs.copies import Copies, CopyWork
from phiscrub.jobs.cores import usable_cores
from phiscrub.jobs.plan import Item, Task, is_file_name, named_file, refuse_overlap
from phiscrub.jobs.reports import QUARANTINE, refuse_clashes
from phiscrub.jobs.run import Job
from phiscrub.pipeline.load import load_pipeline
from phiscrub.synthesize.noise import Rates
from phiscrub.synthesize.synthesizer import Origin, Settings, doubtful
from phiscrub.synthesize.templates import LANGUAGES
from phiscrub.train.corpus import Corpus, same_labels

EXAMPLES = (
    "phiscrub synth --from gold/ -n 10000 --seed 7 -o more.jsonl",
    "phiscrub synth --from gold/ -n 500 --noise typos=.01,case=.02,ocr=.01 -o shared/ --to brat",
    "phiscrub synth --from gold/ --carriers visits.csv --carrier-column note -n 5000 -o more.jsonl",
)
WORTH_WORKERS = 2000  # copies; fewer are made before workers have started
SOURCES, CHANGES = "What is copied", "What is changed"
NO_PIPELINE = "none"


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(epilog=opt.examples(*EXAMPLES))(synth)


def synth(
    notes: Annotated[
        list[Path],
        typer.Option(
            "--from",
            help="Folder or file of annotated notes, in any format; may be repeated.",
            rich_help_panel=SOURCES,
        ),
    ],
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            help="File or folder to write, or - for standard output.",
            rich_help_panel=opt.IN_FILES,
        ),
    ],
    count: Annotated[
        int | None,
        typer.Option("-n", min=1, help="How many notes; by default a copy of each."),
    ] = None,
    seed: own.Seed = 1,
    noise: Annotated[
        str,
        typer.Option(
            help="Rates of typos, case, glued, spaces and ocr, such as typos=.01,case=.02: shares "
            "of all words mistyped, in another case, and misread, and of gaps lost between words "
            "(glued) and behind commas and points (spaces); at most what can be: a word under four "
            "letters has no typo.",
            rich_help_panel=CHANGES,
        ),
    ] = "",
    layout: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of copies with another layout: lines, fields, bullets, line ends.",
            rich_help_panel=CHANGES,
        ),
    ] = 0.5,
    blocks: Annotated[
        float,
        typer.Option(
            min=0,
            max=1,
            help="Share of copies that may get a header, greeting, signature or footer.",
            rich_help_panel=CHANGES,
        ),
    ] = 0.5,
    carriers: Annotated[
        list[Path] | None,
        typer.Option(
            help="Notes that are not annotated, to put identifiers into; may be repeated.",
            rich_help_panel=SOURCES,
        ),
    ] = None,
    carrier_column: Annotated[
        list[str] | None,
        typer.Option(help="Column or key that holds the carriers' texts.", rich_help_panel=SOURCES),
    ] = None,
    carrier_pipeline: Annotated[
        str | None,
        typer.Option(
            help="Pipeline that finds the identifiers which carriers already have, by default the "
            "language's; none: they have none.",
            rich_help_panel=SOURCES,
        ),
    ] = None,
    language: own.Language = None,
    labels: own.LabelSetName = None,
    verify: Annotated[
        bool,
        typer.Option(
            "--verify/--no-verify",
            help="Leave out notes in which a word of an identifier stands unmarked too, such as "
            "the Long of 'long QT' beside a Dr Long: no original word is in the copies.",
            rich_help_panel=CHANGES,
        ),
    ] = True,
    write_as: opt.Found = None,
    column: opt.Column = None,
    encoding: opt.Encoding = None,
    scheme: opt.Scheme = None,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            "--jobs",
            "-w",
            min=0,
            help="Processes; 0 means one a core that it may use, where there is much to do.",
            rich_help_panel=opt.RUN,
        ),
    ] = 0,
    resume: opt.Resume = False,
    quarantine: opt.Quarantine = None,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Multiply annotated notes: other names, places, dates and numbers, other layout, noise.

    Makes notes to train on, and test data that can be shared: no word of an original identifier
    is in the copies. The same seed gives the same bytes, with any number of workers.
    """
    reading = opt.read_options(encoding, 20, column, None, None, None, scheme)
    corpus = _corpora(notes, own.Wanted(reading, labels=labels))
    spoken = language or corpus.language
    if spoken not in LANGUAGES:
        hint = f"known: {', '.join(LANGUAGES)}"
        raise SettingsError(f"no templates of language {spoken!r}", hint=hint)
    settings = Settings(
        seed, spoken, corpus.label_set, Rates.parse(noise), layout, blocks, verify=verify
    )
    origins = [Origin(note) for note in corpus.notes]
    wanted = replace(reading, text_columns=tuple(carrier_column or ()))
    for path in carriers or ():
        origins += _carriers(documents(path, wanted), settings, carrier_pipeline or spoken)
    origins = _sound(origins, settings)
    copies = Copies.of(origins, len(origins) if count is None else count)
    settings = replace(settings, secret=copies.digest)
    sources = [*notes, *(carriers or ())]
    task = _task(copies, sources, output, write_as)
    listed = listed_beside(quarantine, output)
    refuse_clashes(sources, (task,), {QUARANTINE: listed})
    if not workers:
        workers = usable_cores() if copies.count > WORTH_WORKERS else 1
    job = Job(
        (task,),
        reading,
        opt.write_options(reading, scheme),
        carries=False,
        spoken=settings.labels,
        resume=resume,
        quarantine=listed,
    )
    work = CopyWork(settings, copies, workers)
    run_job(job, work, output, verb="made", quiet=quiet, as_json=as_json)


def _corpora(paths: Sequence[Path], wanted: own.Wanted) -> Corpus:
    """Read the annotated notes as one corpus."""
    first, *others = [wanted.corpus(path) for path in paths]
    for other in others:
        same_labels(first, other)
        first = replace(first, notes=(*first.notes, *other.notes))
    return first


def _carriers(found: Iterable[Document], settings: Settings, pipeline: str) -> Iterator[Origin]:
    """Return notes that were not annotated, with what a pipeline finds in them."""
    if pipeline == NO_PIPELINE:
        return (Origin(Note(document), is_carrier=True) for document in found)
    finder = load_pipeline(pipeline, output_labels=settings.labels)
    return (Origin(note, is_carrier=True) for note in finder.annotate(list(found)))


def _sound(origins: list[Origin], settings: Settings) -> list[Origin]:
    """Return the notes whose identifiers are marked wherever they stand."""
    if not settings.verify:
        return origins
    left = {id(origin) for origin in doubtful(origins, settings.labels, settings.language)}
    sound = [origin for origin in origins if id(origin) not in left]
    if left:
        own.tell(
            [
                f"{counted(len(left), 'note')} of {len(origins)} left out: words of identifiers "
                "stand unmarked there too; --no-verify keeps them"
            ]
        )
    if not sound:
        raise MissingError("no note to copy", hint="mark every identifier, or give --no-verify")
    return sound


def _task(copies: Copies, sources: Sequence[Path], output: str, write_as: str | None) -> Task:
    """Return the one task of the run: the copies as a file, in the format that was asked for."""
    target = get_format(write_as or "jsonl")
    if not target.annotates:
        raise SettingsError(
            f"format {target.name} holds no annotations", hint=f"choose --to {'|'.join(ANNOTATED)}"
        )
    item = Item(Source(sources[0]), cast(Format, copies), PurePath(copies.name), copies.characters)
    if output == "-":
        if is_note_format(target):
            raise SettingsError("standard output holds one file", hint="say where to with -o")
        return Task((item,), target, STDOUT)
    refuse_overlap(map(str, sources), Path(output))
    return Task((item,), target, _place(output, target))


def _place(output: str, target: Format) -> Path:
    """Return where copies are written: in the folder or file named, or in a file in the folder."""
    out = Path(output)
    whole = is_note_format(target) or is_file_name(output)
    return out if whole else named_file(out, "notes", target)
