"""Laws and rules of sections. Every note here is invented."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.tokenize.registry import get_tokenizer
from phiscrub.tokenize.sections import headings, split_sections

LAYOUT = st.lists(
    st.one_of(
        st.characters(),
        st.sampled_from(
            ["\n", "\n\n", "HPI: ", "PLAN\n----\n", "## Plan\n", "FAMILY HISTORY", ": "]
        ),
        st.sampled_from(
            ["Past Medical History:\n", "**Plan**:", "asthma ", "   ", "\t", "\r\n", "#"]
        ),
    ),
    max_size=30,
).map("".join)


def names(text: str) -> list[str]:
    return [
        text[s.heading.start : s.heading.end] for s in split_sections(text) if s.heading is not None
    ]


def bodies(text: str) -> list[str | None]:
    return [s.body and text[s.body.start : s.body.end] for s in split_sections(text)]


@settings(max_examples=150, deadline=None)
@given(text=LAYOUT)
def test_sections_are_ordered_trimmed_and_lose_no_word(text: str) -> None:
    done = 0
    for number, section in enumerate(split_sections(text)):
        assert section.heading or (number == 0 and section.body)
        for span in filter(None, (section.heading, section.body)):
            assert not any(c.isalnum() for c in text[done : span.start])
            piece = text[span.start : span.end]
            assert piece == piece.strip() != ""
            done = span.end
    assert not any(c.isalnum() for c in text[done:])


@settings(max_examples=100, deadline=None)
@given(text=LAYOUT)
def test_every_token_has_one_normal_heading(text: str) -> None:
    (note,) = get_tokenizer("clinical").tokenize([Document("d", text)])
    told, under = headings(note)
    found = [told[number] for number in under]
    known = {"", *(" ".join(name.upper().split()) for name in names(text))}
    assert len(found) == len(note.tokens)
    assert set(found) <= known


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("FAMILY HISTORY:\nMother had asthma.", ["FAMILY HISTORY"]),
        ("HPI: A man of 71.", ["HPI"]),
        ("Past Medical History:\nasthma", ["Past Medical History"]),
        ("Family history: asthma", ["Family history"]),
        ("  Allergies : none", ["Allergies"]),
        ("## Assessment\nwell", ["Assessment"]),
        ("### Plan ###\nrest", ["Plan"]),
        ("PLAN\n----\nrest", ["PLAN"]),
        ("Follow up\n=========\nrest", ["Follow up"]),
        ("Seen.\n\nREVIEW OF SYSTEMS\n\nWell.", ["REVIEW OF SYSTEMS"]),
        ("**Plan:** rest", ["Plan"]),
        ("A/P: rest", ["A/P"]),
        ("# Plan (day 2)\nrest", ["Plan (day 2)"]),
        ("MILLBROOK INFIRMARY\nEYE CLINIC\nSeen.", ["MILLBROOK INFIRMARY"]),
        ("EXPLORACIÓN FÍSICA: normal", ["EXPLORACIÓN FÍSICA"]),
        ("Exploración física:\nnormal", ["Exploración física"]),
        ("Antecedentes personales: asma", ["Antecedentes personales"]),
        ("Bedömning:\nmår bra", ["Bedömning"]),
        ("Bedömning: mår bra", ["Bedömning"]),
        ("ÅTGÄRD: vila", ["ÅTGÄRD"]),
        ("HPI: well\r\nPMH: none\r\n", ["HPI", "PMH"]),
    ],
)
def test_headings(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "She said: no pain",
        "Neck: supple",
        "BP: 120/80",
        "DOB: 02/03/1950",
        "NAME: DRAKE, OTTO      MR#: 55-20-113",
        "http://portal.example",
        "at 10:30 she left",
        "DRAKE, OTTO",
        "the plan as discussed at length with the whole family is this: rest",
        "WBC   8.1   RBC   4.2",
        "INR 2.1",
        "PATIENT IS DOING WELL TODAY\nAND WAS SENT HOME LATER",
        "------",
        "I explained. Plan: rest",
        "# the plan as discussed at length with the whole family",
        "",
    ],
)
def test_what_is_no_heading(text: str) -> None:
    lines = f"Seen today.\n{text}"
    assert names(lines) == []
    assert bodies(lines) == [lines.strip()]


def test_bodies_are_what_stands_between() -> None:
    text = "Seen today.\nHPI: A man of 71.\nHe fell.\n\nPLAN\n----\n\nLABS:\n"
    assert bodies(text) == ["Seen today.", "A man of 71.\nHe fell.", None, None]


def test_a_note_of_white_space_has_no_section() -> None:
    assert split_sections(" \n\t") == ()


def test_tokens_are_told_their_heading() -> None:
    text = "Seen today\nPast  medical history: asthma\n\n## Följs upp\nfredag"
    (note,) = get_tokenizer("clinical").tokenize([Document("d", text)])
    words = note.tokens.words()
    told, numbers = headings(note)
    under = dict(zip(words, (told[number] for number in numbers), strict=True))
    assert under["Seen"] == under["today"] == ""
    assert under["Past"] == under["asthma"] == "PAST MEDICAL HISTORY"
    assert under["Följs"] == under["fredag"] == "FÖLJS UPP"


def test_long_texts_are_no_trouble() -> None:
    for piece in ("A: ", "HPI:\n", "# ", "PLAN\n", "Aa ", "#", "x", "* ", "# x# !"):
        assert split_sections(piece * (100_000 // len(piece)))
