"""Places: each is the same wherever it stands, and what stands together fits."""

from __future__ import annotations

import re

import pytest

from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.addresses import pieces
from phiscrub.replace.regions import Regions
from replaced import put

PATIENTS = ("p1", "p2", "p3", "p4", "p5", "p6")
US = Regions.load("us", "en")


@pytest.mark.parametrize(
    ("first", "others"),
    [
        (
            "lives in {CITY:Boston}",
            (
                "{CITY:Boston}, {STATE:MA}",
                "{CITY:Boston}, {STATE:MA} {ZIP:02118}",
                "from {CITY:Boston}. {PHONE:212-422-9182}",
                "{CITY:Boston}, {CITY:New York} and {CITY:Chicago}",
            ),
        ),
        ("{CITY:Chicago}", ("{CITY:Chicago}, {STATE:IL} {ZIP:60601}",)),
        ("{CITY:Larkmead}", ("{CITY:Larkmead}, {STATE:MA}", "{CITY:Larkmead} {ZIP:97201}")),
        ("{CITY:Portland}", ("{CITY:Portland}, {STATE:ME} {ZIP:04101}", "{CITY:Portland}, OR")),
        ("{ZIP:02118}", ("{ZIP:02118} {CITY:Boston}", "{ZIP:02118}, {STREET:118 Gull St}")),
        ("{STATE:MA}", ("{STATE:MA}, {CITY:Larkmead}", "{STATE:M.A.} {ZIP:60601}")),
    ],
)
def test_a_place_is_one_whatever_stands_beside_it(english, first, others):
    for patient in PATIENTS:
        (alone,) = put(english, first, patient)
        assert all(put(english, other, patient)[0] == alone for other in others)


@pytest.mark.parametrize(
    ("town", "state", "code", "area"),
    [
        ("Boston", "MA", "02118", "617"),
        ("Chicago", "IL", "60601", "312"),
        ("New York", "NY", "10027", "212"),
        ("Portland", "ME", "04101", "207"),
        ("Larkmead", "TX", "78701", "512"),
    ],
)
def test_state_code_and_area_fit_and_so_does_the_town(english, town, state, code, area):
    text = f"{{CITY:{town}}}, {{STATE:{state}}} {{ZIP:{code}}} {{PHONE:{area}-422-9182}}"
    for patient in PATIENTS:
        put_town, put_state, put_code, phone = put(english, text, patient)
        home = US.known[put_state.lower()]
        assert put_town in (*home.towns, *US.common)
        assert (put_town in home.towns) == (town not in ("Portland", "Larkmead"))
        assert put_code.startswith(home.post)
        assert phone.startswith(home.area)


def test_addresses_below_each_other_stay_apart(english):
    text = (
        "{CITY:Boston}, {STATE:MA} {ZIP:02118}\n{CITY:Tucson}, {STATE:AZ} {ZIP:85701}\n"
        "{CITY:Dallas}, {STATE:TX} {ZIP:75201}; {CITY:Chicago}, {STATE:IL} {ZIP:60601}"
    )
    for patient in PATIENTS:
        found = put(english, text, patient)
        assert len(set(found[1::3])) == 4
        for town, state, code in zip(found[::3], found[1::3], found[2::3], strict=True):
            assert town in US.known[state.lower()].towns
            assert code.startswith(US.known[state.lower()].post)


def test_a_town_named_like_a_known_one_in_another_state_is_another(english):
    for patient in PATIENTS:
        known, other, state = put(english, "{CITY:Boston}. {CITY:Boston}, {STATE:NY}", patient)
        assert known != other
        assert other in US.common
        assert state in {region.code for region in US.homes}


@pytest.mark.parametrize(
    "ways",
    [
        ("St. Louis", "St Louis", "Saint Louis", "St.Louis", "ST. LOUIS"),
        ("LA", "L.A.", "Los Angeles"),
        ("Ft. Worth", "Fort Worth", "Ft Worth"),
        ("NYC", "New York", "New York City"),
        ("Winston-Salem", "Winston Salem"),
    ],
)
def test_one_town_is_one_however_it_is_written(english, ways):
    for patient in PATIENTS:
        assert len({put(english, f"{{CITY:{way}}}", patient)[0].lower() for way in ways}) == 1


def test_spanish_post_codes_are_those_of_their_province(secret):
    made = surrogates.build(surrogates.Settings("meddocan", str(secret)), Shelf("es", None))
    regions = Regions.load("es", "es")
    for patient in PATIENTS:
        code, town = put(made, "C.P. {TERRITORIO:28901}, {TERRITORIO:Getafe}", patient)
        assert put(made, "{TERRITORIO:C.P. 28901}", patient) == [f"C.P. {code}"]
        assert put(made, "vive en {TERRITORIO:Getafe}", patient) == [town]
        assert put(made, "{TERRITORIO:28901 Getafe}", patient) == [f"{code} {town}"]
        (capital,) = put(made, "{TERRITORIO:Madrid}", patient)
        home = regions.of_post[code[:2]]
        assert {town, capital} <= set(home.towns)
        assert town != capital


def test_swedish_and_british_codes_and_towns_hang_on_themselves(secret):
    swedish = surrogates.build(surrogates.Settings("stockholm-epr", str(secret)), Shelf("sv", None))
    british = surrogates.build(surrogates.Settings(secret_file=str(secret)), Shelf("en", None))
    for patient in PATIENTS:
        (town,) = put(swedish, "{Location:Uppsala}", patient)
        both = put(swedish, "{Location:753 20 Uppsala}", patient)[0]
        assert both == f"{put(swedish, '{Location:753 20}', patient)[0]} {town}"
        (code,) = put(british, "{ZIP:LS2 9JT}", patient)
        assert put(british, "{CITY:Leeds} {ZIP:LS2 9JT}", patient)[1] == code


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("W 42nd St", r"W (?!42)\d\d(?:st|nd|rd|th) St"),
        ("5th Ave", r"(?!5)\d(?:st|nd|rd|th) Ave"),
        ("18 11TH STREET", r"\d\d \d\d(?:ST|ND|RD|TH) STREET"),
        ("Gull Street and Main", r"[A-Z]\w+ Street and [A-Z]\w+"),
        ("Gull St & Main St", r"[A-Z]\w+ St & [A-Z]\w+ St"),
        ("118 Gull St, 4th Floor", r"\d{3} [A-Z][a-z]+ St, \d(?:st|nd|rd|th) Floor"),
    ],
)
def test_streets_keep_their_form(english, words, form):
    for patient in PATIENTS:
        (found,) = put(english, f"{{STREET:{words}}}", patient)
        assert re.fullmatch(form, found)
        for number, ending in re.findall(r"(\d+)(st|nd|rd|th)", found.lower()):
            teen = number[-2:] in ("11", "12", "13")
            ends = {"1": "st", "2": "nd", "3": "rd"}.get(number[-1], "th")
            assert ending == ("th" if teen else ends)


def test_a_house_number_hangs_on_the_name_of_the_street_alone(english):
    ways = ("118 Gull St", "118 Gull Street", "118 Gull St.", "118 GULL ST Apt 3", "118, Gull St")
    found = {put(english, f"{{STREET:{way}}}")[0].lower().replace(",", "") for way in ways}
    assert len({" ".join(one.split()[:2]) for one in found}) == 1


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("Costco on Gull Street", r"[A-Z]\w+ on [A-Z]\w+ Street"),
        ("Lake Larkmead", r"Lake [A-Z]\w+"),
        ("Blue Heron Lake", r"[A-Z]\w+ Lake"),
    ],
)
def test_other_places_keep_what_joins_them(english, words, form):
    assert re.fullmatch(form, put(english, f"{{LOCATION-OTHER:{words}}}")[0])


@pytest.mark.parametrize(
    ("kind", "words", "kinds"),
    [
        ("LOCATION-OTHER", "118 Gull St, Boston, MA 02118", "STREET CITY STATE ZIP"),
        ("LOCATION-OTHER", "118 Gull St\nBoston MA 02118-1234", "STREET CITY STATE ZIP"),
        ("CITY", "Boston MA 02118", "CITY STATE ZIP"),
        ("CITY", "Omaha, NE 68101", "CITY STATE ZIP"),
        ("CITY", "Boston, Massachusetts", "CITY STATE"),
        ("CITY", "Rochester, New York", "CITY STATE"),
        ("CITY", "New York, NY", "CITY STATE"),
        ("CITY", "LA", "CITY"),
        ("ZIP", "MA 02118", "STATE ZIP"),
        ("STREET", "118 Gull St, Apt 3, Larkmead, MA 02118", "STREET STREET CITY STATE ZIP"),
        ("STREET", "118 42nd St NE", "STREET"),
        ("STREET", "PO Box 12345", "STREET"),
        ("LOCATION-OTHER", "P.O. Box 12345", "STREET"),
        ("LOCATION-OTHER", "DX 13044", "LOCATION-OTHER"),
        ("LOCATION-OTHER", "Boston", "CITY"),
        ("LOCATION-OTHER", "02118", "ZIP"),
        ("LOCATION-OTHER", "Lake Larkmead", "LOCATION-OTHER"),
        ("STREET", "14, Gull Close", "STREET"),
        ("STREET", "Flat 2, 14a, Gull Close", "STREET STREET"),
        ("LOCATION-OTHER", "14, Gull Close, Boston", "STREET CITY"),
        ("STREET", "14, Larkmead", "STREET"),
        ("STREET", "14, Boston", "STREET CITY"),
        ("STREET", "118 Gull St, 4, Larkmead", "STREET STREET STREET"),
        ("LOCATION-OTHER", "118 Gull St, Boston, MA, USA", "STREET CITY STATE COUNTRY"),
        ("COUNTRY", "Peru, Chile", "COUNTRY"),
        ("CITY", "San\nFrancisco", "CITY"),
        ("STREET", "118 Gull\nStreet", "STREET"),
        ("STREET", "118 Gull St, North", "STREET"),
    ],
)
def test_addresses_in_one_mention_are_taken_apart(kind, words, kinds):
    found = pieces(kind, words, US)
    assert " ".join(one for one, _, _ in found) == kinds
    bounds = [at for _, start, end in found for at in (start, end)]
    assert bounds == sorted(bounds)
    assert all(words[start:end].strip() for _, start, end in found)


def test_a_whole_address_becomes_the_same_as_its_parts(english):
    text = "{STREET:118 Gull St}, {CITY:Boston}, {STATE:MA} {ZIP:02118}"
    for patient in PATIENTS:
        street, town, state, code = put(english, text, patient)
        whole = put(english, "{LOCATION-OTHER:118 Gull St, Boston, MA 02118}", patient)
        assert whole == [f"{street}, {town}, {state} {code}"]
        assert put(english, "{CITY:Boston MA 02118}", patient) == [f"{town} {state} {code}"]


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("{LOCATION-OTHER:Terri & Sons}", r"\w+"),
        ("{LOCATION-OTHER:Mains of Fowlis}", r"\w+"),
        ("{LOCATION-OTHER:Hennepin Co.}", r"(?!Hennepin)\w+ Co\."),
        ("{STREET:Ave F}", r"Ave (?!F)[A-Z]"),
        ("{STREET:310 Chatham Ave lot 14}", r"\d{3} (?!Chatham)\w+ Ave lot (?!14)\d\d"),
        ("{STREET:2210 Pioneer Loop}", r"\d{4} (?!Pioneer)\w+ Loop"),
        ("{STREET:44 Hill Street}", r"\d\d (?!Hill)\w+ Street"),
        ("{STREET:12 Court St Apt 3}", r"\d\d (?!Court)\w+ St Apt (?!3)\d"),
        ("{STREET:12 N. Court St.}", r"\d\d N\. (?!Court)\w+ St\."),
        ("{STREET:12 South St}", r"\d\d (?!South)\w+ St"),
        ("{STREET:12 Green Park Rd}", r"\d\d (?!Green)\w+ Park Rd"),
        ("{STREET:12 Park View}", r"\d\d (?!Park)\w+ View"),
        ("{STREET:12 Hill Park Gardens}", r"\d\d (?!Hill)\w+ Park Gardens"),
        ("{STREET:12 E Tower Rd}", r"\d\d E (?!Tower)\w+ Rd"),
        ("{STREET:County Road 318}", r"County Road (?!318)\d{3}"),
        ("{STREET:US-221}", r"US-(?!221)\d{3}"),
        ("{STREET:Rt 21}", r"Rt (?!21)\d\d"),
        ("{STREET:Shop 4}", r"Shop (?!4)\d"),
        ("{STREET:Stand 1187, Ext 4}", r"Stand (?!1187)\d{4}, Ext (?!4)\d"),
        ("{STREET:Blk 85 Larkmead Rd}", r"Blk (?!85)\d\d (?!Larkmead)\w+ Rd"),
        ("{LOCATION-OTHER:Post Office Box 88}", r"Post Office Box (?!88)\d\d"),
        ("{LOCATION-OTHER:P.O. Drawer 61}", r"P\.O\. Drawer (?!61)\d\d"),
        ("{LOCATION-OTHER:R.F.D. 3, Box 118}", r"R\.F\.D\. (?!3)\d, Box (?!118)\d{3}"),
        ("{LOCATION-OTHER:DX 13044}", r"DX (?!13044)\d{5}"),
        ("{LOCATION-OTHER:Star Rte 2}", r"Star Rte (?!2)\d"),
        ("{LOCATION-OTHER:Larkmead rodeo grounds}", r"(?!Larkmead)\w+ rodeo grounds"),
        ("{LOCATION-OTHER:Larkmead pier}", r"(?!Larkmead)\w+ pier"),
    ],
)
def test_kinds_of_place_stay_and_small_words_are_not_left_over(english, words, form):
    for patient in (None, *PATIENTS):
        assert re.fullmatch(form, put(english, words, patient)[0])


@pytest.mark.parametrize(
    "kind",
    [
        *("Cl", "Cl.", "Cres", "Cresc", "Gdns", "Gro", "Grv", "Tce", "Terr", "Pk", "Ct", "Crt"),
        *("Cott", "Cotts", "Mws", "Vw", "Bldgs", "Grn", "Wlk", "Yd", "Est", "Hts", "Prom"),
        *("Park", "View", "Cottages", "Buildings", "Green", "Vale", "Yard", "Gardens", "Grove"),
    ],
)
def test_british_kinds_of_street_stay_and_names_that_are_kinds_go(secret, kind):
    settings = surrogates.Settings(secret_file=str(secret), setting="uk")
    made = surrogates.build(settings, Shelf("en", None))
    for patient in PATIENTS:
        for name in ("Wexford", "Hill", "West"):
            (found,) = put(made, f"{{STREET:14 {name} {kind}}}, {{CITY:Leeds}}", patient)[:1]
            assert re.fullmatch(rf"\d\d (?!{name})[A-Z][a-z]+ {re.escape(kind)}", found)


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("14 Wexford Cres, Leeds LS1 4AP", "STREET CITY ZIP"),
        ("Wexford Cotts, Leeds", "STREET CITY"),
        ("Wexford Pk, Leeds LS1 4AP", "LOCATION-OTHER CITY ZIP"),
        ("Menlo Park, Leeds", "LOCATION-OTHER CITY"),
    ],
)
def test_british_streets_are_told_by_their_kind(words, kinds):
    found = pieces("LOCATION-OTHER", words, Regions.load("uk", "en"))
    assert " ".join(one for one, _, _ in found) == kinds


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("ruta 160 km 74", r"ruta \d{3} km \d\d"),
        ("autopista México-Puebla km 118", r"autopista [A-ZÁÉÍÓÚ]\w+ km \d{3}"),
        ("barrio Jordán 7", r"barrio [A-ZÁÉÍÓÚ]\w+ \d"),
    ],
)
def test_spanish_roads_and_quarters_keep_their_form(secret, words, form):
    made = surrogates.build(surrogates.Settings("meddocan", str(secret)), Shelf("es", None))
    (found,) = put(made, f"{{CALLE:{words}}}")
    assert re.fullmatch(form, found)
    assert found != words
