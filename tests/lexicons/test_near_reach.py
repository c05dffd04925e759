from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.lexicons.near import Near

WORDS = st.text("abc", max_size=7)


@given(st.lists(WORDS, max_size=8), WORDS, st.integers(1, 5))
def test_reaching_is_finding(listed: list[str], word: str, least: int) -> None:
    near = Near(listed, least)
    assert near.reaches(word) == bool(near.find(word))
