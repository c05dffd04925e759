from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.lexicons.near import Near, within_one

WORDS = st.text("abc", max_size=6)


def distance(left: str, right: str) -> int:
    """Levenshtein's distance by its definition."""
    row = list(range(len(right) + 1))
    for i, a in enumerate(left, 1):
        old, row = row, [i]
        for j, b in enumerate(right, 1):
            row.append(min(row[-1] + 1, old[j] + 1, old[j - 1] + (a != b)))
    return row[-1]


@given(WORDS, WORDS)
def test_within_one_is_a_distance_below_two(left, right):
    assert within_one(left, right) == (distance(left, right) < 2)


@given(st.sets(WORDS, max_size=8), WORDS, st.integers(1, 4))
def test_the_index_finds_what_a_search_through_the_list_finds(words, word, least):
    near = {
        w for w in words if w == word or (min(len(w), len(word)) >= least and within_one(w, word))
    }
    found = Near(words, least).find(word)
    assert set(found) == near
    assert len(found) == len(near)
    assert found[:1] == (word,) if word in words else word not in found


def test_short_words_must_be_equal():
    near = Near(["warfarin", "iron"], 6)
    assert near.find("warfrin") == ("warfarin",)
    assert near.find("warfarrin") == ("warfarin",)
    assert near.find("wafrarin") == ()
    assert near.find("irun") == ()
    assert "iron" in near
    assert "irun" not in near
