"""Many patterns asked as one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.refine.sieve import joined

PIECES = st.sampled_from(["a", "b+", "(a|b)c", "[ab]*", "a(?=b)", "(?:ab)?", r"\w{2}", ""])


@given(st.lists(PIECES, max_size=4), st.text("abc ", max_size=6))
def test_it_matches_where_any_of_them_does(pieces: list[str], text: str) -> None:
    patterns = [re.compile(piece) for piece in pieces]
    both = joined(patterns)
    assert both is not None
    for start in range(len(text) + 1):
        wanted = any(pattern.fullmatch(text, start) for pattern in patterns)
        assert bool(both.fullmatch(text, start)) == wanted


@pytest.mark.parametrize(
    "given",
    [
        [re.compile(r"(a)\1"), re.compile("b")],  # a group asked back has another number
        [re.compile("(?P<one>a)"), re.compile("(?P<one>b)")],
        [re.compile("a", re.IGNORECASE), re.compile("b")],
        [re.compile("(?s)a"), re.compile("(?s)b")],
    ],
)
def test_what_means_another_thing_in_a_longer_pattern_is_not_joined(
    given: list[re.Pattern[str]],
) -> None:
    assert joined(given) is None


def test_of_none_nothing_matches() -> None:
    both = joined([])
    assert both is not None
    assert both.match("") is None
