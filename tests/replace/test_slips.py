"""Misspellings are found as by comparing each word with each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.replace.keyed import Key
from phiscrub.replace.slips import Slips, one_slip, slipped

WORDS = st.text("aeilmnrst", min_size=1, max_size=6)


@given(st.sets(WORDS, max_size=30), st.data())
def test_slips_are_found_as_by_comparing_each_with_each(words, data):
    word = data.draw(WORDS | st.sampled_from(sorted(words)) if words else WORDS)
    other = data.draw(st.permutations(word)).copy()
    for one in (word, "".join(other), slipped(word, Key(b"0" * 16))):
        assert Slips(words).of(one) == {near for near in words if one_slip(one, near)}
