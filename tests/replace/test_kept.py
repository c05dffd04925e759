from __future__ import annotations

import re
from datetime import date, datetime

from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.check import Tally
from phiscrub.replace.kept import Kept, facts
from phiscrub.replace.policed import Policed
from phiscrub.replace.policy import load_policy

TEXT = "Lena Ortiz, 63, weaver of Boise, seen 3/14/2012."
MARKS = (
    ("Lena Ortiz", "PATIENT"),
    ("63", "AGE"),
    ("weaver", "PROFESSION"),
    ("Boise", "CITY"),
    ("3/14/2012", "DATE"),
)
HUBS = label_set("i2b2-2014").to_hub


def mentions(text: str = TEXT, marks: tuple[tuple[str, str], ...] = MARKS) -> tuple[Mention, ...]:
    spans = ((text.index(w), text.index(w) + len(w), label) for w, label in marks)
    return tuple(Mention(Span(a, b), label) for a, b, label in spans)


def tallied(policy: str, dates: str = "shift", professions: str = "replace") -> set[str]:
    """Return the kinds of which something stays of one patient."""
    settings = surrogates.Settings(dates=dates, professions=professions)
    made = Policed(load_policy(policy), surrogates.build(settings, Shelf("en", None)))
    redaction = made.replace(Document("n", TEXT), Cover.of(mentions()))
    tally = Tally()
    tally.add(
        "p",
        TEXT,
        redaction.cover.mentions,
        redaction.output,
        HUBS,
        calendar=Calendar.load("en") if dates == "shift" else None,
        kept=redaction.kept,
    )
    kinds = ("ages", "places", "professions", "years")
    return {kind for kind in kinds if tally.kept.alone(kind) == (1, 1)}


def test_what_stays_follows_the_policy_and_what_becomes_of_dates() -> None:
    assert tallied("i2b2") == {"ages"}
    assert tallied("i2b2", professions="keep") == {"ages", "professions"}
    assert tallied("i2b2", dates="keep") == {"ages", "years"}
    assert tallied("limited-data-set") == {"ages", "places", "professions", "years"}
    assert tallied("safe-harbor", dates="remove") >= {"years"}


def test_facts_are_folded_and_of_dates_only_years() -> None:
    assert list(facts("CITY", " BOISE")) == [("places", "boise")]
    assert list(facts("DATE", "March 2012 to 4/13")) == [("years", "2012")]
    assert not list(facts("PATIENT", "Lena Ortiz"))


def test_who_is_alone_by_one_kind_may_not_be_by_another() -> None:
    kept = Kept()
    kept.add(b"a", {("ages", "63"), ("places", "boise")})
    kept.add(b"b", {("ages", "63"), ("places", "tulsa")})
    kept.add(b"c", {("ages", "70")})
    kept.add(b"d", set())
    assert kept.alone("ages") == (1, 3)
    assert kept.alone("places") == (2, 2)
    assert kept.alone("years") == (0, 0)
    assert kept.alone() == (3, 3)


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(("63", "70", "81")))))
def test_notes_of_one_patient_are_one_patient(pairs: list[tuple[str, str]]) -> None:
    kept = Kept()
    for patient, age in pairs:
        kept.add(patient.encode(), {("ages", age)})
    sets = [frozenset(age for p, age in pairs if p == patient) for patient in {p for p, _ in pairs}]
    assert kept.alone("ages") == (sum(sets.count(s) == 1 for s in sets), len(sets))


def test_the_output_of_a_policy_is_what_it_was() -> None:
    made = Annotated(Document("n", TEXT), mentions())
    policed = Policed(
        load_policy("limited-data-set"), surrogates.build(surrogates.Settings(), Shelf("en", None))
    )
    redaction = policed.replace(made.document, Cover.of(made.mentions))
    assert {m.label for m in redaction.kept} == {"AGE", "PROFESSION", "CITY", "DATE"}
    assert {m.label for m in redaction.cover} == {"PATIENT"}


def dated(text: str, *words: str, **told: str) -> str:
    """Scrub the dates of a note under safe harbor."""
    settings = surrogates.Settings(**told)
    made = Policed(load_policy("safe-harbor"), surrogates.build(settings, Shelf("en", None)))
    found = mentions(text, tuple((word, "DATE") for word in words))
    return made.replace(Document("n", text), Cover.of(found)).text


def test_the_year_that_stands_is_the_moved_dates() -> None:
    for _ in range(20):
        was, put = date(2012, 4, 20), dated("Seen 4/20/2012.", "4/20/2012")[5:-1]
        moved = datetime.strptime(put, "%m/%d/%Y").date()  # noqa: DTZ007 - a day
        assert 30 <= abs((moved - was).days) <= 365


def test_no_surrogate_tells_an_age_over_89_by_its_year() -> None:
    text = "Seen 4/20/2012, born 3/4/1915, DOB 5/6/15, in 19180304."
    words = ("4/20/2012", "3/4/1915", "5/6/15", "19180304")
    assert "[" not in dated("Seen 4/20/12 1915.", "4/20/12 1915")
    for mode, seen in (("shift", r"\d+/\d+/201[123]"), ("onset", "onset")):
        told = dated(text, *words, dates=mode)
        assert re.fullmatch(rf"Seen {seen}, born \[DATE\], DOB \[DATE\], in \[DATE\]\.", told)


def test_british_cues_tell_the_order_of_days_and_months() -> None:
    def days(text: str, **told: str) -> int:
        found = mentions(text, (("03/04/2012", "DATE"), ("05/04/2012", "DATE")))
        made = surrogates.build(surrogates.Settings(**told), Shelf("en", None))
        first, last = made.replace(Document("n", text), Cover.of(found)).replacements
        form = "%d/%m/%Y" if told.get("country") != "us" else "%m/%d/%Y"
        return (datetime.strptime(last, form) - datetime.strptime(first, form)).days  # noqa: DTZ007

    stay = "Admitted 03/04/2012, discharged 05/04/2012."
    for _ in range(5):
        assert days(f"NHS No: 943 476 5919. {stay}") == 2
        assert days(stay, setting="uk") == days(stay, country="uk") == 2
        assert days(f"NHS {stay}", country="us") == 61
