"""Ages right behind names."""

from __future__ import annotations

import pytest

from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.refine.aged import Aged
from phiscrub.tokenize.clinical import Clinical

REFINER = Aged(frozenset({"PATIENT"}))


def ages(text: str, *names: str) -> list[str]:
    (note,) = Clinical().tokenize([Document("note", text)])
    spans = [Span(text.index(name), text.index(name) + len(name)) for name in names]
    mentions = [Mention(span, "PATIENT", 0.8, "test") for span in spans]
    refined = REFINER.refine(note, mentions)
    assert list(refined[: len(mentions)]) == mentions
    assert {m.label for m in refined[len(mentions) :]} <= {"AGE"}
    return [text[m.span.start : m.span.end] for m in refined[len(mentions) :]]


@pytest.mark.parametrize(
    ("text", "name", "age"),
    [
        ("Milan Horak 24 meniscus", "Milan Horak", "24"),
        ("Sr. Perpetua Dunne, 79. Hip.", "Perpetua Dunne", "79"),
        ("3 | Mrs A. Owusu | 70s | fall", "A. Owusu", "70s"),
        ('"Chip" 68 here', "Chip", ""),
        ("Horak  44  crown", "Horak", "44"),
        ("Horak (44) rang", "Horak", "44"),
        ("horak 44m chest pain", "horak", "44"),
        ("Milan Horak 104", "Milan Horak", "104"),
        ("brother Petr 6 stays home", "Petr", "6"),
        ("sister Petra 16 stays home", "Petra", "16"),
        ("Petr 6 stays home", "Petr", ""),
        ("Braden 13", "Braden", ""),
        ("Milan Horak 40 mg daily", "Milan Horak", ""),
        ("Milan Horak 12 May", "Milan Horak", ""),
        ("Milan Horak 12/5", "Milan Horak", ""),
        ("Milan Horak 10:30", "Milan Horak", ""),
        ("Milan Horak, 14 Birch Road", "Milan Horak", ""),
        ("Milan Horak 2019", "Milan Horak", ""),
        ("Milan Horak 98%", "Milan Horak", ""),
        ("Milan Horak", "Milan Horak", ""),
    ],
)
def test_age_behind_a_name(text: str, name: str, age: str) -> None:
    assert ages(text, name) == ([age] if age else [])


def test_other_labels_have_no_age() -> None:
    (note,) = Clinical().tokenize([Document("note", "Leeds Park, 44")])
    place = Mention(Span(0, 10), "CITY", 0.9, "test")
    assert REFINER.refine(note, [place]) == (place,)


def test_one_age_for_two_claims_of_a_name() -> None:
    assert ages("Milan Horak, 44.", "Milan Horak", "Horak") == ["44"]
