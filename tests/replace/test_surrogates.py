"""Surrogates: the laws, and what is natural about them."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import HUB, label_set, label_set_names
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.checks import is_dni_nie, is_luhn, is_nhs, is_personnummer
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.check import Originals, Tally
from phiscrub.replace.keyed import Key
from phiscrub.replace.namelists import FEMALE, MALE, SURNAME
from phiscrub.replace.people import fold
from phiscrub.replace.slips import Slips, one_slip, slipped
from replaced import note, put
from strategies import covered

ROBERTS = ("Bob", "Robert", "Ellen")


@pytest.fixture(scope="module")
def secret(tmp_path_factory):
    file = tmp_path_factory.mktemp("secret") / "secret"
    file.write_text("0123456789abcdef0123456789abcdef")
    return file


class Quiet:
    """A replacer that hypothesis prints in short."""

    def __init__(self, made):
        self.replace, self.countries = made.replace, made.countries

    def __repr__(self):
        return "english"


@pytest.fixture(scope="module")
def english(secret: Path):
    return Quiet(surrogates.build(surrogates.Settings(secret_file=str(secret)), Shelf("en", None)))


@settings(max_examples=30, deadline=None)
@given(case=covered())
def test_anything_can_be_replaced_and_the_rest_stays(english, case):
    document, cover = case
    redaction = english.replace(document, cover)
    assert redaction == english.replace(document, cover)
    done = 0
    for mention, words in zip(cover, redaction.replacements, strict=True):
        at = redaction.to_output(mention.span.start)
        assert redaction.text[at : at + len(words)] == words
        assert document.text[done : mention.span.start] in redaction.text
        done = mention.span.end


NAMES = st.sampled_from(("Smith", "Ortiz", "Brown", "Nguyen", "Ali", "Patel", "Lindqvist", "Kelly"))
KINDS = st.sampled_from(
    ("PATIENT", "DOCTOR", "CITY", "STREET", "HOSPITAL", "ORGANIZATION", "PHONE", "SSN", "IDNUM")
)


@settings(max_examples=30, deadline=None)
@given(
    words=st.lists(st.tuples(KINDS, NAMES, st.integers(1000, 999_999)), min_size=1, max_size=6),
    subject=st.sampled_from(("a", "b")),
)
def test_never_an_original(english, words, subject):
    marks = [
        f"{{{kind}:{name if kind in surrogates.PEOPLE else f'{number} {name}'}}}"
        for kind, name, number in words
    ]
    document, cover = note("; ".join(marks), subject)
    redaction = english.replace(document, cover)
    originals = {fold(document.text[m.span.start : m.span.end]) for m in cover}
    assert not originals & {fold(stands) for stands in redaction.replacements}


@settings(max_examples=20, deadline=None)
@given(name=NAMES, other=st.sampled_from(("Zola", "Vik", "Omar")), kind=KINDS)
def test_same_key_subject_and_words_same_surrogate(english, name, other, kind):
    first = put(english, f"Seen {{{kind}:{name}}} today")[0]
    assert put(english, f"{{{kind}:{name}}} came with {{DATE:3/4/2020}}")[0] == first
    assert put(english, f"On {{AGE:44}} {{{kind}:{name}}}")[1] == first
    assert put(english, f"{{PROFESSION:{other}}} {{{kind}:{name}}}")[1] == first


def test_without_the_secret_nothing_links(english):
    one, other = (surrogates.build(surrogates.Settings(), Shelf("en", None)) for _ in "ab")
    text = "{PATIENT:Ann Smith} {MEDICALRECORD:4471902} {DATE:3/14/2020} {PHONE:614-555-0182}"
    assert len({tuple(put(made, text)) for made in (english, one, other)}) == 3
    assert put(english, text, "p1") != put(english, text, "p2")
    assert put(english, text, None) != put(english, text + " more", None)


def test_forms_of_one_person_agree(english):
    text = (
        "{PATIENT:SMITH, WILLIAM A} {PATIENT:William Smith} Mr. {PATIENT:Smith} {PATIENT:W. Smith} "
        "{PATIENT:Bill} Mr. {PATIENT:Smiht} {PATIENT:smith}'s {DOCTOR:Lena Ortiz} Dr. "
        "{DOCTOR:Ortiz} {USERNAME:wsmith3} {EMAIL:will.smith@example.com}"
    )
    upper, full, last, initial, nick, slip, lower, doctor, short, user, mail = put(english, text)
    given, surname = full.split()
    assert upper.startswith(f"{surname.upper()}, {given.upper()} ")
    assert (last, lower, short) == (surname, surname.lower(), doctor.split()[-1])
    assert initial == f"{given[0]}. {surname}"
    assert nick not in (given, "Bill")
    assert slip != surname
    assert sorted(slip.lower()) == sorted(surname.lower())
    assert fold(surname).replace("'", "") in user
    assert fold(surname).replace("'", "") in mail
    assert mail.endswith("@example.org")


def test_sex_is_kept_where_evident(english):
    lists = english.countries["us"][1]
    text = "Mrs. {PATIENT:Kiran Shah}, her brother {PATIENT:Alex Shah}, {DOCTOR:Margaret Lowe}"
    woman, man, doctor = (fold(name.split()[0]) for name in put(english, text))
    assert lists.sexes.get(woman, "female") == "female"
    assert lists.sexes.get(man, "male") == "male"
    assert lists.sexes.get(doctor, "female") == "female"


def test_an_address_hangs_together(english):
    text = "{STREET:118 Gull St Apt 3}, {CITY:Boston}, {STATE:MA} {ZIP:02118}, {PHONE:617-422-9182}"
    street, city, state, post, phone = put(english, text)
    home = next(r for r in english.countries["us"][0].regions if r.code == state)
    assert city in home.towns
    assert post.startswith(home.post_of(city))
    assert phone[:3] in home.areas
    assert re.fullmatch(r"\d{3} \w+ St Apt \d", street)
    assert re.fullmatch(r"\d{3}-555-01\d\d", phone)


@pytest.mark.parametrize(
    ("words", "check"),
    [
        ("943 476 5919", is_nhs),
        ("19811218-9876", is_personnummer),
        ("12345678Z", is_dni_nie),
        ("4539 1488 0343 6467", is_luhn),
    ],
)
def test_checksums_fail_on_purpose(english, words, check):
    assert check(words)
    found = put(english, f"{{IDNUM:{words}}}")[0]
    assert not check(found)
    assert [c.isdigit() for c in found] == [c.isdigit() for c in words]


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("{SSN:512-77-3094}", r"000-\d\d-\d{4}"),
        ("{URL:https://www.larkmead.com/q/71926}", r"https://www\.example\.org/\w/\d{5}"),
        ("{IPADDR:10.4.5.6}", r"(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+"),
        ("NHS {PHONE:07712 345678}", r"07700 900\d{3}"),
        ("NHS {PHONE:0113 243 1234}", r"01(?!13)\d\d 49[68] 0\d{3}"),
        ("{PHONE:(614) 422-1234 x22}", r"\(\d{3}\) 555-01\d\d x\d\d"),
        ("{MEDICALRECORD:E1140-77a}", r"[A-Z]\d{4}-\d\d[a-z]"),
        ("{HOSPITAL:Calloway Memorial Hospital}", r"[A-Z]\w+ Memorial Hospital"),
        ("{DEPARTMENT:MICU}", r"ICU|CCU|ITU|HDU"),
        ("{AGE:94}-year-old", "90"),
        ("{AGE:41}", "41"),
        ("an {PROFESSION:electrician}", r"[aeiou].*"),
        ("{OTHER:a small birthmark}", r"\[OTHER\]"),
    ],
)
def test_shapes_and_ranges(english, text, form):
    assert re.fullmatch(form, put(english, text)[0])


@pytest.mark.parametrize("name", label_set_names())
def test_every_label_of_every_set_is_served(secret, name):
    settings_ = surrogates.Settings(label_set=name, secret_file=str(secret))
    language = {"meddocan": "es", "stockholm-epr": "sv"}.get(name, "en")
    made = surrogates.build(settings_, Shelf(language, None))
    for label in label_set(name).labels:
        words = "Anna 4417"
        assert put(made, f"{{{label}:{words}}}")[0], label


def test_modes_of_dates(secret):
    def made(**kinds):
        return surrogates.build(
            surrogates.Settings(secret_file=str(secret), **kinds), Shelf("en", None)
        )

    text = "onset {DATE:3/14/2020}, seen {DATE:Saturday 3/21/2020}"
    assert put(made(dates="keep"), text) == ["3/14/2020", "Saturday 3/21/2020"]
    assert put(made(dates="remove"), text) == ["[DATE]", "[DATE]"]
    assert put(made(dates="onset"), text) == ["onset", "onset + 7 days"]
    assert put(made(keep_weekday=True), text)[1].startswith("Saturday ")
    assert put(made(ages="group"), "{AGE:47}") == ["45"]
    for wrong in ({"dates": "no"}, {"ages": "no"}, {"shift_days": 0}, {"setting": "no"}):
        with pytest.raises(SettingsError):
            made(**wrong)


def test_swedish_names_take_their_part_from_the_label(secret):
    settings_ = surrogates.Settings("stockholm-epr", str(secret))
    made = surrogates.build(settings_, Shelf("sv", None))
    text = "{First_Name:Anna} {Last_Name:Lind} bor i {Location:Uppsala}, {SSN:811218-9876}"
    first, last, town, number = put(made, text)
    lists = made.countries["sv"][1].lists.values()
    assert any(first in names["female"] for names in lists)
    assert any(last in names["surname"] for names in lists)
    assert any(town in region.towns for region in made.countries["sv"][0].regions)
    assert not is_luhn(number)


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("Södertälje", "town"),
        ("Coop", "name"),
        ("Volvos", "name"),
        ("Bergs Bygg AB", r"\w+ \w+ AB"),
        ("Vasaskolan", r"\w+skolan"),
        ("Sjöviks förskola", r"\w+ förskola"),
        ("Sofia kyrka", r"\w+ kyrka"),
    ],
)
def test_swedish_firms_and_schools_are_no_towns(secret, words, form):
    made = surrogates.build(surrogates.Settings("stockholm-epr", str(secret)), Shelf("sv", None))
    (found,) = put(made, f"{{Location:{words}}}")
    towns = {town for region in made.countries["sv"][0].regions for town in region.towns}
    assert found != words
    assert (found in towns) == (form == "town")
    if form not in ("town", "name"):
        assert re.fullmatch(form, found)
    elif form == "name":
        assert found in made.units.names


def test_what_still_stands_is_found_and_told(english):
    document, cover = note("{PATIENT:Ann Lovelace} came. Lovelace left; lovelace is a word.")
    redaction = english.replace(document, cover)
    hubs = label_set(HUB).to_hub
    left = Originals.of(document.text, cover, hubs).left(redaction.text)
    assert [redaction.text[s.start : s.end] for s in left] == ["Lovelace"]
    tally = Tally()
    tally.add("p1", document.text, cover.mentions, redaction.output, hubs)
    assert (tally.notes_left, tally.left["PATIENT"], tally.collisions) == (1, 1, 0)
    assert "Lovelace" not in repr(tally)
    real, marks = note("{PATIENT:" + redaction.replacements[0] + "}", "p2")
    tally.add("p2", real.text, marks.mentions, english.replace(real, marks).output, hubs)
    assert tally.collisions == 1


def avoiding(secret, tmp_path, known, language="en", label_set_=HUB):
    """Make a replacer that knows real patients by rows of a table."""
    file = tmp_path / "patients.csv"
    file.write_text("patient_id,name,mrn\n" + "".join(f"{row}\n" for row in known), "utf-8")
    settings_ = surrogates.Settings(
        secret_file=str(secret), patients=str(file), label_set=label_set_
    )
    return surrogates.build(settings_, Shelf(language, None))


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


def test_a_swedish_postcode_and_its_town_in_one_mention_become_both(secret, tmp_path):
    made = avoiding(secret, tmp_path, [], "sv", "stockholm-epr")
    text = "Bor {Location:Storgatan 4}, {Location:972 34 Luleå}, född i {Location:Luleå}."
    street, address, born = put(made, text)
    code, town = address.rsplit(" ", 1)
    assert street.split()[0].lower().endswith(("gatan", "vägen", "gränd", "torget"))
    assert re.fullmatch(r"\d{3} \d\d", code)
    assert code != "972 34"
    assert any(town in region.towns for region in made.countries["sv"][0].regions)
    assert town == born


def test_given_names_and_surnames_under_labels_of_their_own_are_one_name(secret, tmp_path):
    text = "{First_Name:Anna} {Last_Name:Lind} bor här."
    plain = avoiding(secret, tmp_path, [], "sv", "stockholm-epr")
    first = put(plain, text)
    made = avoiding(secret, tmp_path, [f"q1,{' '.join(first)},0"], "sv", "stockholm-epr")
    assert put(made, text) != first


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


def test_names_among_what_is_said_of_spanish_relatives_are_replaced() -> None:
    label = "FAMILIARES_SUJETO_ASISTENCIA"
    for words, kept in (("hija Maite", "hija "), ("PADRE", "PADRE"), ("Tío Fidencio", "Tío ")):
        text = f"Acude con {words}."
        span = Span(10, 10 + len(words))
        made = surrogates.build(surrogates.Settings(label_set="meddocan"), Shelf("es", None))
        put = made.replace(Document("n", text), Cover.of([Mention(span, label)])).replacements[0]
        assert put.startswith(kept)
        assert put == words if kept == words else put != words


WORDS = st.text("aeilmnrst", min_size=1, max_size=6)


@given(st.sets(WORDS, max_size=30), st.data())
def test_slips_are_found_as_by_comparing_each_with_each(words, data):
    word = data.draw(WORDS | st.sampled_from(sorted(words)) if words else WORDS)
    other = data.draw(st.permutations(word)).copy()
    for one in (word, "".join(other), slipped(word, Key(b"0" * 16))):
        assert Slips(words).of(one) == {near for near in words if one_slip(one, near)}


def test_time_grows_with_the_number_of_names_and_not_with_its_square(english):
    def seconds(count: int) -> float:
        vowels = "aeiou"
        names = [
            f"{c}{a}r{b}{d}ld".capitalize()
            for c in "bdfgklmnprstvwzj"
            for a in vowels
            for b in vowels
            for d in "bdfgklmnprstvw"
        ][:count]
        text = " ".join(
            f"{{PATIENT:{n} Smith}} of {{HOSPITAL:{n} Hospital}}, {{CITY:{n}}} {{DATE:3/14/2019}}."
            for n in names
        )
        document, cover = note(text)
        begun = time.process_time()
        english.replace(document, cover)
        return time.process_time() - begun

    few, many = (min(seconds(names) for _ in range(2)) for names in (300, 1_200))
    assert many < 10 * few + 0.2  # four times, and 16 for a square
