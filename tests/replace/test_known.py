"""No surrogate is a real patient's name or number."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import HealthCheck, given, settings

from phiscrub.replace.namelists import FEMALE, MALE, SURNAME
from phiscrub.replace.people import fold
from replaced import avoiding, put
from strategies import covered

ROBERTS = ("Bob", "Robert", "Ellen")


def test_no_surrogate_is_a_known_patients_full_name(english, secret, tmp_path):
    text = "{PATIENT:Ann Lovelace}, 44. {PATIENT:LOVELACE, ANN B} came. {PATIENT:Ann} left."
    met, rows = set(), []
    made = english
    for at in range(20):
        whole, turned, first = put(made, text)
        given_name, surname = whole.split()
        assert turned.split(",")[0] == surname.upper()
        assert first == given_name
        assert (given_name, surname) not in met
        met.add((given_name, surname))
        rows.append(f'q{at},"{surname.upper()}, {given_name} X"')
        made = avoiding(secret, tmp_path, [f"{row},0" for row in rows])


def test_a_name_that_steps_aside_is_the_same_in_another_note(english, secret, tmp_path):
    first = put(english, "{PATIENT:Ann Lovelace} came.")[0]
    made = avoiding(secret, tmp_path, [f"q1,{first},0"])
    (second,) = put(made, "{PATIENT:Ann Lovelace} came.")
    assert second != first
    assert put(made, "Seen: {PATIENT:Lovelace, Ann}.")[0] == ", ".join(reversed(second.split()))


def test_it_steps_aside_to_no_other_form_of_the_same_name(secret, tmp_path):
    few = {FEMALE: ROBERTS, MALE: ROBERTS, SURNAME: ("Kirk",)}

    def found(known: list[str]) -> list[str]:
        made = avoiding(secret, tmp_path, known)
        countries = {
            country: (regions, replace(lists, lists={own: few for own, _ in lists.mix}))
            for country, (regions, lists) in made.countries.items()
        }
        made = replace(made, countries=countries)
        texts = [(f"{{PATIENT:Ann Lovelace}} came, {at}.", f"p{at}") for at in range(30)]
        return [put(made, *text)[0] for text in texts]

    before, after = found([]), found(["q1,Bob Kirk,0"])
    assert set(before) == {f"{name} Kirk" for name in ROBERTS}
    turned = {"Bob Kirk": "Ellen Kirk"}
    assert after == [turned.get(name, name) for name in before]


def test_a_short_form_is_no_known_patients_name_either(english, secret, tmp_path):
    text = "{PATIENT:Robert Lovelace} came. {PATIENT:Bob Lovelace} left."
    rows = []
    for at in range(40):  # until a surrogate is met that has a short form of its own
        patient = f"p{at}"
        whole, short = put(english, text, patient)
        rows.append((patient, short, fold(short) != fold(whole)))
    assert any(differs for _, _, differs in rows)
    made = avoiding(secret, tmp_path, [f"q{p},{short},0" for p, short, _ in rows])
    for patient, short, _ in rows:
        assert short not in put(made, text, patient)


@settings(
    max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(case=covered())
def test_with_known_patients_too_anything_can_be_replaced(english, secret, tmp_path, case):
    document, cover = case
    rows = [" ".join(re.findall(r"\w+", words)) for words in english.replace(*case).replacements]
    made = avoiding(secret, tmp_path, [f"q{at},{row},{row}" for at, row in enumerate(rows)])
    redaction = made.replace(document, cover)
    assert redaction == made.replace(document, cover)
    assert len(redaction.replacements) == len(rows)


def test_no_surrogate_is_a_known_patients_number(english, secret, tmp_path):
    text = "MRN {MEDICALRECORD:0041-776}, phone {PHONE:617-422-9182}"
    number, phone = put(english, text)
    made = avoiding(secret, tmp_path, [f"q1,,{number.replace('-', '')}", f"q2,,{phone}"])
    other, ring = put(made, text)
    assert other != number
    assert re.sub(r"\d", "0", other) == re.sub(r"\d", "0", number)
    assert ring != phone


def test_nobody_knows_more_of_the_patients_than_before(secret, tmp_path):
    made = avoiding(secret, tmp_path, ["q1,Gudrun Halvorsen,0041776"])
    assert "Halvorsen" not in repr(made)
    assert "0041776" not in repr(made)
