from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.counts import Counts
from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.evaluate.curve import curve
from phiscrub.evaluate.evidence import (
    ALARM,
    AROUND,
    LEAK,
    OTHER,
    TOP,
    cases,
    sections,
    shape,
)
from phiscrub.evaluate.masking import measure
from phiscrub.evaluate.sample import Sample
from strategies import texts

TEXT = "Seen by Ann Lee.\nHistory of Parkinson at Falls City"


def noted(*found: Mention) -> Sample:
    document = Document("n1", TEXT)
    gold = (Mention(Span(8, 15), "NAME"), Mention(Span(41, 51), "CITY"))
    return Sample.of(Annotated(document, gold), Annotated(document, found))


def test_each_case_has_its_words_its_context_and_its_reason():
    sample = noted(
        Mention(Span(8, 11), "NAME", 0.9, "names"), Mention(Span(28, 37), "NAME", 0.8, "lists")
    )
    leak, alarm, other = cases([sample], measure([sample]))
    assert (leak.kind, alarm.kind, other.kind) == (LEAK, ALARM, LEAK)
    assert leak.pieces == (("Ann ", False), ("Lee", True))
    assert leak.reason == "in part as NAME by names"
    assert (leak.before, leak.after[:1]) == ("Seen by ", ".")
    assert alarm.pieces == (("Parkinson", True),)
    assert alarm.reason == "lists"
    assert alarm.after == " at Falls City"
    assert other.reason == "not found"
    assert "Falls" not in repr(other)


def test_without_sources_a_case_still_says_what_it_can():
    sample = Sample("n", TEXT, ((8, 15, "NAME"),), ((8, 11, "X"), (28, 37, "NAME")))
    leak, alarm = cases([sample], measure([sample]))
    assert (leak.reason, alarm.reason) == ("in part as X", "")


MARKS = st.lists(
    st.tuples(st.integers(0, 30), st.integers(0, 30), st.sampled_from("AB")), max_size=5
)


@given(text=texts(1), gold=MARKS, found=MARKS)
def test_the_words_of_a_case_are_those_of_its_place(text, gold, found):
    sides = [
        tuple((min(a, b), max(a, b), label) for a, b, label in side if a != b)
        for side in (gold, found)
    ]
    sample = Sample("n", text, *sides)
    masking = measure([sample])
    seen = cases([sample], masking)
    assert len(seen) == len(masking.leaks) + len(masking.alarms)
    for case in seen:
        words = "".join(piece for piece, _ in case.pieces)
        assert words == text[case.start : case.end]
        assert (case.before + words + case.after) in text
        assert max(len(case.before), len(case.after)) <= AROUND
        assert any(fault for _, fault in case.pieces)
    counts = sections([sample], masking)
    assert sum(one.missed for one in counts.values()) == len(masking.leaks)


@given(text=texts())
def test_a_shape_says_no_letter_and_no_digit(text):
    shown = shape(text)
    assert len(shown) == len(text)
    letters = {c for c in shown if unicodedata.category(c)[0] in "LMN"}
    assert letters <= set("Xx9")


def test_shapes_keep_what_tells_kinds_apart():
    assert shape("Ann Lee, 04/12 (Żółć)") == "Xxx Xxx, 99/99 (Xxxx)"


def test_redacted_cases_hold_no_word():
    sample = noted(Mention(Span(28, 37), "NAME", 0.8, "lists"))
    shown = [case.redacted() for case in cases([sample], measure([sample]))]
    told = "".join(c.before + c.after + "".join(words for words, _ in c.pieces) for c in shown)
    assert set(told) <= set("Xx9 .\n")


def test_headings_that_are_rare_or_identify_are_summed_up():
    texts_of = [f"Bob came\n\nHISTORY:\nAnn Lee\n\nPLAN {name}:\nFalls" for name in "ABC"]
    samples = [
        Sample(str(at), text, ((0, 3, "NAME"), (19, 26, "NAME"), (36, 41, "CITY")), ())
        for at, text in enumerate(texts_of)
    ]
    found = sections(samples, measure(samples))
    assert found == {"HISTORY": Counts(0, 3), TOP: Counts(0, 3), OTHER: Counts(0, 3)}
    marked = [Sample(s.id, s.text, (*s.gold, (10, 17, "NAME")), ()) for s in samples]
    assert "HISTORY" not in sections(marked, measure(marked))


def test_the_curve_has_a_point_a_score():
    sample = noted(
        Mention(Span(8, 15), "NAME", 0.9, "a"),
        Mention(Span(8, 15), "NAME", 0.2, "b"),
        Mention(Span(41, 51), "CITY", 0.5, "a"),
        Mention(Span(28, 37), "CITY", 0.5, "a"),
    )
    points = [(point.least, point.counts) for point in curve([sample])]
    assert points == [(0.9, Counts(1, 1, 0)), (0.5, Counts(2, 0, 1))]
    assert curve([noted(Mention(Span(8, 15), "NAME"))]) == ()
