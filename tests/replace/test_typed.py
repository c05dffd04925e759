"""Names as systems and dictation write them are the names that others write."""

from __future__ import annotations

import re

import pytest

from phiscrub.replace.namelists import FEMALE
from phiscrub.replace.people import fold
from replaced import put

PATIENTS = (None, "p1", "p2", "p3")


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize(
    ("form", "like"),
    [
        ("OKONJO^DESIREE^M", r"{last}\^{first}\^[A-Z]"),
        ("OKONJO^DESIREE", r"{last}\^{first}"),
        ("okonjo comma desiree", r"{last} comma {first}"),
    ],
)
def test_fields_and_commas_part_surname_from_given_name(english, patient, form, like):
    whole, other = put(english, f"{{PATIENT:Desiree Okonjo}} {{PATIENT:{form}}}", patient)
    first, last = whole.split()
    assert re.fullmatch(like.format(first=first, last=last), other, re.I)


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_name_is_spelled_as_it_stands(english, patient):
    note = "{PATIENT:desiree okonjo} {PATIENT:o k o n j o} {PATIENT:d e s i r e e}"
    whole, *spelled = put(english, note, patient)
    first, last = whole.split()
    assert spelled == [" ".join(last), " ".join(first)]


@pytest.mark.parametrize("patient", PATIENTS)
def test_irish_surnames_are_one_word(english, patient):
    note = "{DOCTOR:Máire Ó Máille} {DOCTOR:M Ó Máille} {DOCTOR:Síle Ní Bhriain}"
    one, short, other = (words.split() for words in put(english, note, patient))
    assert len(one) == len(short) == len(other) == 2
    assert short == [one[0][0], one[1]]


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize("sign", ["A/P", "a/l", "s/o", "D/O", "anak"])
def test_son_and_daughter_of_stay_or_go_whole(english, patient, sign):
    words = put(english, f"{{PATIENT:Usman {sign} Ghulam}}", patient)[0].split()
    assert len(words) == 2 or words[1] == sign


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_given_name_before_an_initial_is_one(english, patient):
    for name in ("Priya N", "Mary-Ann K."):
        note = f"{{DOCTOR:{name}}} {{DOCTOR:{name.split()[0]}}}"
        short, alone = put(english, note, patient)
        assert short.split()[0] == alone
        assert english.countries["us"][1].sexes.get(alone.split("-")[0].lower())


def test_a_sister_of_a_ward_is_no_senor(english):
    first = put(english, "Sr {DOCTOR:Bridget Will}", None)[0].split()[0]
    assert english.countries["us"][1].sex(first.lower()) == FEMALE


@pytest.mark.parametrize("patient", PATIENTS)
def test_log_ins_have_the_letters_of_initials(english, patient):
    note = "{DOCTOR:MAY, K RN} {USERNAME:KMAY02} {EMAIL:kmay@bigmail.com}"
    name, log_in, mail = put(english, note, patient)
    surname, initial = re.findall(r"[A-Z]+", name)[:2]
    assert re.fullmatch(rf"{initial}{surname}\d\d", log_in)
    assert mail == f"{initial}{surname}@example.org".lower()


def test_initials_beside_others_in_a_log_in(english):
    name, log_in = put(english, "{DOCTOR:Jonathan B. Sharp, MD} {USERNAME:jbs/cq}")
    initials = "".join(word[0] for word in name.removesuffix(", MD").split()).lower()
    assert log_in.startswith(f"{initials}/")


def test_a_letter_before_a_surname_is_that_of_the_patients_initials(english):
    alike = 0
    for at in range(20):
        mail = put(english, "{DOCTOR:Mr. Okonjo} {EMAIL:jokonjo@bigmail.com}", f"p{at}")[1]
        name = put(english, "{PATIENT:John Okonjo}", f"p{at}")[0]
        first, last = name.lower().split()
        alike += mail == f"{first[0]}{last}@example.org"
    assert alike > 18


@pytest.mark.parametrize(
    ("name", "short"), [("Robert", "Bob"), ("Margaret", "Maggie"), ("Dean", "Deano")]
)
def test_a_nickname_in_mail_is_that_of_the_surrogate(english, name, short):
    words = f"{{PATIENT:{name} Kowalski}} {{PATIENT:{short}}} {{EMAIL:{short}.kowalski@x.com}}"
    for at in range(12):
        full, called, mail = put(english, words, f"p{at}")
        assert mail == f"{fold(called)}.{fold(full.split()[1])}@example.org"
