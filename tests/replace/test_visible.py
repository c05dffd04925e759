"""No surrogate is empty or blank."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import HUB
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from replaced import put
from strategies import CHARACTERS, texts

SPOKEN = {"en": HUB, "es": "meddocan", "sv": "stockholm-epr"}
HARD = (
    *("of", "and", "de", "&", "the", "y", "och", "de la", "St.", "Dr.", "Mr", "-", ".", "'s", "@"),
    *("Hospital", "ward", "3", "Jan", "of Boise", "q", "http://", "+", "years", "madre", "(", "I"),
)
WORDS = st.sampled_from(HARD) | texts(1) | st.text(CHARACTERS, min_size=1, max_size=2)
BETWEEN = st.sampled_from(("", " ", "Mr ", "born ", "\n"))
CHANGES = st.fixed_dictionaries(
    {
        "dates": st.sampled_from(tuple(surrogates.DateMode)),
        "ages": st.sampled_from(tuple(surrogates.Ages)),
        "states": st.sampled_from(("keep", "replace")),
    }
)


def is_visible(text: str) -> bool:
    return any(unicodedata.category(c)[0] not in "ZC" for c in text)


@cache
def built(language: str, secret: Path) -> surrogates.Surrogates:
    settings_ = surrogates.Settings(SPOKEN[language], str(secret))
    return surrogates.build(settings_, Shelf(language, None))


@pytest.mark.parametrize("words", ["of", "and", "de", "&", "of &", "De la", "OF"])
@pytest.mark.parametrize("label", ["HOSPITAL", "ORGANIZATION", "DEPARTMENT"])
def test_a_link_word_alone_becomes_a_name(english, label, words):
    (name,) = put(english, f"Seen with help {{{label}:{words}}} Haji.")
    assert is_visible(name)
    assert name.casefold() != words.casefold()


PIECES = st.lists(st.tuples(BETWEEN, st.integers(0, 99), WORDS), min_size=1, max_size=4)


@pytest.mark.parametrize("language", SPOKEN)
@settings(max_examples=300, deadline=None)
@given(changes=CHANGES, pieces=PIECES)
def test_no_surrogate_is_empty_or_blank(secret, language, changes, pieces):
    made = built(language, secret)
    made = replace(made, settings=replace(made.settings, **changes))
    labels = made.labels.labels
    text, mentions = "", []
    for between, number, words in pieces:
        text += between
        span = Span(len(text), len(text) + len(words))
        mentions.append(Mention(span, labels[number % len(labels)]))
        text += words
    done = made.replace(Document("n", text), Cover(tuple(mentions))).replacements
    for words, put_ in zip((words for _, _, words in pieces), done, strict=True):
        assert is_visible(put_) or not is_visible(words)
