"""Mentions of brat files as the MEDDOCAN script takes them: any offsets, nothing checked."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from phiscrub.core.errors import AnnotationError, MissingError, Place
from phiscrub.formats.encoding import decode
from phiscrub.formats.source import Source

FIELDS = 3
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Marks:
    """A text as it stands, ``(start, end, label)`` of its mentions, and the lines left out."""

    text: str = field(repr=False)
    marks: tuple[tuple[int, int, str], ...] = field(repr=False)
    skipped: tuple[int, ...] = ()


def read_marks(source: Source) -> Marks:
    """Read the `.ann` of a source and the `.txt` beside it.

    A mention's line with too few fields, or behind a byte-order mark, is left out, as the script
    does; the mark of a text counts as its first character. Raises `MissingError`
    where there is no text, `AnnotationError` where an offset is no number.
    """
    text_file = source.sibling(".txt")
    if text_file.path is None or not text_file.path.exists():
        raise MissingError(
            "no such file",
            where=text_file.name,
            hint="the text belongs beside its .ann, under the same name",
        )
    text, lines = _text(text_file), _text(source)
    marks: list[tuple[int, int, str]] = []
    skipped: list[int] = []
    for number, line in enumerate(one_line_end(lines).split("\n"), 1):
        row = line.strip()
        if row.startswith(f"{BOM}T"):
            skipped.append(number)
        elif row.startswith("T"):
            fields = row.split("\t")[1].split() if "\t" in row else []
            if len(fields) < FIELDS:
                skipped.append(number)
            else:
                marks.append(_mark(fields, Place(source.name, number)))
    return Marks(text, tuple(marks), tuple(skipped))


def _text(source: Source) -> str:
    text, encoding = decode(source.read(), None, source.name)
    return BOM + text if encoding.bom == codecs.BOM_UTF8 else text


def one_line_end(text: str) -> str:
    """Return text as Python reads it from a file: every line end one LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _mark(fields: list[str], where: Place) -> tuple[int, int, str]:
    try:
        return int(fields[1]), int(fields[2]), fields[0]
    except ValueError:
        raise AnnotationError(
            "the start or the end of the mention is no number",
            where=where,
            hint="a mention in several parts (START END;START END) must be split into several",
        ) from None
