"""Numbers: no checksum that phiscrub knows holds, words of kind stay, the shape too."""

from __future__ import annotations

import re
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phiscrub.detect.checks import CHECKS
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import SPOKEN_NUMBER, coded, is_nuss, number, passes
from replaced import put

KEY = Key(b"0123456789abcdef")
KEYS = st.binary(min_size=16, max_size=16).map(Key)
REAL = {
    "npi": "1234567893",
    "dea": "AB1234563",
    "vin": "1HGCM82633A004352",
    "nhs": "943-476-5919",
    "dni_nie": "12345678Z",
    "personnummer": "811218-9876",
    "luhn": "4539 1488 0343 6467",
    "imei": "490154203237518",
    "iban": "ES9121000418450200051332",
    "aadhaar": "2341 2341 2346",
    "au_medicare": "2123 45670 1",
    "bc_phn": "9698 658 215",
    "mbi": "1EG4-TE5-MK73",
    "nino": "AB123456C",
    "ppsn": "1234567T",
    "hkid": "A123456(3)",
    "nric": "S1234567D",
    "ramq": "TREM 8312 1234",
    "sin": "046 454 286",
}
FORMS = st.sampled_from(
    [rf"\d{{{many}}}" for many in range(6, 18)]
    + [r"\d{3}-\d{3}-\d{4}", r"\d{3} \d{3} \d{4}", r"\d{4} \d{4} \d{4} \d{4}", r"\d\d-\d{8}-\d\d"]
    + [r"[A-Z]{2}\d{7}", r"[0-9A-HJ-NPR-Z]{17}", r"\d{8}[A-Z]", r"[XYZ]-?\d{7}-?[A-Z]"]
    + [
        r"(DNI|SSN|NHS No|MRN:) \d{8,10}[A-Z]?",
        r"\d{6}[-+]\d{4}",
        r"(NPI |DEA# )[A-Z]{0,2}\d{7,10}",
    ]
)


@pytest.mark.parametrize(("name", "words"), REAL.items())
def test_what_the_tests_call_real_is_real(name, words):
    assert CHECKS[name](words)


@settings(max_examples=150, deadline=None)
@given(words=FORMS.flatmap(lambda form: st.from_regex(form, fullmatch=True)), key=KEYS)
@example("DNI 12345678Z", KEY)
@example("281234567840", KEY)
def test_no_checksum_holds(words, key):
    found = number(words, key)
    assert not passes(found)
    assert not any(passes(part) for part in found.split() if sum(map(str.isdigit, part)) > 5)
    assert found != words
    assert [sign.isalnum() for sign in found] == [sign.isalnum() for sign in words]


def test_no_number_passes_with_the_word_before_it():
    assert not any(passes(number("NPI B11234900", KEY.narrow(str(at)))) for at in range(300))


@pytest.mark.parametrize("words", REAL.values())
def test_no_real_number_becomes_another(words):
    for at in range(100):
        found = coded(words, KEY.narrow(str(at)))
        assert not passes(found)
        assert re.sub(r"\d", "0", re.sub("[A-Za-z]", "A", found)) == re.sub(
            r"\d", "0", re.sub("[A-Za-z]", "A", words)
        )


def test_spanish_social_security_numbers_are_told():
    assert is_nuss("28 12345678 40")
    assert not is_nuss("28 12345678 41")
    assert is_nuss(f"280123456{2801234 % 97:03}") is False
    assert is_nuss(f"2801234567{281234567 % 97:02}")


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("SSN 512-77-3094", r"SSN 000-\d\d-\d{4}"),
        ("Cell 617-422-9182 ext. 22", r"Cell \d{3}-\d{3}-\d{4} ext\. \d\d"),
        ("NHS No 943 476 5919", r"NHS No 999 \d{3} \d{4}"),
        ("DNI: 12345678Z", r"DNI: \d{8}[A-Z]"),
        ("MRN4471902", r"MRN\d{7}"),
        ("Acct # A-4471; Lic. no. 90-12", r"Acct # [A-Z]-\d{4}; Lic\. no\. \d\d-\d\d"),
        ("personnr 811218-9876", r"personnr \d{6}-98\d\d"),
        ("MRN five one 4471902", r"MRN (?!five)[a-z]+ (?!one)[a-z]+ \d{7}"),
        ("Seis uno dos", r"(?!Seis)[A-Z][a-z]+ (?!uno)[a-z]+ (?!dos)[a-z]+"),
        ("Två ett", r"(?!Två)[A-ZÅ][a-zåäö]+ (?!ett)[a-zåäö]+"),
        (
            "seis uno dos, cien veintidos",
            r"(?!seis)\w+ (?!uno)\w+ (?!dos)\w+, (?!cien)\w+ (?!veintidos)\w+",
        ),
        (
            "veintiocho veintinueve dieciseis",
            r"(?!veintiocho)\w+ (?!veintinueve)\w+ (?!dieciseis)\w+",
        ),
        ("MICU", "[A-Z]{4}"),
        ("NO", "[A-Z]{2}"),
    ],
)
def test_words_of_kind_stay(words, form):
    found = coded(words, KEY)
    assert re.fullmatch(form, found)
    assert found != words


def test_a_number_is_the_same_behind_whatever_word():
    bare = number("512-77-3094", KEY)
    assert {coded(f"{kind}512-77-3094", KEY) for kind in ("SSN ", "Policy ", "no. ")} == {
        f"SSN {bare}",
        f"Policy {bare}",
        f"no. {bare}",
    }


def test_a_coordination_number_keeps_its_form():
    assert re.fullmatch(r"\d{4}[6-8]\d-98\d\d", number("701063-2391", KEY))


SPELLED = {
    "S as in sam twenty five dash six one eight zero": r"(?!S)[A-Z] as in \w+ (?!twenty)\w+ "
    r"(?!five)\w+ dash(?: \w+){4}",
    "B for bravo four four zero nine two one": r"(?!B)[A-Z] for (?!bravo)\w+(?: \w+){6}",
    "j as in juliet 0 0 5 9 3 6 2": r"(?!j)[a-z] as in (?!juliet)\w+(?: \d){7}",
    "F A dash seven seven one two": r"(?!F)[A-Z] (?!A)[A-Z] dash(?: \w+){4}",
    "c r zero zero four one seven": r"(?!c)[a-z] (?!r)[a-z](?: \w+){5}",
    "cuatro cuatro cero nueve uno dos": r"\w+(?: \w+){5}",
    "cinco once cuarenta y dos": r"\w+ \w+ \w+ y \w+",
}


@pytest.mark.parametrize(("words", "form"), SPELLED.items())
def test_what_is_said_sign_by_sign_is_changed_so(words, form):
    for at in range(20):
        put = coded(words, KEY.narrow(str(at)))
        assert re.fullmatch(form, put), put
        pairs = zip(words.split(), put.split(), strict=True)
        stay = {"as", "in", "for", "dash", "y"}
        assert not [one for one, other in pairs if one == other and one not in stay | {"0"}]


def test_a_spelled_letter_and_its_word_begin_alike():
    assert all(
        put[0].lower() == put.split()[-1][0].lower()
        for put in (coded("B for bravo", KEY.narrow(str(at))) for at in range(20))
    )


@pytest.mark.parametrize("words", ["lewistown 2", "Benefis 1", "Alfred Nzo 4", "Air Idaho 3"])
def test_names_in_call_signs_go(english, words):
    for patient in (None, "p1", "p2"):
        found = put(english, f"brought by {{VEHICLE:{words}}}", patient)[0]
        assert not set(words.lower().split()) & set(found.lower().split()) - {"air"}


@pytest.mark.parametrize(
    "words",
    ["Medic 22", "Engine 3", "rescue 26", "Delta 31", "Medevac 4", "MEDIC 4", "ALS 14"],
)
def test_kinds_in_call_signs_stay(english, words):
    assert put(english, f"brought by {{VEHICLE:{words}}}")[0].split()[0] == words.split()[0]


@pytest.mark.parametrize("words", ["once", "Sex"])
def test_english_words_are_no_spanish_or_swedish_numbers(words):
    assert re.fullmatch(rf"{words} (?!1234)\d{{4}}", coded(f"{words} 1234", KEY, language="en"))
    assert re.fullmatch(rf"(?!{words})\w+ \d{{4}}", coded(f"{words} 1234", KEY, language="es"))


def test_a_list_of_letters_takes_no_time():
    started = process_time()
    assert SPOKEN_NUMBER.fullmatch("y " * 20 + "z") is None
    assert process_time() - started < 1


@pytest.mark.parametrize("born", ["450812-3452", "811218-9876", "811278-9873", "050301+1234"])
@pytest.mark.parametrize("century", ["18", "19", "20"])
def test_a_short_personnummer_is_the_end_of_the_long_one(born, century):
    for at in range(50):
        key = KEY.narrow(str(at))
        ways = (born, f"{century}{born}", re.sub(r"\D", "", f"{century}{born}"), f"pnr {born}")
        put = [re.sub(r"\D", "", number(words, key)) for words in ways]
        assert len({one[-10:] for one in put}) == 1
        assert put[0] != re.sub(r"\D", "", born)
        assert not any(map(passes, put))
