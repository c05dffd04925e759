"""What each kind of part promises. Parts work on whole batches; batching changes only speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.redaction import Redaction
from phiscrub.core.scores import TokenScores


class Tokenizer(Protocol):
    """Cuts documents into tokens and sentences."""

    def tokenize(self, documents: Sequence[Document]) -> Sequence[Note]:
        """Return one note a document, in order."""
        ...


class Detector(Protocol):
    """Finds mentions."""

    @property
    def labels(self) -> frozenset[str]:
        """Every label that the detector can give."""
        ...

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions of each note, in any order, overlapping or not."""
        ...


class Tagger(Detector, Protocol):
    """A detector that also says how likely each label is for each token."""

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return label probabilities for each note."""
        ...


class Careful(Tagger, Protocol):
    """A tagger that can be read at another threshold without weighing the notes again."""

    def weigh(self, notes: Sequence[Note]) -> Any:
        """Return all that is known of notes before the threshold has a say."""
        ...

    def settle(self, weighed: Any, threshold: float | None) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions of each weighed note at a threshold."""
        ...


class Refiner(Protocol):
    """Drops, extends or adds mentions in the light of the whole note."""

    def refine(self, note: Note, mentions: Sequence[Mention]) -> tuple[Mention, ...]:
        """Return the mentions that stand."""
        ...


class Combiner(Protocol):
    """Settles overlapping claims."""

    def combine(self, note: Note, claims: Sequence[Mention]) -> Cover:
        """Return the cover; the order of claims does not matter."""
        ...


class Replacer(Protocol):
    """Chooses the words that stand in for each mention."""

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with its cover's replacements."""
        ...
