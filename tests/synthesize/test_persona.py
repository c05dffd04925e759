from __future__ import annotations

import re

import pytest

import synth_notes
from phiscrub.core.document import Document
from phiscrub.core.mention import Annotated
from phiscrub.replace.british import is_british
from phiscrub.replace.dialling import PLANS
from phiscrub.replace.keyed import Key
from phiscrub.replace.regions import Regions
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.insert import Blocks
from phiscrub.synthesize.persona import Persona
from phiscrub.synthesize.synthesizer import Origin, Settings, Synthesizer
from phiscrub.synthesize.templates import Template, load_templates
from phiscrub.synthesize.told import told_age, told_country, told_sex

FIRST = re.compile(r"\d+")
AMERICAN = "He was seen in the emergency room; Tylenol helped."
BRITISH = "He was given paracetamol; GP informed."


def draw(seed: int) -> Draw:
    return Draw(Key(b"persona").narrow(str(seed)))


def persona(text: str, language: str = "en", seed: int = 0) -> Persona:
    note = synth_notes.written(text, language)
    return Persona.of(note, synth_notes.SETS[language], language, draw(seed))


def headed(text: str, seeds: int = 60) -> list[Annotated]:
    """Return a carrier with headers of many draws, as they are before surrogates."""
    block = Blocks(load_templates("en"), header=1, greeting=0, signature=0, footer=0)
    return [block.change(Annotated(Document("c", text), ()), draw(seed)) for seed in range(seeds)]


def said(notes: list[Annotated], label: str) -> list[str]:
    return [words for note in notes for own, words in synth_notes.marked(note) if own == label]


@pytest.mark.parametrize(
    ("text", "age", "is_she"),
    [
        ("The patient is a 33-year-old woman with a cough.", 33, True),
        ("HPI: This 75y/o RHM presented.", 75, False),
        ("63 yo F here w her husband, he is well, he waits.", 63, True),
        ("A 44 y.o. right-hand dominant male.", 44, False),
        ("Her mother, a 71-year-old woman, called. The patient is a 9 year old boy.", 9, False),
        ("She has a 2-year-old child. She is a 31-year-old female.", 31, True),
        ("Knee surgery when she was 14 years old. She is well.", None, True),
        ("The patient is a 7-month-old male.", 0, False),
        ("The patient is a 22-month-old female.", 1, True),
        ("En 71-årig man med feber.", 71, False),
        ("Mujer fumadora de 71 años, fumadora desde hace 20 años.", 71, True),
        ("No complaints.", None, None),
    ],
)
def test_age_and_sex_are_those_that_the_note_tells(
    text: str, age: int | None, is_she: bool | None
) -> None:
    assert told_age(text, ()) == age
    assert told_sex(text, ()) is is_she


def test_marked_ages_tell_too_in_any_language() -> None:
    spanish = persona("Varón de {EDAD_SUJETO_ASISTENCIA: 33 años}. Refiere tos.", "es")
    assert (spanish.age, spanish.sex, spanish.country) == (33, "male", "")
    assert persona("Lactante de {EDAD_SUJETO_ASISTENCIA: 7 meses}.", "es").age == 0
    assert persona("Pat {Age: 33} år, kvinna.", "sv").age == 33


@pytest.mark.parametrize(
    ("text", "country"),
    [(AMERICAN, "us"), (BRITISH, "uk"), ("Anaemia, oedema.", "uk"), ("Well today.", "")],
)
def test_the_country_is_told_by_spelling_drugs_and_numbers(text: str, country: str) -> None:
    assert told_country(text) == country


def test_headers_have_the_age_and_sex_of_the_note() -> None:
    notes = headed("The patient is a 33-year-old woman. " + AMERICAN)
    ages = said(notes, "AGE")
    assert len(ages) > 5
    assert set(ages) == {"33"}
    assert not any(re.search(r"\| 33 yo M|Sex: M|33/M", one.document.text) for one in notes)
    born = [one.document.text for one in notes if "DOB" in one.document.text]
    assert born
    assert all(re.search(r"DOB:? (?:0?3/14/(?:19)?86)", text) for text in born)


def test_the_day_of_birth_and_the_year_are_the_notes() -> None:
    who = persona("DOB {DATE: 5 May 1970}. Seen {DATE: 4/2/2023}, last {DATE: March 2021}.")
    assert (who.age, who.year) == (53, 2023)
    assert who.dated("03/14/1961", month_first=True) == "5 May 1970"
    assert who.dated("Mon 9/2/2019", month_first=True) == "9/2/2023"
    assert who.dated("9/2/19", month_first=True) == "9/2/23"
    assert who.dated("9/2", month_first=True) == "9/2"
    assert who.dated("in 1998", month_first=True) == "in 2002"


@pytest.mark.parametrize(
    ("text", "language", "year"),
    [
        ("Seen {DATE: 14/10/23}, first in {DATE: 1999}.", "en", 2023),
        ("DOB {DATE: 5/5/61}. Seen {DATE: 4-2-24}.", "en", 2024),
        ("Seen {DATE: 2 Sep 22}.", "en", 2022),
        ("Kom {Full_Date: 25-04-19}, make död {Date_Part: 1999}.", "sv", 2025),
        ("Kom {Full_Date: 250419}.", "sv", 2025),
        ("Seen {DATE: 4/98}, {DATE: 10/14}.", "en", 1998),
    ],
)
def test_years_of_two_digits_tell_when_a_note_was_written(
    text: str, language: str, year: int
) -> None:
    assert persona(text, language).year == year


def test_a_patient_who_has_a_surname_alone_keeps_it() -> None:
    who = persona("Ms. {PATIENT: Trujillo} is 48. Dr {DOCTOR: Hale} saw Mr {PATIENT: Reed}.")
    assert dict(who.names) == {"Walker": "Trujillo", "WALKER": "TRUJILLO"}
    assert not persona("Seen with {PATIENT: Frank}, the husband.").names


def test_a_patient_whose_names_are_marked_apart_keeps_them() -> None:
    text = "Läkare {First_Name: Bo} {Last_Name: Ek}. Pat: {First_Name: Gerd} {Last_Name: Wahlberg}."
    assert persona(text, "sv").names["Walker"] == "Wahlberg"
    turned = "Patient: {Last_Name: Wahlberg}, {First_Name: Gerd}"
    assert persona(turned, "sv").names["Ann"] == "Gerd"


def test_who_tells_no_age_is_an_adult_of_any() -> None:
    ages = {persona("No complaints.", seed=seed).age for seed in range(60)}
    assert len(ages) > 20
    assert min(ages) >= 18
    assert max(ages) < 95


def test_a_briton_has_the_day_in_front_and_nothing_american() -> None:
    who = Persona("female", {}, "uk")
    assert who.dated("09/02/2019", month_first=True) == "02/09/2019"
    assert who.dated("2019-09-02", month_first=True) == "2019-09-02"
    assert who.dated("06/2018", month_first=True) == "06/2018"
    notes = headed(BRITISH)
    assert said(notes, "PHONE")
    assert all(is_british(number) for number in said(notes, "PHONE"))
    assert not said(notes, "STATE")


def test_an_american_has_nothing_british() -> None:
    notes = headed(AMERICAN)
    assert said(notes, "PHONE")
    assert not any(is_british(one.document.text) for one in notes)


def test_templates_suit_adults_or_children_and_nobody_unborn() -> None:
    child, adult = Persona("female", {}, "us", 6), Persona("female", {}, "us", 40)
    job = Template.read("(us) (18+)  Works as a {PROFESSION: cook}. ", "i2b2-2014")
    assert job.words == " Works as a {PROFESSION: cook}. "
    assert (job.suits(child), job.suits(adult)) == (False, True)
    assert not job.suits(Persona("female", {}, "uk", 40))
    daughter = Template.read("Rose ({AGE: 24})", "i2b2-2014")
    assert (daughter.suits(child), daughter.suits(adult)) == (False, True)
    assert daughter.fill(adult, "i2b2-2014")[0] == "Rose (6)"
    moved = Template.read("Moved in {DATE: 1998}", "i2b2-2014")
    assert (moved.suits(child), moved.suits(adult)) == (False, True)


@pytest.mark.parametrize("told", ["", AMERICAN, BRITISH])
def test_no_note_has_a_letterhead_of_one_country_and_telephones_of_another(told: str) -> None:
    made = Synthesizer.of(Settings(3, layout=0, verify=False))
    areas = set(Regions.load("us", "en").of_area) | set(PLANS["us"].homes)
    text = f"The patient denies fever. He is well. {told}"
    for number in range(60):
        note = made.copy(Origin(synth_notes.written(text), is_carrier=True), number, 0, "c")
        phones = [w for own, w in synth_notes.marked(note) if own in ("PHONE", "FAX")]
        whole = [words for words in phones if sum(map(str.isdigit, words)) > 7]
        british = [words for words in whole if "".join(FIRST.findall(words)).startswith("0")]
        states = [w for own, w in synth_notes.marked(note) if own == "STATE"]
        assert not british or (british == whole and not states)
        for words in whole:
            digits = "".join(FIRST.findall(words))
            assert words in british or digits[-10:-7] in areas


def test_phrases_and_blocks_are_about_one_person() -> None:
    """Where the note does not tell, sex and country are drawn once for all that is inserted."""
    made = Synthesizer.of(Settings(3, layout=0, verify=False))
    text = "The patient reports a cough. The patient denies fever. Lungs are clear. All is well."
    hers, his = re.compile(r"\b(?:Mrs|Ms|She|Her)\b"), re.compile(r"\b(?:Mr|He|His)\b")
    told = 0
    for number in range(80):
        note = made.copy(Origin(synth_notes.written(text), is_carrier=True), number, 0, "c")
        words = note.document.text
        she = bool(hers.search(words)) or bool(re.search(r"yo F|Sex: F|/F\b", words))
        he = bool(his.search(words)) or bool(re.search(r"yo M|Sex: M|/M\b", words))
        assert not (she and he)
        told += she or he
    assert told > 20
