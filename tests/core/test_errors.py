from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core import errors
from phiscrub.core.errors import PhiscrubError, Place
from strategies import texts

KINDS = {
    errors.PhiscrubError: (Exception, 1),
    errors.InputError: (errors.PhiscrubError, 2),
    errors.EncodingError: (errors.InputError, 2),
    errors.AnnotationError: (errors.InputError, 2),
    errors.OffsetError: (errors.AnnotationError, 2),
    errors.NoTextError: (errors.InputError, 2),
    errors.MissingError: (errors.InputError, 2),
    errors.SettingsError: (errors.PhiscrubError, 2),
    errors.LabelError: (errors.SettingsError, 2),
    errors.QuarantinedError: (errors.PhiscrubError, 3),
    errors.OutputError: (errors.PhiscrubError, 4),
    errors.StoppedError: (errors.PhiscrubError, 130),
    errors.TerminatedError: (errors.StoppedError, 143),
}
ALSO = {errors.OffsetError: (IndexError,), errors.NoTextError: (TypeError,)}  # as Python has it
NUMBERS = st.none() | st.integers(0, 10**9)
PLACES = st.builds(Place, st.none() | texts(1, 12), NUMBERS, NUMBERS, st.none() | texts(1, 8))
ERRORS = st.builds(
    lambda kind, what, where, hint: kind(what, where=where, hint=hint),
    st.sampled_from(list(KINDS)),
    texts(1),
    st.none() | texts(1, 12) | PLACES,
    texts(),
)


def test_the_tree_is_the_one_that_is_documented():
    defined = {kind for kind in vars(errors).values() if isinstance(kind, type)} - {Place}
    assert {kind for kind in defined if issubclass(kind, BaseException)} == set(KINDS)
    for kind, (parent, code) in KINDS.items():
        assert kind.__bases__ == (parent, *ALSO.get(kind, ()))
        assert kind.exit_code == code
        assert kind.__name__ in errors.__doc__


@given(ERRORS)
def test_an_error_crosses_a_process_border_whole(error):
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):  # noqa: S301 - our own bytes
        assert type(other) is type(error)
        assert (other.what, other.where, other.hint) == (error.what, error.where, error.hint)
        assert str(other) == str(error)
        assert other.exit_code == error.exit_code


@given(ERRORS)
def test_a_message_is_one_line(error):
    assert len(str(error).splitlines()) <= 1


@pytest.mark.parametrize(
    ("where", "hint", "line"),
    [
        (None, "", "is empty"),
        ("a.txt", "", "a.txt: is empty"),
        (Place(), "", "is empty"),
        (Place("a.csv", line=3), "remove it", "a.csv, line 3: is empty; remove it"),
        (Place(record="n-7", offset=0), "", "record n-7, offset 0: is empty"),
        (Place("a", 2, 5, "r"), "x", "a, record r, line 2, offset 5: is empty; x"),
    ],
)
def test_a_message_says_where_what_and_what_to_do(where, hint, line):
    assert str(PhiscrubError("is empty", where=where, hint=hint)) == line


def test_placing_an_error_keeps_its_kind_and_the_place_that_it_has():
    loose = errors.EncodingError("byte 0x81", hint="name the encoding")
    placed = loose.at(Place("a.txt", line=2))
    assert type(placed) is errors.EncodingError
    assert str(placed) == "a.txt, line 2: byte 0x81; name the encoding"
    assert placed.at(Place("b.txt")).where == Place("a.txt", line=2)
