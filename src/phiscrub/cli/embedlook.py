"""The `embed` commands that use word vectors: neighbours, analogies, coverage, convert."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from phiscrub.cli import options as opt
from phiscrub.cli import training as own
from phiscrub.cli.embedding import (
    Digits,
    Lower,
    Most,
    Questions,
    Reading,
    TokenizerName,
    Vectors,
    questions_of,
    vectors_of,
)
from phiscrub.cli.printed import plain_table, print_json, stdout
from phiscrub.core.wording import share
from phiscrub.embeddings.analogies import answer, scores
from phiscrub.embeddings.compose import Composed, shares
from phiscrub.embeddings.files import FORMATS, format_of, write_embedding
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.space import neighbours as nearest
from phiscrub.embeddings.text import Text
from phiscrub.tokenize.registry import DEFAULT


def neighbours(
    vectors: Vectors,
    words: Annotated[list[str], typer.Argument(help="Words.")],
    number: Annotated[int, typer.Option("-n", min=1, help="How many neighbours.")] = 10,
    most: Most = None,
    as_json: opt.Json = False,
) -> None:
    """Show the words nearest to some words, with their cosines."""
    found = nearest(vectors_of(vectors, most), words, number)
    if as_json:
        print_json(found)
        return
    for word, near in found.items():
        table = plain_table(word)
        table.add_column("word", overflow="fold")
        table.add_column("cosine", justify="right")
        for other, cosine in near:
            table.add_row(other, f"{cosine:.3f}")
        stdout().print(table)


def analogies(
    vectors: Vectors,
    questions: Questions = "en",
    most: Most = None,
    as_json: opt.Json = False,
) -> None:
    """Ask analogies: how often d is nearest to b - a + c, and how near it is.

    Questions with words that the vocabulary lacks are skipped, and counted.
    """
    answers = answer(vectors_of(vectors, most), questions_of(questions))
    rows = scores(answers)
    if as_json:
        told = [{**asdict(row), "accuracy": row.accuracy} for row in rows]
        print_json({"sections": told, "skipped": answers.skipped})
        return
    table = plain_table()
    table.add_column("section")
    for name in ("asked", "right", "accuracy", "similarity"):
        table.add_column(name, justify="right")
    for row in rows:
        shown = (share(row.accuracy), share(row.similarity))
        table.add_row(row.section, f"{row.asked:,}", f"{row.right:,}", *shown)
    table.caption = f"{answers.skipped:,} questions skipped; similarity: cosine of b - a + c with d"
    stdout().print(table)


def coverage(
    vectors: Annotated[list[Path], typer.Argument(help="Files of vectors, the primary one first.")],
    notes: Annotated[list[Path], typer.Option(help="Folder or file of notes; several may be.")],
    tokenizer: TokenizerName = DEFAULT,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Write the vectors of the notes' words, composed, to this file."
        ),
    ] = None,
    most: Most = None,
    read_as: opt.From = None,
    encoding: opt.Encoding = None,
    column: opt.Column = None,
    max_note: opt.MaxNote = 20,
    quiet: opt.Quiet = False,
    as_json: opt.Json = False,
) -> None:
    """Show which share of notes' words gets vectors from which of several files.

    A word is looked for in one file after the other; what none has gets a vector from the parts
    of the word, where a file has subwords, or is unknown.
    """
    if output is not None:
        format_of(output, None)
    composed = Composed(tuple(vectors_of(file, most) for file in vectors))
    read = Reading(opt.read_options(encoding, max_note, column, None, None, None, None), read_as)
    text = Text.of(read.notes(notes, tokenizer, quiet=quiet), Normalise())
    counts = dict(zip(text.words, text.counts.tolist(), strict=True))
    rows = shares(composed, counts)
    if output is not None:
        write_embedding(composed.of(output.stem, counts), output)
    whole = max(1, text.tokens)
    if as_json:
        print_json([{**asdict(row), "share": row.tokens / whole} for row in rows])
        return
    table = plain_table()
    table.add_column("source")
    for name in ("tokens", "share", "words"):
        table.add_column(name, justify="right")
    for row in rows:
        table.add_row(row.source, f"{row.tokens:,}", f"{row.tokens / whole:.4f}", f"{row.words:,}")
    stdout().print(table)


def convert(
    vectors: Vectors,
    output: Annotated[Path, typer.Argument(help="File to write; the suffix tells the format.")],
    write_as: Annotated[
        str | None, typer.Option("--to", help=f"Format: {', '.join(FORMATS)}.")
    ] = None,
    most: Most = None,
    digits: Digits = "none",
    lower: Lower = False,
    subwords: Annotated[
        int, typer.Option(min=0, help="Add parts of words, hashed into so many buckets.")
    ] = 0,
    quiet: opt.Quiet = False,
) -> None:
    """Write vectors in another format, or say how words are spelt in those of others."""
    format_of(output, write_as)
    embedding = vectors_of(vectors, most)
    if digits != "none" or lower:
        embedding = replace(embedding, normalise=Normalise(digits, lower))
    if subwords:
        embedding = embedding.parted(subwords)
    write_embedding(embedding, output, write_as)
    if not quiet:
        size = f"{len(embedding.vectors):,} words of {embedding.dimensions} dimensions"
        own.tell([f"{size} -> {output}"])
