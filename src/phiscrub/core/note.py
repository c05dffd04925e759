"""A document that has been cut into tokens and sentences."""

from __future__ import annotations

from dataclasses import dataclass

from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError
from phiscrub.core.tokens import Tokens


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Note:
    """What detectors read: a document with its tokens and sentences, all over the same text.

    `tokenizer` names what cut the tokens, so that a part that needs others knows.
    """

    document: Document
    tokens: Tokens
    sentences: Tokens
    tokenizer: str = ""

    def __post_init__(self) -> None:
        for pieces in (self.tokens, self.sentences):
            if pieces.text is not self.document.text and pieces.text != self.document.text:
                raise AnnotationError(f"tokens of another text given for note {self.document.id}")

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text
