"""Columns with a gold and a guessed tag, as conlleval takes them."""

from __future__ import annotations

from dataclasses import dataclass, field

from phiscrub.core.errors import AnnotationError, Place
from phiscrub.formats.encoding import decode
from phiscrub.formats.source import Source

BOUNDARY = "-X-"
PAIR = 2

Row = tuple[int, list[str]]  # line and cells


@dataclass(frozen=True, slots=True)
class TagPairs:
    """Sentences of tags, those of the gold beside those of the system."""

    gold: tuple[tuple[str, ...], ...] = field(repr=False)
    found: tuple[tuple[str, ...], ...] = field(repr=False)


def read_pairs(gold: Source, system: Source) -> TagPairs:
    """Read tags: from the last two columns of one file, or from the last column of each of two.

    Raises `AnnotationError` where rows differ in width or two files do not hold the same tokens.
    """
    sentences = _sentences(gold)
    if gold == system:
        pairs = [[_two(row, gold) for row in rows] for rows in sentences]
    else:
        others = _sentences(system)
        pairs = [
            [_joined(one, other, gold, system) for one, other in zip(rows, more, strict=False)]
            for rows, more in zip(sentences, others, strict=False)
        ]
        lengths = [[len(rows) for rows in side] for side in (sentences, others)]
        if lengths[0] != lengths[1]:
            raise AnnotationError(
                f"its sentences are not those of {gold.name}",
                where=system.name,
                hint="both files need the same tokens in the same sentences",
            )
    return TagPairs(
        tuple(tuple(pair[0] for pair in rows) for rows in pairs),
        tuple(tuple(pair[1] for pair in rows) for rows in pairs),
    )


def _sentences(source: Source) -> list[list[Row]]:
    """Return the rows of each sentence; a blank line or the boundary ends one."""
    text, _ = decode(source.read(), None, source.name)
    sentences: list[list[Row]] = [[]]
    width = None
    for number, line in enumerate(text.split("\n"), 1):
        row = line.rstrip("\r\t ")
        cells = row.split("\t") if "\t" in row else row.split(" ")
        if not row or cells[0] == BOUNDARY:
            sentences.append([])
            continue
        width = width or len(cells)
        if len(cells) != width or len(cells) < PAIR or not all(cells):
            raise AnnotationError(
                f"the row has {len(cells)} columns, not {width}" if all(cells) else "empty column",
                where=Place(source.name, number),
                hint="give every token all columns, parted by one blank or one tab",
            )
        sentences[-1].append((number, cells))
    return [rows for rows in sentences if rows]


def _two(row: Row, source: Source) -> tuple[str, str]:
    number, cells = row
    if len(cells) <= PAIR:
        raise AnnotationError(
            "the row has no gold and guessed tag behind its token",
            where=Place(source.name, number),
            hint="give a file of three columns, or two files as --gold and --system",
        )
    return cells[-2], cells[-1]


def _joined(one: Row, other: Row, gold: Source, system: Source) -> tuple[str, str]:
    if one[1][0] != other[1][0]:
        raise AnnotationError(
            f"the token is not that of line {one[0]} of {gold.name}",
            where=Place(system.name, other[0]),
            hint="both files need the same tokens in the same sentences",
        )
    return one[1][-1], other[1][-1]
