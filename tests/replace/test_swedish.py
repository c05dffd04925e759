"""Surrogates of Swedish notes, whose labels tell parts of names and all places alike."""

from __future__ import annotations

import re

import pytest

from phiscrub.detect.checks import is_luhn
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from replaced import avoiding, put


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


@pytest.mark.parametrize(
    ("label", "words"),
    [
        ("Last_Name", ("Lindqvists", "Lindqvist")),
        ("Last_Name", ("Gurkstads", "Gurkstad")),  # in no list
        ("First_Name", ("Annas", "Anna")),
        ("First_Name", ("ANNAS", "ANNA")),
    ],
)
def test_a_genitive_is_no_misspelling(secret, label, words):
    made = surrogates.build(surrogates.Settings("stockholm-epr", str(secret)), Shelf("sv", None))
    for patient in ("p1", "p2", "p3", "p4"):
        text = " make, ".join(f"{{{label}:{word}}}" for word in words)
        owner, plain = put(made, text, patient)
        ending = words[0][-1] if plain[-1].lower() not in "sxz" else ""
        assert owner == plain + ending


def test_a_known_genitive_stands_alone(secret):
    made = surrogates.build(surrogates.Settings("stockholm-epr", str(secret)), Shelf("sv", None))
    (owner,) = put(made, "{First_Name:Annas} make.")
    (plain,) = put(made, "{First_Name:Anna} är här.")
    (lars,) = put(made, "{First_Name:Lars} är här.")
    assert owner.removesuffix("s") == plain.removesuffix("s")
    assert any(lars in names["male"] for names in made.countries["sv"][1].lists.values())


@pytest.mark.parametrize(
    ("text", "sex"),
    [
        ("{First_Name:Kjell-Åke}", "male"),
        ("{First_Name:Britt-Inger}", "female"),
        ("{First_Name:Gösta}", "male"),
        ("{First_Name:Gunvor}", "female"),
        ("hustrun {First_Name:Hodan}", "female"),
        ("Sonen {First_Name:Yusuf}", "male"),
        ("dottern, {First_Name:Nyx}", "female"),
    ],
)
def test_a_swedish_name_keeps_its_sex(secret, text, sex):
    made = surrogates.build(surrogates.Settings("stockholm-epr", str(secret)), Shelf("sv", None))
    lists = made.countries["sv"][1].lists.values()
    for _ in range(5):
        for part in put(made, text, None)[0].split("-"):
            assert any(part in names[sex] for names in lists)


def test_a_swedish_clinic_stays_what_it_is(secret):
    made = surrogates.build(surrogates.Settings("stockholm-epr", str(secret)), Shelf("sv", None))
    (found,) = put(made, "{Health_Care_Unit:Hudkliniken, Norrlands universitetssjukhus}")
    assert re.fullmatch(r"Hudkliniken, \w+ universitetssjukhus", found)
    assert "Norrlands" not in found
