from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Mention
from phiscrub.core.redaction import Redaction
from phiscrub.core.span import Span
from strategies import covered


@st.composite
def redactions(draw: st.DrawFn) -> Redaction:
    document, cover = draw(covered())
    words = st.sampled_from(("", "X", "[DATE]", "\r\n", "\U0001f469")) | st.text(max_size=8)
    return Redaction(document, cover, tuple(draw(words) for _ in cover))


def untouched(redaction: Redaction) -> list[int]:
    """Offsets of the characters outside every mention."""
    inside = {i for m in redaction.cover for i in range(m.span.start, m.span.end)}
    return [i for i in range(len(redaction.document.text)) if i not in inside]


@given(covered())
def test_replacing_each_mention_by_its_own_words_gives_the_text_back(pair):
    document, cover = pair
    own = tuple(document.text[m.span.start : m.span.end] for m in cover)
    redaction = Redaction(document, cover, own)
    assert redaction.text == document.text
    assert redaction.output.document == document
    assert redaction.output.mentions == cover.mentions


@given(redactions())
def test_the_text_is_that_of_replacing_from_behind(redaction):
    text = redaction.document.text
    for mention, words in reversed(list(zip(redaction.cover, redaction.replacements, strict=True))):
        text = text[: mention.span.start] + words + text[mention.span.end :]
    assert redaction.text == text


@given(redactions())
def test_characters_outside_mentions_move_untouched_and_come_back(redaction):
    there, back = redaction.to_output, redaction.to_original
    places = untouched(redaction)
    for offset in places:
        assert redaction.text[there(offset)] == redaction.document.text[offset]
        assert back(there(offset)) == offset
    moved = {there(offset) for offset in places}
    assert len(moved) == len(places)
    written = sum(map(len, redaction.replacements))
    assert len(redaction.text) == len(places) + written  # nothing else is in the output


@given(redactions())
def test_offset_maps_are_monotone_and_map_ends_to_ends(redaction):
    before, after = len(redaction.document.text), len(redaction.text)
    for move, source, target in (
        (redaction.to_output, before, after),
        (redaction.to_original, after, before),
    ):
        moved = [move(offset) for offset in range(source + 1)]
        assert moved == sorted(moved)
        assert moved[-1] == target
        assert moved[0] >= 0


@given(redactions())
def test_every_offset_of_a_mention_becomes_its_replacements_start_and_back(redaction):
    moved = iter(redaction.output.mentions)
    for mention, words in zip(redaction.cover, redaction.replacements, strict=True):
        starts = {redaction.to_output(i) for i in range(mention.span.start, mention.span.end)}
        assert len(starts) == 1
        if words:
            place = next(moved).span
            assert starts == {place.start}
            for offset in range(place.start, place.end):
                assert redaction.to_original(offset) == mention.span.start


@given(redactions())
def test_moved_mentions_stand_on_their_replacements_and_removed_ones_are_gone(redaction):
    output = redaction.output
    assert output.document.text == redaction.text
    assert output.document.id == redaction.document.id
    assert output.document.subject == redaction.document.subject
    assert output.document.meta == redaction.document.meta
    kept = [(m, w) for m, w in zip(redaction.cover, redaction.replacements, strict=True) if w]
    assert [redaction.text[m.span.start : m.span.end] for m in output.mentions] == [
        words for _, words in kept
    ]
    assert [(m.label, m.score, m.source) for m in output.mentions] == [
        (m.label, m.score, m.source) for m, _ in kept
    ]
    Cover(output.mentions)  # still sorted and disjoint


@given(redactions())
def test_an_offset_outside_the_text_is_refused_both_ways(redaction):
    for move, length in (
        (redaction.to_output, len(redaction.document.text)),
        (redaction.to_original, len(redaction.text)),
    ):
        assert 0 <= move(0) <= move(length)
        for offset in (-1, length + 1, -(10**9), 10**9):
            with pytest.raises(IndexError, match=f"offset {offset} is not in the text") as raised:
                move(offset)
            assert isinstance(raised.value, AnnotationError)
            assert f"it has {length} characters" in str(raised.value)


def test_a_removed_mention_leaves_the_character_behind_it_where_it_was():
    cover = Cover.of([Mention(Span(1, 3), "DATE"), Mention(Span(3, 4), "PHONE")])
    redaction = Redaction(Document("n", "aXXYb"), cover, ("", ""))
    assert redaction.text == "ab"
    assert [redaction.to_original(i) for i in range(3)] == [0, 4, 5]
    assert [redaction.to_output(i) for i in range(6)] == [0, 1, 1, 1, 1, 2]


def test_a_mention_behind_a_removed_one_keeps_its_place():
    cover = Cover.of([Mention(Span(0, 2), "DATE"), Mention(Span(2, 4), "PHONE")])
    redaction = Redaction(Document("n", "XXYYb"), cover, ("", "PP"))
    assert [redaction.to_original(i) for i in range(4)] == [2, 2, 4, 5]


@pytest.mark.parametrize("words", [(), ("a", "b")])
def test_another_number_of_replacements_is_refused(words):
    with pytest.raises(AnnotationError):
        Redaction(Document("n", "abc"), Cover.of([Mention(Span(0, 1), "DATE")]), words)


def test_a_cover_of_a_longer_text_is_refused():
    with pytest.raises(AnnotationError):
        Redaction(Document("n", "abc"), Cover.of([Mention(Span(2, 4), "DATE")]), ("x",))
