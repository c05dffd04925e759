"""Documents, notes, mentions, covers and scores: bad states cannot be built."""

from __future__ import annotations

import copy
import pickle
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.redaction import Redaction
from phiscrub.core.scores import TokenScores
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from strategies import annotated, documents, mentions, probabilities, texts


@given(documents())
def test_a_document_survives_a_process_border(document):
    for other in (pickle.loads(pickle.dumps(document)), copy.deepcopy(document)):  # noqa: S301 - our own bytes
        assert other == document
        assert dict(other.meta) == dict(document.meta)
        assert hash(other) == hash(document)


@given(annotated())
def test_annotated_and_redacted_documents_survive_a_process_border(note):
    words = tuple("x" for _ in note.mentions)
    redaction = Redaction(note.document, Cover(note.mentions), words)
    for value in (note, redaction):
        assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own bytes


def test_metadata_are_copied_and_frozen():
    meta = {"ward": "7"}
    document = Document("a", "text", meta=meta)
    meta["ward"] = "8"
    assert document.meta["ward"] == "7"
    with pytest.raises(TypeError):
        document.meta["ward"] = "9"
    with pytest.raises(AttributeError):
        document.text = "other"


@pytest.mark.parametrize("score", [0.0, -0.1, 1.001, float("nan"), float("inf")])
def test_scores_that_are_no_confidence_are_refused(score):
    with pytest.raises(AnnotationError):
        Mention(Span(0, 1), "DATE", score)


def test_a_mention_without_label_is_refused():
    with pytest.raises(AnnotationError):
        Mention(Span(0, 1), "")


def test_mentions_order_by_place_label_falling_score_and_source():
    ordered = [
        Mention(Span(0, 1), "Z", 0.1, "z"),
        Mention(Span(0, 2), "A", 0.9, "z"),
        Mention(Span(0, 2), "A", 0.5, "a"),
        Mention(Span(0, 2), "A", 0.5, "b"),
        Mention(Span(0, 2), "B", 1.0, "a"),
        Mention(Span(1, 2), "A", 1.0, "a"),
    ]
    for shuffled in permutations(ordered, len(ordered)):
        assert sorted(shuffled, key=lambda mention: mention.key) == ordered


@given(mentions(20))
def test_mentions_of_one_key_are_equal(some):
    for left in some:
        for right in some:
            assert (left.key == right.key) == (left == right)


@given(mentions(20))
def test_a_cover_takes_disjoint_mentions_in_any_order_and_no_others(some):
    covered = [i for m in some for i in range(m.span.start, m.span.end)]
    if len(covered) > len(set(covered)):
        with pytest.raises(AnnotationError):
            Cover.of(some)
    else:
        cover = Cover.of(some)
        assert cover == Cover.of(reversed(some))
        assert list(cover) == sorted(some, key=lambda m: m.span)
        assert len(cover) == len(some)


def test_a_cover_that_is_out_of_order_is_refused():
    with pytest.raises(AnnotationError):
        Cover((Mention(Span(3, 4), "DATE"), Mention(Span(0, 1), "DATE")))


@given(texts(), st.integers(1, 5))
def test_an_annotation_ends_in_the_text(text, over):
    document = Document("n-7", text)
    if text:
        assert Annotated(document, (Mention(Span(0, len(text)), "DATE"),))
    with pytest.raises(AnnotationError, match=r"^record n-7: "):
        Annotated(document, (Mention(Span(0, len(text) + over), "DATE"),))


@given(st.data(), texts(min_size=1))
def test_a_note_takes_tokens_of_its_own_text_only(data, text):
    document, own = Document("n", text), Tokens.of(text, [])
    assert Note(document, own, Tokens.of(str(text), [])).text == text
    other = Tokens.of(data.draw(texts().filter(lambda t: t != text)), [])
    for tokens, sentences in ((other, own), (own, other)):
        with pytest.raises(AnnotationError):
            Note(document, tokens, sentences)


def test_a_note_cuts_sentences_once_and_when_asked():
    document, asked = Document("n", "One. Two."), []

    def cut(text: str) -> Tokens:
        asked.append(text)
        return Tokens.of(text, [(0, 4), (5, 9)])

    note = Note(document, Tokens.of("One. Two.", []), cut)
    assert not asked
    assert note.sentences is note.sentences
    assert asked == ["One. Two."]
    other = Note(document, note.tokens, lambda text: Tokens.of(text + "!", []))
    with pytest.raises(AnnotationError):
        _ = other.sentences


@given(st.data(), st.integers(0, 5), st.integers(1, 4))
def test_token_scores_are_probabilities(data, rows, columns):
    proba = data.draw(probabilities(rows, columns))
    names = tuple("ABCD"[:columns])
    assert TokenScores(names, proba).proba.shape == (rows, columns)
    for wrong in (proba[:, :-1], proba.reshape(-1), proba[None]):
        with pytest.raises(AnnotationError):
            TokenScores(names, wrong)


@pytest.mark.parametrize("row", [[0.5, 0.4], [2.0, -1.0], [np.nan, 1.0], [np.inf, 0.0], [0.0, 0.0]])
def test_rows_that_are_no_probabilities_are_refused(row):
    with pytest.raises(AnnotationError):
        TokenScores(("A", "B"), np.array([[0.5, 0.5], row], dtype=np.float32))


def test_a_mention_is_renamed_where_its_label_has_another_name() -> None:
    mention = Mention(Span(0, 3), "CITY", 0.5, "crf")
    assert mention.renamed({"CITY": "PHI"}) == Mention(Span(0, 3), "PHI", 0.5, "crf")
    assert mention.renamed({"STATE": "PHI"}) == mention
