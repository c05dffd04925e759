from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.lexicons.standing import sentence_mark, standing
from strategies import texts

PARTS = st.sampled_from(
    ("Ana", "ana", "12", "1", "O\u2019Neil", "'", " ", ". ", "(4", ")", "_", "\u0307")
)
STRINGS = st.lists(PARTS, min_size=1, max_size=4).map("".join)


@given(st.lists(PARTS, max_size=30).map("".join), st.sets(STRINGS, max_size=6))
def test_it_finds_what_looking_everywhere_for_each_finds(text: str, strings: set[str]) -> None:
    wanted = [
        (at, string)
        for string in strings
        if any(map(str.isalnum, string))
        for at in range(len(text))
        if text.startswith(string, at)
        and not text[:at][-1:].isalnum()
        and not text[at + len(string) :][:1].isalnum()
    ]
    assert sorted(standing(text, strings)) == sorted(wanted)


@given(texts(1))
def test_a_text_stands_in_itself(text: str) -> None:
    assert ((0, text) in list(standing(text, [text]))) == any(map(str.isalnum, text))


@pytest.mark.parametrize(
    ("before", "mark"),
    [
        *(("", "\n"), ("  ", "\n"), ("Done\n- ", "\n"), ("Seen. ", "."), ('Plan: "(', ":")),
        *(("by ", ""), ("Smith, ", "")),
    ],
)
def test_the_mark_before_a_sentence(before: str, mark: str) -> None:
    assert sentence_mark(f"{before}Ann", len(before)) == mark
