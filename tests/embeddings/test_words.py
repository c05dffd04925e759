"""Words as they are spelt, looked up, composed, and made of parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.embeddings.compose import Composed, Share, shares
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.normalise import DIGITS, Normalise
from phiscrub.embeddings.space import neighbours
from phiscrub.embeddings.subwords import Subwords, parts
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.vectors import Vectors
from phiscrub.tokenize.clinical import Clinical


def own(name: str = "own", digits: str = "none", size: int = 2, **words: list[float]) -> Embedding:
    matrix = np.array(list(words.values()), dtype=np.float32).reshape(len(words), size)
    return Embedding(name, Vectors(tuple(words), matrix), Normalise(digits))


def text(*notes: str, digits: str = "none", lower: bool = False, unit: str = "sentence") -> Text:
    cut = Clinical().tokenize([Document(str(at), note) for at, note in enumerate(notes)])
    return Text.of(cut, Normalise(digits, lower), unit)


@pytest.mark.parametrize(
    ("digits", "pieces"),
    [
        ("none", ("In1990x",)),
        ("zero", ("In0000x",)),
        ("glued", ("InDIGITDIGITDIGITDIGITx",)),
        ("split", ("In", "DIGIT", "DIGIT", "DIGIT", "DIGIT", "x")),
    ],
)
def test_ways_with_digits(digits: str, pieces: tuple[str, ...]) -> None:
    assert Normalise(digits).pieces("In1990x") == pieces


def test_small_letters_leave_the_mark() -> None:
    assert Normalise("glued", lower=True).pieces("B12") == ("bDIGITDIGIT",)
    with pytest.raises(SettingsError, match="known: none, zero, glued, split"):
        Normalise("hash")


@given(st.sampled_from(list(DIGITS)), st.text(max_size=8))
def test_a_way_with_digits_touches_digits_only(digits: str, word: str) -> None:
    mark = DIGITS[digits]
    wanted = word if mark is None else "".join(mark if c.isdecimal() else c for c in word)
    assert "".join(Normalise(digits).pieces(word)) == wanted


def test_text_in_sequences() -> None:
    both = text("He fell in 1990. Pain.", "", "He rose.", digits="split")
    assert list(both) == [
        ["He", "fell", "in", *["DIGIT"] * 4, "."],
        ["Pain", "."],
        ["He", "rose", "."],
    ]
    assert (len(both), both.tokens) == (3, 13)
    assert list(both.only([2, 0])) == [list(both)[2], *list(both)[:2]]
    assert len(both.only([2, 0])) == 2
    assert list(both.only([])) == []
    assert sorted(map(tuple, both.shuffled(3))) == sorted(map(tuple, both))
    assert len(list(text("One. Two.", unit="note"))) == 1
    assert "fell" not in repr(both)
    with pytest.raises(SettingsError, match="no unit"):
        text("x", unit="page")


def test_rare_words() -> None:
    seen = text("a a b", "a b c", "c d c")
    assert seen.cut(2).words == ("a", "c", "b", "UNK")
    assert list(seen.cut(2)) == [["a", "a", "b"], ["a", "b", "c"], ["c", "UNK", "c"]]
    assert list(seen.cut(2, unknown=False)) == [["a", "a", "b"], ["a", "b", "c"], ["c", "c"]]
    assert seen.cut(1).words == ("a", "c", "b", "d")
    assert seen.cut(2, 2).words == ("a", "c", "b", "UNK")
    assert text("a a a", "b", "b").cut(2, 2).words == ("UNK", "b")
    with pytest.raises(InputError, match="an empty vocabulary: of 4 words none is seen 9 times"):
        seen.cut(9)
    with pytest.raises(InputError, match="an empty vocabulary"):
        text("").cut(1)


@given(st.lists(st.text("ab ", max_size=9), max_size=5), st.integers(1, 3), st.integers(1, 3))
def test_rare_words_against_counting(notes: list[str], least: int, in_notes: int) -> None:
    seen = text(*notes)
    words = [note.split() for note in notes]
    flat = [word for note in words for word in note]
    kept = {
        word
        for word in flat
        if flat.count(word) >= least and sum(word in note for note in words) >= in_notes
    }
    if not kept:
        with pytest.raises(InputError):
            seen.cut(least, in_notes)
        return
    cut = seen.cut(least, in_notes)
    found = [word for sequence in cut for word in sequence]
    assert found == [word if word in kept else "UNK" for word in flat]
    assert set(cut.words) == set(found)
    assert cut.counts.tolist() == sorted(cut.counts.tolist(), reverse=True)


def test_rows() -> None:
    made = own(digits="split", DIGIT=[2, 0], mg=[0, 4], UNK=[9, 9])
    rows, known = made.rows(["mg", "1mg", "x", "1x"])
    assert rows.tolist() == [[0, 4], [1, 2], [9, 9], [9, 9]]
    assert known.tolist() == [True, True, False, False]
    assert own(a=[1, 2]).rows(["b"])[0].tolist() == [[0, 0]]
    assert made.rows([])[0].shape == (0, 2)


def test_vectors_that_are_none() -> None:
    ones = np.ones((1, 2), dtype=np.float32)
    for words, matrix in (
        ((), ones[:0]),
        (("a", "b"), ones),
        (("a", "a"), np.ones((2, 2), dtype=np.float32)),
        (("a",), ones * np.float32(np.nan)),
        (("a",), ones[:, :0]),
        (("a",), ones[0]),
    ):
        with pytest.raises(InputError):
            Vectors(words, matrix)


def test_composed_from_the_first_that_has_it() -> None:
    primary, second = own("small", knee=[1, 0], UNK=[7, 7]), own("large", knee=[5, 5], hip=[0, 1])
    both = Composed((primary, second))
    rows, source = both.rows(["knee", "hip", "toe"])
    assert rows.tolist() == [[1, 0], [0, 1], [7, 7]]
    assert [both.sources[number] for number in source] == ["small", "large", "unknown"]
    assert shares(both, {"knee": 5, "hip": 2, "toe": 1, "arm": 1}) == (
        Share("small", 5, 1),
        Share("large", 2, 1),
        Share("parts of the word", 0, 0),
        Share("unknown", 2, 2),
    )
    made = both.of("both", ["toe", "hip", "knee"])
    assert made.vectors.words == ("hip", "knee")
    assert made.vectors.matrix.tolist() == [[0, 1], [1, 0]]


def test_each_source_spells_for_itself() -> None:
    both = Composed((own("a", "glued", xDIGIT=[1, 0]), own("b", x1=[2, 2], x=[3, 3])))
    assert both.rows(["x2", "x"])[0].tolist() == [[1, 0], [3, 3]]


def test_parts_stand_in_after_all_vocabularies() -> None:
    parted = own("a", knee=[1, 0], hip=[0, 1]).parted(50)
    both = Composed((parted, own("b", knees=[4, 4])))
    rows, source = both.rows(["knees", "knee", "kneeless"])
    assert source.tolist() == [1, 0, 2]
    assert rows[2].tolist() == parted.rows(["kneeless"])[0][0].tolist()
    assert rows[2, 0] > abs(rows[2, 1])


def test_what_cannot_be_composed() -> None:
    with pytest.raises(SettingsError, match="b: has vectors of 3 dimensions, and a of 2"):
        Composed((own("a", x=[1, 2]), own("b", size=3, x=[1, 2, 3])))
    with pytest.raises(SettingsError):
        Composed(())
    with pytest.raises(SettingsError):
        Composed((own("a", x=[1, 2]), own("a", x=[1, 2])))


def test_parts_of_words() -> None:
    assert len(parts("knee", 1000)) == len(
        ["<kn", "kne", "nee", "ee>", "<kne", "knee", "nee>", "<knee", "knee>", "<knee>"]
    )
    assert parts("", 10) == []
    assert parts("a", 1 << 40) == [1874297515]  # crc32 of <a>: the same on every machine
    assert set(parts("knees", 7)) <= set(range(7))


def test_the_table_against_least_squares() -> None:
    """Conjugate gradients reach what the normal equations say, solved as a whole."""
    words = ("knee", "knees", "hip", "hips", "an", "a")
    matrix = np.random.default_rng(3).normal(size=(len(words), 4)).astype(np.float32)
    buckets, ridge = 13, 0.05
    design = np.zeros((len(words), buckets))
    for row, word in enumerate(words):
        places = parts(word, buckets)
        for place in places:
            design[row, place] += 1 / len(places)
    wanted = np.linalg.solve(design.T @ design + ridge * np.eye(buckets), design.T @ matrix)
    found = Subwords.fit(Vectors(words, matrix), buckets, ridge=ridge, steps=60)
    assert found.table == pytest.approx(wanted, abs=1e-5)
    assert found.row("knee") == pytest.approx(design[0] @ wanted, abs=1e-5)
    assert found.row("").tolist() == [0, 0, 0, 0]
    with pytest.raises(SettingsError):
        Subwords.fit(Vectors(words, matrix), 0)


def test_neighbours() -> None:
    made = own(a=[1, 0], b=[2, 1], c=[0, 3], d=[-1, 0], e=[4, 2])
    found = neighbours(made, ["a"], 9)["a"]
    assert [word for word, _ in found] == ["b", "e", "c", "d"]  # b before e: a tie, by order
    assert [cosine for _, cosine in found] == pytest.approx([2 / 5**0.5, 2 / 5**0.5, 0, -1])
    assert len(neighbours(made, ["a"], 2)["a"]) == 2
    with pytest.raises(InputError, match="own: a word has no vector") as caught:
        neighbours(made, ["Ortiz"], 2)
    assert "Ortiz" not in str(caught.value)
    parted = own(knee=[1, 0], hip=[0, 1]).parted(40)
    assert neighbours(parted, ["knees"], 1)["knees"][0][0] == "knee"
