from __future__ import annotations

import time
from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.combine.ranked import Ranked
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.note import Note
from phiscrub.detect.gazetteer import Gazetteer, Settings, build
from phiscrub.detect.lists import Lists
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical

FOUND = [
    ("Seen at QEH, sent to BRKT again", [("HOSPITAL", "QEH"), ("HOSPITAL", "BRKT")]),
    ("hosp TRGC, dad called", [("HOSPITAL", "TRGC")]),
    ("GP: The Maltrake Surgery, Leeds", [("HOSPITAL", "Maltrake Surgery"), ("CITY", "Leeds")]),
    ("her GP, The Maltrake Surgery.", [("HOSPITAL", "The Maltrake Surgery")]),
    ("given at Moran's bakery.", [("ORGANIZATION", "Moran's bakery")]),
    ("Called corbin-hale funeral home", [("ORGANIZATION", "corbin-hale funeral home")]),
    ("Denton ISD nurse", [("ORGANIZATION", "Denton ISD")]),
    ("of Tolland Bay Gen. for a scan", [("HOSPITAL", "Tolland Bay Gen.")]),
    ("then, Tolland Regional ER; seen", [("HOSPITAL", "Tolland Regional")]),
    ("a tram conductor, tired", [("PROFESSION", "tram conductor")]),
    ("lives w/ Ann (33, dental assistant)", [("PROFESSION", "dental assistant")]),
    ("in Missoula MT.", [("CITY", "Missoula"), ("STATE", "MT")]),
    ("She lives in Missoula now.", [("CITY", "Missoula")]),
    ("Boston is where he grew up", [("CITY", "Boston")]),
    ("moved from Hamilton to Dayton", [("CITY", "Hamilton"), ("CITY", "Dayton")]),
    ("wed. son in memphis wants called", [("CITY", "memphis")]),
    ("He is from Reading.", [("CITY", "Reading")]),
    ("Tempe AZ", [("CITY", "Tempe"), ("STATE", "AZ")]),
    ("Fernwick, TX", [("CITY", "Fernwick"), ("STATE", "TX")]),
    ("Lowell, Mass.", [("CITY", "Lowell"), ("STATE", "Mass.")]),
    ("Worcester, MA", [("CITY", "Worcester"), ("STATE", "MA")]),
    ("Bengaluru 560102", [("CITY", "Bengaluru"), ("ZIP", "560102")]),
    ("raised in Brackenford", [("CITY", "Brackenford")]),
    ("trip to Kenya and Peru", [("COUNTRY", "Kenya"), ("COUNTRY", "Peru")]),
    ("born in Jordan", [("COUNTRY", "Jordan")]),
    ("winters in Florida", [("STATE", "Florida")]),
    ("a farm in Shropshire", [("LOCATION-OTHER", "Shropshire")]),
    ("case went to Fremont County today", [("LOCATION-OTHER", "Fremont County")]),
    ("fell on Tamarack Road", [("STREET", "Tamarack Road")]),
    ("Seen at Rowan Lane Medical Center.", [("HOSPITAL", "Rowan Lane Medical Center")]),
    ("from St. Aidan's Hospital", [("HOSPITAL", "St. Aidan's Hospital")]),
    ("at Elk River General.", [("HOSPITAL", "Elk River General")]),
    ("RAVENSWOOD GENERAL HOSPITAL", [("HOSPITAL", "RAVENSWOOD GENERAL HOSPITAL")]),
    ("Tollgate Surgery, Leeds", [("HOSPITAL", "Tollgate Surgery"), ("CITY", "Leeds")]),
    ("transferred to MGH", [("HOSPITAL", "MGH")]),
    ("Copperfield Timber Co. laid off", [("ORGANIZATION", "Copperfield Timber Co.")]),
    ("Jelling & Sons called", [("ORGANIZATION", "Jelling & Sons")]),
    ("Has Aetna", [("ORGANIZATION", "Aetna")]),
    ("filled at CVS", [("ORGANIZATION", "CVS")]),
    ("goes to Larkspur Elementary", [("ORGANIZATION", "Larkspur Elementary")]),
    ("He is a barista at Blue Heron.", [("PROFESSION", "barista"), ("ORGANIZATION", "Blue Heron")]),
    ("his wife is a nurse", [("PROFESSION", "nurse")]),
    ("a retired school bus driver", [("PROFESSION", "school bus driver")]),
    ("father a furrier", [("PROFESSION", "furrier")]),
    ("is a celery grower", [("PROFESSION", "celery grower")]),
    ("79 yr old farmer", [("PROFESSION", "farmer")]),
    ("SH: turnip packer, two cats", [("PROFESSION", "turnip packer")]),
    ("a 31-year-old long-haul trucker", [("PROFESSION", "long-haul trucker")]),
    ("is a flax and barley grower", [("PROFESSION", "flax and barley grower")]),
    (
        "retired bus driver and lay preacher",
        [("PROFESSION", "bus driver"), ("PROFESSION", "lay preacher")],
    ),
    ("Was a retired\ncannery foreman.", [("PROFESSION", "cannery foreman")]),
    ("his daughter is RN upstate", [("PROFESSION", "RN")]),
    ("his daughter Ann (ward clerk, days) came", [("PROFESSION", "ward clerk")]),
    ("right hand dominant violin maker", [("PROFESSION", "violin maker")]),
    ("two sons. waitress at Quendle", [("PROFESSION", "waitress"), ("ORGANIZATION", "Quendle")]),
    ("Mother, 22, night stocker, smokes", [("PROFESSION", "night stocker")]),
    ("she walked to the Brindle Kettle for tea", [("ORGANIZATION", "Brindle Kettle")]),
    ("he was found beside Quillmoor after dark", [("LOCATION-OTHER", "Quillmoor")]),
    ("sent to tarnbeck kidney center for hd", [("HOSPITAL", "tarnbeck kidney center")]),
    ("kestrelgate vna called", [("HOSPITAL", "kestrelgate vna")]),
    ("Dr Ann Lowe\nThe Tannery Surgery", [("HOSPITAL", "Tannery Surgery")]),
    ("Main Street, Kilorna", [("STREET", "Main Street"), ("CITY", "Kilorna")]),
    ("going to memphis for a wedding", [("CITY", "memphis")]),
    ("Mount Alder KY", [("CITY", "Mount Alder"), ("STATE", "KY")]),
    (
        "QUILLMORE FORKS NV 89999",
        [("CITY", "QUILLMORE FORKS"), ("STATE", "NV"), ("ZIP", "89999")],
    ),
    ("Grand Alder, Michigan", [("CITY", "Grand Alder"), ("STATE", "Michigan")]),
    (
        "Corn Steps\nNether Pell\nTarnshire QZ3 4RT\n",
        [("CITY", "Corn Steps"), ("CITY", "Nether Pell"), ("CITY", "Tarnshire")],
    ),
    ("she fell at Tarnquendle beach today", [("LOCATION-OTHER", "Tarnquendle beach")]),
    ("he lives in Sleepy Eye alone", [("CITY", "Sleepy Eye")]),
    ("brought in by SkyBridge at noon", [("LOCATION-OTHER", "SkyBridge")]),
    ("he was found behind the Silver Anchor asleep", [("ORGANIZATION", "Silver Anchor")]),
    ("Ride: Quendle Shuttle, noon", [("ORGANIZATION", "Quendle Shuttle")]),
    ("QUENDLE SPINE & BRAIN, LLC\nLetter of appeal\n", [("HOSPITAL", "QUENDLE SPINE & BRAIN")]),
    (
        "clinic visit     quendle motion & spine, tarnbeck\nsore back\nbetter\n",
        [("HOSPITAL", "quendle motion & spine"), ("HOSPITAL", "tarnbeck")],
    ),
]
LEFT = [
    "back to the ICU, then to ICU, at EOL, via IVIG",
    "referred to PT 2x a week; from DVT to CKD",
    "BROUGHT TO MAIN ENTRANCE by EMS",
    "an unrestrained driver, an oral agent",
    "DEA FH7719042",
    "Dr. Holloway's office",
    "Boston naming 11/15, Oswestry 38%, MoCA 21/30, Glasgow coma scale 15",
    "Dr. Houston agreed. Dr. Dallas did not.",
    "Vitals in March and May were fine.",
    "explained in Spanish and Hmong",
    "OR time; IN the room; ME and HI; PA and lateral; MD aware",
    "Aurelio Brandt, MD, read it",
    "Pain Clinic, Outpatient Clinic, General Surgery, Regional anesthesia",
    "admitted to the Hospital; Emergency Department; Family Medicine",
    "seen by the nurse and the physical therapist",
    "CVS: regular. target INR 2. quest for sleep",
    "Dental bridge; heart valley; Lake",
    "Author: see below. Reporter: pharmacist",
    "Physical Therapy, Primary Care, Home Health",
    "turkey sandwich, china cup, a chad",
    "US of the abdomen; UK unknown",
    "seen by the charge nurse, radiographer and the pharmacist",
    "started on Lyrica, uses an Aquacel dressing, de Quervain tenosynovitis",
    "Mr. Turner syndrome workup; Cooper ligament",
    "a 40-year-old Hispanic female; speaks Welsh",
    "Temp 38.2\nGlucose 123456\n",
    "HAEMODIALYSIS RUN SHEET   (copy)\nTeleradiology Preliminary\nstable\n",
    "Pain scores:\nAggravating Factors: lying down\n",
    "Dear Lowe care team, the school nurse",
    "rights under the Disability Act; spoke on WhatsApp; Jane MacDonald",
]


@pytest.fixture(scope="module")
def gazetteer() -> Gazetteer:
    return build(Settings(), Shelf("en", None))


def note(text: str) -> Note:
    return Clinical().tokenize([Document("case", text)])[0]


def found(gazetteer: Gazetteer, text: str) -> list[tuple[str, str]]:
    (claims,) = gazetteer.detect([note(text)])
    cover = Ranked().combine(note(text), claims)
    return [(m.label, text[m.span.start : m.span.end]) for m in cover]


@pytest.mark.parametrize(("text", "expected"), FOUND)
def test_finds(gazetteer: Gazetteer, text: str, expected: list[tuple[str, str]]) -> None:
    assert found(gazetteer, text) == expected


@pytest.mark.parametrize("text", LEFT)
def test_leaves(gazetteer: Gazetteer, text: str) -> None:
    assert [f for f in found(gazetteer, text) if f != ("COUNTRY", "UK")] == []


def test_gives_labels_of_the_hub_set(gazetteer: Gazetteer) -> None:
    assert gazetteer.labels <= set(label_set("i2b2-2014").labels)


PIECES = (
    *("Boston", "in", "Rd", "Hospital", "a", "welder", ",", "MA", "\n", "  ", "of", "St.", "'s"),
    *("Xu", "is", "(", ")", "at", "Co", ".", "-", "12", "HOSPITAL", "É", "02139", "and", "&"),
    *("New", "York", "Medical", "Center"),
)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14), st.sampled_from(["", " "]))
def test_any_text_gives_known_labels_on_one_line_and_batching_changes_nothing(
    pieces: list[str], between: str
) -> None:
    text = between.join(pieces)
    one, two = GAZETTEER.detect([note(text), note("in Boston")])
    assert one == GAZETTEER.detect([note(text)])[0]
    assert [m.label for m in two] == ["CITY"]
    for mention in one:
        assert mention.label in GAZETTEER.labels
        assert mention.span.end <= len(text)
        assert "\n" not in text[mention.span.start : mention.span.end]


GAZETTEER = build(Settings(), Shelf("en", None))


@pytest.mark.parametrize(
    "piece",
    [
        "Oak ",
        "oak ",
        "St. ",
        "of ",
        "A",
        "Hospital ",
        "in ",
        "Boston, ",
        "a welder ",
        "& ",
        "Ash, AB1 2CD   ",
        "Ash\n",
        "AB1 2CD\n",
    ],
)
def test_repetition_costs_no_more_than_its_length(gazetteer: Gazetteer, piece: str) -> None:
    long = note(piece * (50_000 // len(piece)))
    begun = time.process_time()
    gazetteer.detect([long])
    assert time.process_time() - begun < 5


def test_a_missing_list_is_named() -> None:
    folder = resources.files("phiscrub") / "data" / "labels"
    with pytest.raises(SettingsError, match="a list is missing"):
        Lists.load(folder, "xx")
