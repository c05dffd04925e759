from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import AnnotationError
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from strategies import pieces, spans, texts


@given(st.data(), texts())
def test_tokens_hand_back_what_they_were_built_from(data, text):
    pairs = data.draw(pieces(len(text)))
    tokens = Tokens.of(text, pairs)
    assert len(tokens) == len(pairs)
    assert list(tokens) == [Span(*pair) for pair in pairs]
    assert [tokens[i] for i in range(len(tokens))] == list(tokens)
    assert tokens.words() == [text[start:end] for start, end in pairs]


@pytest.mark.parametrize(
    "pairs",
    [
        [(0, 0)],  # empty
        [(2, 1)],  # reversed
        [(-1, 2)],  # in front of the text
        [(3, 6)],  # behind the text
        [(0, 3), (2, 4)],  # overlapping
        [(2, 4), (0, 2)],  # out of order
        [(0, 2), (0, 2)],  # twice
    ],
)
def test_pieces_that_do_not_fit_are_refused(pairs):
    with pytest.raises(AnnotationError):
        Tokens.of("abcde", pairs)


def test_arrays_of_other_shapes_are_refused():
    one, two = np.array([0], dtype=np.int32), np.array([1, 2], dtype=np.int32)
    for starts, ends in ((one, two), (one.reshape(1, 1), one.reshape(1, 1) + 1)):
        with pytest.raises(AnnotationError):
            Tokens("abcde", starts, ends)


def test_no_tokens_are_tokens_too():
    none = Tokens.of("", [])
    assert len(none) == 0
    assert list(none) == none.words() == list(none.within(Span(0, 9))) == []


@given(st.data(), texts(min_size=1))
def test_within_finds_the_pieces_that_share_a_character(data, text):
    tokens = Tokens.of(text, data.draw(pieces(len(text))))
    span = data.draw(spans(len(text)))
    assert list(tokens.within(span)) == [i for i, t in enumerate(tokens) if t.overlaps(span)]


def test_within_does_not_slow_down_with_the_length_of_the_text():
    count, looked_up = 1_000_000, 2_000
    tokens = Tokens.of("ab" * count, ((2 * i, 2 * i + 1) for i in range(count)))
    began = time.process_time()
    for index in range(looked_up):
        assert list(tokens.within(Span(2 * index, 2 * index + 1))) == [index]
    assert time.process_time() - began < 0.5  # 0.02 s by bisection; over 2 s by scanning


def test_words_and_offsets_are_made_once():
    tokens = Tokens.of("one two", [(0, 3), (4, 7)])
    assert tokens.words() == ["one", "two"]
    assert tokens.words() is tokens.words()
    assert tokens.offsets() == ([0, 4], [3, 7])
    assert tokens.offsets()[0] is tokens.offsets()[0]
