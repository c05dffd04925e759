from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phiscrub.lexicons.phrases import Hit, Phrases, fold

LISTED = Phrases(
    [
        ("York", "city"),
        ("New York", "city"),
        ("New York", "state"),
        ("Düsseldorf", "city"),
        ("St. Cloud", "city"),
        ("US", "country"),
        ("AT&T", "company"),
        ("welder", "job"),
    ]
)


@pytest.mark.parametrize(
    ("words", "hits"),
    [
        ("in York today", [Hit(1, 2, ("city",))]),
        ("New York", [Hit(0, 2, ("city", "state")), Hit(1, 2, ("city",))]),
        ("New Yorkers", []),
        ("NEW york", [Hit(0, 2, ("city", "state")), Hit(1, 2, ("city",))]),
        ("Dusseldorf DÜSSELDORF", [Hit(0, 1, ("city",)), Hit(1, 2, ("city",))]),
        ("St . Cloud", [Hit(0, 3, ("city",))]),
        ("St Cloud", []),
        ("us US Us", [Hit(1, 2, ("country",))]),
        ("AT & T at & t", [Hit(0, 3, ("company",))]),
        ("a Welder", [Hit(1, 2, ("job",))]),
        ("New", []),
        ("", []),
    ],
)
def test_terms_match_whole_words_in_any_case_but_for_capitals(words: str, hits: list[Hit]) -> None:
    assert list(LISTED.find(words.split())) == hits


def test_a_term_without_a_word_matches_nothing() -> None:
    assert list(Phrases([("", "x"), ("  ", "x")]).find(["", "a"])) == []


WORDS = st.sampled_from(["a", "b", "c", "A", "é", "E", ".", "&", "…"])


@settings(max_examples=200)
@given(st.lists(st.lists(WORDS, min_size=1, max_size=3), max_size=6), st.lists(WORDS, max_size=12))
def test_finds_what_a_search_at_each_word_finds(terms: list[list[str]], words: list[str]) -> None:
    lower = [[w.lower() for w in term] for term in terms]
    phrases = Phrases((" ".join(term), "k") for term in lower)
    folded = [fold(word) for word in words]
    expected = []
    for first in range(len(words)):
        sizes = [
            len(term)
            for term in lower
            if folded[first : first + len(term)] == [fold(word) for word in term]
        ]
        if sizes:
            expected.append((first, first + max(sizes)))
    assert [(hit.first, hit.last) for hit in phrases.find(words)] == expected


@settings(max_examples=40)
@given(st.text(max_size=12))
@example("\U0001d71c")
def test_folding_twice_changes_nothing(word: str) -> None:
    assert fold(fold(word)) == fold(word)
