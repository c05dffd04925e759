"""Vectors as word2vec writes them in binary.

A line with the numbers of words and dimensions; then a word, a blank, and little-endian float32s,
again and again. word2vec ends each vector with a line feed, other writers do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NoReturn

import numpy as np

from phiscrub.core.errors import InputError, Place
from phiscrub.embeddings.textfile import FETCH, HEADER, Gathered, Read
from phiscrub.embeddings.vectors import Vectors

CHUNK = 1 << 22  # bytes read at once
RECORDS = 4096
LONGEST_WORD = 4096  # bytes
MOST_DIMENSIONS = 1 << 16
WIDTH = 4  # bytes of a number


def read_binary(file: BinaryIO, where: str, most: int | None = None) -> Read:
    """Read vectors, at most so many; raises `InputError` with the number of the broken one."""
    header = file.readline(64).split()
    if len(header) != HEADER or not all(field.isdigit() for field in header):
        raise InputError("does not begin with two numbers", where=where, hint=FETCH)
    told, size = map(int, header)
    if not 0 < size <= MOST_DIMENSIONS:
        raise InputError(f"cannot have vectors of {size} dimensions", where=where, hint=FETCH)
    gathered = Gathered(where)
    wanted = told if most is None else min(told, most)
    words: list[bytes] = []
    bodies: list[bytes] = []
    number = 0
    for word, body in _records(file, wanted, size * WIDTH, where):
        words.append(word)
        bodies.append(body)
        if len(words) == RECORDS:
            gathered.add(words, _rows(bodies, size), number + 1, "record")
            number, words, bodies = number + len(words), [], []
    if words:
        gathered.add(words, _rows(bodies, size), number + 1, "record")
    return gathered.read(most)


def write_binary(vectors: Vectors) -> Iterator[bytes]:
    """Yield the pieces of a file."""
    yield f"{len(vectors)} {vectors.dimensions}\n".encode()
    for word, row in zip(vectors.words, vectors.matrix, strict=True):
        yield b"%b %b\n" % (word.encode(), row.astype("<f4").tobytes())


def _records(file: BinaryIO, wanted: int, width: int, where: str) -> Iterator[tuple[bytes, bytes]]:
    data, at = b"", 0
    for number in range(1, wanted + 1):
        blank = data.find(b" ", at)
        while blank < 0 or len(data) < blank + 1 + width:
            more = file.read(CHUNK)
            if not more:
                _refuse(number, wanted, where)
            data, at = data[at:] + more, 0
            blank = data.find(b" ", at)
            if blank > LONGEST_WORD or (blank < 0 and len(data) > LONGEST_WORD):
                _refuse(number, wanted, where)
        yield data[at:blank].lstrip(b"\n"), data[blank + 1 : blank + 1 + width]
        at = blank + 1 + width


def _rows(bodies: list[bytes], size: int) -> np.ndarray:
    return np.frombuffer(b"".join(bodies), dtype="<f4").reshape(len(bodies), size)


def _refuse(number: int, wanted: int, where: str) -> NoReturn:
    place = Place(where, record=str(number))
    raise InputError(f"is no whole vector; there should be {wanted}", where=place, hint=FETCH)
