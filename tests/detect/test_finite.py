"""Patterns of finitely many words say the same as the engine does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.detect.finite import choices, inside, spelled

LETTERS = st.text("ab1", min_size=1, max_size=2)
PATTERNS = st.recursive(
    LETTERS | st.sampled_from(["[ab]", "a?", r"\(", "-"]),
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})")
        | inner.map(lambda one: f"(?:{one})?")
        | st.tuples(inner, inner).map("|".join)
    ),
    max_leaves=6,
)


@given(PATTERNS, st.text("ab1(-", max_size=6))
def test_what_is_spelled_is_what_the_engine_matches(pattern: str, text: str) -> None:
    found = spelled(pattern)
    assert found is not None
    assert all(re.fullmatch(pattern, word) for word in found)
    assert (text in found) == (re.fullmatch(pattern, text) is not None)


@pytest.mark.parametrize(
    "pattern",
    [r"\d", "[a-z]", "[^a]", "a+", "a*", "a{2}", "a??", ".", "(a)", "(?i:a)", r"\w", "a?+"],
)
def test_what_has_no_end_or_is_not_known_is_not_spelled(pattern: str) -> None:
    assert spelled(pattern) is None


@given(st.lists(PATTERNS.map(lambda one: f"(?:{one})") | LETTERS | st.just("[|)]"), min_size=1))
def test_bars_in_brackets_part_nothing(parts: list[str]) -> None:
    assert list(choices("|".join(parts))) == parts


def test_a_bar_behind_a_stroke_parts_nothing() -> None:
    assert list(choices(r"a|[^|]|\||\\|d")) == ["a", "[^|]", r"\|", "\\\\", "d"]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("(?-i:A|(?:B))", "A|(?:B)"),
        ("(?-i:A)b(?:c)", None),
        ("(?-i:A|B)(?:c|d)", None),
        ("A", None),
    ],
)
def test_only_a_group_around_all_has_an_inside(pattern: str, found: str | None) -> None:
    assert inside(pattern, "(?-i:") == found
