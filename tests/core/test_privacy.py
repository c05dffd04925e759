"""No object of core shows text of a note: not in its repr, not in the errors that it causes."""

from __future__ import annotations

import traceback
from dataclasses import fields, is_dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import AnnotationError, PhiscrubError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.redaction import OffsetMap, Redaction
from phiscrub.core.schemes import SCHEMES
from phiscrub.core.scores import TokenScores
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens

MARKERS = st.integers(10**9, 10**10).map(lambda number: f"Zq{number}")
SIZE = len("Zq1000000000")


def note_of(marker: str) -> Document:
    subject = Subject(f"key-{marker}", (("PATIENT", marker), (marker, "Ann")))
    return Document("note-1", f"seen {marker}\r\ntoday", subject, {"ward": marker, marker: "7"})


def every_value(marker: str) -> list[object]:
    document = note_of(marker)
    mention = Mention(Span(5, 5 + SIZE), "PATIENT")
    tokens = Tokens.of(document.text, [(0, 4), (5, 5 + SIZE)])
    sentences = Tokens.of(document.text, [(0, len(document.text))])
    cover = Cover.of([mention])
    redaction = Redaction(document, cover, (f"{marker} Lee",))
    values = (document, document.subject, mention, tokens, Note(document, tokens, sentences))
    derived = (redaction, redaction.output, redaction.to_output, redaction.to_original)
    scores = TokenScores(("O", "PATIENT"), np.full((2, 2), 0.5, dtype=np.float32))
    return [*values, cover, Annotated(document, (mention,)), *derived, scores, mention.span]


def test_every_value_of_the_walk_is_tried():
    tried = {type(value) for value in every_value("Zq1234567890")}
    assert tried == {
        *(Document, Subject, Mention, Tokens, Note, Cover, Annotated),
        *(Redaction, OffsetMap, TokenScores, Span),
    }


@given(MARKERS)
def test_no_repr_shows_text_subject_metadata_or_replacement(marker):
    for value in every_value(marker):
        for shown in (repr(value), str(value), f"{value}"):
            assert marker not in shown, type(value)


def test_the_marker_would_be_found():
    """The property above can fail: the fields do hold the marker."""
    marker = "Zq1234567890"
    holders = {
        type(value)
        for value in every_value(marker)
        if is_dataclass(value) and any(marker in f"{getattr(value, f.name)}" for f in fields(value))
    }
    assert {Document, Subject, Tokens, Redaction} <= holders


def failures(marker: str) -> list[object]:
    document = note_of(marker)
    text, over = document.text, len(document.text) + 1
    beyond, other = Mention(Span(0, over), "DATE"), Tokens.of(f"{marker} else", [])
    own = Tokens.of(text, [])
    return [
        lambda: Annotated(document, (beyond,)),
        lambda: Redaction(document, Cover.of([beyond]), (marker,)),
        lambda: Redaction(document, Cover(), (marker,)),
        lambda: Tokens.of(text, [(0, over)]),
        lambda: Tokens.of(text, [(0, 3), (2, 4)]),
        lambda: Note(document, other, own),
        lambda: Note(document, own, other),
        *(
            lambda scheme=scheme: scheme.chunks(["O", f"X-{marker}"])
            for scheme in SCHEMES.values()
            if scheme.name != "IO"  # any word is a tag of IO
        ),
    ]


@given(MARKERS)
def test_no_error_shows_text_of_a_note(marker):
    for build in failures(marker):
        with pytest.raises(AnnotationError) as caught:
            build()
        shown = "".join(traceback.format_exception_only(caught.value))
        for words in (str(caught.value), repr(caught.value), shown):
            assert marker not in words
        assert isinstance(caught.value, PhiscrubError)
