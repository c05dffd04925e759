"""Checks against published and reserved examples, and their arithmetic under property tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.detect.checks import CHECKS
from phiscrub.detect.checksums import luhn, mod97, verhoeff

GOOD = {
    "aadhaar": ["2341 2341 2346", "234123412346"],
    "au_medicare": ["2123 45670 1", "2123 45670 1/2", "2123456701"],
    "bc_phn": ["9698 658 215"],
    "chi": ["0101014449"],
    "dea": ["AB1234563", "F91234563"],
    "dni_nie": ["12345678Z", "X1234567L", "12.345.678-z", "Y0000000Z"],
    "hkid": ["A123456(3)", "G123456(A)", "a1234563"],
    "iban": ["GB82 WEST 1234 5698 7654 32", "DE89370400440532013000", "NL91ABNA0417164300"],
    "ihi": ["8003 6012 3456 7894"],
    "imei": ["490154203237518", "49-015420-323751-8"],
    "ip": ["192.0.2.1", "2001:db8::1", "fe80:0:0:0:0:0:0:1"],
    "luhn": ["4111 1111 1111 1111", "79927398713"],
    "mbi": ["1EG4-TE5-MK73", "1EG4TE5MK73"],
    "nhs": ["943 476 5919", "9434765919", "999 000 0018"],
    "nino": ["AB 12 34 56 C", "ab123456d"],
    "npi": ["1234567893"],
    "nric": ["S1234567D", "F1234567N"],
    "ohip": ["1234-567-897", "1234567897AB"],
    "personnummer": ["811218-9876", "19811218-9876", "811278-9873", "701063-2391", "121212+1212"],
    "ppsn": ["1234567T", "1234567FA"],
    "ramq": ["TREM 5801 1512", "TREF58511512"],
    "sin": ["046 454 286"],
    "ssn": ["078-05-1120", "219 09 9999"],
    "vin": ["1M8GDM9AXKP042788", "11111111111111111"],
}
BAD = {
    "aadhaar": ["2341 2341 2347", "1341 2341 2346", "234"],
    "au_medicare": ["2123 45671 1", "7123 45670 1", "2123"],
    "bc_phn": ["9698 658 216", "1698 658 215", "9"],
    "chi": ["3201014443", "0101014440"],
    "dea": ["AB1234564", "1B1234563", "AB123456"],
    "dni_nie": ["12345678A", "X1234567Z", "1234567Z"],
    "hkid": ["A123456(4)", "1123456(3)"],
    "iban": ["GB82 WEST 1234 5698 7654 33", "GB82", "ÅB82WEST12345698765432"],
    "ihi": ["8003 6012 3456 7895", "4111111111111111"],
    "imei": ["490154203237519", "4111111111111111"],
    "ip": ["256.1.1.1", "12:30:45", "1.2.3"],
    "luhn": ["79927398710", "0", ""],
    "mbi": ["1SG4-TE5-MK73", "0EG4-TE5-MK73", "1EG4-TE5-MK7"],
    "nhs": ["943 476 5918", "94347659", ""],
    "nino": ["QQ123456C", "BG123456A", "AB123456E"],
    "npi": ["1234567890", "3234567893", "79927398713"],
    "nric": ["S1234567A", "A1234567D"],
    "ohip": ["1234-567-890", "123"],
    "personnummer": ["811218-9875", "811318-9874", "18111218-9876", "8112"],
    "ppsn": ["1234567A", "123456T"],
    "ramq": ["TREM 5813 1512", "TREM 5863 1512", "TRE 5801 15123"],
    "sin": ["046 454 287", "046"],
    "ssn": ["000-12-3456", "666-12-3456", "900-12-3456", "123-00-4567", "123-45-0000", "12"],
    "vin": ["1M8GDM9A1KP042788", "IM8GDM9AXKP042788", "1M8GDM9AXKP04278"],
}


def test_every_check_has_examples_of_both_kinds() -> None:
    assert set(GOOD) == set(BAD) == set(CHECKS)


@pytest.mark.parametrize(("name", "words"), [(n, w) for n, all_ in GOOD.items() for w in all_])
def test_holds(name: str, words: str) -> None:
    assert CHECKS[name](words)


@pytest.mark.parametrize(("name", "words"), [(n, w) for n, all_ in BAD.items() for w in all_])
def test_does_not_hold(name: str, words: str) -> None:
    assert not CHECKS[name](words)


@pytest.mark.parametrize("name", sorted(CHECKS))
@given(words=st.text(max_size=24))
def test_any_words_are_answered(name: str, words: str) -> None:
    assert CHECKS[name](words) in (True, False)


@pytest.mark.parametrize(
    "name",
    sorted(set(CHECKS) - {"chi", "dea", "ip", "mbi", "nino", "ramq", "ssn", "vin"}),
)
@given(data=st.data())
def test_one_wrong_digit_is_noticed(name: str, data: st.DataObject) -> None:
    words = GOOD[name][0]
    held = words.split("/")[0] if name != "au_medicare" else words[: len("2123 45670")]
    place = data.draw(st.sampled_from([i for i, sign in enumerate(held) if sign.isdecimal()]))
    other = data.draw(st.sampled_from([d for d in "0123456789" if d != words[place]]))
    assert not CHECKS[name](words[:place] + other + words[place + 1 :])


def test_a_vin_notices_every_wrong_digit_outside_the_check_place() -> None:
    words = "1M8GDM9AXKP042788"
    for place, sign in enumerate(words):
        if sign.isdecimal():
            for other in set("0123456789") - {sign}:
                assert not CHECKS["vin"](words[:place] + other + words[place + 1 :])


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20))
def test_luhn_and_verhoeff_have_one_check_digit_for_any_number(digits: list[int]) -> None:
    assert sum(luhn([*digits, last]) for last in range(10)) == 1
    assert sum(verhoeff([*digits, last]) for last in range(10)) == 1


@given(st.lists(st.integers(0, 9), min_size=2, max_size=12), st.data())
def test_verhoeff_notices_every_swap_of_neighbours(digits: list[int], data: st.DataObject) -> None:
    last = next(d for d in range(10) if verhoeff([*digits, d]))
    number = [*digits, last]
    at = data.draw(st.integers(0, len(number) - 2))
    swapped = [*number[:at], number[at + 1], number[at], *number[at + 2 :]]
    assert verhoeff(swapped) == (number[at] == number[at + 1])


@given(st.text("ABCXYZ0189", min_size=3, max_size=20))
def test_mod97_is_the_long_division(words: str) -> None:
    remainder = 0
    for sign in words:
        value = int(sign, 36)
        remainder = (remainder * (100 if value > 9 else 10) + value) % 97
    assert mod97(words) == remainder
