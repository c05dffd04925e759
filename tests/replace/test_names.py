"""How the forms of one person's name agree after replacing."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from phiscrub.core.document import Subject
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.namelists import FEMALE, MALE, NameLists
from phiscrub.replace.people import fold
from replaced import note, put

KEYS = [f"{number:064x}" for number in range(1, 13)]


@pytest.fixture(params=KEYS)
def key(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    (tmp_path / "key.txt").write_text(request.param)
    return tmp_path / "key.txt"


def made(key: Path, language: str = "en") -> surrogates.Surrogates:
    return surrogates.build(surrogates.Settings(secret_file=str(key)), Shelf(language, None))


def test_the_first_of_two_spanish_surnames_stays_a_surname(key: Path) -> None:
    text = "Don {PATIENT:Juan Pérez Gil} … {PATIENT:Pérez} … el Sr. {PATIENT:Pérez Gil}"
    full, one, both = put(made(key, "es"), text)
    assert full.split()[1:] == both.split()
    assert one == both.split()[0]


def test_initials_are_those_of_the_full_name(key: Path) -> None:
    initial, full, last = put(
        made(key), "{PATIENT:J. Smith}, that is {PATIENT:John Smith}, not {PATIENT:Smith, J}"
    )
    given, surname = full.split()
    assert initial == f"{given[0]}. {surname}"
    assert last == f"{surname}, {given[0]}"


def test_a_particle_before_a_surname_goes_with_its_blank(key: Path) -> None:
    alone, full = put(made(key), "Dr. {DOCTOR:De La Cruz} … {DOCTOR:Maria De La Cruz}")
    assert alone == full.split()[1]


@pytest.mark.parametrize("words", [("Smith", "Smtih"), ("Smtih", "Smith")])
def test_the_known_spelling_is_the_right_one(key: Path, words: tuple[str, str]) -> None:
    both = put(made(key), " ".join(f"Mr. {{PATIENT:{word}}}" for word in words))
    right, slip = both if words[0] == "Smith" else both[::-1]
    lists = made(key).countries["us"][1].lists.values()
    assert any(right in names["surname"] for names in lists)
    assert not any(slip in names["surname"] for names in lists)


def test_kinship_tells_the_sex_of_a_name_of_both(key: Path) -> None:
    sexes = NameLists.load("en").lists.values()
    she, he = put(made(key), "her daughter {PATIENT:Alex} … her husband {PATIENT:Kim}", None)
    assert any(she in names[FEMALE] for names in sexes)
    assert any(he in names[MALE] for names in sexes)
    assert fold(she) != "alex"


def test_jr_in_front_of_a_surname_is_initials(key: Path) -> None:
    text = "{DOCTOR:JR Smith} … {DOCTOR:SR SMITH} … {DOCTOR:Smith JR}"
    first, upper, behind = put(made(key), text)
    surname = first.split()[1]
    assert first.split()[0].isupper()
    assert len(first.split()[0]) == 2
    assert not {first.split()[0], upper.split()[0]} & {"JR", "SR"}
    assert upper.split()[1] == surname.upper()
    assert behind == f"{surname} JR"


@pytest.mark.parametrize("words", ["NURUL AIN BINTI MOHD FAUZI", "Nurul Ain Binti Mohd Fauzi"])
def test_binti_and_bin_tell_sex(key: Path, words: str) -> None:
    sexes = NameLists.load("en").lists.values()
    for told, kind in (("BINTI", FEMALE), ("BIN", MALE)):
        name = re.sub("binti", told if words.isupper() else told.title(), words, flags=re.I)
        first = words.split(maxsplit=1)[0]
        full, lone = put(made(key), f"{{PATIENT:{name}}} … {{PATIENT:{first}}}")
        assert full.split()[0] == lone
        assert len(full.split()) == 4
        known = {fold(one) for names in sexes for one in names[kind]}
        assert {fold(one) for one in full.split()[:2]} <= known


@pytest.mark.parametrize("apostrophe", ["'", "’", "ʼ"])
def test_apostrophes_are_one(key: Path, apostrophe: str) -> None:
    text = f"{{PATIENT:Kate O'Neil}} … {{PATIENT:O{apostrophe}Neil}} … {{PATIENT:O’Neil's}} leg"
    full, last, genitive = put(made(key), text)
    assert last == full.split()[1]
    assert genitive == f"{last}'s"


@pytest.mark.parametrize("setting", ["us", "uk", "world"])
def test_a_doctor_is_one_in_every_note_of_a_patient(key: Path, setting: str) -> None:
    settings = surrogates.Settings(secret_file=str(key), setting=setting)
    replacer = surrogates.build(settings, Shelf("en", None))
    given, surname = put(replacer, "{DOCTOR:Lena Ortiz-Kelly}")[0].split()
    assert put(replacer, "{DOCTOR:Lena}, OT") == [given]
    assert put(replacer, "Dr. {DOCTOR:Kelly}") == [surname.split("-")[1]]
    assert put(replacer, "{DOCTOR:ORTIZ, LENA}") == [f"{surname.split('-')[0]}, {given}".upper()]
    assert put(replacer, "{DOCTOR:Lena Maria Shah}")[0].split()[0] == given


def test_a_doctor_of_the_patients_name_changes_it_not(key: Path) -> None:
    (_, alone) = put(made(key), "{PATIENT:Ann Ortiz}")[0].split()
    text = "Dr. {DOCTOR:Lena Ortiz-Kelly} and {DOCTOR:Ortiz} saw {PATIENT:Ann Ortiz}"
    assert [name.split()[-1].split("-")[0] for name in put(made(key), text)] == [alone] * 3


def test_names_known_of_a_patient_tell_short_forms_and_log_ins(key: Path) -> None:
    known = (("PATIENT", "Robert Smith"), ("DOCTOR", "Xochi Brand"), ("CITY", "Larkmead"))

    def told(text: str) -> list[str]:
        document, cover = note(text)
        document = replace(document, subject=Subject("p1", known))
        return list(made(key).replace(document, cover).replacements)

    full, short, slip, user, doctor = told(
        "{PATIENT:Robert Smith} … {PATIENT:Bob} … {PATIENT:Smtih} … {USERNAME:jsmith} … "
        "{DOCTOR:Xochi Brand}"
    )
    assert told("{PATIENT:Bob}") == [short]
    assert told("Mr. {PATIENT:Smtih}") == [slip]
    assert told("{USERNAME:jsmith}") == [user]
    assert fold(full.split()[1]).replace("'", "") in user
    assert told("{DOCTOR:Xochi}") == [doctor.split()[0]]
    assert told("{PATIENT:Robert Smith}") == [full] == put(made(key), "{PATIENT:Robert Smith}")
