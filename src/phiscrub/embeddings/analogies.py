"""Analogies: ``b`` is to ``a`` what ``d`` is to ``c``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import InputError, Place
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.space import Space
from phiscrub.embeddings.vectors import unit

CHUNK = 256  # questions answered at once
PAIR, QUESTION = 2, 4  # words a line


@dataclass(frozen=True, slots=True)
class Question:
    """Four words ``a b c d`` of a section of questions."""

    section: str
    words: tuple[str, str, str, str] = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Answers:
    """What vectors answer, a row a question whose words they all have.

    `right` tells whether the nearest word to ``b - a + c``, those three left out, is ``d`` (3CosAdd
    of vectors at length 1; Mikolov et al. 2013). `similarity` is the cosine of ``b - a + c`` with
    ``d``. `skipped` counts the questions with other words.
    """

    questions: tuple[Question, ...]
    right: NDArray[np.bool_]
    similarity: NDArray[np.float64]
    skipped: int


@dataclass(frozen=True, slots=True)
class Score:
    """A section's figures; `accuracy` and `similarity` are None where nothing could be asked."""

    section: str
    asked: int
    right: int
    similarity: float | None

    @property
    def accuracy(self) -> float | None:
        """The share of right answers."""
        return self.right / self.asked if self.asked else None


def read_questions(text: str, where: str) -> tuple[Question, ...]:
    """Read a file of questions.

    Mikolov's form: ``: section`` opens a section, a line of four words is a question. Ours too: a
    line of two words is a pair, and each pair of a section is asked with each other one of it.
    Lines that begin with ``#`` are remarks. Raises `InputError` with the line that is neither.
    """
    sections: dict[str, tuple[list[Question], list[tuple[str, str]]]] = {}
    name = ""
    for number, line in enumerate(text.split("\n"), 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if words[0].startswith(":"):
            name = line.partition(":")[2].strip()
            continue
        questions, pairs = sections.setdefault(name, ([], []))
        if len(words) == QUESTION:
            questions.append(Question(name, (words[0], words[1], words[2], words[3])))
        elif len(words) == PAIR:
            pairs.append((words[0], words[1]))
        else:
            raise InputError(
                f"has {len(words)} words",
                where=Place(where, line=number),
                hint="a line is a question of four words, a pair of two, or ': section'",
            )
    found = [
        question
        for section, (questions, pairs) in sections.items()
        for question in (*questions, *_crossed(section, pairs))
    ]
    if not found:
        raise InputError("holds no questions", where=where)
    return tuple(found)


def known_questions(embedding: Embedding, questions: Iterable[Question]) -> tuple[Question, ...]:
    """Return the questions whose words are all in the vocabulary, and four different ones."""
    index = embedding.vectors.index
    return tuple(
        question
        for question in questions
        if len(set(places := _places(embedding, question))) == len(places)
        and all(place in index for place in places)
    )


def answer(embedding: Embedding, questions: Sequence[Question]) -> Answers:
    """Answer the questions; raises `InputError` where none can be asked."""
    known = known_questions(embedding, questions)
    if not known:
        raise InputError(
            f"of {len(questions)} questions none has all its words in the vocabulary",
            where=embedding.name,
            hint="ask for words of the notes",
        )
    space, index = Space.of(embedding.vectors), embedding.vectors.index
    rows = np.array([[index[word] for word in _places(embedding, one)] for one in known])
    right = np.zeros(len(known), dtype=bool)
    similarity = np.zeros(len(known))
    for start in range(0, len(known), CHUNK):
        a, b, c, d = rows[start : start + CHUNK].T
        units = space.units
        aims = unit(units[b] - units[a] + units[c])
        cosines = aims @ units.T
        each = np.arange(len(a))
        similarity[start : start + CHUNK] = cosines[each, d]
        for given in (a, b, c):
            cosines[each, given] = -np.inf
        right[start : start + CHUNK] = cosines.argmax(axis=1) == d
    return Answers(known, right, similarity, len(questions) - len(known))


def scores(answers: Answers) -> tuple[Score, ...]:
    """Return the figures of each section, in order, and of all under the name ``all``."""
    names = np.array([question.section for question in answers.questions])
    sections = [*dict.fromkeys(names.tolist())]
    rows = [(name, names == name) for name in sections]
    rows.append(("all", np.ones(len(names), dtype=bool)))
    return tuple(
        Score(
            name,
            int(mask.sum()),
            int(answers.right[mask].sum()),
            float(answers.similarity[mask].mean()) if mask.any() else None,
        )
        for name, mask in rows
    )


def _places(embedding: Embedding, question: Question) -> tuple[str, ...]:
    """Return the four words as the vocabulary spells them."""
    return tuple("".join(embedding.normalise.pieces(word)) for word in question.words)


def _crossed(section: str, pairs: Sequence[tuple[str, str]]) -> Iterable[Question]:
    return (Question(section, (*one, *other)) for one, other in permutations(pairs, 2))
