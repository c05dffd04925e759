"""The straight walk over batches of documents: tokens, claims, refinement, cover, redaction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from phiscrub.core.batches import by_size
from phiscrub.core.contracts import Combiner, Detector, Refiner, Replacer, Tokenizer
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, NoTextError, SettingsError
from phiscrub.core.labels import LabelSet
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.redaction import Redaction
from phiscrub.core.wording import counted
from phiscrub.detect.remembered import Answer
from phiscrub.formats.markup import hidden_by
from phiscrub.replace.renamed import rename
from phiscrub.replace.standing import Standing, emptied, spared, standing
from phiscrub.tokenize.disguise import Undisguised, undisguise


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a note's cover is what it is: the claims of each detector, what stood, the cover."""

    document: Document
    claims: tuple[tuple[str, tuple[Mention, ...]], ...]
    refined: tuple[Mention, ...]
    cover: Cover


@dataclass(frozen=True, slots=True)
class Reading:
    """Documents as detectors read them, and how their texts are undisguised, where they are.

    `tags` are those of an earlier scrub, of which the notes hold the brackets alone.
    """

    documents: tuple[Document, ...]
    views: tuple[Undisguised | None, ...] = field(repr=False)
    notes: tuple[Note, ...] = field(repr=False)
    tags: tuple[tuple[Standing, ...], ...]


@dataclass(frozen=True, slots=True, repr=False)
class Pipeline:
    """Parts in their order. `fingerprint` is a hash of settings, rules, models and version.

    `label_set` is the set that the detectors' labels come from, `names` what each label is called
    in the output. Of a note only single words are kept, in memory, for the notes that follow:
    parts remember what they worked out of each.
    """

    language: str
    label_set: LabelSet
    names: Mapping[str, str]
    tokenizer: Tokenizer
    detectors: tuple[tuple[str, Detector], ...]
    refiners: tuple[tuple[str, Refiner], ...]
    combiner: Combiner
    replacer: Replacer
    fingerprint: str

    def __repr__(self) -> str:
        """Return what it is made of, without the parts' settings and word lists."""
        detectors, refiners = ([name for name, _ in of] for of in (self.detectors, self.refiners))
        return (
            f"Pipeline({self.language!r}, {self.label_set.name!r}, detectors={detectors}, "
            f"refiners={refiners}, fingerprint={self.fingerprint[:12]!r})"
        )

    def covers(self, documents: Sequence[Document]) -> list[Cover]:
        """Return what is to be replaced in each document."""
        return [explanation.cover for explanation in self._walk(documents)]

    def annotate(self, documents: Sequence[Document]) -> list[Annotated]:
        """Return each document with the mentions found in it, under their output labels."""
        return [
            Annotated(document, rename(cover, self.names).mentions)
            for document, cover in zip(documents, self.covers(documents), strict=True)
        ]

    def redact(self, documents: Sequence[Document]) -> list[Redaction]:
        """Return each document with its identifiers replaced."""
        return [
            self.replacer.replace(document, cover)
            for document, cover in zip(documents, self.covers(documents), strict=True)
        ]

    def explain(self, document: Document) -> Explanation:
        """Return what each part said of one document."""
        return next(self._walk([document]))

    def scrub(self, text: str, *, markup: bool = False) -> Redaction:
        """Scrub one text: `.text`, `.cover`, and the offset maps `.to_output`, `.to_original`.

        Raises `NoTextError` where it is no string, and `InputError` where it is RTF or HTML or has
        HTML's escapes, which hide parts of names; with `markup` it is read tags and all.
        """
        return self.redact([Document("text", checked(text, "the text", markup=markup))])[0]

    def scrub_many(self, texts: Iterable[str], *, markup: bool = False) -> Iterator[Redaction]:
        """Scrub a stream of texts in batches, in order; memory holds one batch.

        Raises as `scrub` does at the first that is none, and where `texts` is one text.
        """
        return in_batches(self.redact, texts, markup=markup)

    def read(self, documents: Sequence[Document]) -> Reading:
        """Return the documents as the detectors read them."""
        views = [undisguise(document.text) for document in documents]
        read = list(map(_read_as, documents, views))
        labels = {*self.names, *self.names.values()}
        tags = [standing(document.text, labels) for document in read]
        notes = self.tokenizer.tokenize(list(map(emptied, read, tags)))
        return Reading(tuple(documents), tuple(views), tuple(notes), tuple(tags))

    def settle(self, reading: Reading, found: Sequence[Answer]) -> Iterator[Explanation]:
        """Refine and combine what each detector found in the documents.

        Tags of an earlier scrub stay: no cover has any part of one.
        Raises `SettingsError` where one did not answer for each document.
        """
        for (name, _), answer in zip(self.detectors, found, strict=True):
            _refuse_unlike(name, answer, len(reading.notes))
        for index, note in enumerate(reading.notes):
            by_detector = [claims[index] for claims in found]
            refined = tuple(chain.from_iterable(by_detector))
            for _, refiner in self.refiners:
                refined = refiner.refine(note, refined)
            cover = self.combiner.combine(note, refined)
            if tags := reading.tags[index]:
                cover = spared(note.text, cover, tags)
            names = (name for name, _ in self.detectors)
            claims = tuple(zip(names, by_detector, strict=True))
            seen = Explanation(reading.documents[index], claims, refined, cover)
            view = reading.views[index]
            yield seen if view is None else _back(seen, view)

    def _walk(self, documents: Sequence[Document]) -> Iterator[Explanation]:
        reading = self.read(documents)
        found = [detector.detect(reading.notes) for _, detector in self.detectors]
        return self.settle(reading, found)


def in_batches(
    redact: Callable[[Sequence[Document]], list[Redaction]],
    texts: Iterable[str],
    *,
    markup: bool,
) -> Iterator[Redaction]:
    """Yield the redaction of each text, worked on in batches; raises as `Pipeline.scrub_many`."""
    if isinstance(texts, str):
        raise NoTextError("a text was given for many", hint="give a list of strings, or use scrub")
    documents = (
        Document(f"text-{index}", checked(text, f"item {index}", markup=markup))
        for index, text in enumerate(texts)
    )
    for batch in by_size(documents, lambda document: len(document.text)):
        yield from redact(batch)


def checked(text: object, name: str, *, markup: bool) -> str:
    """Return a text; raise `NoTextError` or `InputError` where it is something else."""
    if not isinstance(text, str):
        hint = "decode it first" if isinstance(text, bytes) else "give a string"
        raise NoTextError(f"{name} is no string but of type {type(text).__name__}", hint=hint)
    kind = None if markup else hidden_by(text)
    if kind is not None:
        hint = "make it plain text, or have tags and all read as text with markup=True"
        raise InputError(f"{name} is {kind}, no plain text", hint=hint)
    return text


def _refuse_unlike(detector: str, answer: object, notes: int) -> None:
    """Raise `SettingsError` where an answer is no list of as many as there are notes."""
    if isinstance(answer, Sequence) and len(answer) == notes:
        return
    given = counted(len(answer), "answer") if isinstance(answer, Sequence) else "no list"
    raise SettingsError(
        f"detector {detector} gave {given} for {counted(notes, 'note')}",
        hint="it must give a tuple of mentions for each note; mend it",
    )


def _read_as(document: Document, view: Undisguised | None) -> Document:
    return document if view is None else replace(document, text=view.text)


def _back(seen: Explanation, view: Undisguised) -> Explanation:
    """Return what was seen in the undisguised text at its place in the original."""

    def moved(mentions: Iterable[Mention]) -> tuple[Mention, ...]:
        return tuple(replace(m, span=view.original(m.span)) for m in mentions)

    claims = tuple((name, moved(mentions)) for name, mentions in seen.claims)
    cover = Cover(moved(seen.cover))
    return Explanation(seen.document, claims, moved(seen.refined), cover)
