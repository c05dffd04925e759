"""One document with its gold and its found marks: what label-blind measures read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from phiscrub.core.document import patient_of
from phiscrub.core.errors import AnnotationError, Place
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.wording import counted

Mark = tuple[int, int, str]  # start, end, label; half-open, may be empty or lie behind the text


@dataclass(frozen=True, slots=True)
class Sample:
    """A document's text and both sides' marks, in any order, overlapping or not.

    `subject` is the key of the patient, where known: intervals are then over patients. `claims`
    are the found mentions with their scores and sources, where the system's format has those;
    `kind` is the type of note, where known.
    """

    id: str
    text: str = field(repr=False)
    gold: tuple[Mark, ...] = field(repr=False)
    found: tuple[Mark, ...] = field(repr=False)
    subject: str | None = field(default=None, repr=False)
    claims: tuple[Mention, ...] = field(default=(), repr=False)
    kind: str | None = None

    @classmethod
    def of(cls, gold: Annotated, found: Annotated, kind: str | None = None) -> Sample:
        """Pair two annotations of one document; raise `AnnotationError` where texts differ."""
        document = gold.document
        if document.text != found.document.text:
            raise AnnotationError(
                "the text differs from the gold document's",
                where=Place(record=document.id),
                hint="score the system's output on the very text that was annotated",
            )
        return cls(
            document.id,
            document.text,
            marks(gold.mentions),
            marks(found.mentions),
            patient_of(document),
            found.mentions,
            kind,
        )


def paired(gold: Iterable[Annotated], found: Iterable[Annotated]) -> list[Sample]:
    """Pair two annotations of the same documents in one order; raise as `Sample.of`."""
    return [Sample.of(one, own) for one, own in zip(gold, found, strict=True)]


def subjects_of(samples: Iterable[Sample]) -> tuple[str | None, ...] | None:
    """Return whose each document is, None where nobody is known."""
    subjects = tuple(sample.subject for sample in samples)
    return subjects if any(subjects) else None


def marks(mentions: Iterable[Mention]) -> tuple[Mark, ...]:
    """Return mentions as marks."""
    return tuple((mention.span.start, mention.span.end, mention.label) for mention in mentions)


def drawn(samples: Sequence[Sample]) -> str:
    """Say what intervals are over: patients, notes, or notes that no patient is known of too."""
    known = {sample.subject for sample in samples} - {None}
    alone = sum(sample.subject is None for sample in samples)
    parts = [counted(n, noun) for n, noun in ((len(known), "patient"), (alone, "note")) if n]
    return " and ".join(parts) or "0 notes"
