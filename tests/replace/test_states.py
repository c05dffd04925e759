"""States: one has one surrogate in whatever form, and a sentence keeps its stop."""

from __future__ import annotations

import pytest

from phiscrub.replace.addresses import pieces
from phiscrub.replace.regions import Regions
from replaced import put

PATIENTS = tuple(f"p{number}" for number in range(12))
US = Regions.load("us", "en")
WITHOUT = {"AK", "HI", "ID", "IA", "ME", "OH", "UT"}  # these are written in full


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("Mass.", "MA"),
        ("Mass", "MA"),
        ("MASS.", "MA"),
        ("Calif.", "CA"),
        ("Cal.", "CA"),
        ("Pa.", "PA"),
        ("N.Y.", "NY"),
        ("N. Y.", "NY"),
        ("W.Va.", "WV"),
        ("W. Va.", "WV"),
        ("N. Dak.", "ND"),
        ("N. Carolina", "NC"),
        ("M.A.", "MA"),
        ("new york", "NY"),
        ("D.C.", "DC"),
    ],
)
def test_a_state_is_known_in_every_form(words, code):
    region = US.state(words)
    assert region is not None
    assert region.code == code


def test_every_state_has_its_abbreviation_and_none_has_that_of_another():
    assert {region.code for region in US.regions if not region.short} == WITHOUT
    ways = [way for region in US.regions for way in region.short]
    assert len(ways) == len(set(ways))
    assert all(US.state(way) == region for region in US.regions for way in region.short)


@pytest.mark.parametrize("code", ["MA", "PA", "IL", "NY", "WV"])
def test_forms_of_a_state_stand_for_the_same_one_in_the_same_form(english, code):
    was = next(region for region in US.regions if region.code == code)
    text = f"{{STATE:{was.short[0]}}}, {{STATE:{was.code}}}, {{STATE:{was.name}}}"
    for patient in PATIENTS:
        short, written, name = put(english, text, patient)
        home = US.known[written.lower()]
        assert name == home.name
        assert short == (home.short[0] if home.short else home.name)


def test_an_abbreviation_keeps_its_case_and_its_stops(english):
    for patient in PATIENTS:
        title, capitals, small, bare, before = put(
            english,
            "{STATE:Mass.} and {STATE:MASS.} {STATE:mass.} {STATE:Mass} and {STATE:Mass}.",
            patient,
        )
        assert (capitals, small) == (title.upper(), title.lower())
        assert bare == title.replace(".", "")
        assert before == title.rstrip(".")


@pytest.mark.parametrize(
    ("behind", "stays"),
    [
        (" Moved", True),
        ("", True),
        ("\n", True),
        (" 2 children", True),
        ('" Moved', True),
        (" 01609", False),
        (", where", False),
        (" and moved", False),
    ],
)
@pytest.mark.parametrize("words", ["Ill.", "MA.", "Illinois.", "M.A."])
def test_a_stop_stays_where_it_ends_the_sentence(english, words, behind, stays):
    for patient in PATIENTS:
        (found,) = put(english, f"{{STATE:{words}}}{behind}", patient)
        home = US.state(found)
        assert home is not None
        is_short = US.is_short(found) and found != home.code + "."
        assert found.endswith(".") == (is_short or stays)


def test_an_abbreviated_address_fits(english):
    text = "{CITY:Worcester}, {STATE:Mass.} {ZIP:01609}. {CITY:Boston}, {STATE:Mass.} {STATE:MA}"
    for patient in PATIENTS:
        town, state, code, other, again, short = put(english, text, patient)
        home = US.known[short.lower()]
        assert US.state(state) == US.state(again) == home
        assert code.startswith(home.post)
        assert other in home.towns
        assert town in (*home.towns, *US.common)


def test_a_town_in_the_abbreviated_state_of_another_is_another(english):
    text = "{CITY:Boston}, {STATE:MA}; {CITY:Boston}, {STATE:Mass.}; {CITY:Boston}, {STATE:N. Y.}"
    for patient in PATIENTS:
        known, _, same, _, other, _ = put(english, text, patient)
        assert known == same != other
        assert put(english, "{CITY:Boston}, Miss Larkmead", patient) == [known]


@pytest.mark.parametrize(
    ("kind", "words", "kinds"),
    [
        ("LOCATION-OTHER", "118 Gull St, Worcester, Mass. 01609", "STREET CITY STATE ZIP"),
        ("LOCATION-OTHER", "118 Gull St, Brooklyn N.Y. 11201", "STREET CITY STATE ZIP"),
        ("CITY", "Worcester Mass 01609", "CITY STATE ZIP"),
        ("CITY", "Charleston, W. Va.", "CITY STATE"),
        ("CITY", "Worcester Mass.", "CITY STATE"),
        ("ZIP", "Mass. 02118", "STATE ZIP"),
        ("LOCATION-OTHER", "N.Y.", "STATE"),
        ("LOCATION-OTHER", "Pa.", "STATE"),
        ("LOCATION-OTHER", "118 Gull Ct. 02118", "STREET ZIP"),
        ("STREET", "118 Gull St.", "STREET"),
    ],
)
def test_abbreviated_states_are_told_in_one_mention(kind, words, kinds):
    assert " ".join(one for one, _, _ in pieces(kind, words, US)) == kinds


@pytest.mark.parametrize(
    ("mention", "word"),
    [
        ("{PATIENT:Walter Washington}", "Washington"),
        ("{PATIENT:Virginia Tate}", "Virginia"),
        ("{CITY:Larkmead}, {STATE:Tex.}", "Texas"),
        ("{CITY:York}", "York"),
    ],
)
def test_no_state_stands_in_that_the_note_names(english, mention, word):
    names = [region.name for region in US.homes[:16]]
    text = ", ".join(f"{{STATE:{name}}}" for name in names)
    for patient in PATIENTS:
        found = put(english, f"{mention}; {text}", patient)[-16:]
        assert len(set(found)) == 16
        assert set(found).isdisjoint(names)
        assert not any(word in one.split() for one in found)


def test_a_foreign_state_gets_none_that_the_note_names(english):
    for number in range(60):
        told = f"{{STATE:Larkmeadia}} {{STATE:{US.homes[number % 40].name}}}"
        foreign, _ = put(english, told, f"p{number}")
        assert foreign != US.homes[number % 40].name


def test_what_steps_aside_takes_its_towns_codes_and_areas_along(english):
    text = "{CITY:Boston}, {STATE:MA} {ZIP:02118}. {PHONE:617-422-9182}"
    for patient in PATIENTS:
        _, natural, _, _ = put(english, text, patient)
        name = US.known[natural.lower()].name
        note = f"{{PATIENT:{name}}}, {text}, {{STATE:Massachusetts}}"
        _, town, state, code, phone, full = put(english, note, patient)
        home = US.known[state.lower()]
        assert state != natural
        assert full == home.name
        assert town in home.towns
        assert code.startswith(home.post)
        assert phone.startswith(home.area)


def test_where_every_state_is_named_each_still_gets_another(english):
    names = [region.name for region in US.regions]
    text = ", ".join(f"{{STATE:{name}}}" for name in names)
    for patient in PATIENTS:
        found = put(english, text, patient)
        assert all(one != name for one, name in zip(found, names, strict=True))


def test_no_country_stands_in_that_the_note_names(english):
    named = ("Portugal", "Chile", "Norway", "Jordan", "Peru")
    text = "; ".join(f"{{COUNTRY:{name}}}" for name in named)
    for patient in PATIENTS:
        assert set(put(english, text, patient)).isdisjoint(named)
