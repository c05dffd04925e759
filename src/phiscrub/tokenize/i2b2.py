"""The tokenizer of the 2014 i2b2 evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import repeat

import numpy as np

from phiscrub.core.document import Document
from phiscrub.core.note import Note
from phiscrub.core.tokens import Tokens
from phiscrub.tokenize.classes import LETTER, SPACE, Codes, Kinds, cut_all, look_up
from phiscrub.tokenize.sentences import split_all

ASCII = 128


@dataclass(frozen=True, slots=True)
class I2b2:
    """Runs of ASCII letters and digits; every other character separates and is in no token.

    Source: the token-level scores of the 2014 i2b2/UTHealth evaluation script (Stubbs, Kotfila
    and Uzuner 2015), which splits on ``[^a-zA-Z0-9]+``. `Müller` is therefore `M` and `ller`.
    """

    def cut(self, text: str) -> Tokens:
        """Cut one text."""
        return next(cut_all([text], _kinds))

    def tokenize(self, documents: Sequence[Document]) -> Sequence[Note]:
        """Return one note a document, in order."""
        texts = [document.text for document in documents]
        names = repeat("i2b2")
        return list(map(Note, documents, cut_all(texts, _kinds), split_all(texts), names))


@cache
def _table() -> Kinds:
    alphanumeric = [chr(c).isalnum() for c in range(ASCII)]
    return np.where([*alphanumeric, False], LETTER, SPACE).astype(np.uint8)


def _kinds(points: Codes) -> Kinds:
    return look_up(_table(), points)
