"""More notes to learn from: copies of the training notes with other identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.synthesize.noise import Rates
from phiscrub.synthesize.synthesizer import Origin, Settings, Synthesizer


@dataclass(frozen=True, slots=True)
class Augment:
    """How training notes are multiplied: `copies` of each beside itself, development notes never.

    `noise` is as ``phiscrub synth`` takes it; `layout` and `blocks` are the shares of copies that
    get another layout, and headers and the like; the same `seed` gives the same copies.
    """

    copies: int = 1
    noise: str = ""
    layout: float = 0.0
    blocks: float = 0.0
    seed: int = 1

    def check(self, where: str) -> None:
        """Raise `SettingsError` for what is out of range."""
        if self.copies < 1 or not (0 <= self.layout <= 1 and 0 <= self.blocks <= 1):
            hint = "copies = 1 or more, layout and blocks from 0 to 1"
            raise SettingsError("'training.augment' is out of range", where=where, hint=hint)
        try:
            Rates.parse(self.noise)
        except SettingsError as error:
            raise SettingsError(error.what, where=where, hint=error.hint) from None


@dataclass(frozen=True, slots=True)
class Augmented:
    """Notes, each followed by its copies: `each` is how many there are of one."""

    notes: tuple[Annotated, ...]
    each: int

    @property
    def origins(self) -> list[int]:
        """Which note each is, or is a copy of."""
        return [at // self.each for at in range(len(self.notes))]


def augmented(
    notes: Sequence[Annotated], augment: Augment | None, language: str, labels: str
) -> Augmented:
    """Return the notes with their copies behind each, or the notes alone where none are asked."""
    if augment is None:
        return Augmented(tuple(notes), 1)
    made = Synthesizer.of(
        Settings(
            seed=augment.seed,
            language=language,
            labels=labels,
            noise=Rates.parse(augment.noise),
            layout=augment.layout,
            blocks=augment.blocks,
            verify=False,  # what stands unmarked stays so: it is a decoy to learn from
        )
    )
    grown: list[Annotated] = []
    for number, note in enumerate(notes):
        grown.append(note)
        for turn in range(augment.copies):
            name = f"{note.document.id}~{turn + 1}"
            copy = number * augment.copies + turn
            grown.append(made.copy(Origin(note), copy, turn, name))
    return Augmented(tuple(grown), augment.copies + 1)
