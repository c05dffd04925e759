"""Mentions of brat files as the MEDDOCAN script takes them: any offsets, nothing checked."""

from __future__ import annotations

import codecs
from collections.abc import Sequence
from dataclasses import dataclass, field

from phiscrub.core.errors import AnnotationError, MissingError, Place
from phiscrub.formats.encoding import decode
from phiscrub.formats.source import Source

Mark = tuple[int, int, str]  # start, end, label

FIELDS = 3
BOM = "\ufeff"


@dataclass(frozen=True, slots=True)
class Marks:
    """A text as it stands, ``(start, end, label)`` of its mentions, and the lines left out.

    `counted` says that places count a byte-order mark at the text's start, as brat has it.
    """

    text: str = field(repr=False)
    marks: tuple[Mark, ...] = field(repr=False)
    skipped: tuple[int, ...] = ()
    counted: bool = True

    @property
    def unmarked(self) -> tuple[str, tuple[Mark, ...]]:
        """The text without a byte-order mark, and the same mentions in it."""
        if not self.text.startswith(BOM):
            return self.text, self.marks
        step = int(self.counted)
        moved = (
            (max(0, start - step), max(0, end - step), name) for start, end, name in self.marks
        )
        return self.text[len(BOM) :], tuple(moved)


def read_marks(source: Source) -> Marks:
    """Read the `.ann` of a source and the `.txt` beside it.

    A mention's line with too few fields, or behind a byte-order mark, is left out, as the script
    does; the mark of a text counts as its first character, unless the words of more mentions stand
    at their places without it. Raises `MissingError`
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
    marks: list[Mark] = []
    words: list[str] = []
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
                words.append("".join(row.split("\t")[2:]))
    return Marks(text, tuple(marks), tuple(skipped), _counted(text, marks, words))


def _counted(text: str, marks: Sequence[Mark], words: Sequence[str]) -> bool:
    """Tell whether places count the text's byte-order mark: more words stand there with it."""

    def standing(whole: str) -> int:
        return sum(
            whole[start:end].split() == said.split()
            for (start, end, _), said in zip(marks, words, strict=True)
        )

    return not text.startswith(BOM) or standing(text) >= standing(text[len(BOM) :])


def _text(source: Source) -> str:
    text, encoding = decode(source.read(), None, source.name)
    return BOM + text if encoding.bom == codecs.BOM_UTF8 else text


def one_line_end(text: str) -> str:
    """Return text as Python reads it from a file: every line end one LF."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _mark(fields: list[str], where: Place) -> Mark:
    try:
        return int(fields[1]), int(fields[2]), fields[0]
    except ValueError:
        raise AnnotationError(
            "the start or the end of the mention is no number",
            where=where,
            hint="a mention in several parts (START END;START END) must be split into several",
        ) from None
