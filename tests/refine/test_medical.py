from __future__ import annotations

from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import MissingError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.lexicons.near import within_one
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.medical import Medical, Settings, Told, build
from phiscrub.refine.medical_terms import LEAST_NEAR, ROLES, MedicalTerms
from phiscrub.tokenize.clinical import Clinical
from strategies import documents, mentions

FOLDER = resources.files("phiscrub") / "data" / "lexicons" / "medical"
TERMS = MedicalTerms.load(FOLDER)
MEDICAL = Medical(
    TERMS,
    Told(TERMS),
    frozenset({"PATIENT", "DOCTOR", "CITY"}),
    frozenset({"DATE", "PROFESSION"}),
    towns=frozenset({"CITY"}),
    places=frozenset({"CITY"}),
)


def stays(marked: str, label: str = "PATIENT", score: float = 0.6) -> bool:
    """Tell whether the words in braces are left as medical."""
    start = marked.index("{")
    end = marked.index("}") - 1
    text = marked.replace("{", "").replace("}", "")
    (note,) = Clinical().tokenize([Document("n", text)])
    return MEDICAL.refine(note, [Mention(Span(start, end), label, score)]) == ()


@pytest.mark.parametrize(
    "text",
    [
        "hx of {Parkinson}'s and HTN",
        "{Parkinson}'s disease",
        "{Fosavance} on Sundays",
        "given {Disprin} and Sorbitrate",
        "FP {Jadelle} counselled",
        "They gave {Lonart} and paracetamol",
        "{Sgarbossa} criteria not met",
        "smokes {Peter Stuyvesant}, 8 a day",
        "{PARKINSON}'S DISEASE",
        "{Parkinson's Disease}",
        "{Hodgkins} lymphoma",
        "mother: {Parkinson} disease",
        "father {Parkinson}'s disease",
        "patient with {Parkinson}'s.",
        "PMH: {Crohn}'s",
        "{Foley} placed",
        "{Foley Catheter} placed",
        "a new {Hickman} line",
        "{Apgar} 8 and 9",
        "negative {Homans} sign",
        "No {Howell-Jolly}, no Heinz",
        "other {Schneider} first rank symptoms absent",
        "{Wong}'s faces 0",
        "right {Quinton} line",
        "restart {Empa}, sick day rules",
        "open, drain, {Ledermix}",
        "{Babinski} downgoing",
        "started {Coumadin} today",
        "started {Coumadine} today",
        "takes {Metoprolool} daily",
        "{Zovirastatin} 10 mg",
        "{Guillain}-Barre syndrome",
        "{Guillain-Barre}",
        "Charcot-{Marie}-Tooth",
        "{Wilson}'s disease",
        "{Murphy}'s sign positive",
        "{Smith} fracture",
        "Sister {Mary Joseph} nodule",
        "tetralogy of {Fallot}",
        "{Lasix}, {Zocor}".replace("{Zocor}", "Zocor"),
        "{Klebsiella} in urine",
    ],
)
def test_medical_terms_stay(text):
    assert stays(text)


@pytest.mark.parametrize(
    "text",
    [
        "Mr. {Parkinson} is here",
        "Mr. {Parkinson}'s disease has progressed",
        "{Parkinson} was seen",
        "{Parkinson, James}",
        "{James Parkinson}",
        "Dr. {Foley} rounded",
        "{Foley}, MD",
        "{Foley} RN",
        "J. {Foley} called",
        "was signed by {Foley}",
        "seen with Megan {Foley} today",
        "her son {Foley}",
        "Patient: {Crohn}",
        "Name: {Hickman}",
        "{Smith}'s leg",
        "{Wilson}'s gait is steady",
        "{Graham}'s parents",
        "stays with {Graham}'s parents",
        "lives with {Iris} now",
        "her friend {Carol} called",
        "BRENNAN, {CONCEPTA}",
        "{Allegra} was seen",
        "{Chin} was seen",
        "{Jordan}",
        "{...}",
    ],
)
def test_people_keep_their_label(text):
    assert not stays(text)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Officer {Foley} present at bedside", 0.9),
        ("Chaplain {Foley} present with them", 0.9),
        ("His supervisor, {Brayden}, rings weekly", 1.0),
        ("INTUBATED ({STRICKLER}, MAC 3, GRADE 2A)", 0.96),
        ("by houseman {Timi}. he is", 0.9),
        ("{Foley} the optician at", 0.6),
        ("RN         {Emmeline Strauss}, flight physician", 0.84),
        ("told her ring {brewis} for herself", 0.84),
        ("{Foley} called the desk", 0.6),
        ("{Foley} denies pain", 0.6),
        ("{Foley} agrees with plan", 0.6),
        ("Foley, {Foley} is a 72 year old", 0.6),
        ("{Austin Moore}, 45 M, cough", 0.9),
        ("{Miller Fisher} is a 63 year old man", 0.9),
        ("Pt: {Jackson Pratt}", 0.9),
        ("\n{Foley}, Anna", 0.9),
        ("VISIT\n{Phommasone}, Khamphet   chair 14", 0.7),
        ("with a z ({Marizol}); fixed", 0.61),
        ("her friend {Kesone}", 0.9),
        ("{Tanner}, 3, is brought by his mother", 0.9),
        ("{Tanner} 2 yo here", 0.9),
        ("{Miller} Fisher is a 63 year old man", 0.9),
        ("Report given to {Foley}.", 0.6),
        ("Cc: {Foley}", 0.6),
        ("c.c.  {Foley};  N. Moss", 0.6),
        ("Dtr {Senna} at bedside", 0.6),
        ("Intern {Babinski} examined", 0.6),
        ("Best wishes,\n{Foley}", 0.6),
        ("Dr. Moss and {Hickman} rounded", 0.6),
        ("Drs Moss, {Hickman}, and Swan", 0.6),
        ("Drs Moss, Hickman, and {Swan} present", 0.6),
        ("Moss (surgery), {Foley} (urology)", 0.6),
        ("has the ward number. {ck}\n\n--- phone", 0.6),
        ("fed well, asleep. {CK}", 0.6),
    ],
)
def test_people_beside_what_tells_a_person(text: str, score: float) -> None:
    assert not stays(text, score=score)


@pytest.mark.parametrize(
    "text",
    [
        "lives in {Norco} with his wife",
        "From {Chiari} in Italy",
        "boat to {Boston}, canal digger",
        "lives in {Nottingham} area",
        "{Boston} area resident",
        "raised in {Milwaukee}, present job in sales",
        "81F {GWEEDORE}  GMS 4417720C",
        "picks mushrooms nr {Raglan}, sick note",
        "CHW (ward {27}) weigh",
    ],
)
def test_towns_that_are_terms_elsewhere(text: str) -> None:
    assert not stays(text, "CITY", 0.85)


@pytest.mark.parametrize(
    "text",
    [
        "{Chvostek}, Trousseau signs",
        "no {Kernig}, Brudzinski sign",
        "a {Boston} brace",
        "takes {Metoprolool} daily",
        "on {Rocephine} and Flagyl",
        "BNP, trop, {CK}",
        "Labs: {CK}\nXR",
    ],
)
def test_terms_past_a_comma_or_misspelt(text: str) -> None:
    assert stays(text)


def test_a_firm_or_a_house_is_no_misspelt_phrase() -> None:
    assert TERMS.phrase_around(["died", "at"], ["norwood", "state"], [])
    assert not TERMS.phrase_around(["died", "at"], ["norwood", "state"], [], exact=True)
    assert not stays("in {Norwood State}", "DATE")


def test_what_terms_are_not_also_called() -> None:
    """A hospital by its short name, a day before a finding."""
    assert not TERMS.phrase_around(["seen", "at"], ["toronto", "western"], ["in"])
    assert not stays("stiff since {Sunday} morning stiffness", "DATE")


def test_a_believed_source_is_overruled_only_by_what_the_words_say_together():
    assert not stays("{Coumadin} came", score=0.99)
    assert stays("{Parkinson}'s disease", score=0.99)


def test_some_labels_only_as_part_of_a_term_of_several_words():
    assert stays("{May}-Thurner syndrome", "DATE")
    assert stays("{March} fracture", "DATE")
    assert stays("{farmer}'s lung", "PROFESSION")
    assert not stays("seen in {May}", "DATE")
    assert not stays("{Lasix}", "DATE")


def test_other_labels_are_not_looked_at():
    assert not stays("{Parkinson}'s disease", "HOSPITAL")


def test_the_sentence_ends_what_an_eponym_can_qualify():
    assert stays("called {Takayasu} arteritis".replace("called ", "a "))
    assert not stays("a {Takayasu}. Arteritis is absent")


def test_names_and_places_near_a_term_need_to_be_listed():
    """An edit or a stem makes no drug of what people are called."""
    for name in ("martin", "palmer", "april", "carolina"):
        assert TERMS.is_a_name([name]) or not TERMS.is_medical(name)


def test_the_lists_are_as_long_as_they_should_be():
    def count(name: str) -> int:
        lines = (FOLDER / f"{name}.txt").read_text("utf-8").splitlines()
        assert len(lines) == len(set(lines))
        return sum(not line.startswith("#") for line in lines)

    assert count("eponyms") >= 400
    assert count("drugs") >= 800
    assert count("stems") >= 400


def test_terms_of_ones_own_stand_beside_copies_of_those_that_ship(tmp_path):
    for file in FOLDER.iterdir():
        (tmp_path / file.name).write_text(file.read_text("utf-8"), "utf-8")
    (tmp_path / "ours.txt").write_text("zorbaflex\n", "utf-8")
    (note,) = Clinical().tokenize([Document("n", "Was given Zorbaflex at night.")])
    name = (Mention(Span(10, 19), "PATIENT", 0.6),)

    def left(terms: str) -> tuple[Mention, ...]:
        medical = build(Settings(("PATIENT",), terms=terms), Shelf("en", tmp_path.parent))
        return medical.refine(note, name)

    assert left("medical") == name
    assert left(f"./{tmp_path.name}") == ()


def test_a_folder_without_a_list_that_has_a_role(tmp_path):
    (tmp_path / "eponyms.txt").write_text("Foley\n")
    with pytest.raises(MissingError, match=r"also_names\.txt"):
        MedicalTerms.load(tmp_path)


@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_nothing_is_added_changed_or_reordered(data):
    document = data.draw(documents())
    found = data.draw(mentions(len(document.text)))
    note: Note = Clinical().tokenize([document])[0]
    kept = iter(found)
    assert all(any(mention == other for other in kept) for mention in MEDICAL.refine(note, found))


SOUNDS = ("ba", "lo", "mi")
SAID = st.builds("".join, st.lists(st.sampled_from(SOUNDS), min_size=1, max_size=4))


def slipped(word: str) -> list[str]:
    """Return a word as it is, with its first letter doubled, and with its last one lost."""
    return [word, word[0] + word, word[:-1]]


@settings(max_examples=300)
@given(st.lists(st.lists(SAID, min_size=1, max_size=3), min_size=1, max_size=6), st.data())
def test_terms_of_several_words_are_found_as_by_trying_each_at_each_place(terms, data):
    said = data.draw(st.lists(st.sampled_from(terms), min_size=1, max_size=3))
    row = [data.draw(st.sampled_from(slipped(word))) for term in said for word in term]
    first = data.draw(st.integers(0, len(row) - 1))
    last = data.draw(st.integers(first + 1, len(row)))
    with TemporaryDirectory() as place:
        folder = Path(place)
        for role in ROLES:
            (folder / f"{role}.txt").write_text("")
        (folder / "terms.txt").write_text("".join(f"{' '.join(term)}\n" for term in terms))
        loaded = MedicalTerms.load(folder)

    def is_same(one: str, other: str, least: int) -> bool:
        near = min(len(one), len(other)) >= least and within_one(one, other)
        return one == other or near

    def stands(term: list[str], start: int) -> bool:
        stretch = row[max(start, 0) : start + len(term)]
        return (
            0 <= start <= first
            and last <= start + len(term) <= len(row)
            and all(is_same(a, b, LEAST_NEAR - 1) for a, b in zip(stretch, term, strict=True))
            and is_same(row[first], term[first - start], LEAST_NEAR)
        )

    tried = any(stands(term, start) for term in terms if len(term) > 1 for start in range(len(row)))
    assert loaded.phrase_around(row[:first], row[first:last], row[last:]) == tried


def test_a_town_before_its_state_is_no_term_of_one_word() -> None:
    assert not stays("a {Foley}, AL resident", "CITY")
    assert stays("a {Foley}, AL resident", "PATIENT")
    assert stays("has a {Foley}, CT chest done", "CITY")
    assert stays("has a {Foley}, then left", "CITY")
    assert not stays("lives in {Lyme}, CT", "CITY", 0.9)
    assert stays("{Lyme} disease, CT scan", "CITY")


def test_towns_are_labels_that_the_hub_calls_so() -> None:
    chosen = Settings(labels=("CITY", "STATE"), label_set="i2b2-2014")
    assert build(chosen, Shelf("en", None)).towns == {"CITY"}
    assert build(chosen, Shelf("en", None)).places == {"CITY", "STATE"}
