from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.detect.casing import Casing
from phiscrub.detect.gazetteer import Gazetteer, Settings, build
from phiscrub.detect.lists import Lists
from phiscrub.detect.reading import Reading
from phiscrub.lexicons.words import load_words
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical

SHELF = Shelf("en", None)
LISTS = Lists.load(SHELF.folder("gazetteers", "en"), "en")


@pytest.fixture(scope="module")
def casing() -> Casing:
    return Casing(LISTS, load_words(SHELF.folder("lexicons", "en"), "medical"))


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    return build(Settings(), SHELF)


def reading(text: str) -> Reading:
    return Reading.of(Clinical().tokenize([Document("case", text)])[0].tokens)


def restored(casing: Casing, text: str) -> str:
    return " ".join(casing.restore(reading(text)).words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "was seen at quendlebury with a bad cough and some fever today",
            "was seen at Quendlebury with a bad cough and some fever today",
        ),
        (
            "SHE WAS SEEN AT RED RIVER IMAGING AND THEN WENT HOME TO WAIT",
            "she was seen at Red River Imaging and then went home to wait",
        ),
        (
            "she drove all the way from tarnbeck, ky and back to hospital",
            "she drove all the way from Tarnbeck , KY and back to hospital",
        ),
        (
            "moved here from new mexico with her mother two years ago now",
            "moved here from New Mexico with her mother two years ago now",
        ),
    ],
)
def test_one_case_is_made_two(casing: Casing, text: str, words: str) -> None:
    assert restored(casing, text) == words


@pytest.mark.parametrize(
    "text", ["short note", "She was seen at Fargo by Ann with a cough and fever."]
)
def test_the_case_of_other_texts_stays(casing: Casing, text: str) -> None:
    read = reading(text)
    assert casing.restore(read) == read


def test_places_are_found_whatever_the_case(gazetteer: Gazetteer) -> None:
    text = "he was born in mexico, works as a hog farmer and lives in tarnbury with a brother"
    for cased in (text, text.upper()):
        (claims,) = gazetteer.detect(Clinical().tokenize([Document("case", cased)]))
        found = {(m.label, cased[m.span.start : m.span.end].lower()) for m in claims}
        assert {("COUNTRY", "mexico"), ("PROFESSION", "hog farmer"), ("CITY", "tarnbury")} <= found


@settings(max_examples=50, deadline=None)
@given(st.text(st.sampled_from("abAB ß.\n1é,"), max_size=120))
def test_words_stay_where_they_are_and_what_they_are(text: str) -> None:
    read = reading(text)
    after = Casing(LISTS, frozenset()).restore(read)
    assert (after.text, after.starts, after.ends) == (read.text, read.starts, read.ends)
    assert [word.lower() for word in after.words] == [word.lower() for word in read.words]
