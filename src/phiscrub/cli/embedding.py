"""What the `embed` commands share: options, notes, vectors, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import resources
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.report import stderr
from phiscrub.core.document import Document
from phiscrub.core.errors import MissingError
from phiscrub.core.note import Note
from phiscrub.embeddings.analogies import Question, read_questions
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.files import read_embedding
from phiscrub.embeddings.normalise import DIGITS
from phiscrub.embeddings.text import UNITS
from phiscrub.embeddings.training import ALGORITHMS, Tick
from phiscrub.formats.annotated import documents
from phiscrub.formats.record import Options
from phiscrub.tokenize.disguise import undisguise
from phiscrub.tokenize.registry import TOKENIZERS, get_tokenizer

BATCH = 256  # notes cut at once
LEARNING = "How vectors are learned"
SHIPPED = ("en", "es")

Notes = Annotated[list[Path], typer.Argument(help="Folders or files of notes.")]
Vectors = Annotated[
    Path, typer.Argument(help="File of vectors: ours, word2vec text or binary, GloVe, fastText.")
]
Most = Annotated[
    int | None, typer.Option(min=1, help="Read only the first so many words of a file of vectors.")
]
Digits = Annotated[
    str, typer.Option(help=f"What digits become: {', '.join(DIGITS)}.", rich_help_panel=LEARNING)
]
Lower = Annotated[
    bool, typer.Option("--lower", help="Write words in small letters.", rich_help_panel=LEARNING)
]
Unit = Annotated[
    str,
    typer.Option(
        help=f"What no context reaches across: {' or '.join(UNITS)}.", rich_help_panel=LEARNING
    ),
]
TokenizerName = Annotated[
    str,
    typer.Option(
        "--tokenizer", help=f"What cuts words: {', '.join(TOKENIZERS)}.", rich_help_panel=LEARNING
    ),
]
Algorithm = Annotated[
    str, typer.Option(help=f"One of {', '.join(ALGORITHMS)}.", rich_help_panel=LEARNING)
]
Dimensions = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Numbers of a vector; by default 200, or 80 for rnnlm.",
        rich_help_panel=LEARNING,
    ),
]
Window = Annotated[
    int, typer.Option(min=1, help="Words of context on either side.", rich_help_panel=LEARNING)
]
MinCount = Annotated[
    int, typer.Option(min=1, help="Rarer words become UNK.", rich_help_panel=LEARNING)
]
MinNotes = Annotated[
    int,
    typer.Option(
        min=1,
        help="Words of fewer notes become UNK: with more than a patient has, hardly a name stays.",
        rich_help_panel=LEARNING,
    ),
]
Epochs = Annotated[
    int | None,
    typer.Option(
        min=1,
        help="Times that the notes are read; by default 5, or 8 for rnnlm.",
        rich_help_panel=LEARNING,
    ),
]
Threads = Annotated[
    int,
    typer.Option(
        min=1, help="With one, the same seed gives the same vectors.", rich_help_panel=opt.RUN
    ),
]
Questions = Annotated[
    str,
    typer.Option(
        help=f"Shipped questions ({', '.join(SHIPPED)}), or a file: ': section', lines of four "
        "words (as Mikolov's) or of pairs."
    ),
]


@dataclass(frozen=True, slots=True)
class Reading:
    """How files of notes are read."""

    options: Options
    read_as: str | None

    def notes(self, paths: Sequence[Path], tokenizer: str, *, quiet: bool) -> Iterator[Note]:
        """Yield notes in tokens, as a pipeline reads them: without disguises.

        Raises `MissingError` where there are none.
        """
        cutter = get_tokenizer(tokenizer)
        batch: list[Document] = []
        done = 0
        with own.counting(0, "notes read", quiet=quiet or not sys.stderr.isatty()) as tick:
            for path in paths:
                for document in documents(path, self.options, self.read_as):
                    view = undisguise(document.text)
                    batch.append(document if view is None else replace(document, text=view.text))
                    tick("")
                    if len(batch) == BATCH:
                        yield from cutter.tokenize(batch)
                        done, batch = done + len(batch), []
            yield from cutter.tokenize(batch)
        if not done + len(batch):
            raise MissingError("holds no notes", where=str(paths[0]), hint="check the path")


@contextmanager
def tokens_bar(total: int, *, quiet: bool) -> Iterator[Tick]:
    """Show how many tokens were learned from: a bar on a terminal, else a line an epoch."""
    if quiet:
        yield lambda _, __: None
        return
    if not sys.stderr.isatty():
        yield _lines()
        return
    columns = (
        BarColumn(),
        TextColumn("{task.percentage:.0f}%"),
        TimeElapsedColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=stderr(), transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda told, size: bar.update(task, advance=size, description=told)


def _lines() -> Callable[[str, int], None]:
    before = ""

    def tick(told: str, _: int) -> None:
        nonlocal before
        if told != before:
            own.tell([told])
        before = told

    return tick


def vectors_of(path: Path, most: int | None) -> Embedding:
    """Read vectors, and tell what was mended."""
    embedding, notices = read_embedding(path, most)
    own.tell(notices)
    return embedding


def questions_of(name: str) -> tuple[Question, ...]:
    """Return questions that ship with phiscrub, or those of a file.

    Raises `MissingError` where it cannot be read.
    """
    if name in SHIPPED:
        file = resources.files("phiscrub") / "data" / "analogies" / f"{name}.txt"
        return read_questions(file.read_text("utf-8"), name)
    try:
        return read_questions(Path(name).read_text("utf-8"), name)
    except (OSError, UnicodeDecodeError):
        hint = f"shipped questions: {', '.join(SHIPPED)}; any other name is a file in UTF-8"
        raise MissingError(f"no questions {name!r}", hint=hint) from None
