"""Annotated notes as a tagger reads them: without disguises, in tokens, and back again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from phiscrub.core.contracts import Detector, Tokenizer
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.wording import counted
from phiscrub.evaluate.sample import Sample, paired
from phiscrub.tokenize.disguise import Undisguised, undisguise
from phiscrub.train.recipe import Recipe


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A note in tokens, its gold mentions in the text as it reads, and the way back."""

    note: Note
    gold: tuple[Mention, ...] = field(repr=False)
    view: Undisguised | None = field(default=None, repr=False)

    def original(self, mentions: Iterable[Mention]) -> tuple[Mention, ...]:
        """Return mentions of the text as it reads at their places in the original."""
        if self.view is None:
            return tuple(mentions)
        view = self.view
        return tuple(replace(m, span=view.original(m.span)) for m in mentions)


def read(notes: Sequence[Annotated], tokenizer: Tokenizer) -> list[Reading]:
    """Undisguise and cut notes, as a pipeline does, and move their mentions along."""
    views = [undisguise(note.document.text) for note in notes]
    documents = [
        note.document if view is None else replace(note.document, text=view.text)
        for note, view in zip(notes, views, strict=True)
    ]
    cut = tokenizer.tokenize(documents)
    return [
        Reading(made, _moved(note.mentions, view), view)
        for made, note, view in zip(cut, notes, views, strict=True)
    ]


def tag(notes: Sequence[Annotated], tokenizer: Tokenizer, tagger: Detector) -> list[Annotated]:
    """Return the notes with what a tagger finds in them instead of their mentions."""
    readings = read(notes, tokenizer)
    found = tagger.detect([reading.note for reading in readings])
    return [
        Annotated(note.document, reading.original(mentions))
        for note, reading, mentions in zip(notes, readings, found, strict=True)
    ]


def tried(notes: Sequence[Annotated], tokenizer: Tokenizer, tagger: Detector) -> list[Sample]:
    """Return annotated notes with what a tagger finds in them."""
    return paired(notes, tag(notes, tokenizer, tagger))


def misfits(readings: Iterable[Reading]) -> int:
    """Count gold mentions that no tagger can find exactly: a token crosses their edges."""
    count = 0
    for reading in readings:
        tokens = reading.note.tokens
        for mention in reading.gold:
            inside = tokens.within(mention.span)
            fits = (
                len(inside) > 0
                and tokens[inside[0]].start == mention.span.start
                and tokens[inside[-1]].end == mention.span.end
            )
            count += not fits
    return count


def reading_notices(recipe: Recipe, language: str, readings: Sequence[Reading]) -> tuple[str, ...]:
    """Return what a user should know of a recipe in a language, and of how it reads notes."""
    notices = []
    if recipe.variants and language not in recipe.variants:
        known = ", ".join(recipe.variants)
        notices.append(f"{recipe.name} has lists and rules for {known}, none for {language}")
    lost, whole = misfits(readings), sum(len(reading.gold) for reading in readings)
    if lost:
        notices.append(
            f"{lost:,} of {counted(whole, 'annotation')} begin or end inside a token of "
            f"tokenizer {recipe.tokenizer}, and cannot be found exactly"
        )
    return tuple(notices)


def _moved(mentions: Iterable[Mention], view: Undisguised | None) -> tuple[Mention, ...]:
    if view is None:
        return tuple(mentions)
    spans = [(mention, view.reading(mention.span)) for mention in mentions]
    return tuple(replace(mention, span=span) for mention, span in spans if span is not None)
