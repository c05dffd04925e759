"""What is scrubbed already: its tags stay as they are, and mean whom they meant."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

import phiscrub
from phiscrub.pipeline.load import load_pipeline
from phiscrub.pipeline.pipeline import Pipeline
from phiscrub.pipeline.shipped import languages
from phiscrub.replace.standing import standing

NOTES = sorted((Path(__file__).parents[2] / "examples" / "notes").glob("*.txt"))
TAG = re.compile(r"\[[A-Z-]+-\d+\]")
MOST_NEW = {"rules": 8, "balanced": 3}  # words of all notes that are taken for identifiers anew


@cache
def loaded(mode: str) -> Pipeline:
    return phiscrub.load("en", mode)


@pytest.mark.parametrize("mode", MOST_NEW)
def test_scrubbed_notes_stay_as_they_are_when_they_are_scrubbed_again(mode):
    pipeline, new = loaded(mode), 0
    assert len(NOTES) >= 20
    for path in NOTES:
        first = pipeline.scrub(path.read_bytes().decode("utf-8", "replace"), markup=True).text
        again = pipeline.scrub(first, markup=True)
        tags = standing(first, set(pipeline.names))
        assert len(tags) == len(TAG.findall(first)), path.name
        taken = {i for m in again.cover for i in range(m.span.start, m.span.end)}
        assert not taken & {i for t in tags for i in range(t.span.start, t.span.end)}, path.name
        assert not set(again.replacements) & set(TAG.findall(first)), path.name
        new += len(again.cover)
    assert new <= MOST_NEW[mode]


@pytest.mark.parametrize("mode", MOST_NEW)
@pytest.mark.parametrize(
    "text",
    [
        "Pt: [PATIENT-1], MRN [MEDICALRECORD-1]. [AGE-1]-year-old, lives at [STREET-1].",
        "[DATE-1]: seen by Dr. [DOCTOR-1], tel [PHONE-1], [CITY-1], [STATE-1] [ZIP-1].",
        "NAME: [PATIENT-1]   DOB: [DATE-1]   MRN: [MEDICALRECORD-1]",
        "Born in [DATE], lives in [CITY].",
    ],
)
def test_a_note_of_nothing_but_tags_stays(mode, text):
    assert loaded(mode).scrub(text).text == text


def test_identifiers_between_tags_are_numbered_on():
    text = "Pt [PATIENT-1], seen by Dr. [DOCTOR-4] and Dr. Lena Ortiz, tel 406-555-0182."
    assert loaded("rules").scrub(text).text == (
        "Pt [PATIENT-1], seen by Dr. [DOCTOR-4] and Dr. [DOCTOR-5], tel [PHONE-1]."
    )
    told = loaded("balanced").scrub(text.replace("[DOCTOR-4]", "[DOCTOR-4] Smith")).text
    assert "Dr. [DOCTOR-4] [" in told
    assert "Smith" not in told


def test_identifiers_in_brackets_go():
    told = loaded("rules").scrub("Call [PHONE-4065550182] or [406-555-0182]; Dr. [Lena Ortiz].")
    for words in ("4065550182", "0182", "Ortiz"):
        assert words not in told.text


@pytest.mark.parametrize("replacer", ["surrogates", "phi", "stars", "remove"])
def test_other_replacers_leave_tags_too(replacer):
    pipeline = load_pipeline("en", "rules", replacer={"use": replacer})
    text = pipeline.scrub("MRN [MEDICALRECORD-1], Dr. Lena Ortiz.").text
    assert text.startswith("MRN [MEDICALRECORD-1], Dr. ")
    assert "Ortiz" not in text


@pytest.mark.parametrize("language", languages())
def test_every_language_knows_the_tags_that_it_writes(language):
    for written in ("", "hipaa"):
        pipeline = load_pipeline(language, "rules", output_labels=written)
        labels = sorted({*pipeline.names.values()})
        text = "".join(f"{n} [{label}-1]: [{label}]\n" for n, label in enumerate(labels, 1))
        covered = pipeline.scrub(text).cover
        assert not [m for m in covered if text[m.span.start : m.span.end].strip("0123456789 :-")]


def test_a_tag_in_a_note_that_is_disguised_stays():
    text = "Ｓeen\u200b by Dr. [DOCTOR-1] and Dr. Ｌena Ｏrtiz."
    assert loaded("rules").scrub(text).text == ("Ｓeen\u200b by Dr. [DOCTOR-1] and Dr. [DOCTOR-2].")
