"""What is told of originals that still stand, and of numbers that two patients share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.replace.check import Tally
from phiscrub.replace.originals import Originals, plain_words
from phiscrub.replace.spellings import Flat

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
        ("447-1902", "MEDICALRECORD", "MRN 4471902, 44719021", ["4471902"]),
        ("617-422-9182", "PHONE", "(617) 422-9182; 422 9182", ["617) 422-9182", "422 9182"]),
        ("Kate O'Connell", "PATIENT", "OConnell; o’connell", ["OConnell", "o’connell"]),
        ("Kate OConnell", "PATIENT", "O'Connell's", ["O'Connell"]),
        ("Anne Brontë", "PATIENT", "Bronte; BRONTE\u0308", ["Bronte", "BRONTE"]),
        ("New York", "CITY", "of New\n  York", ["New\n  York"]),
        ("Ann Lee", "PATIENT", r"Seen.\nLee is well.\r\nLEE", ["Lee", "LEE"]),
        ("118 Gull St", "STREET", "at 118 Gull Street", ["118 Gull"]),
        ("118 Gull Street", "STREET", "at 118  gull st.", ["118  gull"]),
        ("Rob Kowalski", "PATIENT", "rkowalski@larkmead.com", ["rkowalski"]),
        ("rkowalski@larkmead.com", "EMAIL", "rkowalski@other.net", ["rkowalski"]),
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
        ("MARÍA DEL CARMEN", "PATIENT", "HOSPITAL DEL SUR"),
        ("Jane Roe, NP", "DOCTOR", "the NP came"),
        ("Jane Roe, PA-C", "DOCTOR", "another PA-C"),
        ("Sra. Lopez", "PATIENT", "la Sra. Vega"),
        ("Shell", "PATIENT", "she'll come"),
        ("447-1902", "MEDICALRECORD", "447 on 1902, 447, 1902"),
        ("617-555-0182", "PHONE", "313-555-0182, 555-0182"),
        ("617-422-9182", "PHONE", "313-422-9182"),
        ("outreach@larkmead.com", "EMAIL", "OUTREACH CLINIC"),
        ("info@larkmead.com", "EMAIL", "for info call"),
    ],
)
def test_plain_words_are_no_originals(words, label, output):
    assert not left(words, label, output)


def test_word_lists_are_the_languages() -> None:
    assert left("Leal", "PATIENT", "leal", "en") == ["leal"]
    assert not left("Calle", "PATIENT", "en la calle", "es")
    assert "hospital" in PLAIN["sv"]


@given(st.text("Aé'ß\u0301 \nO\u0130b", max_size=30))
def test_each_sign_of_a_flat_text_is_known_by_its_place(text: str) -> None:
    flat = Flat.of(text)
    places = [flat.span(at, at + 1) for at in range(len(flat.text))]
    assert all(span.end <= len(text) for span in places)
    for sign, span in zip(flat.text, places, strict=True):
        assert sign in Flat.of(text[span.start : span.end]).text


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


@pytest.mark.parametrize("other", ["4/12/2012", "04/12/2012", "4/12/12", "4-12-2012"])
def test_a_date_that_was_left_is_told(other: str) -> None:
    text = f"4/12/2012 … {other} … 5/1/2012"
    day = Mention(Span(0, 9), "DATE")
    output = f"6/2/2011 … {other} … 5/1/2012"
    made = Annotated(Document("n", output), (Mention(Span(0, 8), "DATE"),))
    told = Tally()
    assert told.add("p", text, [day], made, HUBS) == [Span(11, 11 + len(other))]
    assert told.left == {"DATE": 1}
    kept = Annotated(Document("n", text), (day,))
    assert Tally().add("p", text, [day], kept, HUBS) == []
    elsewhere = Annotated(
        Document("n", output), (*made.mentions, Mention(Span(11, 11 + len(other)), "DATE"))
    )
    assert Tally().add("p", text, [day], elsewhere, HUBS) == []


def test_a_date_in_words_that_was_left_is_told() -> None:
    text = "April 12, 2012 and April 12 2012"
    made = Annotated(
        Document("n", "June 2, 2011 and April 12 2012"), (Mention(Span(0, 12), "DATE"),)
    )
    assert Tally().add("p", text, [Mention(Span(0, 14), "DATE")], made, HUBS) == [Span(17, 30)]
