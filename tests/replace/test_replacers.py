from __future__ import annotations

import pytest
from hypothesis import given, settings

from phiscrub.core.contracts import Replacer
from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import HUB, label_set, label_set_names
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import phi, remove, stars, tags, templates
from strategies import covered

SHELF = Shelf("en", None)
ALL = [part.build(part.Settings(), SHELF) for part in (phi, remove, stars, tags, templates)]


def marked(text: str) -> tuple[Document, Cover]:
    """Read `{LABEL:words}` marks out of a text."""
    plain, mentions = "", []
    for piece in text.split("{"):
        label, colon, rest = piece.partition(":") if "}" in piece else ("", "", piece)
        words, _, after = rest.partition("}") if colon else ("", "", rest)
        if words:
            mentions.append(Mention(Span(len(plain), len(plain) + len(words)), label))
        plain += words + after
    return Document("n", plain), Cover.of(mentions)


def replaced(replacer: Replacer, text: str) -> str:
    return replacer.replace(*marked(text)).text


NOTE = (
    "Dr. {DOCTOR:Lena Ortiz} saw {PATIENT:Ann Lee} on {DATE:3/14}.\nDr. {DOCTOR:Ortiz}, {DATE:3/15}"
)


def test_tags_are_numbered_by_who_is_meant():
    assert replaced(tags.Tags(), NOTE) == (
        "Dr. [DOCTOR-1] saw [PATIENT-1] on [DATE-1].\nDr. [DOCTOR-1], [DATE-2]"
    )


def test_tags_without_numbers():
    plain = tags.build(tags.Settings(numbered=False), SHELF)
    assert replaced(plain, "{DOCTOR:Ortiz} {DATE:3/14}") == "[DOCTOR] [DATE]"


def test_other_words_are_compared_without_case_and_white_space():
    text = "{CITY:New York} {CITY:NEW  york} {CITY:Boston} {CITY:new\tyork}"
    assert replaced(tags.Tags(), text) == "[CITY-1] [CITY-1] [CITY-2] [CITY-1]"


def test_a_title_before_the_mention_tells_two_people_apart():
    text = "Mr. {PATIENT:Smith} and Mrs. {PATIENT:Smith}, later Mr. {PATIENT:Smith}"
    assert (
        replaced(tags.Tags(), text) == "Mr. [PATIENT-1] and Mrs. [PATIENT-2], later Mr. [PATIENT-1]"
    )


def test_each_label_counts_for_itself():
    assert replaced(tags.Tags(), "{PATIENT:Lee} {DOCTOR:Lee}") == "[PATIENT-1] [DOCTOR-1]"


@pytest.mark.parametrize("name", label_set_names())
def test_people_are_known_in_every_label_set(name):
    labels = label_set(name)
    built = tags.build(tags.Settings(label_set=name), SHELF)
    assert built.people == {n for n, h in labels.to_hub.items() if h in tags.PERSON_LABELS}


def test_phi():
    assert replaced(phi.Phi(), "by {DOCTOR:Ortiz} {DATE:3/14}") == "by PHI PHI"


def test_stars_keep_length_and_line_breaks():
    assert (
        replaced(stars.Stars(), "{PATIENT:Ann Lee}\n{STREET:1 Elm\n St}.") == "*** ***\n* ***\n **."
    )


def test_remove():
    assert replaced(remove.Remove(), "by {DOCTOR:Ortiz} today") == "by  today"


def test_templates_are_the_papers():
    made = templates.build(templates.Settings(), SHELF)
    text = "{PATIENT:a} {HOSPITAL:b} {DOCTOR:c} {DATE:d} {MEDICALRECORD:e} {PHONE:f} {ODD:g}"
    assert replaced(made, text) == (
        "XYZ_Patient XYZ_Hospital XYZ_Doctor 00.00.Date NUM_ID NUM_PHONE XYZ_PHI"
    )


def test_every_label_of_the_hub_set_has_a_template():
    made = templates.build(templates.Settings(), SHELF)
    assert set(made.templates) == set(label_set(HUB).labels)


def test_templates_of_another_label_set_and_of_ones_own():
    settings = templates.Settings("meddocan", {"FECHAS": "00/00"})
    made = templates.build(settings, SHELF)
    assert replaced(made, "{CALLE:a} {FECHAS:b}") == "XYZ_Street 00/00"


@pytest.mark.parametrize("replacer", ALL, ids=lambda r: type(r).__name__)
@settings(max_examples=30, deadline=None)
@given(case=covered())
def test_what_is_not_covered_stays_and_nothing_is_remembered(replacer, case):
    document, cover = case
    redaction = replacer.replace(document, cover)
    replacer.replace(Document("other", "Ann Lee"), Cover((Mention(Span(0, 7), "PATIENT"),)))
    assert redaction.cover == cover
    assert replacer.replace(document, cover).replacements == redaction.replacements
    words = [document.text[m.span.start : m.span.end] for m in cover]
    back, done = "", 0
    for mention, stood, original in zip(cover, redaction.replacements, words, strict=True):
        at = redaction.to_output(mention.span.start)
        back += redaction.text[done:at] + original
        done = at + len(stood)
    assert back + redaction.text[done:] == document.text


@settings(max_examples=30, deadline=None)
@given(case=covered())
def test_stars_move_nothing(case):
    document, cover = case
    assert len(stars.Stars().replace(document, cover).text) == len(document.text)
