"""Institutions: what stands for a name and for its acronym agree."""

from __future__ import annotations

import re

import pytest

from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
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
        ("BJH", "Barnes-Jewish Hospital"),
        ("BH", "Barnes-Jewish Hospital"),
        ("NYPH", "New York-Presbyterian Hospital"),
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


BESIDE = re.compile(r"(?:^|\s)(?:of|for|at|the|on|de|del|la|y|&)(?:\s+(?:the|la))?$", re.I)


@pytest.mark.parametrize(
    "words",
    [
        "Hing Wah Home for Aged",
        "Our Lady of Pompei Hospital",
        "Our Lady of the Marsh",
        "Terri & Sons",
        "Dominican Sisters' Infirmary",
        "Brothers' Bread Mission",
    ],
)
def test_no_small_word_or_sign_is_left_over(english, words):
    for patient in (None, "p1", "p2"):
        put_ = put(english, f"at {{HOSPITAL:{words}}}", patient)[0]
        assert not BESIDE.search(put_), put_
        assert "' " not in put_, put_
        assert not re.search(r" of (?:Hospital|the$)", put_), put_


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("4N", r"[1-9][A-Z]"),
        ("F2", r"[A-Z]\d"),
        ("6b", r"\d[a-z]"),
        ("ward 3B", r"ward \d[A-Z]"),
        ("4 South", r"\d (?:North|East|West)"),
        ("7 NORTH", r"\d (?:SOUTH|EAST|WEST)"),
    ],
)
def test_wards_stay_wards(english, words, form):
    for patient in (None, "p1", "p2"):
        assert re.fullmatch(form, put(english, f"on {{HOSPITAL:{words}}}", patient)[0])


WOMEN = "Ana Bárbara Catalina Cecilia Clara Elena Inés Isabel Lucía Marta Mónica Rita Rosa Teresa"


def test_spanish_articles_and_saints_fit(secret):
    settings = surrogates.Settings(secret_file=str(secret))
    spanish = surrogates.build(settings, Shelf("es", None))
    for patient in map(str, range(12)):
        units = ("Hospital Santa Rosa", "Clínica San Blas", "Clínica Los Canelos")
        note = " ".join(f"{{HOSPITAL:{unit}}}" for unit in units)
        rosa, blas, canelos = (name.split()[-1] for name in put(spanish, note, patient))
        assert rosa in WOMEN.split()
        assert blas not in WOMEN.split()
        assert canelos.endswith("s")


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("Larkmead Trauma Center", r"[A-Z]\w+ Trauma Center"),
        ("LARKMEAD VALLEY SANATORIUM", r"[A-Z]+ [A-Z]+ SANATORIUM"),
        ("Larkmead Women & Children", r"[A-Z]\w+ Women & Children"),
        ("LARKMEAD VAMC", r"[A-Z]+ VAMC"),
        ("Larkmead Heart Rhythm Clinic", r"[A-Z]\w+ Heart Rhythm Clinic"),
        ("Larkmead Health Hub", r"[A-Z]\w+ Health Hub"),
        ("Larkmead Adult Genetics", r"[A-Z]\w+ Adult Genetics"),
        ("Santa Rosalia Hosp", r"Santa (?:Ana|Bárbara|C\w+|E\w+|Inés|Isabel|Lucía|M\w+|T\w+) Hosp"),
    ],
)
def test_what_an_institution_is_stays(english, words, form):
    for patient in (None, "p1", "p2", "p3"):
        assert re.fullmatch(form, put(english, f"{{HOSPITAL:{words}}}", patient)[0])
