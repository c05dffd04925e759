"""Vectors as lines of text: word2vec, GloVe, fastText.

A line is a word, a blank, and numbers parted by blanks. word2vec's and fastText's files begin
with a line of two numbers, words and dimensions; GloVe's do not. fastText ends each line with a
blank. A word may hold blanks itself (GloVe's 840B has such): the numbers are counted from the
line's end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import BinaryIO, NoReturn

import numpy as np

from phiscrub.core.errors import InputError, Place
from phiscrub.embeddings.vectors import Matrix, Vectors

LINES = 4096  # read at once
HEADER = 2  # numbers in a header
DIGITS = 9  # significant digits that give a float32 back


@dataclass(frozen=True, slots=True)
class Read:
    """Vectors from a file, and what was mended in it."""

    vectors: Vectors
    notices: tuple[str, ...] = ()


def read_text(file: BinaryIO, where: str, most: int | None = None) -> Read:
    """Read vectors, at most so many; raises `InputError` with the line that is broken."""
    header, number, held = None, 0, []
    first = file.readline()
    if _is_header(first):
        header, number = tuple(map(int, first.split())), 1
    elif first:
        held = [first]
    size = header[1] if header else _size(held)
    if size < 1:
        _refuse(Place(where, line=1), "has no numbers")
    gathered = Gathered(where)
    for lines in _batches(file, held, most):
        words, fields = [], []
        for at, line in enumerate(lines, number + 1):
            word, numbers = _cut(line, size, Place(where, at))
            words.append(word)
            fields.append(numbers)
        gathered.add(words, _numbers(fields, size, where, number + 1), number + 1)
        number += len(lines)
    if header is not None and number - 1 != header[0] and (most is None or number - 1 < most):
        _refuse(
            Place(where, line=number), f"is the last of {number - 1} vectors, not of {header[0]}"
        )
    return gathered.read(most)


def write_text(vectors: Vectors, *, header: bool, trailing: bool = False) -> Iterator[bytes]:
    """Yield the lines of a file, `header` and trailing blanks as the format wants them."""
    if header:
        yield f"{len(vectors)} {vectors.dimensions}\n".encode()
    end = " \n" if trailing else "\n"
    for word, row in zip(vectors.words, vectors.matrix.tolist(), strict=True):
        yield f"{word} {' '.join(f'{number:.{DIGITS}g}' for number in row)}{end}".encode()


class Gathered:
    """Words and rows as they are read; the second vector of a word is left out."""

    def __init__(self, where: str) -> None:
        """Begin with nothing."""
        self._where = where
        self._index: dict[str, None] = {}
        self._rows: list[Matrix] = []
        self._twice = self._garbled = 0

    def add(self, words: list[bytes], rows: Matrix, number: int, noun: str = "line") -> None:
        """Take some words with their rows; `number` is the first one's, for messages.

        Raises `InputError` where a row holds what is no finite number.
        """
        keep = []
        for at, raw in enumerate(words):
            try:
                word = raw.decode()
            except UnicodeDecodeError:
                self._garbled += 1
                continue
            if word in self._index:
                self._twice += 1
                continue
            self._index[word] = None
            keep.append(at)
        bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
        if len(bad):
            at = number + int(bad[0])
            line, record = (at, None) if noun == "line" else (None, str(at))
            place = Place(self._where, line=line, record=record)
            raise InputError("holds what is no finite number", where=place, hint=FETCH)
        self._rows.append(rows[keep])

    def read(self, most: int | None) -> Read:
        """Return all that was taken; raise `InputError` where that is nothing."""
        if not self._index:
            raise InputError("an empty vocabulary: it holds no vectors", where=self._where)
        notices = [
            f"{self._where}: {told}"
            for count, told in (
                (self._twice, f"{self._twice} words stand twice, the first vector is kept"),
                (self._garbled, f"{self._garbled} words are no UTF-8, they are left out"),
            )
            if count
        ]
        words, matrix = tuple(self._index), np.concatenate(self._rows)
        return Read(Vectors(words[:most], matrix[:most]), tuple(notices))


FETCH = "mend it, or fetch it again"


def _is_header(line: bytes) -> bool:
    fields = line.split()
    return len(fields) == HEADER and all(field.isdigit() for field in fields)


def _size(held: list[bytes]) -> int:
    """Tell the dimensions of a file without header: as many numbers as end its first line."""
    if not held:
        return 1
    fields = held[0].split()[1:]
    return sum(1 for _ in takewhile(_is_number, reversed(fields)))


def _batches(file: BinaryIO, held: list[bytes], wanted: int | None) -> Iterator[list[bytes]]:
    """Yield lines by the thousand, at most so many in all; empty ones at the end are no lines."""
    lines, done = held, 0
    for line in file:
        if wanted is not None and done + len(lines) >= wanted:
            break
        lines.append(line)
        if len(lines) == LINES:
            yield lines
            lines, done = [], done + LINES
    while lines and not lines[-1].strip():
        lines.pop()
    if lines:
        yield lines


def _cut(line: bytes, size: int, where: Place) -> tuple[bytes, list[bytes]]:
    fields = line.rstrip(b" \t\r\n").replace(b"\t", b" ").split(b" ")
    if len(fields) <= size:
        _refuse(where, f"has {len(fields) - 1} numbers, not {size}")
    word = b" ".join(fields[:-size])
    if len(fields) > size + 1 and _is_number(fields[-size - 1]) and _is_number(fields[1]):
        _refuse(where, f"has {len(fields) - 1} numbers, not {size}")
    if not word:
        _refuse(where, "has no word")
    return word, fields[-size:]


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _numbers(fields: list[list[bytes]], size: int, where: str, first: int) -> Matrix:
    try:
        with np.errstate(over="ignore"):  # what is beyond float32 is infinite, and refused
            return np.array(fields, dtype=np.float32).reshape(len(fields), size)
    except ValueError:
        for at, row in enumerate(fields, first):
            if not all(map(_is_number, row)):
                _refuse(Place(where, line=at), "holds what is no number")
        raise


def _refuse(where: Place, what: str) -> NoReturn:
    raise InputError(what, where=where, hint=FETCH)
