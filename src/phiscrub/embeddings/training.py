"""Vectors learned from a text, by any of the algorithms."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

from phiscrub.core.errors import SettingsError
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.normalise import UNKNOWN, Normalise
from phiscrub.embeddings.rnnlm import train_rnnlm
from phiscrub.embeddings.subwords import Subwords
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.vectors import Vectors
from phiscrub.embeddings.word2vec import train_word2vec

ALGORITHMS = ("cbow", "skip-gram", "rnnlm")
DIMENSIONS = {"cbow": 200, "skip-gram": 200, "rnnlm": 80}
EPOCHS = {"cbow": 5, "skip-gram": 5, "rnnlm": 8}

Tick = Callable[[str, int], None]


@dataclass(frozen=True, slots=True)
class Training:
    """How vectors are learned.

    The defaults are Kassaie 2016's for CBOW (window 5, minimum count 2, 200 dimensions, rare
    words are ``UNK``), and Shweta 2017's 80 dimensions for the vectors of a recurrent language
    model. Zero dimensions or epochs mean the algorithm's own. `subwords` is the number of buckets
    for parts of words, 0 for none. One thread and one seed give the same vectors again; with
    more threads word2vec does not. Raises `SettingsError` where a value is none.
    """

    algorithm: str = "cbow"
    dimensions: int = 0
    window: int = 5
    min_count: int = 2
    min_notes: int = 1
    unknown: bool = True
    epochs: int = 0
    negative: int = 5
    seed: int = 1
    threads: int = 1
    subwords: int = 0

    def __post_init__(self) -> None:
        if self.algorithm not in ALGORITHMS:
            raise SettingsError(
                f"no algorithm {self.algorithm!r}", hint=f"known: {', '.join(ALGORITHMS)}"
            )
        for name in ("dimensions", "epochs", "subwords", "seed"):
            if getattr(self, name) < 0:
                raise SettingsError(f"{name} is below 0")
        for name in ("window", "min_count", "min_notes", "negative", "threads"):
            if getattr(self, name) < 1:
                raise SettingsError(f"{name} is below 1")

    @property
    def size(self) -> int:
        """The dimensions, the algorithm's own where none were given."""
        return self.dimensions or DIMENSIONS[self.algorithm]

    @property
    def rounds(self) -> int:
        """The epochs, the algorithm's own where none were given."""
        return self.epochs or EPOCHS[self.algorithm]


def train(text: Text, training: Training, normalise: Normalise, name: str, tick: Tick) -> Embedding:
    """Learn vectors of a text whose words are spelt by `normalise`.

    `tick` is told the state in words, and how many tokens more were learned from: all of them
    once an epoch.
    Raises `InputError` where no word is frequent enough or the loss is no number, and
    `SettingsError` where a package is missing.
    """
    cut = text.cut(training.min_count, training.min_notes, unknown=training.unknown)
    vectors = _train(cut, training, tick)
    grown = Subwords.fit(vectors, training.subwords) if training.subwords else None
    known = vectors.index
    rare = text.tokens - sum(
        int(count)
        for word, count in zip(text.words, text.counts.tolist(), strict=True)
        if word in known and word != UNKNOWN
    )
    about = {
        "training": {**asdict(training), "dimensions": training.size, "epochs": training.rounds},
        "text": {"notes": len(text), "tokens": text.tokens, "words": len(text.words)},
        "vocabulary": {
            "words": len(vectors),
            "cut": f"words seen fewer than {training.min_count} times or in fewer than "
            f"{training.min_notes} notes",
            "cut_tokens": rare,
        },
    }
    return Embedding(name, vectors, normalise, grown, about)


def _train(text: Text, training: Training, tick: Tick) -> Vectors:
    if training.algorithm == "rnnlm":
        return train_rnnlm(
            text,
            dimensions=training.size,
            epochs=training.rounds,
            seed=training.seed,
            threads=training.threads,
            tick=tick,
        )
    return train_word2vec(
        text,
        skip_gram=training.algorithm == "skip-gram",
        dimensions=training.size,
        window=training.window,
        negative=training.negative,
        epochs=training.rounds,
        seed=training.seed,
        threads=training.threads,
        tick=tick,
    )
