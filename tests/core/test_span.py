from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import AnnotationError
from phiscrub.core.span import Span
from strategies import spans

SPANS = spans(30)


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (4, 2), (-1, 2), (-2, -1)])
def test_empty_reversed_and_negative_spans_are_refused(start, end):
    with pytest.raises(AnnotationError):
        Span(start, end)


@given(SPANS, SPANS)
def test_overlap_and_containment_are_those_of_character_sets(a, b):
    left, right = set(range(a.start, a.end)), set(range(b.start, b.end))
    assert a.overlaps(b) == bool(left & right)
    assert a.contains(b) == (right <= left)
    assert len(a) == len(left)


def test_touching_is_not_overlapping():
    assert not Span(0, 3).overlaps(Span(3, 5))


@given(st.lists(SPANS))
def test_spans_sort_by_start_then_end(some):
    assert sorted(some) == sorted(some, key=lambda span: (span.start, span.end))


@given(SPANS, st.integers(0, 50))
def test_shift_keeps_the_length_and_comes_back(span, by):
    assert len(span.shift(by)) == len(span)
    assert span.shift(by).shift(-by) == span


def test_a_shift_in_front_of_the_text_is_refused():
    with pytest.raises(AnnotationError):
        Span(1, 3).shift(-2)


def test_a_span_is_frozen():
    with pytest.raises(AttributeError):
        Span(1, 3).start = 0
