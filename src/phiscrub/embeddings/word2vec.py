"""CBOW and skip-gram vectors, by gensim."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from phiscrub.core.errors import InputError, SettingsError
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.vectors import Vectors

LONGEST = 10_000  # words of a sequence; gensim drops what is beyond
TOLD = 200  # sequences between two ticks


def train_word2vec(
    text: Text,
    *,
    skip_gram: bool,
    dimensions: int,
    window: int,
    negative: int,
    epochs: int,
    seed: int,
    threads: int,
    tick: Callable[[str, int], None],
) -> Vectors:
    """Learn a vector for each word of a text, which is cut already, with negative sampling.

    The rate falls from .025 as in word2vec, and words of more than a thousandth of the text are
    sampled. Source: Mikolov et al. 2013. gensim's own files are pickles, so none is written:
    only the numbers are taken. Raises `SettingsError` where gensim is not installed.
    """
    try:
        from gensim.models import Word2Vec  # noqa: PLC0415 - heavy, and an extra
    except ImportError:
        raise SettingsError(
            "CBOW and skip-gram need the package gensim",
            hint="pip install 'phiscrub[train]'",
        ) from None
    frequencies = dict(zip(text.words, text.counts.tolist(), strict=True))
    sequences = sum(1 for _ in _pieces(text))
    model = Word2Vec(
        vector_size=dimensions,
        window=window,
        min_count=1,
        sg=int(skip_gram),
        negative=negative,
        workers=threads,
        seed=seed,
        epochs=epochs,
    )
    model.build_vocab_from_freq(frequencies, corpus_count=sequences)
    model.train(
        _Told(text, epochs, tick),
        total_examples=sequences,
        total_words=text.tokens,
        epochs=epochs,
    )
    matrix = np.asarray(model.wv[list(text.words)], dtype=np.float32)
    if not np.isfinite(matrix).all():
        raise InputError("the vectors are no numbers after training", hint="give more notes")
    return Vectors(text.words, matrix)


@dataclass(slots=True)
class _Told:
    """A text that is read again and again, and tells how far."""

    text: Text
    epochs: int
    tick: Callable[[str, int], None]
    epoch: int = 0

    def __iter__(self) -> Iterator[list[str]]:
        self.epoch += 1
        told = f"epoch {self.epoch} of {self.epochs}"
        tokens = 0
        for number, words in enumerate(_pieces(self.text), 1):
            yield words
            tokens += len(words)
            if number % TOLD == 0:
                self.tick(told, tokens)
                tokens = 0
        self.tick(told, tokens)


def _pieces(text: Text) -> Iterator[list[str]]:
    for words in text:
        yield from (words[at : at + LONGEST] for at in range(0, len(words), LONGEST))
