"""Rosters: a list whose lines begin with names names somebody on each of them."""

from __future__ import annotations

import pytest

import phiscrub
from phiscrub.core.document import Document


def people(text: str) -> list[str]:
    """Return the names that the English rules find in a text."""
    rules = phiscrub.load("en-rules")
    found = rules.covers([Document("note", text)])[0]
    return [text[m.span.start : m.span.end] for m in found if m.label in ("PATIENT", "DOCTOR")]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "Ward\nAbernathy - hip, day 2\nLong - for home\nKowalczyk - chest\nBrannigan - CT\n",
            ["Abernathy", "Long", "Kowalczyk", "Brannigan"],
        ),
        (
            "Today\n4 Lindqvist chest pain\n5 Young cellulitis\n6 Hernandez COPD\n7 Osterman UTI\n",
            ["Lindqvist", "Young", "Hernandez", "Osterman"],
        ),
    ],
)
def test_a_common_word_among_names_is_a_name(text: str, names: list[str]) -> None:
    assert people(text) == names


@pytest.mark.parametrize(
    "text",
    [
        "Seen\nBrown - sputum\nGreen - nails\nLong - standing cough\nShort - of breath\n",
        "Exam\nSkin - dry\nHeart - regular\nLungs - clear\nAbdomen - soft\n",
        "Meds\n1. Aspirin 81 mg\n2. Metoprolol 25 mg\n3. Colace 100 mg\n",
        "Ward\nLindqvist - hip\nYoung - chest\n",
    ],
)
def test_a_list_of_other_things_is_no_roster(text: str) -> None:
    assert not [name for name in people(text) if name != "Lindqvist"]
