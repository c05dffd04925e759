"""What vectors are learned from: the words of notes, in order."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import InputError, SettingsError
from phiscrub.core.note import Note
from phiscrub.embeddings.normalise import UNKNOWN, Normalise

UNITS = ("sentence", "note")
GONE = -1


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """The words of notes by number, in sequences across which no context reaches.

    `word` is int32 ``[tokens]``, an index into `words`; `starts` int64 ``[sequences + 1]``, where
    sequences begin among the tokens; `notes` int64 ``[notes + 1]``, where notes begin among the
    sequences. Four bytes a token: a clinic's records fit into memory.
    """

    words: tuple[str, ...] = field(repr=False)
    word: NDArray[np.int32] = field(repr=False)
    starts: NDArray[np.int64] = field(repr=False)
    notes: NDArray[np.int64] = field(repr=False)

    @classmethod
    def of(cls, notes: Iterable[Note], normalise: Normalise, unit: str = "sentence") -> Text:
        """Take notes as they come; raises `SettingsError` for another unit than those known."""
        if unit not in UNITS:
            raise SettingsError(f"no unit {unit!r}", hint=f"known: {', '.join(UNITS)}")
        numbers: dict[str, int] = {}
        pieces: dict[str, tuple[int, ...]] = {}
        word, starts, firsts = array("i"), array("q", [0]), array("q", [0])
        for note in notes:
            for words in _sequences(note, unit):
                for one in words:
                    if one not in pieces:
                        pieces[one] = tuple(
                            numbers.setdefault(piece, len(numbers))
                            for piece in normalise.pieces(one)
                        )
                    word.extend(pieces[one])
                starts.append(len(word))
            firsts.append(len(starts) - 1)
        return cls(
            tuple(numbers),
            np.array(word, dtype=np.int32),
            np.array(starts, dtype=np.int64),
            np.array(firsts, dtype=np.int64),
        )

    def __len__(self) -> int:
        """Return how many notes there are."""
        return len(self.notes) - 1

    def __iter__(self) -> Iterator[list[str]]:
        """Yield the words of each sequence that has any."""
        words = self.words
        for start, end in pairwise(self.starts.tolist()):
            if start < end:
                yield [words[number] for number in self.word[start:end].tolist()]

    @property
    def tokens(self) -> int:
        """How many words there are, repetitions included."""
        return len(self.word)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each word stands in the text, in the order of `words`."""
        return np.bincount(self.word, minlength=len(self.words))

    def only(self, order: Sequence[int]) -> Text:
        """Return the notes of these numbers, in this order; the words keep their numbers."""
        pairs = [(self.notes[number], self.notes[number + 1]) for number in order]
        sequences = _ranges(pairs)
        lengths = np.diff(self.starts)[sequences]
        tokens = _ranges([(self.starts[a], self.starts[b]) for a, b in pairs])
        counts = [b - a for a, b in pairs]
        return Text(self.words, self.word[tokens], _cumulated(lengths), _cumulated(counts))

    def shuffled(self, seed: int) -> Text:
        """Return the notes in an order drawn by the seed."""
        order = list(range(len(self)))
        random.Random(seed).shuffle(order)  # noqa: S311 - no secret
        return self.only(order)

    def cut(self, min_count: int, min_notes: int = 1, *, unknown: bool = True) -> Text:
        """Make one word, ``UNK``, of those that are rare in the text or stand in few notes.

        Words are then in falling order of their counts, and alphabetical within one. Without
        `unknown` rare words are left out, as word2vec does. Raises `InputError` where no word is
        frequent enough.
        """
        counts = self.counts
        keep = (counts >= max(1, min_count)) & (self._note_counts() >= min_notes)
        if not keep.any():
            raise InputError(
                f"an empty vocabulary: of {len(self.words)} words none is seen {min_count} times "
                f"in {min_notes} notes",
                hint="give more notes, or a lower --min-count",
            )
        total = {self.words[at]: int(counts[at]) for at in np.flatnonzero(keep).tolist()}
        if unknown and not keep.all():
            total[UNKNOWN] = total.get(UNKNOWN, 0) + int(counts[~keep].sum())
        words = sorted(total, key=lambda word: (-total[word], word))
        index = {word: at for at, word in enumerate(words)}
        rare = index.get(UNKNOWN, GONE) if unknown else GONE
        to = np.array([index.get(word, rare) for word in self.words], dtype=np.int32)
        moved = to[self.word]
        stays = moved != GONE
        before = np.concatenate(([0], np.cumsum(stays)))
        return Text(tuple(words), moved[stays], before[self.starts], self.notes)

    def _note_counts(self) -> NDArray[np.int64]:
        """Return in how many notes each word stands."""
        lengths = np.diff(self.starts[self.notes])
        note = np.repeat(np.arange(len(self)), lengths)
        both = np.unique(note * len(self.words) + self.word)
        return np.bincount(both % max(1, len(self.words)), minlength=len(self.words))


def _sequences(note: Note, unit: str) -> Iterator[list[str]]:
    words = note.tokens.words()
    if unit == "note":
        yield words
        return
    first = np.searchsorted(note.tokens.starts, note.sentences.starts).tolist()
    for start, end in pairwise([0, *first, len(words)]):
        if start < end:
            yield words[start:end]


def _ranges(pairs: Iterable[tuple[int, int]]) -> NDArray[np.int64]:
    parts = [np.arange(a, b, dtype=np.int64) for a, b in pairs]
    return np.concatenate(parts) if parts else np.zeros(0, dtype=np.int64)


def _cumulated(lengths: Sequence[int] | NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(np.asarray(lengths, dtype=np.int64))))
