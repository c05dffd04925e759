"""A batch of notes as arrays: which word each token is, and where sequences begin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.core.note import Note

SEQUENCES = ("sentence", "line", "note")
ROUND = 8_192  # tokens worked on at a time: more would outgrow what the allocator keeps for reuse
BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")  # as str.splitlines does


class _Ids(dict[str, int]):
    """Words to numbers, in the order in which they are first asked for."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Whole sequences of a frame, which are worked on at a time, as in `Frame`.

    `first` is the frame's token that is the first of them.
    """

    first: int
    words: tuple[str, ...] = field(repr=False)
    word: NDArray[np.int32] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return len(self.word)

    @property
    def inside(self) -> slice:
        """Its tokens among the frame's."""
        return slice(self.first, self.first + len(self))


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The tokens of all notes in one row, and the sequences that they are tagged in.

    `words` are the distinct words, in the order in which they are first seen; `word` is int32 of
    shape ``[tokens]``, indices into them. `note_starts` is int64 of shape ``[notes + 1]`` and
    `starts` of shape ``[sequences + 1]``: first tokens, and the number of tokens behind the last.
    No sequence is empty or crosses from one note into the next; a note without tokens has none.
    """

    notes: tuple[Note, ...] = field(repr=False)
    words: tuple[str, ...] = field(repr=False)
    word: NDArray[np.int32] = field(repr=False)
    note_starts: NDArray[np.int64] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, notes: Sequence[Note], sequence: str) -> Frame:
        """Lay notes out; `sequence` is one of `SEQUENCES`, what the model reads at a time.

        Raises `SettingsError` where it is none of them.
        """
        if sequence not in SEQUENCES:
            raise SettingsError(f"no sequence {sequence!r}", hint=f"known: {', '.join(SEQUENCES)}")
        ids = _Ids()
        rows = [list(map(ids.__getitem__, note.tokens.words())) for note in notes]
        note_starts = np.cumsum([0, *map(len, rows)], dtype=np.int64)
        word = np.fromiter((i for row in rows for i in row), dtype=np.int32, count=note_starts[-1])
        firsts = [
            _firsts(note, sequence) + base
            for note, base in zip(notes, note_starts[:-1].tolist(), strict=True)
        ]
        starts = np.concatenate([*firsts, note_starts[-1:]])
        return cls(tuple(notes), tuple(ids), word, note_starts, starts)

    def __len__(self) -> int:
        return len(self.word)

    def rounds(self) -> Iterator[Round]:
        """Yield the sequences in order, those of about `ROUND` tokens together."""
        for low, high in rounds(self.starts):
            first, end = self.starts[[low, high]].tolist()
            if end - first == len(self):
                yield Round(0, self.words, self.word, self.starts)
                return
            ids, word = np.unique(self.word[first:end], return_inverse=True)
            words = tuple(self.words[number] for number in ids.tolist())
            yield Round(first, words, word.astype(np.int32), self.starts[low : high + 1] - first)


def rounds(starts: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield numbers of the first sequences of rounds, and of those behind their last.

    A round is of at most `ROUND` tokens, or one sequence.
    """
    low = 0
    while low < len(starts) - 1:
        high = int(np.searchsorted(starts, starts[low] + ROUND, side="right")) - 1
        high = max(low + 1, high)
        yield low, high
        low = high


def lines_of(note: Note) -> NDArray[np.int64]:
    """Return the number of the line, from 0, on which each token begins."""
    breaks = np.array([found.end() for found in BREAK.finditer(note.text)], dtype=np.int64)
    lines: NDArray[np.int64] = np.searchsorted(breaks, note.tokens.starts, side="right")
    return lines


def _firsts(note: Note, sequence: str) -> NDArray[np.int64]:
    """Return the first token of each sequence of a note, from 0."""
    if not len(note.tokens):
        return np.empty(0, dtype=np.int64)
    if sequence == "note":
        return np.zeros(1, dtype=np.int64)
    if sequence == "line":
        unit = lines_of(note)
    else:
        unit = np.searchsorted(note.sentences.starts, note.tokens.starts, side="right")
    return np.append(0, np.flatnonzero(np.diff(unit)) + 1).astype(np.int64)
