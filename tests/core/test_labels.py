from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import pytest

import phiscrub
from phiscrub.core.errors import LabelError, SettingsError
from phiscrub.core.labels import (
    ALIASES,
    HUB,
    UNNAMED,
    label_set,
    label_set_names,
    strangers,
)

SIZES = {
    "conll-2003": 4,
    "hipaa": 18,
    "i2b2-2006": 8,
    "i2b2-2014": 32,
    "meddocan": 29,
    "ontonotes-5": 18,
    "stockholm-epr": 8 + 3,
    "suc-3": 9,
    "vigibase": 5,
}

# Labels that the way to the hub and back changes, because the hub has one name for several of
# theirs; None: the hub has none, for it is no PHI. All others come back as they went.
CHANGED = {
    "conll-2003": {"MISC": None},
    "hipaa": {"PHOTO": "UNIQUE-ID"},
    "i2b2-2006": {},
    "i2b2-2014": {},
    "meddocan": {
        "SEXO_SUJETO_ASISTENCIA": "OTROS_SUJETO_ASISTENCIA",
        "FAMILIARES_SUJETO_ASISTENCIA": "NOMBRE_SUJETO_ASISTENCIA",
        "CENTRO_SALUD": "HOSPITAL",
        "ID_CONTACTO_ASISTENCIAL": "OTRO_NUMERO_IDENTIF",
        "ID_EMPLEO_PERSONAL_SANITARIO": "OTRO_NUMERO_IDENTIF",
        "NUMERO_BENEF_PLAN_SALUD": "ID_ASEGURAMIENTO",
    },
    "ontonotes-5": {
        "FAC": "LOC",
        **dict.fromkeys(
            (
                *("NORP", "PRODUCT", "EVENT", "WORK_OF_ART", "LAW", "LANGUAGE"),
                *("TIME", "PERCENT", "MONEY", "QUANTITY", "ORDINAL", "CARDINAL"),
            )
        ),
    },
    "stockholm-epr": {"First_Name": "Last_Name", "Date_Part": "Full_Date"},
    "suc-3": dict.fromkeys(("animal", "myth", "product", "work", "event", "other")),
    "vigibase": {},
}

# Hub labels that a set does not mark.
UNMARKED = {
    "conll-2003": {
        *("USERNAME", "PROFESSION", "AGE", "DATE", "PHONE", "FAX", "EMAIL", "URL", "IPADDR", "SSN"),
        *("MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"),
        *("IDNUM", "OTHER", "PHI"),
    },
    "hipaa": {"PROFESSION"},
    "i2b2-2006": {"PROFESSION", "EMAIL", "URL", "IPADDR", "OTHER", "PHI"},
    "i2b2-2014": set(),
    "meddocan": set(),
    "ontonotes-5": {
        *("USERNAME", "PROFESSION", "ZIP", "PHONE", "FAX", "EMAIL", "URL", "IPADDR", "SSN"),
        *("MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"),
        *("IDNUM", "OTHER", "PHI"),
    },
    "stockholm-epr": {"PROFESSION", "URL", "IPADDR", "OTHER", "PHI"},
    "vigibase": {"PROFESSION", "OTHER", "PHI"},
}
UNMARKED["suc-3"] = UNMARKED["conll-2003"]
EVERY = pytest.mark.parametrize("name", SIZES)


def test_the_sets_that_ship():
    assert label_set_names() == tuple(SIZES)


def test_the_data_are_read_from_the_installed_package():
    folder = resources.files("phiscrub") / "data" / "labels"
    assert Path(str(folder)).is_relative_to(Path(phiscrub.__file__).parent)
    assert {file.name for file in folder.iterdir()} == {f"{name}.toml" for name in SIZES}


@EVERY
def test_sizes(name):
    known = label_set(name)
    assert known.name == name
    assert known.about
    assert len(known.labels) == len(set(known.labels)) == SIZES[name]


def test_the_hub_has_7_categories_and_two_more_for_what_has_none():
    hub = label_set(HUB)
    assert Counter(hub.categories.values()) == {
        "NAME": 3,
        "PROFESSION": 1,
        "LOCATION": 10,
        "AGE": 1,
        "DATE": 1,
        "CONTACT": 5,
        "ID": 9,
        "OTHER": 1,
        "PHI": 1,
    }
    assert UNNAMED in hub.labels


def test_hipaa_has_the_letters_a_to_r_in_the_order_of_the_rule():
    assert "".join(label_set("hipaa").categories.values()) == "ABCDEFGHIJKLMNOPQR"


@EVERY
def test_mappings_stay_in_the_sets_that_they_join(name):
    known, hub = label_set(name), label_set(HUB)
    assert set(known.to_hub) <= set(known.labels)
    assert set(known.to_hub.values()) <= set(hub.labels)
    assert set(known.from_hub) <= set(hub.labels)
    assert set(known.from_hub.values()) <= set(known.labels)


@EVERY
def test_a_label_has_the_category_of_its_name_in_the_hub(name):
    known, hub = label_set(name), label_set(HUB)
    pairs = {label: (known.category(label), hub.category(x)) for label, x in known.to_hub.items()}
    other = {label for label, (own, theirs) in pairs.items() if own != theirs}
    if name == "hipaa":  # its categories are the letters of the rule
        assert other == set(known.labels)
    else:
        assert other == ({"FAMILIARES_SUJETO_ASISTENCIA"} if name == "meddocan" else set())


@EVERY
def test_labels_are_such_that_any_format_can_write_them(name):
    for label in label_set(name).labels:
        assert label.isascii()
        assert label.replace("-", "").replace("_", "").isalnum()
        assert label != "O"


@EVERY
def test_to_the_hub_and_back(name):
    known, hub = label_set(name), label_set(HUB)
    back = {}
    for label in known.labels:
        there = known.translate(label, hub)
        back[label] = None if there is None else hub.translate(there, known)
    assert {label: came for label, came in back.items() if came != label} == CHANGED[name]


@EVERY
def test_what_each_set_leaves_unmarked(name):
    known, hub = label_set(name), label_set(HUB)
    assert {x for x in hub.labels if hub.translate(x, known) is None} == UNMARKED[name]


@EVERY
def test_a_label_is_its_own_translation_into_its_own_set(name):
    known = label_set(name)
    assert all(known.translate(label, known) == label for label in known.labels)


@pytest.mark.parametrize("source", SIZES)
@pytest.mark.parametrize("target", SIZES)
def test_translation_goes_through_the_hub(source, target):
    if source == target:
        return
    left, right, hub = label_set(source), label_set(target), label_set(HUB)
    for label in left.labels:
        there = left.translate(label, hub)
        assert left.translate(label, right) == (there and hub.translate(there, right))


@pytest.mark.parametrize(
    ("source", "label", "target", "called"),
    [
        ("i2b2-2014", "ZIP", "hipaa", "GEOGRAPHIC"),
        ("meddocan", "NOMBRE_PERSONAL_SANITARIO", "stockholm-epr", "Last_Name"),
        ("stockholm-epr", "Health_Care_Unit", "meddocan", "HOSPITAL"),
        ("ontonotes-5", "PERSON", "conll-2003", "PER"),
        ("ontonotes-5", "CARDINAL", "i2b2-2014", None),
        ("i2b2-2006", "ID", "hipaa", "UNIQUE-ID"),
        ("hipaa", "MRN", "i2b2-2014", "MEDICALRECORD"),
        ("conll-2003", "ORG", "vigibase", "LOCATION"),
    ],
)
def test_translations(source, label, target, called):
    assert label_set(source).translate(label, label_set(target)) == called


@EVERY
@pytest.mark.parametrize("unknown", ["", "NO_SUCH", "patient"])
def test_an_unknown_label_is_refused_with_the_set_and_its_labels(name, unknown):
    known = label_set(name)
    for ask in (
        lambda: known.translate(unknown, label_set("vigibase")),
        lambda: known.category(unknown),
    ):
        with pytest.raises(LabelError, match=f"label set {name}; ") as caught:
            ask()
        shown, rest = known.labels[:12], len(known.labels) - 12
        assert all(label in str(caught.value) for label in shown)
        assert rest <= 0 or f"and {rest} more" in str(caught.value)


@EVERY
def test_every_label_has_a_category(name):
    known = label_set(name)
    assert all(known.category(label) == known.categories[label] for label in known.labels)
    assert all(known.categories.values())


def test_short_names():
    assert dict(ALIASES) == {
        "i2b2": "i2b2-2014",
        "conll": "conll-2003",
        "ontonotes": "ontonotes-5",
        "stockholm": "stockholm-epr",
        "suc": "suc-3",
    }
    for alias, name in ALIASES.items():
        assert label_set(alias) == label_set(name)


@pytest.mark.parametrize("name", ["", "i2b2-2016", "../labels/hipaa", "I2B2"])
def test_an_unknown_set_is_refused_with_what_is_known(name):
    with pytest.raises(SettingsError, match=r"known: conll-2003, .*, vigibase, i2b2, "):
        label_set(name)


@EVERY
def test_label_sets_are_frozen(name):
    known = label_set(name)
    for mapping in (known.categories, known.to_hub, known.from_hub):
        with pytest.raises(TypeError):
            mapping["NEW"] = "DATE"


def test_a_label_that_may_be_a_word_of_a_note_is_not_named() -> None:
    assert strangers(["ROOM_NO", "A-1"]) == "labels A-1, ROOM_NO"
    assert strangers(["LUND", "Anna"]) == "2 labels (not shown: not all in capitals)"
    with pytest.raises(LabelError) as caught:
        label_set("hipaa").category("Anna")
    assert "Anna" not in str(caught.value)
