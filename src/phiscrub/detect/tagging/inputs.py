"""What a network reads: tokens as numbers, split into what a word shows and what its place does.

A *word type* is a word with the few characters that follow it, where the network reads those;
what depends on the type alone is worked out once a type, and may be remembered. Training and
inference read through the same code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.core.jsontext import AGAIN
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.layout import Column
from phiscrub.detect.tagging.traits import Traits

Ints = NDArray[np.int64]
Type = tuple[str, str]  # a word, and the characters that follow it

DIGITS = ("none", "zero", "glued", "split")
DIGIT = re.compile(r"\d")
PIECE = re.compile(r"\d|\D+")
PADDING, UNKNOWN, FIRST = 0, 1, 2  # numbers of words and characters; those listed come behind
NOTHING, OTHER = 0, 1  # numbers of a trait's value: none, and one that is not listed
MOST_BUCKETS = 1 << 22
MOST_HASHES = 8
LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Shown:
    """A trait that a network looks up, as a vector of `dimension` numbers.

    Its value is looked up in the list `values`, or, with `buckets`, hashed to one of so many
    rows by each of `hashes` functions, whose rows are added up (Svenstrup et al. 2017).
    """

    trait: str
    dimension: int
    buckets: int = 0
    hashes: int = 1
    values: tuple[str, ...] = field(default=(), repr=False)

    @property
    def rows(self) -> int:
        """How many rows its table has; row 0 stands for nothing shown."""
        return 1 + self.buckets if self.buckets else FIRST + len(self.values)

    def numbers(self, values: Sequence[str]) -> Ints:
        """Return the rows of some values: int64 ``[values, hashes]``."""
        if not self.buckets:
            known = {value: number for number, value in enumerate(self.values, FIRST)}
            rows = [known.get(value, OTHER) if value else NOTHING for value in values]
            return np.array(rows, dtype=np.int64).reshape(-1, 1)
        hashed = [_hashes(f"{self.trait}={value}", self.hashes) for value in values]
        rows_of = np.frombuffer(b"".join(hashed), dtype="<u4").reshape(-1, self.hashes)
        numbers = 1 + rows_of.astype(np.int64) % self.buckets
        numbers[[not value for value in values]] = NOTHING
        return numbers


@dataclass(frozen=True, slots=True, eq=False)
class Inputs:
    """What a network wants to know of its tokens.

    `words` and `characters` are the lists that have vectors, without any where the network
    reads none. Words are looked up in small letters with `lower`, their `digits` as they are
    (``none``), each as 0 (``zero``), each as the word DIGIT, within the word (``glued``) or as
    a token of its own (``split``; Kassaie 2016). Of a word, `longest` characters are read, and
    up to `post_space` of those between it and the next. Raises `SettingsError` where a value is
    out of range.
    """

    words: tuple[str, ...] = field(default=(), repr=False)
    characters: tuple[str, ...] = field(default=(), repr=False)
    traits: tuple[Shown, ...] = ()
    lower: bool = False
    digits: str = "none"
    longest: int = 30
    post_space: int = 0

    def __post_init__(self) -> None:
        fits = (
            self.digits in DIGITS
            and 0 < self.longest <= LONGEST
            and 0 <= self.post_space <= LONGEST
            and len(set(self.words)) == len(self.words)
            and len(set(self.characters)) == len(self.characters)
            and len({one.trait for one in self.traits}) == len(self.traits)
            and all(
                one.dimension > 0
                and 0 <= one.buckets <= MOST_BUCKETS
                and 0 < one.hashes <= MOST_HASHES
                and not (one.buckets and one.values)
                and (one.buckets or one.hashes == 1)
                for one in self.traits
            )
        )
        if not fits:
            raise SettingsError("its inputs do not fit together", hint=AGAIN)

    @property
    def trait_names(self) -> tuple[str, ...]:
        """The traits to be asked for."""
        return tuple(one.trait for one in self.traits)

    def stated(self) -> dict[str, Any]:
        """Return all but the lists of words and characters, as plain data for a manifest."""
        table = asdict(self)
        return {key: value for key, value in table.items() if key not in ("words", "characters")}

    @classmethod
    def read(
        cls, table: Mapping[str, Any], words: Sequence[str], characters: Sequence[str]
    ) -> Self:
        """Build from what `stated` returned; raise `SettingsError` where it is anything else."""
        own = dict(table)
        try:
            traits = tuple(
                Shown(**{**one, "values": tuple(map(_text, one["values"]))})
                for one in own.pop("traits")
            )
            kinds = {"lower": bool, "digits": str, "longest": int, "post_space": int}
            typed = set(own) == set(kinds) and all(type(own[k]) is kinds[k] for k in kinds)
            typed = typed and all(
                type(one.trait) is str
                and all(type(n) is int for n in (one.dimension, one.buckets, one.hashes))
                for one in traits
            )
        except (TypeError, KeyError, AttributeError):
            typed = False
        if not typed:
            raise SettingsError("its inputs are not those of a network", hint=AGAIN)
        return cls(tuple(words), tuple(characters), traits, **own)

    def looked_up(self, word: str) -> str:
        """Return a word as it is looked up among `words`."""
        word = word.lower() if self.lower else word
        if self.digits == "none":
            return word
        return DIGIT.sub("0" if self.digits == "zero" else "DIGIT", word)


@dataclass(frozen=True, slots=True, eq=False)
class TypeNumbers:
    """Word types as numbers, int64 all: what the half of a network that reads words takes.

    `word` is of shape ``[types]``, `characters` ``[types, longest of them]``, padded with 0, at
    least one wide, `shown` ``[types, columns]``: a column a word trait and hash. Without a list
    of words or characters all is 0.
    """

    word: Ints = field(repr=False)
    characters: Ints = field(repr=False)
    shown: Ints = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Encoded:
    """A frame as a network reads it, position by position.

    A position is a token, or a piece of one where digits are split. `types` are distinct;
    `type` is int32 ``[positions]``, indices into them; `notes` is int64 ``[positions,
    columns]``, a column a note trait and hash. `starts`, int64 ``[sequences + 1]``, counts
    positions as `Frame.starts` counts tokens; `firsts`, int64 ``[tokens]``, is the position at
    which each token begins: what is said of it holds for the token.
    """

    types: tuple[Type, ...] = field(repr=False)
    type: NDArray[np.int32] = field(repr=False)
    notes: Ints = field(repr=False)
    starts: Ints = field(repr=False)
    firsts: Ints = field(repr=False)

    def part(self, starts: Ints) -> Encoded:
        """Return the positions of some sequences that follow each other, counted from 0."""
        first, end = starts[[0, -1]].tolist()
        if end - first == len(self.type):
            return Encoded(self.types, self.type, self.notes, starts, self.firsts)
        ids, own = np.unique(self.type[first:end], return_inverse=True)
        types = tuple(self.types[number] for number in ids.tolist())
        low, high = np.searchsorted(self.firsts, [first, end])
        notes, firsts = self.notes[first:end], self.firsts[low:high] - first
        return Encoded(types, own.astype(np.int32), notes, starts - first, firsts)


class Encoder:
    """Reads frames by `inputs`; `traits` were made for `inputs.trait_names`, or for more.

    `word_shown` and `note_shown` are the traits in the order of the columns of
    `TypeNumbers.shown` and `Encoded.notes`.
    """

    def __init__(self, inputs: Inputs, traits: Traits) -> None:
        self.inputs = inputs
        self._traits = traits
        self.word_shown = tuple(s for s in inputs.traits if s.trait in traits.word_names)
        self.note_shown = tuple(s for s in inputs.traits if s.trait in traits.note_names)
        self._word_makers = [traits.word_names.index(s.trait) for s in self.word_shown]
        self._words = {word: number for number, word in enumerate(inputs.words, FIRST)}
        self._characters = {c: number for number, c in enumerate(inputs.characters, FIRST)}

    def encode(self, frame: Frame) -> Encoded:
        """Return the types and note traits of a frame."""
        types, ids = self._types(frame)
        notes = self._notes(frame)
        if self.inputs.digits != "split":
            return Encoded(types, ids, notes, frame.starts, np.arange(len(frame)))
        pieces, piece_ids, sizes = _split(types, ids)
        bounds = np.append(0, np.cumsum(sizes))
        token = np.repeat(np.arange(len(frame)), sizes)
        return Encoded(pieces, piece_ids, notes[token], bounds[frame.starts], bounds[:-1])

    def numbers(self, types: Sequence[Type]) -> TypeNumbers:
        """Return what the words half reads of some types; no type changes another's numbers."""
        inputs = self.inputs
        word = np.zeros(len(types), dtype=np.int64)
        if inputs.words:
            word[:] = [self._words.get(inputs.looked_up(w), UNKNOWN) for w, _ in types]
        written = [w[: inputs.longest] + gap for w, gap in types] if inputs.characters else []
        characters = np.zeros((len(types), max(map(len, written), default=1) or 1), dtype=np.int64)
        for row, text in zip(characters, written, strict=False):
            row[: len(text)] = [self._characters.get(c, UNKNOWN) for c in text]
        rows = [self._traits.of_word(w) for w, _ in types] if self.word_shown else []
        columns = [
            shown.numbers([row[maker] for row in rows])
            for shown, maker in zip(self.word_shown, self._word_makers, strict=True)
        ]
        empty = np.zeros((len(types), 0), dtype=np.int64)
        return TypeNumbers(word, characters, np.concatenate([empty, *columns], axis=1))

    def types_of(self, frame: Frame) -> tuple[Type, ...]:
        """Return the distinct types of a frame, or pieces of them where digits are split."""
        types, ids = self._types(frame)
        return _split(types, ids)[0] if self.inputs.digits == "split" else types

    def _types(self, frame: Frame) -> tuple[tuple[Type, ...], NDArray[np.int32]]:
        most = self.inputs.post_space
        if not most:
            return tuple((word, "") for word in frame.words), frame.word
        known: dict[Type, int] = {}
        ids: list[int] = []
        for note in frame.notes:
            text, tokens = note.text, note.tokens
            ends = tokens.ends.tolist()
            nexts = [*tokens.starts[1:].tolist(), len(text)]
            for word, end, after in zip(tokens.words(), ends, nexts, strict=False):
                gap = text[end : min(after, end + most)]
                ids.append(known.setdefault((word, gap), len(known)))
        return tuple(known), np.array(ids, dtype=np.int32)

    def _notes(self, frame: Frame) -> Ints:
        shown: dict[str, Column] = {}
        if self.note_shown:
            shown = dict(zip(self._traits.note_names, self._traits.of_notes(frame), strict=True))
        columns = [
            one.numbers(shown[one.trait].values)[shown[one.trait].ids] for one in self.note_shown
        ]
        return np.concatenate([np.zeros((len(frame), 0), dtype=np.int64), *columns], axis=1)


def _split(
    types: Sequence[Type], ids: NDArray[np.int32]
) -> tuple[tuple[Type, ...], NDArray[np.int32], Ints]:
    """Cut every digit off its word; return types of pieces, pieces, and pieces a token.

    What follows a word follows its last piece.
    """
    known: dict[Type, int] = {}
    cut: list[list[int]] = []
    for word, gap in types:
        *before, last = PIECE.findall(word)
        pieces = [*((piece, "") for piece in before), (last, gap)]
        cut.append([known.setdefault(piece, len(known)) for piece in pieces])
    sizes = np.array([len(row) for row in cut], dtype=np.int64)
    rows = [number for token in ids.tolist() for number in cut[token]]
    return tuple(known), np.array(rows, dtype=np.int32), sizes[ids]


def _hashes(text: str, count: int) -> bytes:
    size = count * np.dtype("<u4").itemsize
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=size).digest()


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise TypeError
