"""How two surnames, and surnames that are given names too, agree in all forms of a name."""

from __future__ import annotations

from pathlib import Path

import pytest

from replaced import made, put


def test_the_first_of_two_spanish_surnames_stays_a_surname(key: Path) -> None:
    text = "Don {PATIENT:Juan Pérez Gil} … {PATIENT:Pérez} … el Sr. {PATIENT:Pérez Gil}"
    full, one, both = put(made(key, "es"), text)
    assert full.split()[1:] == both.split()
    assert one == both.split()[0]


@pytest.mark.parametrize(
    ("full", "both", "one"),
    [
        ("José García López", "García López", "García"),
        ("José Ybarrondo López", "Ybarrondo López", "Ybarrondo"),
        ("José Santiago López", "Santiago López", "Santiago"),
        ("Juan García López", "García-López", "García"),
        ("Juan Ybarrondo López", "Ybarrondo-López", "Ybarrondo"),
    ],
)
def test_the_first_of_two_surnames_is_one_in_english_too(
    key: Path, full: str, both: str, one: str
) -> None:
    text = f"{{PATIENT:{full}}} … Mr. {{PATIENT:{both}}} … Mr. {{PATIENT:{one}}}"
    whole, ending, called = put(made(key), text)
    assert whole.split()[1:] == ending.replace("-", " ").split()
    assert called == whole.split()[1]


@pytest.mark.parametrize(
    ("full", "title", "both"),
    [
        ("Maria Garcia Lopez", "Mrs.", "Garcia Lopez"),
        ("Anna Svensson Lind", "Ms.", "Svensson Lind"),
    ],
)
def test_two_surnames_behind_a_title_are_those_of_the_full_name(
    key: Path, full: str, title: str, both: str
) -> None:
    whole, ending = put(made(key), f"{{PATIENT:{full}}} … {title} {{PATIENT:{both}}}")
    assert whole.split()[1:] == ending.split()


def test_staff_of_a_surname_that_is_a_given_name_too_are_one(key: Path) -> None:
    one, other = put(made(key), "MD {DOCTOR:Bell} … Dr. {DOCTOR:Bell} agrees")
    assert one == other
    patient, doctor = put(made(key), "{PATIENT:Bell} was seen by Dr. {DOCTOR:Bell}.")
    assert patient != doctor


def test_a_middle_name_is_no_surname_of_somebody_else(key: Path) -> None:
    text = "{PATIENT:John Thomas Smith} … {DOCTOR:Thomas Smith} … Dr. {DOCTOR:Thomas}"
    patient, doctor, called = put(made(key), text)
    assert patient.split()[1:] == doctor.split()
    assert called not in patient.split()
