"""The default tokenizer: letters and digits part ways, nothing visible is lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from phiscrub.core.document import Document
from phiscrub.core.note import Note
from phiscrub.core.tokens import Tokens
from phiscrub.tokenize.classes import DIGIT, FORMAT, LETTER, SPACE, Codes, Kinds, classify, cut_all
from phiscrub.tokenize.sentences import split_sentences

NAME = "clinical"


@dataclass(frozen=True, slots=True)
class Clinical:
    """Runs of letters, runs of digits, and every other visible character by itself.

    `3041023MARY` is `3041023` and `MARY`; `O'Neil` is `O`, `'` and `Neil`. Combining marks count
    as letters. Invisible format characters (soft hyphen, zero-width space, joiners, byte-order
    mark) belong to a run of letters or of digits that has them in its middle; elsewhere they
    are white space, so that no token is invisible.
    """

    def cut(self, text: str) -> Tokens:
        """Cut one text."""
        return next(cut_all([text], _kinds))

    def tokenize(self, documents: Sequence[Document]) -> Sequence[Note]:
        """Return one note a document, in order."""
        texts = [document.text for document in documents]
        return list(map(_note, documents, cut_all(texts, _kinds)))


def clinical_tokens(note: Note) -> Tokens:
    """Return a note's tokens by this tokenizer, whatever tokenizer made the note."""
    return note.tokens if note.tokenizer == NAME else Clinical().cut(note.text)


def _note(document: Document, tokens: Tokens) -> Note:
    return Note(document, tokens, split_sentences, NAME)


def _kinds(points: Codes) -> Kinds:
    kinds = classify(points)
    hidden = np.flatnonzero(kinds == FORMAT)
    if len(hidden):
        visible = np.flatnonzero(kinds != FORMAT)
        around = np.concatenate(([SPACE], kinds[visible], [SPACE])).astype(np.uint8)
        place = np.searchsorted(visible, hidden)
        before, after = around[place], around[place + 1]
        inside = (before == after) & ((before == LETTER) | (before == DIGIT))
        kinds[hidden] = np.where(inside, before, SPACE)
    return kinds
