"""Cuts the lines of a file of columns into notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from phiscrub.core.errors import InputError, PhiscrubError, Place
from phiscrub.formats import spaced
from phiscrub.formats.columns import DOCSTART, ENDS, Columns, Kind
from phiscrub.formats.limits import check_size
from phiscrub.formats.lines import Line

MOST_SENTENCES = 1000  # in a note of a file that does not say where its notes begin


@dataclass(slots=True)
class Block:
    """The lines of one note while they are gathered; none are kept behind a fault.

    `first` is the number of the first line, `last` and `end` the number and the byte behind the
    last. `is_own` says that the note is in our own columns, `is_marked` that a mark begins it.
    Our own end mark and the blank line behind it are none of its lines.
    """

    first: int
    last: int = 0
    end: int = 0
    lines: list[str] = field(default_factory=list, repr=False)
    sentences: int = 0
    is_own: bool = False
    is_marked: bool = False
    is_last: bool = False
    fault: PhiscrubError | None = None
    _size: int = 0
    _in_sentence: bool = False
    _ended: bool = False

    @property
    def is_note(self) -> bool:
        """Tell whether there is a note; a mark of another program with no token is none."""
        return self.is_own or self.sentences > 0

    @property
    def is_any(self) -> bool:
        """Tell whether there is a note or anything else to keep."""
        return self.is_note or bool(self.lines) or self.fault is not None

    def kind(self, text: str, columns: Columns | None) -> Kind:
        """Tell what a line behind those of the block is."""
        if not text.strip(ENDS):
            return Kind.BLANK
        if text.startswith(DOCSTART) and text[len(DOCSTART) : len(DOCSTART) + 1] in ENDS:
            return Kind.MARK
        kind = Kind.ROW if columns is None else columns.kind(text)
        return Kind.ROW if self.is_own and kind is Kind.COMMENT else kind

    def is_full(self, kind: Kind) -> bool:
        """Tell whether a line of this kind has to begin another note."""
        open_ended = not self.is_marked and self.sentences >= MOST_SENTENCES
        return open_ended and not self._in_sentence and kind is not Kind.BLANK

    def add(self, line: Line, kind: Kind, name: str, limit: int) -> None:
        """Take the next line; a note over the limit is a fault."""
        self.last, self.end = line.number, line.end
        if self._ended and kind is Kind.BLANK:
            self.first, self._ended = self.first + 1, False
            return
        if kind is Kind.MARK:
            self.is_own = spaced.about(line.text) is not None
            if line.text.rstrip(ENDS) == spaced.END_MARK.rstrip(ENDS):
                self.first, self._ended = self.first + 1, True
                return
            self.is_marked = True
        if kind is Kind.ROW and not self._in_sentence:
            self.sentences += 1
        self._in_sentence = kind is Kind.ROW or (self._in_sentence and kind is Kind.COMMENT)
        self._size += len(line.text)
        if self.fault is None:
            self.fault = line.fault or _too_long(self._size, limit, Place(name, self.first))
            self.lines.append(line.text)
        if self.fault is not None:
            self.lines.clear()


def blocks(
    lines: Iterable[Line], columns: Columns | None, name: str, limit: int
) -> Iterator[Block]:
    """Yield the notes, each as soon as the next one begins, and lines that are of none."""
    block = Block(1)
    for line in lines:
        kind = block.kind(line.text, columns)
        if kind is Kind.MARK or block.is_full(kind) or not block.last:
            if block.is_any:
                yield block
            block = Block(line.number)
        block.add(line, kind, name, limit)
    if block.is_any:
        block.is_last = True
        yield block


def _too_long(size: int, limit: int, where: Place) -> InputError | None:
    try:
        check_size(size, limit, where)
    except InputError as error:
        return error
    return None
