"""Surrogates: the laws, and what is natural about them."""

from __future__ import annotations

import re
import time
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.core.labels import HUB, label_set, label_set_names
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.detect.checks import is_dni_nie, is_luhn, is_nhs, is_personnummer
from phiscrub.pipeline.load import Declaration, build
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.check import Tally
from phiscrub.replace.originals import Originals
from phiscrub.replace.people import fold
from replaced import note, put
from strategies import covered


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
    woman, man, doctor = (fold(name.split()[0]) for name in put(english, text, None))
    assert lists.sexes.get(woman, "female") == "female"
    assert lists.sexes.get(man, "male") == "male"
    assert lists.sexes.get(doctor, "female") == "female"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{PATIENT:Taylor Reed} came.", "{PATIENT:Taylor Reed} came. She is well, and she left."),
        ("{PATIENT:Taylor Reed} came.", "{PATIENT:Taylor Reed} came. He is well, and he left."),
        ("her daughter {PATIENT:Alex Reed}", "his son {PATIENT:Alex Reed}"),
        ("Mrs. {PATIENT:Kiran Shah}", "Mr. {PATIENT:Kiran Shah}"),
        ("{PATIENT:Ann Reed} of {CITY:Larkmead}", "{PATIENT:Ann Reed} of {CITY:Larkmead}, NHS"),
        ("{PATIENT:Ann Reed}, {PHONE:617-422-9182}", "{PATIENT:Ann Reed}, {PHONE:617-422-9182} GP"),
        ("{PATIENT:Kate O'Neil}", "seen {PATIENT:Kate O’Neil}"),
    ],
)
def test_what_one_note_tells_changes_no_name_or_place_of_a_patient(english, one, other):
    for patient in ("p1", "p2", "p3", "p4", "p5", "p6"):
        assert put(english, one, patient) == put(english, other, patient)


@pytest.mark.parametrize(
    ("told", "country"),
    [
        ("under the NHS", "uk"),
        ("seen by her GP", "uk"),
        ("of S10 2JF", "uk"),
        ("of LS2 9JT", "uk"),
        ("call +44 7700 900123", "uk"),
        ("call 0113 496 0000", "uk"),
        ("given a GP IIb/IIIa inhibitor", "us"),
        ("anti-GP120 and GP 120, GP-Ib", "us"),
        ("T2 3MM lesion, L4 5TH, 0113240", "us"),
    ],
)
def test_a_lone_note_is_british_by_what_can_be_nothing_else(english, told, country):
    (town,) = put(english, f"From {{CITY:Larkmead}}, {told}.", None)
    assert town in english.countries[country][0].towns
    other = {"us": "uk", "uk": "us"}[country]
    assert town not in set(english.countries[other][0].towns) or town in {"Manchester"}


def test_dates_are_read_by_the_note_and_not_names(english):
    text = "{DATE:3/4/2020} and {DATE:4/4/2020}, {PATIENT:Ann Reed}"
    plain, told = put(english, text), put(english, f"NHS: {text}")
    assert plain[2] == told[2]
    assert plain[:2] != told[:2]


def test_where_states_stay_towns_and_areas_stay_in_them(secret):
    made = surrogates.build(
        surrogates.Settings(secret_file=str(secret), states="keep"), Shelf("en", None)
    )
    states = {region.code: region for region in made.countries["us"][0].regions}
    text = "{CITY:Boston}, MA 02118, {PHONE:617-422-9182}. {CITY:Portland}, Maine. {CITY:Boston}"
    for patient in ("p1", "p2", "p3", "p4"):
        town, phone, harbour, again = put(made, text, patient)
        assert town in states["MA"].towns
        assert phone[:3] in set(states["MA"].areas) - {"617"}
        assert harbour in made.countries["us"][0].common  # a name that Maine may have, too
        assert again == town


@pytest.mark.parametrize(
    ("town", "state", "area"),
    [("Fargo", "ND", "701"), ("Bangor", "ME", "207"), ("Worcester", "MA", "508")],
)
@pytest.mark.parametrize("states", ["keep", "replace"])
def test_a_town_and_its_telephones_agree(secret, states, town, state, area):
    made = surrogates.build(
        surrogates.Settings(secret_file=str(secret), states=states), Shelf("en", None)
    )
    regions = made.countries["us"][0]
    told = state if states == "keep" else f"{{STATE:{state}}}"
    text = f"{{CITY:{town}}}, {told} {{PHONE:{area}-422-9182}}"
    for patient in ("p1", "p2", "p3", "p4", "p5", "p6"):
        put_town, *put_state, phone = put(made, text, patient)
        home = regions.known[fold((*put_state, state)[0])]
        assert phone[:3] == home.area
        assert put_town in home.towns
        assert (home.code == state) == (states == "keep")


@pytest.mark.parametrize(
    ("policy", "states"),
    [("safe-harbor", "keep"), ("limited-data-set", "keep"), ("i2b2", "replace")],
)
def test_a_policy_that_keeps_states_tells_the_replacer(policy, states):
    made = build(
        Declaration(
            "en",
            ({"use": "patterns", "packs": ["en/contact"]},),
            policy=policy,
            replacer={"use": "surrogates"},
        )
    )
    assert made.replacer.replacer.settings.states == states


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("seven seven zero one four four", r"(?:[a-z]{3,5} ?){6}"),
        ("Seven-zero-one", r"[A-Z][a-z]+-[a-z]+-[a-z]+"),
        ("seventy-seven oh twelve", r"[a-z]+ty-[a-z]+ [a-z]+ [a-z]+"),
        ("four four dash two", r"[a-z]+ [a-z]+ dash [a-z]+"),
    ],
)
def test_numbers_in_words_stay_in_words(english, words, form):
    (found,) = put(english, f"MRN {{MEDICALRECORD:{words}}}")
    assert re.fullmatch(form, found)
    pairs = zip(re.findall(r"\w+", found), re.findall(r"\w+", words), strict=True)
    assert all(one != other for one, other in pairs if other != "dash")


def test_an_address_hangs_together(english):
    text = "{STREET:118 Gull St Apt 3}, {CITY:Boston}, {STATE:MA} {ZIP:02118}, {PHONE:617-422-9182}"
    street, city, state, post, phone = put(english, text)
    home = next(r for r in english.countries["us"][0].regions if r.code == state)
    assert city in home.towns
    assert post.startswith(home.post)
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


def test_a_telephone_number_under_another_label_is_one_in_a_range_for_fiction(english):
    (phone,) = put(english, "{PHONE:617-422-9182}")
    assert put(english, "{IDNUM:617-422-9182}") == [phone]
    assert re.fullmatch(r"\(\d{3}\) 555-01\d\d", put(english, "{IDNUM:(617) 422-9182}")[0])


@pytest.mark.parametrize("name", label_set_names())
def test_every_label_of_every_set_is_served(secret, name):
    settings_ = surrogates.Settings(label_set=name, secret_file=str(secret))
    language = {"meddocan": "es", "stockholm-epr": "sv"}.get(name, "en")
    made = surrogates.build(settings_, Shelf(language, None))
    for label in label_set(name).labels:
        words = "Anna 4417"
        assert put(made, f"{{{label}:{words}}}")[0], label


def test_a_patients_notes_count_from_one_day(secret):
    made = surrogates.build(
        surrogates.Settings(secret_file=str(secret), dates="onset"), Shelf("en", None)
    )

    def told(text, onset="", meta=""):
        document, cover = note(text)
        subject = replace(document.subject, onset=onset)
        document = replace(document, subject=subject, meta={"onset": meta} if meta else {})
        return list(made.replace(document, cover).replacements)

    known = "2021-02-27"
    assert told("admitted {DATE:2/27/2021}", known) == ["onset"]
    assert told("onset {DATE:3/8}; rang {DATE:3/8/2021}", known) == ["onset + 9 days"] * 2
    assert told("rang {DATE:3/8}", known) == ["onset + 9 days"]  # in that year
    assert told("rang {DATE:3/8/2021}", known, "2021-03-01") == ["onset + 7 days"]
    assert told("{DATE:4/98 to 6/98}", "1998-04-01") == ["onset to onset + 2 months"]
    with pytest.raises(InputError, match="names no day"):
        told("rang {DATE:3/8/2021}", meta="April 2021")
    assert told("no date", meta="April 2021") == []


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


def test_what_still_stands_is_found_and_told(english):
    document, cover = note("{PATIENT:Ann Lovelace} came. Lovelace left; lovelace is one too.")
    redaction = english.replace(document, cover)
    hubs = label_set(HUB).to_hub
    left = Originals.of(document.text, cover, hubs).left(redaction.text)
    assert [redaction.text[s.start : s.end] for s in left] == ["Lovelace", "lovelace"]
    tally = Tally()
    tally.add("p1", document.text, cover.mentions, redaction.output, hubs)
    assert (tally.notes_left, tally.left["PATIENT"], tally.collisions) == (1, 2, 0)
    assert "Lovelace" not in repr(tally)
    real, marks = note("{PATIENT:" + redaction.replacements[0] + "}", "p2")
    tally.add("p2", real.text, marks.mentions, english.replace(real, marks).output, hubs)
    assert tally.collisions == 1


def test_names_among_what_is_said_of_spanish_relatives_are_replaced() -> None:
    label = "FAMILIARES_SUJETO_ASISTENCIA"
    for words, kept in (
        ("hija Maite", "hija "),
        ("PADRE", "PADRE"),
        ("Tío Fidencio", "Tío "),
        ("polola maca", "polola "),
        ("hermano pequeño", "hermano pequeño"),
        ("madre biológica", "madre biológica"),
        ("tío de la madre", "tío de la madre"),
        ("hijos de ambos", "hijos de ambos"),
    ):
        text = f"Acude con {words}."
        span = Span(10, 10 + len(words))
        made = surrogates.build(surrogates.Settings(label_set="meddocan"), Shelf("es", None))
        put = made.replace(Document("n", text), Cover.of([Mention(span, label)])).replacements[0]
        assert put.startswith(kept)
        assert put == words if kept == words else put != words


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
