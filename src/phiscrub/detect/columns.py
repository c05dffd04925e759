"""Tables in plain text: the head of a column says what the cells below it hold."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox

CELL = re.compile(r"[^\s|](?:[^\t|\n]*?[^\s|])??(?=[ ]{2}|[ ]*(?:[\t|\n]|\Z))")
LINE = re.compile(r"[^\n]+")
SIGNS = {  # what may part cells where blanks, tabs and bars do not, and what such a cell is
    sign[-1]: re.compile(rf'[ ]*+"?((?<=")[^"\n]*+(?=")|[^{sign}\n]*+)"?(?:{sign}|$)')
    for sign in (r"\^", ";", ",")
}
LEAST_SIGNS = 2  # a line with fewer of a sign is not parted by it
NO_HEAD = re.compile(r".*:|\W*\d[\W\d]*$")
PLAIN = re.compile(r"[^\w/# ]+")
LONGEST_HEAD = 24  # characters of a cell that may be a head
LEAST_CELLS = 2  # a line with fewer is no row
REACH = 3  # characters by which a cell may begin before its head
SCORE = 0.72
NO_VALUE = frozenset(
    ("none", "nil", "n/a", "na", "unknown", "unk", "yes", "no", "not", "see", "self", "same", "tbc")
)
SOURCE = "columns"


@dataclass(frozen=True, slots=True)
class Settings:
    """The list of heads: a folder of `data/columns`."""

    heads: str = "en"


def build(settings: Settings, toolbox: Toolbox) -> Columns:
    """Load the heads; raise `SettingsError` where the file is not as it should be."""
    where = f"{settings.heads}/columns.toml"
    folder = toolbox.folder("columns", settings.heads)
    kinds = {}
    try:
        data = tomllib.loads((folder / "columns.toml").read_text("utf-8"))
        for row in data["column"]:
            kind = Kind(row["label"], re.compile(row["value"]))
            kinds.update(dict.fromkeys(row["heads"], kind))
        rows = {
            head: Kind(row["label"], re.compile(row["value"]))
            for row in data.get("row", ())
            for head in row["heads"]
        }
        plain = frozenset(data["plain"])
    except (KeyError, TypeError, tomllib.TOMLDecodeError, re.error) as error:
        raise SettingsError(f"is no list of columns: {error}", where=where) from None
    return Columns(kinds, rows, plain)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a column holds: its label, and the pattern of the mention in a cell."""

    label: str
    value: re.Pattern[str] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell by its offsets in the text, and its column on the line."""

    start: int
    end: int
    column: int


@dataclass(frozen=True, slots=True)
class Columns:
    """Finds mentions in the cells below known heads, and behind known first cells of rows.

    A head row is a line of at least two short cells (parted by two blanks, a tab or a bar, else
    by a caret, semicolon or comma), two and half of them known heads. Forms of keys and values
    are none: they have a colon or a number, or every second cell is no head. The rows are the
    lines below it that have cells too, up to a blank line. Where signs part the cells they are
    counted, else a cell belongs to the head above it. Of a row that its first cell tells all cells
    hold the same; two do at the least, and half of them.
    """

    kinds: Mapping[str, Kind]
    rows: Mapping[str, Kind]
    plain: frozenset[str] = frozenset()

    @property
    def labels(self) -> frozenset[str]:
        """The labels of all kinds."""
        return frozenset(kind.label for kind in (*self.kinds.values(), *self.rows.values()))

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return what the tables of each note hold."""
        return [tuple(self._find(note.text)) for note in notes]

    def _find(self, text: str) -> Iterator[Mention]:
        heads: list[tuple[Cell, Kind | None]] = []
        counted, sign = False, ""
        last = -1  # end of the line before
        for line in LINE.finditer(text):
            if line.start() > last + 1:  # a blank line ends a table
                heads = []
            last = line.end()
            marked = "|" in line[0] or "\t" in line[0]
            parted = "" if marked or "  " in line[0] else _sign(line[0], sign if heads else "")
            if not (marked or parted or "  " in line[0]):
                heads = []
                continue
            cells = list(_cells(text, *line.span(), parted))
            found = self._heads(text, cells)
            if found:
                heads, counted, sign = found, bool(marked or parted), parted
            elif heads and cells and self._is_known(text, cells[0]):  # a form of keys and values
                heads = []
            elif heads and parted == sign and len(cells) >= LEAST_CELLS:
                yield from _row(text, heads, cells, counted=counted)
            first = "" if found or not cells else _plain(text[cells[0].start : cells[0].end])
            if kind := self.rows.get(first):
                yield from _alike(text, kind, cells[1:])

    def _is_known(self, text: str, cell: Cell) -> bool:
        head = _plain(text[cell.start : cell.end])
        return head in self.kinds or head in self.plain

    def _heads(self, text: str, cells: Sequence[Cell]) -> list[tuple[Cell, Kind | None]]:
        """Return the cells as heads, if they are a head row."""
        if len(cells) < LEAST_CELLS or any(c.end - c.start > LONGEST_HEAD for c in cells):
            return []
        words = [text[cell.start : cell.end] for cell in cells]
        if any(map(NO_HEAD.match, words)):
            return []
        heads = list(map(_plain, words))
        kinds = [self.kinds.get(head) for head in heads]
        known = sum(head in self.plain or head in self.kinds for head in heads)
        keyed = not any(head in self.plain or head in self.kinds for head in heads[1::2])
        told = known >= LEAST_CELLS and 2 * known >= len(heads) and not keyed
        first = kinds[0]  # `date` and six heads that nobody knows: no cell may be a value
        lone = (
            len(heads) > LEAST_CELLS
            and first is not None
            and not any(map(first.value.search, words))
        )
        return list(zip(cells, kinds, strict=True)) if (told or lone) and any(kinds) else []


def _plain(words: str) -> str:
    """Return the words of a head in lower case without its signs."""
    return " ".join(PLAIN.sub(" ", words.lower()).split())


def _sign(line: str, used: str) -> str:
    """Return the sign that parts the cells of a line: the one that its head used, if any.

    Without a head only a line of short cells, which may be one, has a sign.
    """
    for sign in (used,) if used else SIGNS:
        if line.count(sign) >= LEAST_SIGNS and (
            used or max(map(len, line.split(sign))) <= LONGEST_HEAD
        ):
            return sign
    return ""


def _cells(text: str, start: int, end: int, sign: str) -> Iterator[Cell]:
    """Yield the cells of the line between two offsets, parted by `sign` or by blanks and bars."""
    group = 1 if sign else 0
    for match in (SIGNS[sign] if sign else CELL).finditer(text, start, end):
        yield Cell(*match.span(group), match.start() - start)


def _row(
    text: str, heads: Sequence[tuple[Cell, Kind | None]], cells: Sequence[Cell], *, counted: bool
) -> Iterator[Mention]:
    """Yield the mentions of one row."""
    for index, cell in enumerate(cells):
        if counted and len(cells) == len(heads):
            kind = heads[index][1]
        else:
            above = [k for head, k in heads if head.column - REACH <= cell.column]
            kind = above[-1] if above else None
        match = None if kind is None else kind.value.search(text, cell.start, cell.end)
        if kind is not None and match is not None and match[0].lower() not in NO_VALUE:
            yield Mention(Span(*match.span()), kind.label, SCORE, SOURCE)


def _alike(text: str, kind: Kind, cells: Sequence[Cell]) -> Iterator[Mention]:
    """Yield the mentions of cells that all hold the same, if enough of them do."""
    found = [m for c in cells if (m := kind.value.search(text, c.start, c.end))]
    if len(found) >= max(LEAST_CELLS, len(cells) / 2):
        for match in found:
            yield Mention(Span(*match.span()), kind.label, SCORE, SOURCE)
