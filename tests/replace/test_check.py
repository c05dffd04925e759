"""What is told of originals that still stand, and of numbers that two patients share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.replace.check import Originals, Tally, lowered, plain_words

HUBS = label_set("i2b2-2014").to_hub
PLAIN = {language: plain_words(language) for language in ("en", "es", "sv")}


def left(words: str, label: str, output: str, language: str = "en") -> list[str]:
    """Return what is left in an output of the words that were replaced."""
    mention = Mention(Span(0, len(words)), label)
    spans = Originals.of(words, [mention], HUBS, PLAIN[language]).left(output)
    return [output[span.start : span.end] for span in spans]


@pytest.mark.parametrize(
    ("words", "label", "output", "found"),
    [
        ("John Smith", "PATIENT", "the smith clan; smith. SMITH", ["smith", "smith", "SMITH"]),
        ("harkness", "DOCTOR", r"see c:\scans\harkness\2.pdf", ["harkness"]),
        ("Wei Li", "PATIENT", "Li's wife; LI and li", ["Li"]),
        (
            "Anna Lindqvist",
            "PATIENT",
            "Lindqvists dotter, lindqvist's",
            ["Lindqvists", "lindqvist"],
        ),
        ("Lindqvist's", "PATIENT", "Lindqvist came", ["Lindqvist"]),
        ("Ana Ruiz-Garrido", "PATIENT", "garrido, Ruiz", ["garrido", "Ruiz"]),
        ("Ana Ruiz-Garrido", "PATIENT", "RUIZ-GARRIDO", ["RUIZ-GARRIDO"]),
        ("Bozeman Deaconess Hospital", "HOSPITAL", "to deaconess, hospital", ["deaconess"]),
        ("Williams", "DOCTOR", "williams and William", ["williams"]),
        ("Boise Falls", "CITY", "of BOISE FALLS", ["BOISE FALLS"]),
        ("ab-4471x", "MEDICALRECORD", "AB-4471X", ["AB-4471X"]),
        ("Dr. Long", "DOCTOR", "a Long day, long QT", ["Long"]),
        ("DR. LONG", "DOCTOR", "saw Long today; long QT", ["Long"]),
    ],
)
def test_originals_are_found_however_they_are_written(words, label, output, found):
    assert left(words, label, output) == found


@pytest.mark.parametrize(
    ("words", "label", "output"),
    [
        ("Dr. Brown", "DOCTOR", "brown sputum; BROWN STAIN. browns"),
        ("brown", "DOCTOR", "brown sputum. Brown stain"),
        ("DR. LONG", "DOCTOR", "Long QT. No long pause"),
        ("Do", "DOCTOR", "Do not lift. DO NOT LIFT. do"),
        ("Van de Graaf", "PATIENT", "cabg de novo"),
        ("Mercy Medical Center", "HOSPITAL", "the medical center; at mercy"),
        ("General Hospital", "HOSPITAL", "in the general hospital"),
        ("Reading", "CITY", "reading glasses"),
        ("Smith", "PATIENT", "blacksmith Smithers"),
    ],
)
def test_plain_words_are_no_originals(words, label, output):
    assert not left(words, label, output)


def test_word_lists_are_the_languages() -> None:
    assert left("Leal", "PATIENT", "leal", "en") == ["leal"]
    assert not left("Calle", "PATIENT", "en la calle", "es")
    assert "hospital" in PLAIN["sv"]


@given(st.text(max_size=30))
def test_lower_case_keeps_each_sign_at_its_place(text: str) -> None:
    assert len(lowered(text)) == len(text)


def test_words_that_a_policy_keeps_are_not_told_of_units() -> None:
    text = "Bozeman. Bozeman Deaconess Hospital."
    city, unit = Mention(Span(0, 7), "CITY"), Mention(Span(9, 35), "HOSPITAL")
    tally, made = Tally(), Annotated(Document("n", "Bozeman. Larkmead Hospital."), ())
    told = {"plain": PLAIN["en"]}
    assert tally.add("p", text, [unit], made, HUBS, kept=[city], **told) == []
    assert tally.add("p", text, [unit], made, HUBS, **told) == [Span(0, 7)]


def added(tally: Tally, patient: str, label: str, words: str) -> None:
    marks = (Mention(Span(0, len(words)), label),)
    tally.add(patient, "x" * len(words), (), Annotated(Document("n", words), marks), HUBS)


def test_numbers_that_stand_for_two_patients_are_counted_once_each() -> None:
    tally = Tally()
    for patient in ("p1", "p1", "p2", "p3"):
        added(tally, patient, "MEDICALRECORD", "48213")
        added(tally, patient, "PATIENT", "Paloma Reyes")
        added(tally, patient, "ZIP", "59715")
    assert tally.shared == {"MEDICALRECORD": 1}
    added(tally, "p4", "PHONE", "614-555-0142")
    assert tally.shared == {"MEDICALRECORD": 1}
    added(tally, "p5", "PHONE", "614-555-0142")
    assert tally.shared == {"MEDICALRECORD": 1, "PHONE": 1}
    assert "48213" not in repr(tally)
