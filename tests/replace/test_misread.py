"""Names with digits that a scanner put for letters: nothing of them stays."""

from __future__ import annotations

import re

import pytest

from phiscrub.replace.misread import as_letters
from replaced import put

READ = {
    "L1mavady": "Limavady",
    "New 0rleans": "New Orleans",
    "J0LIET": "JOLIET",
    "Wa1ter": "Walter",
    "G0NZÁLEZ": "GONZÁLEZ",
    "RIO FRI0": "RIO FRIO",
    "Mrs 0'Shea": "Mrs O'Shea",
}
CODES = ["A104", "B12", "4th", "21st", "4N", "K77", "41A", "X9417", "2B1", "17 Hill Rd", "TRIAGE3"]


@pytest.mark.parametrize(("words", "read"), READ.items())
def test_digits_among_letters_are_letters(words, read):
    assert as_letters(words) == read


@pytest.mark.parametrize("words", CODES)
def test_codes_stay(words):
    assert as_letters(words) == words


@pytest.mark.parametrize("patient", [None, "p1", "p2"])
def test_nothing_of_a_misread_name_stays(english, patient):
    note = "{CITY:L1mavady} {CITY:New 0rleans} {DOCTOR:Wa1ter Poma} {STREET:12 Sp1tal R0ad}"
    found = put(english, note, patient)
    assert not re.search(r"mavady|rleans|ter |tal", " ".join(found))
    assert not any(map(str.isdigit, "".join(found[:3])))


def test_a_misread_name_is_the_name(english):
    assert len(set(put(english, "{CITY:Limavady}, {CITY:L1mavady}"))) == 1
