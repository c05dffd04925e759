"""What tokens show, by name: traits of the word alone, and traits of where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.wordtraits import WORD_TRAITS, WordTrait, word_trait


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """One trait of every token of a batch: `values` that occur, and `ids` into them.

    `ids` is int32 of shape ``[tokens]``. A value is '' where a token shows nothing; a value may
    stand twice.
    """

    values: tuple[str, ...] = field(repr=False)
    ids: NDArray[np.int32] = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """Traits that are ready to be read off; build it with `Traits.of`."""

    word_names: tuple[str, ...]
    note_names: tuple[str, ...]
    _word: tuple[WordTrait, ...] = field(repr=False)
    _note: tuple[Callable[[Frame], Column], ...] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[str], tools: Toolbox) -> Traits:
        """Load what the traits need; raise `SettingsError` where a name is unknown."""
        words: dict[str, WordTrait] = {}
        for name in names:
            found = word_trait(name, tools)
            if found is None:
                hint = f"known: {', '.join(WORD_TRAITS)}"
                raise SettingsError(f"no trait {name!r}", hint=hint)
            words[name] = found
        return cls(tuple(words), (), tuple(words.values()), ())

    def of_word(self, word: str) -> tuple[str, ...]:
        """Return the word traits of one word, in the order of `word_names`."""
        return tuple(trait(word) for trait in self._word)

    def of_notes(self, frame: Frame) -> tuple[Column, ...]:
        """Return the note traits of every token, in the order of `note_names`."""
        return tuple(trait(frame) for trait in self._note)

    def columns(self, frame: Frame) -> dict[str, Column]:
        """Return every trait of every token, by name."""
        columns = {
            name: Column(tuple(map(trait, frame.words)), frame.word)
            for name, trait in zip(self.word_names, self._word, strict=True)
        }
        return columns | dict(zip(self.note_names, self.of_notes(frame), strict=True))
