"""Copies of annotated notes: each with its own identifiers, layout and noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import InputError, Place
from phiscrub.core.labels import HUB, label_set
from phiscrub.core.mention import Annotated
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace.keyed import Key
from phiscrub.replace.surrogates import Settings as SurrogateSettings
from phiscrub.replace.surrogates import build
from phiscrub.synthesize.dateforms import DateForms
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.idshapes import IdShapes
from phiscrub.synthesize.insert import Blocks, Phrases
from phiscrub.synthesize.layout import LAYOUTS
from phiscrub.synthesize.noise import Noise, Rates
from phiscrub.synthesize.persona import Persona
from phiscrub.synthesize.resample import Check, Resampler
from phiscrub.synthesize.step import Step
from phiscrub.synthesize.templates import load_templates

SHIFT_DAYS = 1500
ATTEMPTS = 5
FILLED = {"header": 0.7, "greeting": 0.2, "signature": 0.6, "footer": 0.4}


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the copies beside the notes themselves; workers are made from it.

    `layout` is the share of copies whose layout changes, `blocks` of those that may get headers
    and the like. With `verify` a copy that holds words of its original's identifiers is refused.
    `secret` is a hash of the originals: a seed is soon guessed, and would tell how far dates moved
    and which patient's number is behind a copy's.
    """

    seed: int
    language: str = "en"
    labels: str = HUB
    noise: Rates = field(default_factory=Rates)
    layout: float = 0.5
    blocks: float = 0.5
    verify: bool = True
    secret: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Origin:
    """One of the notes that are multiplied; `is_carrier` says that it had no gold mentions."""

    note: Annotated
    is_carrier: bool = False


@dataclass(frozen=True, slots=True)
class Synthesizer:
    """Makes the copies of notes, each by its number alone."""

    settings: Settings
    resampler: Resampler
    check: Check
    phrases: Phrases
    blocks: Blocks
    filled: Blocks
    forms: tuple[Step, ...]
    noise: Noise
    key: Key = field(repr=False)

    @classmethod
    def of(cls, settings: Settings) -> Synthesizer:
        """Load all that the language needs."""
        hubs = label_set(settings.labels).to_hub
        made = SurrogateSettings(label_set=settings.labels, shift_days=SHIFT_DAYS)
        templates = load_templates(settings.language)
        return cls(
            settings=settings,
            resampler=Resampler(build(made, Shelf(settings.language, None))),
            check=Check.of(settings.labels, settings.language),
            phrases=Phrases(templates, settings.labels),
            blocks=Blocks(templates, settings.labels),
            filled=Blocks(templates, settings.labels, **FILLED),
            forms=(
                DateForms.of(settings.language, hubs),
                IdShapes.of(settings.language, hubs),
            ),
            noise=Noise(settings.noise),
            key=Key(f"phiscrub synth {settings.seed}".encode()).narrow("notes", settings.secret),
        )

    def copy(self, origin: Origin, number: int, turn: int, name: str) -> Annotated:
        """Return a copy of a note under another name.

        `number` is that of the copy among all, `turn` how often the note was copied before: notes
        of one patient have the same surrogates where they are of the same turn. Raises
        `InputError` where words of the original's identifiers cannot be got rid of.
        """
        source = _renamed(origin.note, name)
        for attempt in range(ATTEMPTS):
            key = self.key.narrow("turn", str(turn), str(attempt))
            draw = Draw(self.key.narrow("copy", str(number), str(attempt)))
            clean = self._made(source, key, draw, is_carrier=origin.is_carrier)
            made = self.noise.change(clean, draw.part("noise"))
            left = (self.check.left(origin.note, one) for one in (clean, made))
            if not (self.settings.verify and any(left)):  # a misspelt original is one too
                return _anonymous(made, key)
        raise InputError(
            "words of its identifiers stand elsewhere in the note that this is a copy of",
            where=Place(record=name),
            hint="mark them, or give --no-verify",
        )

    def _made(self, note: Annotated, key: Key, draw: Draw, *, is_carrier: bool) -> Annotated:
        """Return a copy without noise."""
        settings = self.settings
        blocks, country = draw.part("blocks"), ""
        if is_carrier or blocks.happens(settings.blocks):
            who = Persona.of(note, settings.labels, settings.language, draw.part("persona"))
            if is_carrier:
                note = self.phrases.change(note, draw.part("phrases"), who)
            note = (self.filled if is_carrier else self.blocks).change(note, blocks, who)
            if note.document.subject is None:  # else other notes may be at home elsewhere
                country = who.country
        note = self.resampler.resample(note, key, country)
        for index, step in enumerate(self.forms):
            note = step.change(note, draw.part("forms", str(index)))
        layout = draw.part("layout")
        if layout.happens(settings.layout):
            for step, rate in LAYOUTS:
                if layout.happens(rate):
                    note = step.change(note, layout)
        return note


def doubtful(origins: Sequence[Origin], labels: str, language: str) -> list[Origin]:
    """Return the notes that have words of their identifiers outside mentions too."""
    check = Check.of(labels, language)
    return [origin for origin in origins if check.stand_elsewhere(origin.note)]


def _renamed(note: Annotated, name: str) -> Annotated:
    old = note.document
    return Annotated(Document(name, old.text, old.subject), note.mentions)


def _anonymous(note: Annotated, key: Key) -> Annotated:
    """Return a note whose subject is known by a key that tells nothing of the original."""
    document = note.document
    if document.subject is None:
        return note
    told = key.narrow("subject name", document.subject.key).secret.hex()[:12]
    return replace(note, document=replace(document, subject=Subject(told)))
