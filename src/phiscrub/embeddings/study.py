"""How good vectors grow with the text: analogies over parts of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.beta import regularised
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.embeddings.analogies import Question, answer, known_questions
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.training import Tick, Training, train

PARTS = 4
FEWEST = 2  # questions that a test needs

Figures = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Step:
    """Vectors of the first `part` of all notes; `similarity` is the mean over the questions."""

    part: float
    notes: int
    tokens: int
    words: int
    similarity: float
    accuracy: float


@dataclass(frozen=True, slots=True)
class Change:
    """The mean difference between two steps over the same questions, and its t test.

    `t` and `p` (two-sided) are None where all differences are the same.
    """

    difference: float
    t: float | None
    freedom: int
    p: float | None


@dataclass(frozen=True, slots=True)
class Study:
    """Each part's figures, and the changes between successive ones."""

    questions: int
    skipped: int
    steps: tuple[Step, ...]
    changes: tuple[Change, ...]


def study(
    text: Text,
    questions: Sequence[Question],
    training: Training,
    normalise: Normalise,
    *,
    parts: int = PARTS,
    tick: Callable[[Step], None],
    inner: Tick,
) -> Study:
    """Learn vectors from more and more of `parts` parts of the notes and ask the same of each.

    The notes are taken in an order drawn by the training's seed, each part holding the one
    before. Asked are only questions whose words the first part's vocabulary has; `similarity`
    is the cosine of ``b - a + c`` with ``d``. Source: Kassaie 2016. Raises `InputError` where
    fewer than two questions can be asked, `SettingsError` for fewer than two parts.
    """
    if parts < FEWEST:
        raise SettingsError(f"{parts} parts cannot be compared", hint="give 2 or more")
    if len(text) < parts:
        raise InputError(f"{len(text)} notes are too few for {parts} parts", hint="give more")
    order = text.shuffled(training.seed)
    known: tuple[Question, ...] = ()
    found: list[Figures] = []
    steps: list[Step] = []
    for part in range(1, parts + 1):
        own = order.only(range(round(len(text) * part / parts)))
        embedding = train(own, training, normalise, f"{part}/{parts}", inner)
        if not known:
            known = known_questions(embedding, questions)
            if len(known) < FEWEST:
                raise InputError(
                    f"of {len(questions)} questions {len(known)} can be asked of the first part",
                    hint="give more notes, a lower --min-count, or questions about their words",
                )
        answers = answer(embedding, known)
        found.append(answers.similarity)
        steps.append(
            Step(
                part / parts,
                len(own),
                own.tokens,
                len(embedding.vectors),
                float(answers.similarity.mean()),
                float(answers.right.mean()),
            )
        )
        tick(steps[-1])
    changes = tuple(paired_t(before, after) for before, after in pairwise(found))
    return Study(len(known), len(questions) - len(known), tuple(steps), changes)


def paired_t(before: Figures, after: Figures) -> Change:
    """Test whether the mean difference of paired figures is 0: the repeated-measures t test.

    The questions of a crossed list share words, so they are not independent, and p-values over
    them are too small; they are given as the paper gives them.
    """
    differences = after - before
    count = len(differences)
    mean = float(differences.mean())
    spread = float(differences.std(ddof=1))
    if not spread:
        return Change(mean, None, count - 1, None)
    t = mean / (spread / math.sqrt(count))
    return Change(mean, t, count - 1, two_sided(t, count - 1))


def two_sided(t: float, freedom: int) -> float:
    """Return the chance of a t as far from 0 or farther."""
    return regularised(freedom / 2, 0.5, freedom / (freedom + t * t))
