"""Rows of columns: which holds what in each of the dialects that go by the name of CoNLL."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from types import MappingProxyType

from phiscrub.core.errors import AnnotationError, Place
from phiscrub.core.schemes import OUTSIDE
from phiscrub.formats import tags

NOTHING = "_"  # in a column of labels, where there is none
DOCSTART = "-DOCSTART-"
ENDS = " \t\r\n"
SAMPLE = 400  # lines that tell the layout
PREFIXES = frozenset("BIOESLU")
SINGULAR = 0.9  # of all tags, when a column is no tag but says which word it is
FEW_ROWS, MANY_ROWS = 3, 20  # that must agree where nothing else tells that they are columns


@dataclass(frozen=True, slots=True)
class Dialect:
    """Which columns hold token and tag, counted from 0 or from the end, and how notes begin.

    `mark` matches the line that begins a note; its groups `id` and `part` name the note. Lines
    that begin with `comment` are no rows. Where the tag is a prefix alone, `label` is the column
    of what it lacks.
    """

    name: str
    token: int
    tag: int
    width: int  # the fewest columns
    mark: re.Pattern[str]
    comment: str | None = None
    label: int | None = None

    def sign(self, cells: Sequence[str]) -> str:
        """Return the tag of a row with its label."""
        tag = cells[self.tag]
        return tag if self.label is None or tag in tags.OUTSIDES else f"{tag}-{cells[self.label]}"

    def cells(self, tag: str) -> dict[int, str]:
        """Return what the columns of a tag hold."""
        if self.label is None:
            return {self.tag: tag}
        prefix, _, label = tag.partition("-")
        return {self.tag: prefix, self.label: label or NOTHING}


# CoNLL-2003: https://www.clips.uantwerpen.be/conll2003/ner/; also wikigold, WNUT17 and klintan.
# CoNLL-2012: https://conll.cemantix.org/2012/data.html.
# SUC 3.0: https://spraakbanken.gu.se/en/resources/suc3, the columns that Stagger reads.
# UNER: https://www.universalner.org/, comments after CoNLL-U.
DIALECTS = MappingProxyType(
    {
        dialect.name: dialect
        for dialect in (
            Dialect("conll-2003", 0, -1, 2, re.compile(rf"{DOCSTART}(?=\s|$)")),
            Dialect(
                "conll-2012",
                token=3,
                tag=10,
                width=11,
                mark=re.compile(r"#begin document \((?P<id>.*)\)(?:; part (?P<part>\d+))?"),
                comment="#",
            ),
            Dialect("suc", token=1, tag=10, width=12, mark=re.compile(r"(?!)"), label=11),
            Dialect(
                "uner",
                token=1,
                tag=2,
                width=3,
                mark=re.compile(r"# ?newdoc(?: id = (?P<id>.*\S))?\s*$"),
                comment="#",
            ),
        )
    }
)
RAW_TEXT = re.compile(r"# ?text = (?P<text>.*?)\s*$")
TOLD = (DIALECTS["conll-2012"], DIALECTS["suc"], DIALECTS["uner"])  # told by their rows or marks
WORD_INDEX = re.compile(r"[0-9]+")  # a range (1-2) or an empty node (1.1) is no word of its own


class Kind(Enum):
    """What a line is."""

    BLANK = auto()
    MARK = auto()
    COMMENT = auto()
    ROW = auto()


@dataclass(frozen=True, slots=True)
class Row:
    """A token: its line in the note (from 0), its place in the text, and its tag."""

    line: int
    start: int
    end: int
    tag: str


@dataclass(frozen=True, slots=True)
class Columns:
    """How one file's rows are laid out: dialect, columns a row, tag style, sign for outside."""

    dialect: Dialect
    width: int
    style: str
    outside: str = OUTSIDE

    def __str__(self) -> str:
        return f"{self.dialect.name},{self.width},{self.style},{self.outside}"

    @classmethod
    def parse(cls, words: str) -> Columns | None:
        """Read what `str` gave; None where it did not."""
        name, _, rest = words.partition(",")
        width, _, styles = rest.partition(",")
        style, _, outside = styles.partition(",")
        if name not in DIALECTS or not width.isdecimal() or outside not in tags.OUTSIDES:
            return None
        return cls(DIALECTS[name], int(width), style, outside)

    def kind(self, line: str) -> Kind:
        """Tell what a line is."""
        if not line.strip(ENDS):
            return Kind.BLANK
        if self.dialect.mark.match(line):
            return Kind.MARK
        comment = self.dialect.comment
        return Kind.COMMENT if comment and line.startswith(comment) else Kind.ROW

    def note_id(self, lines: Sequence[str]) -> str | None:
        """Return the id that a note's mark gives it, if any."""
        marks = [match for line in lines if (match := self.dialect.mark.match(line))]
        names = marks[0].groupdict() if marks else {}
        return "-".join(part for part in (names.get("id"), names.get("part")) if part) or None

    def read(self, lines: Sequence[str], where: Place) -> tuple[str, list[list[Row]]]:
        """Read the lines of a note, the first of which is at `where`: its text and sentences.

        Tokens are joined by one blank and sentences by a line feed; but a sentence that has its
        raw text beside it (UNER) keeps that, as long as its tokens stand in it in order.
        """
        texts: list[str] = []
        sentences: list[list[Row]] = []
        done = 0
        for raw, cells in self._sentences(lines, where):
            words = [word for _, word, _ in cells]
            text = " ".join(words)
            starts = _starts(words, text)
            if raw is not None and (inside := _starts(words, raw)) is not None:
                text, starts = raw, inside
            sentences.append(
                [
                    Row(line, done + start, done + start + len(word), tag)
                    for (line, word, tag), start in zip(cells, starts or (), strict=True)
                ]
            )
            texts.append(text)
            done += len(text) + 1
        return "\n".join(texts), sentences

    def retag(self, line: str, tag: str) -> str:
        """Return the row with another tag and all else untouched."""
        body, sign = line.rstrip(ENDS), self.outside if tag == OUTSIDE else tag
        size = len(body)
        cells = list(re.finditer(r"[^\t]+" if "\t" in body else r"[^ ]+", body))
        for at, word in sorted(self.dialect.cells(sign).items(), reverse=True):
            start, end = cells[at].span()
            body = body[:start] + word + body[end:]
        return body + line[size:]

    def _sentences(
        self, lines: Sequence[str], where: Place
    ) -> Iterator[tuple[str | None, list[tuple[int, str, str]]]]:
        """Yield the raw text and the ``(line, word, tag)`` of each sentence."""
        raw: str | None = None
        cells: list[tuple[int, str, str]] = []
        for index, line in enumerate(lines):
            kind = self.kind(line)
            if kind is Kind.ROW:
                word = self._word(line, Place(where.path, (where.line or 1) + index))
                if word is not None:
                    cells.append((index, *word))
            elif kind is Kind.COMMENT:
                match = RAW_TEXT.match(line)
                raw = match["text"] if match else raw
            elif kind is Kind.BLANK:
                if cells:
                    yield raw, cells
                raw, cells = None, []
        if cells:
            yield raw, cells

    def _word(self, line: str, where: Place) -> tuple[str, str] | None:
        """Return word and tag of a row; None where the row is no word of its own."""
        cells, dialect = split(line), self.dialect
        if len(cells) < dialect.width or (dialect.tag < 0 and len(cells) != self.width):
            raise AnnotationError(
                f"the row has {len(cells)} of {self.width} columns",
                where=where,
                hint="give every token all columns, parted by tabs or blanks",
            )
        if dialect.name == "uner" and not WORD_INDEX.fullmatch(cells[0]):
            return None
        word, tag = cells[dialect.token].strip(" "), dialect.sign(cells)
        if not word or not tag:
            raise AnnotationError("the row has an empty token or tag", where=where, hint="fill it")
        return word, OUTSIDE if tag in tags.OUTSIDES else tag


def split(line: str) -> list[str]:
    """Cut a row at its tabs, or at blanks where it has no tab; files mix the two."""
    body = line.rstrip(ENDS)
    return body.split("\t") if "\t" in body else [cell for cell in body.split(" ") if cell]


def _starts(words: Sequence[str], text: str) -> list[int] | None:
    """Return where each word starts in the text, or None where they do not fill it in order."""
    starts, done = [], 0
    for word in words:
        start = text.find(word, done)
        if start < 0 or text[done:start].strip():
            return None
        starts.append(start)
        done = start + len(word)
    return None if text[done:].strip() else starts


def detect_columns(lines: Sequence[str]) -> Columns | None:
    """Tell how the rows of a file are laid out from its first lines; None where none has two."""
    for dialect in (*TOLD, DIALECTS["conll-2003"]):
        sample = _sample(dialect, lines)
        if sample and len(sample[0][0]) >= dialect.width and _speaks(dialect, lines, sample):
            width = len(sample[0][0])
            marks = [
                [dialect.sign(row) for row in rows if len(row) == width or dialect.tag > 0]
                for rows in sample
            ]
            every = {tag for sentence in marks for tag in sentence}
            outside = "0" if "0" in every and OUTSIDE not in every else OUTSIDE
            return Columns(dialect, width, tags.detect_style(marks), outside)
    return None


def are_ragged(lines: Sequence[str], columns: Columns) -> bool:
    """Tell whether a row has other columns than the file, so that reading it fails there."""
    dialect = columns.dialect
    rows = [row for sentence in _sample(dialect, lines) for row in sentence]
    return any(
        len(row) < dialect.width or (dialect.tag < 0 and len(row) != columns.width) for row in rows
    )


def are_columns(lines: Sequence[str], columns: Columns, *, named: bool) -> bool:
    """Tell whether the lines are such rows beyond doubt; `named` says that the file's name is.

    Without a mark or a name, notes and tables must not be taken for tags: a few rows do where a
    tag with a prefix or a bracket stands in them, more are needed where the labels are bare.
    """
    dialect = columns.dialect
    rows = [row for sentence in _sample(dialect, lines) for row in sentence]
    if are_ragged(lines, columns):
        return False
    if dialect.tag > 0:
        return True
    found = [row[dialect.tag] for row in rows]
    sure = named or any(dialect.mark.match(line) for line in lines)
    if columns.style == "IO" or all(tag in tags.OUTSIDES for tag in found):
        enough = sure or (len(rows) >= MANY_ROWS and tags.mostly_outside(found))
        return enough and all(tag in tags.OUTSIDES or tags.BARE.fullmatch(tag) for tag in found)
    opened = sure or any(tag not in tags.OUTSIDES and tag.strip("*-)") for tag in found)
    known = tags.BRACKET if columns.style == tags.BRACKETS else tags.PREFIXED
    signs = () if columns.style == tags.BRACKETS else tags.OUTSIDES
    enough = sure or (len(rows) >= FEW_ROWS and opened)
    return enough and all(tag in signs or known.fullmatch(tag) for tag in found)


def mistaken(lines: Sequence[str], columns: Columns) -> str | None:
    """Say why the first and last column cannot be token and tag; None where they can be."""
    if columns.dialect.name != "conll-2003":
        return None
    sample = _sample(columns.dialect, lines)
    if max(map(len, sample)) >= FEW_ROWS and all(map(_counts, sample)):
        return "the first column counts the words of each sentence"
    found = Counter(row[-1] for rows in sample for row in rows if row[-1] not in tags.OUTSIDES)
    once = sum(number == 1 for number in found.values())
    if columns.style == "IO" and once >= max(MANY_ROWS, SINGULAR * found.total()):
        return "the last column is another in almost every row"
    return None


def _counts(rows: Sequence[Sequence[str]]) -> bool:
    """Tell whether the first column rises by one from row to row."""
    found = [int(row[0]) for row in rows if WORD_INDEX.fullmatch(row[0])]
    return len(found) == len(rows) and all(b - a == 1 for a, b in pairwise(found))


def _sample(dialect: Dialect, lines: Sequence[str]) -> list[list[list[str]]]:
    """Return the cells of the first rows, by sentence."""
    columns = Columns(dialect, dialect.width, tags.BRACKETS)
    sentences: list[list[list[str]]] = []
    closed = True
    for line in lines[:SAMPLE]:
        kind = columns.kind(line)
        if kind is Kind.ROW:
            if closed:
                sentences.append([])
            sentences[-1].append(split(line))
        closed = kind is not Kind.ROW
    return sentences


def _speaks(dialect: Dialect, lines: Sequence[str], sample: list[list[list[str]]]) -> bool:
    """Tell whether the lines are of the dialect; the first one is the last to be asked."""
    if dialect.name == "conll-2012":
        return any(dialect.mark.match(line) for line in lines[:SAMPLE])
    if dialect.name == "uner":
        return all(_is_numbered(rows) for rows in sample)
    if dialect.name == "suc":
        return all(_is_suc(rows) for rows in sample)
    return True


def _is_suc(rows: list[list[str]]) -> bool:
    """Tell whether the rows of a sentence count its words and part prefix and label of a tag."""
    suc = DIALECTS["suc"]
    return all(len(row) >= suc.width for row in rows) and (
        [row[0] for row in rows] == [str(number) for number in range(1, len(rows) + 1)]
        and all(row[suc.tag] in PREFIXES for row in rows)
        and all((row[suc.tag] == OUTSIDE) == (row[suc.width - 1] == NOTHING) for row in rows)
    )


def _is_numbered(rows: list[list[str]]) -> bool:
    """Tell whether the rows of a sentence count their words from 1 and carry a tag behind."""
    words = [row for row in rows if WORD_INDEX.fullmatch(row[0])]
    tag, width = DIALECTS["uner"].tag, DIALECTS["uner"].width
    return (
        all(len(row) >= width for row in words)
        and all(row[tag] in tags.OUTSIDES or tags.PREFIXED.fullmatch(row[tag]) for row in words)
        and [row[0] for row in words] == [str(number) for number in range(1, len(words) + 1)]
        and bool(words)
    )
