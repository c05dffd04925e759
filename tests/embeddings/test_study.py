"""Analogies and the study, against slow references and hand-made cases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.cli.embedstudy import study_page
from phiscrub.core.errors import InputError
from phiscrub.embeddings.analogies import Question, answer, read_questions, scores
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.study import Step, Study, paired_t, two_sided
from phiscrub.embeddings.vectors import Vectors

WORDS = tuple("abcdefgh")


def embedding(seed: int, size: int = 3) -> Embedding:
    matrix = np.random.default_rng(seed).normal(size=(len(WORDS), size)).astype(np.float32)
    return Embedding("x", Vectors(WORDS, matrix))


def slow(made: Embedding, words: tuple[str, ...]) -> tuple[str, float]:
    """Return the answer to one question, word by word, and the cosine with the right one."""

    def unit(row: list[float]) -> list[float]:
        length = math.sqrt(sum(x * x for x in row))
        return [x / length for x in row]

    rows = {word: unit(row) for word, row in zip(WORDS, made.vectors.matrix.tolist(), strict=True)}
    a, b, c, d = words
    aim = unit([y - x + z for x, y, z in zip(rows[a], rows[b], rows[c], strict=True)])
    cosines = {w: sum(x * y for x, y in zip(aim, rows[w], strict=True)) for w in WORDS}
    return max((w for w in WORDS if w not in (a, b, c)), key=cosines.__getitem__), cosines[d]


@given(st.integers(0, 99), st.lists(st.permutations(WORDS), min_size=1, max_size=300))
def test_answers_against_a_slow_reference(seed: int, orders: list[list[str]]) -> None:
    made = embedding(seed)
    asked = [Question("s", (o[0], o[1], o[2], o[3])) for o in orders]
    found = answer(made, asked)
    wanted = [slow(made, question.words) for question in asked]
    assert found.right.tolist() == [
        guess == question.words[3] for (guess, _), question in zip(wanted, asked, strict=True)
    ]
    assert found.similarity == pytest.approx([cosine for _, cosine in wanted], abs=1e-5)
    assert found.skipped == 0


def test_a_parallelogram_is_right() -> None:
    rows = [[1, 0, 1], [1, 0, -1], [0, 1, 1], [0, 1, -1], [1, 1, 0]]
    words = ("he", "him", "she", "her", "it")
    made = Embedding("x", Vectors(words, np.array(rows, dtype=np.float32)))
    found = answer(made, read_questions(": p\nhe him\nshe her\n", "q"))
    (section, total) = scores(found)
    assert (section.section, section.asked, section.right, section.accuracy) == ("p", 2, 2, 1.0)
    assert total.similarity == pytest.approx(1)


def test_questions_with_other_words_are_skipped() -> None:
    made = Embedding("x", Vectors(("a", "b", "DIGIT", "c"), np.eye(4, dtype=np.float32)))
    spelt = Embedding("x", made.vectors, Normalise("glued", lower=True))
    asked = [Question("s", q) for q in (("A", "b", "1", "c"), ("a", "b", "c", "z"))]
    found = answer(spelt, asked)
    assert (len(found.questions), found.skipped) == (1, 1)
    twice = Question("s", ("1", "2", "a", "b"))  # one word once digits are a mark
    with pytest.raises(InputError, match="of 1 questions none has all its words"):
        answer(spelt, [twice])


def test_files_of_questions() -> None:
    text = "# remark\n: one\na b c d\n\n: two\na b\nc d\ne f\r\n"
    found = read_questions(text, "q")
    assert found[0] == Question("one", ("a", "b", "c", "d"))
    assert [q.words for q in found[1:]] == [
        (*one, *other) for one in ("ab", "cd", "ef") for other in ("ab", "cd", "ef") if one != other
    ]
    assert {q.section for q in found[1:]} == {"two"}
    with pytest.raises(InputError, match="q, line 2: has 3 words"):
        read_questions(": x\na b c\n", "q")
    with pytest.raises(InputError, match="holds no questions"):
        read_questions("# nothing\n: x\n", "q")


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    # one and two degrees of freedom have closed forms; 2.228 is the table's value for 10 and 5 %
    [
        (1.0, 1, 1 - 2 * math.atan(1.0) / math.pi),
        (5.0, 1, 1 - 2 * math.atan(5.0) / math.pi),
        (2.0, 2, 1 - 2 / math.sqrt(6)),
        (2.228139, 10, 0.05),
        (0.0, 7, 1.0),
    ],
)
def test_the_t_distribution(t: float, freedom: int, p: float) -> None:
    assert two_sided(t, freedom) == pytest.approx(p, rel=1e-6)
    assert two_sided(-t, freedom) == two_sided(t, freedom)


def test_far_tails_are_no_zero() -> None:
    """The paper has 5e-78; two degrees of freedom have the closed tail ``1 / t**2``."""
    assert two_sided(1e30, 2) == pytest.approx(1e-60, rel=1e-6)
    assert 0 < two_sided(20.0, 5000) < 1e-80


def test_the_paired_t_test() -> None:
    before, after = np.array([1.0, 2, 3, 4]), np.array([2.0, 2, 5, 5])
    found = paired_t(before, after)
    # differences 1 0 2 1: mean 1, variance 2/3, so t = 1 / (sqrt(2/3) / 2) = sqrt(6)
    assert (found.difference, found.freedom) == (1.0, 3)
    assert found.t == pytest.approx(math.sqrt(6))
    # for 3 degrees of freedom: F(t) = 1/2 + (x / (1 + x²) + atan x) / pi, with x = t / sqrt(3)
    x = math.sqrt(2)
    assert found.p == pytest.approx(2 * (0.5 - (x / (1 + x * x) + math.atan(x)) / math.pi))
    same = paired_t(before, before + 1)
    assert (same.difference, same.t, same.p) == (1.0, None, None)


def test_the_picture() -> None:
    steps = tuple(Step(n / 2, n, 1000 * n, 10 * n, n / 10, 0.5) for n in (1, 2))
    done = Study(9, 1, steps, (paired_t(np.array([0.1, 0.2]), np.array([0.2, 0.4])),))
    svg, html = study_page(done, html=False), study_page(done, html=True)
    assert svg.startswith("<svg")
    assert svg.count("<circle") == html.count("<circle") == 2
    assert html.startswith("<!doctype html>")
    assert "<td>+0.1500</td><td>3.00</td><td>0.2</td>" in html
