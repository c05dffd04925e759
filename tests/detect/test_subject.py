"""What is known of a patient is found however it is written, and nothing else is."""

from __future__ import annotations

import string
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import InputError, LabelError, MissingError, SettingsError
from phiscrub.core.labels import label_set
from phiscrub.detect.known import read_date
from phiscrub.detect.subject import KnownSubject, one_edit
from phiscrub.detect.subjects import read_subjects
from phiscrub.tokenize.clinical import Clinical

ANN = (
    ("PATIENT", "Annika Marie O'Connell"),
    ("PATIENT", "Bo von Platen"),
    ("DATE", "1950-03-14"),
    ("MEDICALRECORD", "00123456"),
    ("SSN", "123-45-6789"),
    ("PHONE", "+1 (617) 555-0199"),
    ("STREET", "12 North High Street, Apt 4"),
    ("CITY", "Ashby Falls"),
    ("EMAIL", "ann.oc@mail.example"),
)


def found(text: str, known: tuple[tuple[str, str], ...] = ANN, language: str = "en") -> list[str]:
    detector = KnownSubject(label_set("i2b2-2014"), language)
    (note,) = Clinical().tokenize([Document("n", text, Subject("p", known))])
    (mentions,) = detector.detect([note])
    covered = {i for m in mentions for i in range(m.span.start, m.span.end)}
    spans, start = [], None
    for index in range(len(text) + 1):
        if index in covered and start is None:
            start = index
        elif index not in covered and start is not None:
            spans.append(text[start:index])
            start = None
    return spans


@pytest.mark.parametrize(
    "words",
    [
        "Annika Marie O'Connell",
        "O'CONNELL, ANNIKA M",
        "annika marie o'connell",
        "O'Connell",
        "OConnell",
        "A. M. O'Connell",
        "Annika",
        "annika",
        "Aninka",
        "Annnika",
        "Marei O'Conell",
        "Bo von Platen",
        "von Platen",
        "3/14/1950",
        "03-14-50",
        "14/3/1950",
        "1950-03-14",
        "19500314",
        "March 14, 1950",
        "14th of March 1950",
        "14-Mar-50",
        "March 14",
        "123456",
        "00123456",
        "12 34 56",
        "123.45.6789",
        "123456789",
        "617-555-0199",
        "617 555 0199",
        "555-0199",
        "001 617 555 0199",
        "12 North High Street",
        "12 N. High St",
        "North High Street",
        "Apt. 4",
        "ASHBY FALLS",
        "ANN.OC@MAIL.EXAMPLE",
    ],
)
def test_each_form_is_found(words: str) -> None:
    assert found(f"Seen today: {words}; stable.") == [words]


def test_cues_make_parts_enough() -> None:
    assert found("SSN ending in 6789, born 1950, seen 6789 times since 1950.") == ["6789", "1950"]
    assert found("xxx-xx-6789 on file") == ["6789"]


@pytest.mark.parametrize(
    "text",
    [
        "Blood pressure 120/80, pulse 72, 40 mg of furosemide twice daily for 14 days.",
        "marked marie biscuits? no: a mark on the skin, high street drugs denied.",
        "The north wing was full; 617 patients, 555 visits.",
        "Seen on 3/15/1950 and 1951-03-14.",
        "Phone 617-555-0198, number 123457.",
    ],
)
def test_what_is_not_known_stays(text: str) -> None:
    known = tuple(pair for pair in ANN if "Marie" not in pair[1])
    assert found(text, known) == []


def test_words_that_are_names_need_a_capital() -> None:
    known = (("PATIENT", "Will Young"),)
    assert found("Mr. Young will stay; he is young. WILL YOUNG agrees.", known) == [
        "Young",
        "WILL YOUNG",
    ]


def test_misspelt_forms_are_no_common_words() -> None:
    assert found("Warm hands; Marten was here. House", (("PATIENT", "Martin Hause"),)) == ["Marten"]


def test_swedish_and_spanish_forms() -> None:
    swedish = (("DATE", "1950-03-14"), ("PHONE", "070-123 45 67"), ("STREET", "Storgatan 14"))
    for words in ("14 mars 1950", "14:e mars 1950", "14/3-50", "500314"):
        assert found(f"Född {words}.", swedish, "sv") == [words]
    for words in ("0701234567", "46 (0)70 123 45 67", "46701234567"):
        assert found(f"Ring {words} nu", swedish, "sv") == [words]
    for words in ("Storgatan 14", "Storg. 14", "Storgatan"):
        assert found(f"Bor {words} nu", swedish, "sv") == [words]
    spanish = (("DATE", "14/03/1950"),)
    for words in ("14 de marzo de 1950", "14-03-50", "14 marzo"):
        assert found(f"Nacido {words}.", spanish, "es") == [words]


def test_labels_are_those_of_the_set() -> None:
    detector = KnownSubject(label_set("stockholm-epr"), "sv")
    known = (("PATIENT", "Anna Ek"), ("First_Name", "Greta"))
    text = "Anna och Greta"
    (note,) = Clinical().tokenize([Document("n", text, Subject("p", known))])
    (mentions,) = detector.detect([note])
    assert [m.label for m in mentions] == ["Last_Name", "First_Name"]
    assert {m.label for m in mentions} <= detector.labels <= set(label_set("stockholm-epr").labels)


def test_only_the_notes_own_subject_counts() -> None:
    detector = KnownSubject(label_set("i2b2-2014"), "en")
    ann, bob = Subject("a", (("PATIENT", "Zelda"),)), Subject("b", (("PATIENT", "Quirk"),))
    text = "Zelda met Quirk."
    subjects = (ann, bob, None, Subject("c"))
    notes = Clinical().tokenize([Document(str(i), text, s) for i, s in enumerate(subjects)])
    spans = [[text[m.span.start : m.span.end] for m in ms] for ms in detector.detect(notes)]
    assert spans == [["Zelda"], ["Quirk"], [], []]
    assert [detector.detect([note])[0] for note in notes] == list(detector.detect(notes))


def test_an_unknown_label_fails_without_the_words() -> None:
    with pytest.raises(LabelError) as error:
        found("text", (("COLOUR", "Zelda"),))
    assert "Zelda" not in str(error.value)


NAME = st.text(string.ascii_lowercase, min_size=8, max_size=12).map(lambda w: "Q" + w)


@st.composite
def misspelt(draw: st.DrawFn) -> tuple[str, str]:
    name = draw(NAME)
    at = draw(st.integers(1, len(name) - 2))
    letter = draw(st.sampled_from(string.ascii_lowercase))
    swapped = name[:at] + name[at + 1] + name[at] + name[at + 2 :]
    forms = (name[:at] + name[at + 1 :], name[:at] + letter + name[at:], swapped)
    return name, draw(st.sampled_from((*forms, name[:at] + letter + name[at + 1 :])))


@given(misspelt(), st.sampled_from((str.lower, str.upper, str.title)))
@settings(max_examples=60, deadline=None)
def test_any_one_edit_is_found(pair: tuple[str, str], case: object) -> None:
    name, form = pair
    written = case(form)  # type: ignore[operator]
    assert one_edit(name, form)
    assert found(f"Seen: {written} (stable)", (("PATIENT", name),)) == [written]


@given(NAME, NAME, st.sampled_from(("{f} {l}", "{l}, {f}", "{f[0]}. {l}", "{l} {f[0]}", "{l}")))
@settings(max_examples=40, deadline=None)
def test_any_order_is_found(first: str, last: str, form: str) -> None:
    written = form.format(f=first, l=last)
    assert found(f"with {written} today", (("PATIENT", f"{first} {last}"),)) == [written]


@given(
    st.text(string.digits, min_size=6, max_size=12).filter(lambda d: d[0] != "0"),
    st.sets(st.integers(1, 11), max_size=4),
    st.sampled_from(" -./"),
)
@settings(max_examples=60, deadline=None)
def test_any_grouping_of_a_number_is_found(digits: str, cuts: set[int], mark: str) -> None:
    grouped = "".join(mark * (i in cuts) + c for i, c in enumerate(digits))
    assert found(f"record {grouped} pulled", (("IDNUM", digits),)) == [grouped]


@given(st.dates(date(1910, 1, 1), date(2029, 12, 31)), st.sampled_from(("en", "es", "sv")))
@settings(max_examples=60, deadline=None)
def test_any_date_is_found(day: date, language: str) -> None:
    assert read_date(day.isoformat(), language) == day
    known = (("DATE", day.isoformat()),)
    for form in ("%Y-%m-%d", "%d/%m/%Y", "%d.%m.%y", "%Y%m%d", "%y%m%d"):
        written = day.strftime(form)
        assert found(f"on {written} he", known, language) == [written]


@given(st.text(string.ascii_letters + " \n", max_size=80), st.integers(10**6, 10**9))
@settings(max_examples=60, deadline=None)
def test_text_without_them_yields_nothing(text: str, number: int) -> None:
    known = (("IDNUM", str(number)), ("DATE", "1950-03-14"), ("PATIENT", "Ååååååååå Öööööööööö"))
    assert found(text, known) == []


def test_one_edit_is_damerau_levenshtein() -> None:
    yes = [("martin", "martin"), ("martin", "matrin"), ("martin", "martn"), ("martin", "martinn")]
    assert all(one_edit(a, b) and one_edit(b, a) for a, b in [*yes, ("martin", "mertin")])
    no = [("martin", "mratni"), ("martin", "mart"), ("martin", "nitram"), ("abcd", "badc")]
    assert not any(one_edit(a, b) or one_edit(b, a) for a, b in no)


def test_long_runs_take_no_quadratic_time() -> None:
    for text in ("x" * 100_000, "1 " * 50_000, "A. " * 33_000, "last four " * 10_000):
        found(text)


def test_a_table_is_read(tmp_path: Path) -> None:
    file = tmp_path / "known.csv"
    file.write_text(
        "Patient ID,name,DOB,phone,Relatives,ZIP\n"
        'p1,"Lee, Ann",1950-03-14,555-0100;555-0101,Bo Lee ; Cy Lee,02139\n\n'
        "p1,Ann Poe,,,,\np2,,,,,\n",
        "utf-8",
    )
    subjects = read_subjects(file)
    assert set(subjects) == {"p1", "p2"}
    assert subjects["p1"].known == (
        ("PATIENT", "Lee, Ann"),
        ("DATE", "1950-03-14"),
        ("PHONE", "555-0100"),
        ("PHONE", "555-0101"),
        ("PATIENT", "Bo Lee"),
        ("PATIENT", "Cy Lee"),
        ("ZIP", "02139"),
        ("PATIENT", "Ann Poe"),
    )
    assert subjects["p2"].known == ()


@pytest.mark.parametrize(
    ("content", "kind", "told"),
    [
        ("name\nZelda\n", SettingsError, "patient's key"),
        ("id,colour\np1,Zelda\n", SettingsError, "column 2"),
        ("id,name\np1,Zelda,x\n", InputError, "line 2"),
        ("id,name\n,Zelda\n", InputError, "line 2"),
        ('id,name\np1,"Zelda"x\n', InputError, "line 2"),
        ("", SettingsError, "patient's key"),
    ],
)
def test_a_bad_table_names_the_line_only(
    tmp_path: Path, content: str, kind: type[Exception], told: str
) -> None:
    file = tmp_path / "known.csv"
    file.write_text(content, "utf-8")
    with pytest.raises(kind, match=told) as error:
        read_subjects(file)
    assert "Zelda" not in str(error.value)


def test_a_missing_table(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        read_subjects(tmp_path / "none.csv")
