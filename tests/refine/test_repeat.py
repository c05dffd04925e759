from __future__ import annotations

import time
import unicodedata
from typing import Literal

import pytest

from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.repeat import Repeat, Settings, build
from phiscrub.tokenize.clinical import Clinical

REPEAT = Repeat(frozenset({"PATIENT", "DOCTOR"}), 0.75, frozenset({"rose", "long"}))
CHOSEN = Settings(labels=("PATIENT", "DOCTOR"))
CHOSEN_WORDS = Settings(labels=("PATIENT", "DOCTOR"), lists="en")


def repeated(
    text: str,
    *names: str,
    label: str = "PATIENT",
    score: float = 0.9,
    repeat: Repeat = REPEAT,
) -> list[tuple[str, int]]:
    """Mark the first occurrence of each name, and return what the refiner adds."""
    (note,) = Clinical().tokenize([Document("a", text)])
    spans = [Span(text.index(name), text.index(name) + len(name)) for name in names]
    mentions = [Mention(span, label, score, "test") for span in spans]
    refined = repeat.refine(note, mentions)
    assert refined[: len(mentions)] == tuple(mentions)
    return [(text[m.span.start : m.span.end], m.span.start) for m in refined[len(mentions) :]]


def words(text: str, *names: str, **more: object) -> list[str]:
    return [word for word, _ in repeated(text, *names, **more)]  # type: ignore[arg-type]


def test_each_part_repeats() -> None:
    assert words("Mr. Abel Kovac. Later Abel slept; Kovac woke.", "Abel Kovac") == ["Abel", "Kovac"]


def test_a_family_is_called_by_the_plural() -> None:
    text = "Noah Carter, booked with the Carters. The Carters rang. Two Carters, carters."
    assert words(text, "Noah Carter") == ["Carters", "Carters"]
    assert words("Ann Jones and the Joneses.", "Ann Jones") == ["Joneses"]
    assert words("Mr. Kova came, the boss too.", "Kova") == []


def test_forms_of_writing() -> None:
    text = "Kovac came. KOVAC left, kovac slept."
    assert words(text, "Kovac") == ["KOVAC", "kovac"]
    assert words("KOVAC came. Then Kovac left.", "KOVAC") == ["Kovac"]


@pytest.mark.parametrize("name", ["McDonald", "MacArthur", "DeVries"])
def test_an_inner_capital_repeats_however_it_is_written(name: str) -> None:
    text = f"Mr. {name} came. {name} ate well."
    assert words(text, name) == [name]
    assert words(f"{name.upper()} came. {name} left.", name.upper()) == [name]
    assert words(f"{name} came. {name.title()} left.", name) == [name.title()]


def test_a_listed_word_with_an_inner_capital_is_the_name() -> None:
    listed = Repeat(frozenset({"PATIENT"}), words=frozenset({"mcdonald"}))
    text = "Mr. McDonald came. McDonald ate well. Mcdonald criteria met."
    found = repeated(text, "McDonald", repeat=listed)
    assert found == [("McDonald", text.index("McDonald ate"))]


def test_a_name_with_an_apostrophe_repeats_as_one() -> None:
    text = "Mr. O'Brien came. O'Brien left, then O’BRIEN'S son, then Brien."
    assert words(text, "O'Brien") == ["O'Brien", "O’BRIEN", "Brien"]
    assert words("Brien came. O'Brienne left", "Brien") == []


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_accents_belong_to_the_word_in_either_encoding(form: Literal["NFC", "NFD"]) -> None:
    here = unicodedata.normalize("NFD", "José Núñez")
    text = f"{here} came. " + unicodedata.normalize(form, "José left. NÚÑEZ too; nunez, Jose")
    wanted = [unicodedata.normalize(form, word) for word in ("José", "NÚÑEZ")]
    assert words(text, here) == wanted


@pytest.mark.parametrize("name", ["Ng", "Wu", "Li", "Bo"])
def test_two_letters_behind_a_title_repeat_as_written(name: str) -> None:
    english = build(CHOSEN, Shelf("en", None))
    text = f"Dr. {name} came. The plan of {name}. {name.lower()} {name.upper()} {name}x."
    assert repeated(text, name, repeat=english) == [(name, text.index(f"{name}. "))]
    untitled = f"Then {name} came. The plan of {name}."
    assert repeated(untitled, name, repeat=english) == []


def test_a_title_within_the_mention_is_no_part() -> None:
    english = build(CHOSEN, Shelf("en", None))
    text = "Mrs. Ng came. Mrs. said Ng."
    assert repeated(text, "Mrs. Ng", repeat=english) == [("Ng", text.rindex("Ng"))]


def test_a_name_in_lower_case_behind_a_title_repeats() -> None:
    english = build(CHOSEN, Shelf("en", None))
    text = "mr. smithers walks. Then smithers, Smithers, SMITHERS."
    found = [word for word, _ in repeated(text, "smithers", repeat=english)]
    assert found == ["smithers", "Smithers", "SMITHERS"]
    assert repeated("then smithers. smithers", "smithers", repeat=english) == []
    assert repeated("Mr. van Dyk left in a van", "van Dyk", repeat=english) == []


def test_a_word_in_lower_case_behind_a_title_is_still_a_word() -> None:
    listed = build(Settings(labels=("PATIENT",), lists="en"), Shelf("en", None))
    text = "mrs. rose came. she rose. We saw Rose; told rose so."
    wanted = [("Rose", text.index("Rose")), ("rose", text.index("rose so"))]
    assert repeated(text, "rose", repeat=listed) == wanted


@pytest.mark.parametrize(
    ("language", "title"), [("en", "nurse"), ("es", "Dra."), ("sv", "Leg läk"), ("sv", "Fru")]
)
def test_titles_are_those_of_the_language(language: str, title: str) -> None:
    text = f"{title} Wu kom. Hos Wu."
    found = repeated(text, "Wu", repeat=build(CHOSEN, Shelf(language, None)))
    assert found == [("Wu", text.rindex("Wu"))]


def test_a_language_without_titles_has_none() -> None:
    foreign = build(CHOSEN, Shelf("xx", None))
    assert repeated("Dr. Ng. Kovac. Ng, Kovac", "Ng", "Kovac", repeat=foreign) == [("Kovac", 19)]


def test_a_possessive_is_left_outside() -> None:
    assert words("Kovac came. Saw Kovac's son.", "Kovac") == ["Kovac"]


def test_both_halves_of_a_double_name_repeat() -> None:
    assert words("Dr. Kovac-Lindh. Asked Lindh.", "Kovac-Lindh") == ["Lindh"]


def test_a_part_that_begins_a_longer_one_repeats_once_at_the_end_of_the_text() -> None:
    assert words("Ana'lia Lind, Ana Kovac. Ana", "Ana'lia", "Ana ") == ["Ana"]


def test_a_part_of_a_word_is_no_repetition() -> None:
    assert words("Hart came. Harty, Leihart, Hart2", "Hart") == []


def test_a_common_word_needs_its_capital_within_a_sentence() -> None:
    text = "Mrs. Rose came. Rose in pressure. He rose. ROSE in tone. We saw Rose."
    assert repeated(text, "Rose") == [("Rose", text.rindex("Rose"))]


def test_a_common_word_repeats_beside_what_makes_it_a_name() -> None:
    text = "Mrs. Rose came. Rose is tired. Asked per rose. She rose. told rose so."
    wanted = [text.index("Rose is"), text.index("rose."), text.index("rose so")]
    assert sorted(start for _, start in repeated(text, "Rose")) == wanted


def test_a_common_word_in_a_line_of_capitals_stays() -> None:
    assert words("SEEN BY DR ROSE. NO ROSE RASH. PER ROSE OK", "ROSE") == ["ROSE"]


def test_short_parts_and_lower_case_parts_do_not_repeat() -> None:
    assert words("Dr. Bo de Lind. de Bo", "Bo de Lind") == []


def test_a_weak_mention_is_not_believed() -> None:
    assert words("Kovac came. Kovac left.", "Kovac", score=0.7) == []


def test_other_labels_do_not_repeat() -> None:
    assert words("Kovac came. Kovac left.", "Kovac", label="CITY") == []


def test_the_label_is_that_of_the_first_mention() -> None:
    text = "Dr. Kovac, Mr. Kovac, Kovac"
    (note,) = Clinical().tokenize([Document("a", text)])
    first = Mention(Span(4, 9), "DOCTOR", 0.9, "test")
    second = Mention(Span(15, 20), "PATIENT", 0.9, "test")
    for mentions in ([first, second], [second, first]):
        assert REPEAT.refine(note, mentions)[2:] == (
            Mention(Span(22, 27), "DOCTOR", 0.9 * 0.9, "repeat:test"),
        )


@pytest.mark.parametrize(
    "text",
    [
        "Mr. Rose came.\n*Rose* - stable.",
        "Mr. Rose has cough. Plan: *Rose* to return in 2 wks.",
        "Dr. Rose saw her. *Rose* recommends surgery.",
        "Mr. Rose came.\n*Rose*: no complaints",
        "Mr. Rose came.\n*ROSE*, no pain",
        "Mr. Rose came. *Rose*'s wife too.",
        "Mr. Rose came. *ROSE* STABLE",
        "Mr. Rose came.\n*Rose*\nNo pain.",
        "Mr. Rose came. *Rose* c/o pain",
        "Mr. Rose came. *Rose* and his wife left",
        "Mr. Rose came. *Rose* left.",
    ],
)
def test_a_common_word_that_begins_a_sentence_is_the_name_before_a_deed_or_mark(text: str) -> None:
    start = text.index("*")
    text = text.replace("*", "")
    english = build(CHOSEN_WORDS, Shelf("en", None))
    assert [at for _, at in repeated(text, "Rose", repeat=english)] == [start]


@pytest.mark.parametrize(
    ("plain", "found"),
    [
        ("Ros mår bra.", ["Ros"]),
        ("Ros kontaktade sonen.", ["Ros"]),
        ("ROS VILL HEM", ["ROS"]),
        ("Ros på underbenet.", []),
        ("Ros behandlas med Kåvepenin.", []),
        ("Ros är smittsamt.", []),
        ("Ros kommer ofta tillbaka.", []),
        ("Ros uppgav tidigare behandlad.", ["Ros"]),
    ],
)
def test_what_people_do_in_swedish_tells_a_name_from_its_word(plain: str, found: list[str]) -> None:
    swedish = build(Settings(("PATIENT",), lists="sv"), Shelf("sv", None))
    assert [word for word, _ in repeated(f"Fru Ros kom. {plain}", "Ros", repeat=swedish)] == found


@pytest.mark.parametrize(
    "plain",
    [
        "Kidney rose.",
        "Rose sputum.",
        "Rose-coloured sputum.",
        "rose dust",
        "Rose at 350",
        "Rose to 350",
        "Rose to the occasion",
        "Rose left lung nodule",
        "Color: Rose, clear",
        "Rose spots on skin",
    ],
)
def test_a_common_word_that_begins_a_sentence_is_the_word_before_anything_else(plain: str) -> None:
    english = build(CHOSEN_WORDS, Shelf("en", None))
    assert repeated(f"Mr. Rose came. {plain}", "Rose", repeat=english) == []


def test_a_mark_is_too_little_behind_what_may_be_no_name() -> None:
    assert words("Saw Rose here.\nRose: none", "Rose") == []
    assert words("Saw Rose here.\nRose: none\nAnn Rose", "Rose", "Ann Rose") == ["Rose"]


def test_names_that_no_word_is_spelt_like_are_no_words() -> None:
    english = build(CHOSEN_WORDS, Shelf("en", None))
    text = "Mr. McDonald came. MCDONALD in bed. Mcdonald of this town; Smith of that."
    found = [word for word, _ in repeated(text, "McDonald", repeat=english)]
    assert found == ["MCDONALD", "Mcdonald"]
    assert words("Mr. Smith came. Smith in bed", "Smith", repeat=english) == ["Smith"]


def test_a_name_repeats_without_its_apostrophe_or_hyphen() -> None:
    assert words("Ms. O'Brien came. OBrien left. OBRIEN", "O'Brien") == ["OBrien", "OBRIEN"]
    assert words("Ms. OBrien came. O’Brien left.", "OBrien") == ["O’Brien"]
    assert words("Dr. Kovac-Lindh. SmithLindh, KovacLindh", "Kovac-Lindh") == ["KovacLindh"]


def labels(text: str, *marked: tuple[str, str]) -> list[str]:
    """Mark names one behind the other, and return the labels that they have then."""
    english = build(CHOSEN, Shelf("en", None))
    (note,) = Clinical().tokenize([Document("a", text)])
    mentions, at = [], 0
    for name, label in marked:
        start = text.index(name, at)
        at = start + len(name)
        mentions.append(Mention(Span(start, at), label, 0.8, "test"))
    return [m.label for m in english.refine(note, mentions)[: len(marked)]]


def test_a_mention_takes_the_label_of_the_one_name_with_a_title_that_has_its_parts() -> None:
    doctor, patient = ("de la Cruz", "DOCTOR"), ("Cruz", "PATIENT")
    assert labels("Dr. de la Cruz saw. Cruz agreed.", doctor, patient) == ["DOCTOR", "DOCTOR"]
    assert labels("Seen: de la Cruz. Cruz agreed.", doctor, patient) == ["DOCTOR", "PATIENT"]
    other = ("Ana Cruz", "PATIENT")
    assert labels("Dr. de la Cruz saw Ana Cruz.", doctor, other) == ["DOCTOR", "PATIENT"]
    assert labels("Ana Cruz; Dr. de la Cruz; Cruz", other, doctor, patient)[2] == "PATIENT"
    assert labels("Dr. de la Cruz, Mr. Cruz, Cruz", doctor, patient, patient)[1:] == [
        "PATIENT",
        "PATIENT",
    ]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Graves", "Dr. Graves treated his Graves disease. Asked *Graves*."),
        ("Hickman", "Mr. Hickman has a Hickman line. Saw *Hickman* today."),
        ("Foley", "Mr. Foley has a Foley catheter. Told *Foley*."),
        ("Whipple", "Dr. Whipple did a Whipple procedure; thanked *Whipple*."),
        ("Crohn", "Dr. Crohn saw him for Crohn's disease. Called *Crohn*."),
    ],
)
def test_a_name_does_not_repeat_as_a_word_of_a_medical_term(name: str, text: str) -> None:
    chosen = Settings(labels=("PATIENT", "DOCTOR"), lists="en", terms="medical")
    start = text.index("*")
    text = text.replace("*", "")
    assert repeated(text, name, repeat=build(chosen, Shelf("en", None))) == [(name, start)]


def test_time_grows_with_the_note_and_not_with_its_square() -> None:
    def seconds(names: int) -> float:
        words = [
            f"Ab{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{n // 676 * 'o'}" for n in range(names)
        ]
        text = " ".join(words + words)
        (note,) = Clinical().tokenize([Document("a", text)])
        half = len(text) // 2
        mentions = [Mention(s, "PATIENT", 0.9) for s in note.tokens if s.start < half]
        begun = time.process_time()
        assert len(REPEAT.refine(note, mentions)) > 1.9 * names
        return time.process_time() - begun

    few, many = (min(seconds(names) for _ in range(3)) for names in (2_000, 8_000))
    assert many < 10 * few + 0.2  # four times, and 16 for a square
