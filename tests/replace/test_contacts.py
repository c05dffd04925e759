"""Telephones: another area, a line that nobody has, the form kept."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.replace.contacts import Phones, address
from phiscrub.replace.dialling import PLANS
from phiscrub.replace.keyed import Key

KEY = Key(b"0123456789abcdef")


def nowhere(_: str) -> str:
    return ""


UK = r"(?:0(?!113)1\d1 49[68] 0\d{3}|0(?!113)11\d 496 0\d{3})"
SAID = r"(?!nine oh two )(?:\w+ ){3}"
CASES = [
    ("uk", "0113 278 1234", UK),
    ("uk", "+44 (0)113 278 1234", r"\+44 \(0\)1\d\d 49[68] 0\d{3}"),
    ("uk", "0044 113 278 1234", r"0044 1\d\d 49[68] 0\d{3}"),
    ("uk", "(01228) 812345", r"\(01632\) 960\d{3}"),
    ("uk", "020 7123 4567", r"02[89] (?:9649 6|2018 0)\d{3}"),
    ("uk", "07712 345678", r"07700 900\d{3}"),
    ("uk", "0845 123 4567", r"0808 157 0\d{3}"),
    ("sv", "031-123 45 67", r"040-628 04 \d\d"),
    ("sv", "08-123 456 78", r"0(?:31-390 06 \d\d|40-628 04 \d\d|980-319 2\d\d)"),
    ("sv", "0920-12 34 56", r"0980-31 92 \d\d"),
    ("sv", "019-12 34 56", r"0(?:31-390 06|40-628 04) \d\d"),
    ("sv", "070-123 45 67", r"070-174 06 (?:0[5-9]|[1-9]\d)"),
    ("sv", "+46 31 123 45 67", r"\+46 40 628 04 \d\d"),
    ("es", "985 23 45 67", r"9(?!85)\d\d 00 01 \d\d"),
    ("es", "+34 985 234 567", r"\+34 9(?!85)\d\d 000 1\d\d"),
    ("es", "612 34 56 78", r"790 \d\d \d\d \d\d"),
    ("us", "(416) 422-1234", r"\((?!416)\d{3}\) 555-01\d\d"),
    ("us", "1-800-422-9182", r"1-800-555-01\d\d"),
    ("us", "422-9182", r"555-01\d\d"),
    ("us", "Cell 617-422-9182 ext. 22", r"Cell (?!617)\d{3}-555-01\d\d ext\. (?!22)\d\d"),
    ("us", "+44 113 278 1234", r"\+44 1(?!13)\d\d 49[68] 0\d{3}"),
    ("us", "+49 30 1234567", r"\+49 (?!30)\d\d 55501\d\d"),
    ("us", "+49 30 123 4567", r"\+49 (?!30)\d\d 555 01\d\d"),
    ("us", "011 44 113 278 1234", r"011 44 1(?!13)\d\d 49[68] 0\d{3}"),
    ("us", "0412 345 678", r"0491 57\d \d{3}"),
    ("us", "+61 412 345 678", r"\+61 491 57\d \d{3}"),
    ("us", "(02) 9374 4000", r"\(0[378]\) (?:5550|7010) \d{4}"),
    ("uk", "07 3374 4000", r"0[238] (?:5550|7010) \d{4}"),
    ("us", "98450 12345", r"55501 0\d{4}"),
    ("us", "+91 98450 12345", r"\+91 55501 0\d{4}"),
    ("us", "617-422-9182 or 617-422-9183", r"(?:(?!617)\d{3}-555-01\d\d(?: or )?){2}"),
    ("us", "418 422-9182 poste 32", r"(?!418)\d{3} 555-01\d\d poste (?!32)\d\d"),
    ("us", "204-422-9187 local 3", r"(?!204)\d{3}-555-01\d\d local (?!3)\d"),
    (
        "us",
        "800-422-9182, then 2, ext when asked 80417",
        r"800-555-01\d\d, then \d, ext when asked \d{5}",
    ),
    ("us", "617-422-9182 (opt. 3)", r"(?!617)\d{3}-555-01\d\d \(opt\. (?!3)\d\)"),
    ("uk", "0113 278 1234  Ext: 3340", UK + r"  Ext: (?!3340)\d{4}"),
    ("es", "985 23 45 67, ext. 204", r"9(?!85)\d\d 00 01 \d\d, ext\. (?!204)\d{3}"),
    ("es", "985 23 45 67 · ext. 204", r"9(?!85)\d\d 00 01 \d\d · ext\. (?!204)\d{3}"),
    ("us", "519-422-9l82", r"(?!519)\d{3}-555-01\d\d"),
    ("us", "5O6 422 O182", r"(?!506)\d{3} 555 01\d\d"),
    ("us", "+234 805 422 9182", r"\+234 (?!805)\d{3} 555 01\d\d"),
    ("us", "+972-4-422-9182", r"\+972-(?!4)\d-555-01\d\d"),
    ("us", "1300 422 918", r"1300 975 7(?:0[789]|1[01])"),
    ("us", "06 12 34 56 78", r"06 39 98 \d\d \d\d"),
    ("us", "+33 1 42 34 56 78", r"\+33 [2345] \d\d \d\d \d\d \d\d"),
    (
        "us",
        "nine oh two four two two nine one eight two",
        rf"{SAID}(?:five ){{3}}oh one(?: \w+){{2}}",
    ),
    ("es", "nueve ocho cinco dos tres cuatro cinco seis siete", r"nueve(?: \w+){8}"),
    ("es", "Seis uno dos, tres cuatro cinco seis siete ocho", r"Siete nueve cero,(?: \w+){6}"),
]


@pytest.mark.parametrize(("country", "words", "form"), CASES)
def test_forms_and_ranges(country, words, form):
    for at in range(20):
        assert re.fullmatch(form, Phones(KEY.narrow(str(at)), nowhere, country).another(words)), at


@pytest.mark.parametrize(
    ("words", "stays"),
    [
        ("312-422-1234 Maria Lopez 312-422-9876", ""),
        ("312-422-1234 (ask for Maria Lopez 4)", "ask for"),
        ("312-422-1234 x Maria 4", "x"),
        ("Maria Lopez 312-422-1234", ""),
        ("Work phone 312-422-1234 (Maria Lopez), ext. 4", "Work phone ext"),
        ("312-422-1234, press option 4 then ask for the front desk", "press option then the desk"),
    ],
)
def test_words_stay_that_are_nobodys_name(words, stays):
    put = set(re.findall(r"[^\W\d_]+", Phones(KEY, nowhere, "us").another(words)))
    assert put >= set(stays.split())
    assert not put & {"Maria", "Lopez"}


@pytest.mark.parametrize(
    ("country", "words", "area", "form"),
    [
        ("us", "617-422-9182", "785", r"785-555-01\d\d"),
        ("uk", "0113 278 1234", "0141", r"0141 496 0\d{3}"),
        ("uk", "0113 278 1234", "01632", r"01632 960\d{3}"),
        ("uk", "0113 278 1234", "029", r"029 2018 0\d{3}"),
        ("uk", "01132781234", "01632", r"01632960\d{3}"),
        ("es", "985 23 45 67", "983", r"983 00 01 \d\d"),
        ("sv", "031-123 45 67", "021", r"040-628 04 \d\d"),  # in 021 no line is kept for stories
    ],
)
def test_the_area_of_the_surrogate_place_is_taken(country, words, area, form):
    assert re.fullmatch(form, Phones(KEY, lambda _: area, country).another(words))


@given(
    country=st.sampled_from(sorted(PLANS)),
    words=st.text("0123456789+-() x/", min_size=1, max_size=24),
)
def test_anything_can_be_dialled_and_differs(country, words):
    found = Phones(KEY, nowhere, country).another(words)
    assert found == Phones(KEY, nowhere, country).another(words)
    assert found != words or not re.search(r"[1-9]", words)


@given(st.sampled_from(sorted(PLANS)), st.from_regex(r"[1-9]\d{8,9}", fullmatch=True))
def test_a_line_that_nobody_has_is_as_long_as_a_number_there(country, national):
    plan = PLANS[country]
    code, line = plan.another(national, KEY, nowhere)
    assert len(code + line) == plan.length
    assert code + line != national
    assert plan.cut(code + line) == len(code)


@pytest.mark.parametrize(
    ("country", "ways", "digits"),
    [
        (
            "us",
            (
                *("617-422-9182", "+1 617-422-9182", "1 (617) 422-9182", "617-422-9182 x22"),
                *("617.422.9182 ext. 5", "6174229182", "001 617 422 9182"),
            ),
            10,
        ),
        ("es", ("612 345 678", "+34 612 345 678", "0034612345678", "612345678 ext. 12"), 9),
        ("es", ("985 23 45 67", "+34 985 234 567"), 9),
        ("sv", ("070-123 45 67", "+46 70 123 45 67", "0046 (0)70-123 45 67", "0701234567"), 9),
        ("sv", ("08-123 456 78", "+46 8 123 456 78"), 7),
        ("uk", ("0113 278 1234", "+44 113 278 1234", "+44 (0)113 278 1234"), 10),
        ("us", ("+49 30 1234567", "0049 30 1234567", "011 49 30 1234567"), 9),
        ("us", ("+44 20 7946 0018", "011 44 20 7946 0018", "01144 20 79460018"), 10),
        ("us", ("0412 345 678", "+61 412 345 678", "011 61 412 345 678", "0412345678"), 9),
        (
            "us",
            ("0161 496 0852", "01614960852", "(0161) 4960852", "0161.496.0852", "+44 161 496 0852"),
            10,
        ),
        ("us", ("07712 345678", "07712345678", "+44 (0)7712 345678", "07712345678 ext. 5"), 10),
        ("us", ("98450 12345", "+91 98450 12345", "098450-12345"), 10),
    ],
)
def test_one_number_is_one_however_it_is_written(country, ways, digits):
    for at in range(20):
        made = Phones(KEY.narrow(str(at)), nowhere, country)
        put = [re.split(r" x| ext", made.another(words))[0] for words in ways]
        assert len({re.sub(r"\D", "", one)[-digits:] for one in put}) == 1, put


def test_two_numbers_of_a_note_stay_two():
    for at in range(30):
        made = Phones(KEY.narrow(str(at)), nowhere, "us")
        ways = [f"555-01{line:02}" for line in range(40)]
        put = [made.another(words) for words in ways]
        assert len(set(put)) == len(ways)
        assert put == [made.another(words) for words in ways]
        first = Phones(KEY.narrow(str(at)), nowhere, "us").another(ways[0])
        assert first == put[0]


def test_more_numbers_than_a_range_has_are_replaced_all_the_same():
    made = Phones(KEY, nowhere, "us")
    put = [made.another(f"422-{line:04}") for line in range(150)]
    assert all(re.fullmatch(r"555-01\d\d", one) for one in put)
    assert len(set(put)) == 90
    both = [made.another(f"{area}-432-{line:04}") for area in (617, 207) for line in range(60)]
    assert len(set(both)) > 90  # where lines are spent, areas tell numbers apart


@pytest.mark.parametrize("ways", [("422-9182", "617-422-9182"), ("617-422-9182", "(422) 9182")])
def test_a_number_without_its_area_is_the_same_number(ways):
    for at in range(30):
        made = Phones(KEY.narrow(str(at)), lambda _: "785", "us")
        others = [f"617-433-{line:04}" for line in range(at)]
        put = [re.sub(r"\D", "", made.another(words)) for words in (*others, *ways)]
        assert len({one[-7:] for one in put[-2:]}) == 1
        assert len({one[-7:] for one in put}) == at + 1
        alone = [Phones(made.key, made.area, "us").another(words) for words in ways]
        assert len({re.sub(r"\D", "", one)[-7:] for one in alone}) == 1


@pytest.mark.parametrize(
    ("both", "second", "form"),
    [
        ("617-422-9182/3", "617-422-9183", r"\d{3}-555-01\d\d/\d{1,2}"),
        ("617-422-9182/83", "617-422-9183", r"\d{3}-555-01\d\d/\d\d"),
        ("(617) 422-9182 or 9183", "617-422-9183", r"\(\d{3}\) 555-01\d\d or 01\d\d"),
        ("617-422-9182 and -9183", "617-422-9183", r"\d{3}-555-01\d\d and -01\d\d"),
    ],
)
def test_the_end_of_a_number_stands_for_the_whole(both, second, form):
    for at in range(20):
        made = Phones(KEY.narrow(str(at)), lambda _: "785", "us")
        found = made.another(both)
        assert re.fullmatch(form, found)
        ending = re.findall(r"\d+", found)[-1]
        assert made.another(second).endswith(ending)
        assert re.findall(r"\d+", found)[-2] != ending


BLOCK = r"(?:192\.0\.2|198\.51\.100|203\.0\.113)\.\d{1,3}"


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("10.2.3.4", BLOCK),
        ("10.2.3.4.", rf"{BLOCK}\."),
        ("172.16.0.9:8080", rf"{BLOCK}:8080"),
        ("192.168.0.0/24", rf"{BLOCK}/24"),
        ("(10.2.3.4)", rf"\({BLOCK}\)"),
        ("10.2.3.4, 10.2.3.5", rf"{BLOCK}, {BLOCK}"),
        ("00:1a:2b:3c:4d:5e.", r"00:00:5E:00:53:[0-9A-F]{2}\."),
        ("fe80::1ff:fe23:4567:890a", r"2001:db8::[0-9a-f]{1,4}"),
        ("[fe80::1]:443", r"\[2001:db8::[0-9a-f]{1,4}\]:443"),
        ("fe80::/10", r"2001:db8::[0-9a-f]{1,4}/10"),
    ],
)
def test_network_addresses_stay_in_the_blocks_for_documentation(words, form):
    for at in range(20):
        assert re.fullmatch(form, address(words, KEY.narrow(str(at)))), at


def test_an_address_is_one_whatever_follows_it():
    assert address("10.2.3.4:80", KEY) == f"{address('10.2.3.4', KEY)}:80"
