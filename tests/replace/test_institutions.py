"""Institutions: what stands for a name and for its acronym agree."""

from __future__ import annotations

import re

import pytest

from replaced import put


@pytest.mark.parametrize(
    ("acronym", "full"),
    [
        ("MGH", "Massachusetts General Hospital"),
        ("MGH", "MASSACHUSETTS GENERAL HOSPITAL"),
        ("MGH", "The Massachusetts General Hospital"),
        ("MGH", "Massachusetts General Hospital, Boston"),
        ("MGH", "Massachusetts General Hospital (Boston)"),
        ("mgh", "massachusetts general hospital"),
        ("M.G.H.", "Massachusetts General Hospital"),
        ("MGH.", "Massachusetts General Hospital"),
        ("BWH", "Brigham and Women's Hospital"),
        ("SLH", "St. Luke's Hospital"),
    ],
)
def test_an_acronym_is_that_of_the_surrogate_hospital(english, acronym, full):
    for patient in "abcdefghijkl":
        long, short = put(english, f"{{HOSPITAL:{full}}} … {{HOSPITAL:{acronym}}}", patient)
        assert [short, long] == put(english, f"{{HOSPITAL:{acronym}}} {{HOSPITAL:{full}}}", patient)
        name = re.sub(r"^The |[,(].*", "", long)
        initials = "".join(w[0] for w in re.findall(r"[\w']+", name) if w != "and").upper()
        assert short.replace(".", "").upper() == initials != acronym
        assert (short.islower(), short.count(".")) == (acronym.islower(), acronym.count("."))


def test_an_acronym_within_a_name_is_that_of_the_hospital(english):
    text = "{HOSPITAL:Massachusetts General Hospital (MGH)}, {HOSPITAL:MGH ED}, {HOSPITAL:MGH}"
    for patient in "abcdef":
        full, ward, short = put(english, text, patient)
        assert full.endswith(f"General Hospital ({short})")
        assert ward == f"{short} ED"
        assert short == f"{full[0]}GH"


def test_an_acronym_that_fits_no_name_is_other_letters(english):
    full, short = put(english, "{HOSPITAL:Vancouver General} {HOSPITAL:VGHX}")
    assert full.endswith(" General")
    assert re.fullmatch("[A-Z]{4}", short)
    assert short != "VGHX"


def test_an_occupation_keeps_number_genitive_and_that_it_is_over(english):
    for patient in "abcdef":
        text = (
            "{PROFESSION:retired nurse} {PROFESSION:nurse} {PROFESSION:nurses} {PROFESSION:nurse's}"
        )
        retired, one, many, genitive = put(english, text, patient)
        assert retired == f"retired {one}"
        assert many.removesuffix("s") == one.removesuffix("s")
        assert genitive == f"{one}'s"
