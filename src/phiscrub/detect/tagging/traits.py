"""What tokens show, by name: traits of the word alone, and traits of where it stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from phiscrub.core.errors import SettingsError
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.layout import Column, Layout
from phiscrub.detect.tagging.notetraits import NOTE_TRAITS, NoteTrait, Shown, Table, note_traits
from phiscrub.detect.tagging.wordtraits import WORD_TRAITS, WordTrait, word_trait


@dataclass(frozen=True, slots=True, eq=False)
class Traits:
    """Traits that are ready to be read off; build it with `Traits.of`.

    `note_makers` also holds what some traits are made from.
    """

    word_names: tuple[str, ...]
    note_names: tuple[str, ...]
    word_makers: tuple[WordTrait, ...] = field(repr=False)
    note_makers: Mapping[str, NoteTrait] = field(repr=False)

    @classmethod
    def of(cls, names: Iterable[str], tools: Toolbox, detectors: Sequence[Table] = ()) -> Traits:
        """Load what the traits need; `detectors` are tables whose finds `found` and `echo` tell.

        Raises `SettingsError` where a name is unknown or its data are not there, `MissingError`
        where an optional package is not.
        """
        wanted = tuple(dict.fromkeys(names))
        words = {name: word_trait(name, tools) for name in wanted}
        makers = note_traits([name for name in wanted if words[name] is None], tools, detectors)
        for name in wanted:
            if words[name] is None and name not in makers:
                hint = f"known: {', '.join((*WORD_TRAITS, *NOTE_TRAITS))}"
                raise SettingsError(f"no trait {name!r}", hint=hint)
        known = {name: trait for name, trait in words.items() if trait is not None}
        others = tuple(name for name in wanted if name not in known)
        return cls(tuple(known), others, tuple(known.values()), makers)

    def of_word(self, word: str) -> tuple[str, ...]:
        """Return the word traits of one word, in the order of `word_names`."""
        return tuple(trait(word) for trait in self.word_makers)

    def of_notes(self, frame: Frame) -> tuple[Column, ...]:
        """Return the note traits of every token, in the order of `note_names`."""
        if not self.note_names:
            return ()
        shown = Shown(Layout.of(frame), self.note_makers)
        return tuple(shown[name] for name in self.note_names)

    def columns(self, frame: Frame) -> dict[str, Column]:
        """Return every trait of every token, by name."""
        columns = {
            name: Column(tuple(map(trait, frame.words)), frame.word)
            for name, trait in zip(self.word_names, self.word_makers, strict=True)
        }
        return columns | dict(zip(self.note_names, self.of_notes(frame), strict=True))
