"""A document that has been cut into tokens and sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError
from phiscrub.core.tokens import Tokens


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Note:
    """What detectors read: a document with its tokens and sentences, all over the same text.

    `tokenizer` names what cut the tokens, so that a part that needs others knows. `cut` is the
    sentences, or what cuts a text into them when somebody first asks: rules never do.
    """

    document: Document
    tokens: Tokens
    cut: Tokens | Callable[[str], Tokens] = field(repr=False)
    tokenizer: str = ""

    def __post_init__(self) -> None:
        self._check(self.tokens)
        if isinstance(self.cut, Tokens):
            self._check(self.cut)

    @property
    def sentences(self) -> Tokens:
        """The sentences; raise `AnnotationError` where they are of another text."""
        if not isinstance(self.cut, Tokens):
            sentences = self.cut(self.text)
            self._check(sentences)
            object.__setattr__(self, "cut", sentences)  # no other value, only sooner or later
            return sentences
        return self.cut

    @property
    def text(self) -> str:
        """The document's text."""
        return self.document.text

    def _check(self, pieces: Tokens) -> None:
        if pieces.text is not self.text and pieces.text != self.text:
            raise AnnotationError(f"tokens of another text given for note {self.document.id}")
