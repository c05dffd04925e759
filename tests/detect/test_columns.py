"""Cells are told by the heads of their columns."""

from __future__ import annotations

import pytest

from phiscrub.core.document import Document
from phiscrub.detect import columns
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical

COLUMNS = columns.build(columns.Settings(), Shelf("en", None))


def found(text: str) -> list[tuple[str, str]]:
    (mentions,) = COLUMNS.detect(Clinical().tokenize([Document("x", text)]))
    return [(m.label, text[m.span.start : m.span.end]) for m in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Relative     Age   Condition\nmother       71    stroke\nbrother      44 yr well\n",
            [("AGE", "71"), ("AGE", "44")],
        ),
        (
            "Bed | Name | MRN | Plan\n4 | Oduya, Femi | 0041776 | home\n5 | none | - | -\n",
            [("PATIENT", "Oduya, Femi"), ("MEDICALRECORD", "0041776")],
        ),
        (
            "Vaccine\tDate\tLot\tBy\nMMR\t3/4/19\tK44A\tRQ\n",
            [("DATE", "3/4/19"), ("IDNUM", "K44A"), ("DOCTOR", "RQ")],
        ),
        ("Name: X    Age: 7\nMary      12\n", []),
        ("Test     Result   Range\nNa       140      135-145\n", []),
        ("Relative     Age\nmother       71\n\nsister       60\n", [("AGE", "71")]),
        ("Age   Sex\nfine\n44    M\n", []),
        ("Surname   ODE   First name   Ann\nAddress   Elms   Mobile   none\n", []),
        ('name,age,sex\n"Ode, Ann",44,F\n', [("PATIENT", "Ode, Ann"), ("AGE", "44")]),
        ("bed^age^dx\n4^61/F^CHF\nall others went home, 70\n", [("AGE", "61")]),
        ("Bloods, age, weight\nthen 44, then 50\n", []),
        ("RN        ZB       ZB      HKT\nNa  140\n", [("DOCTOR", n) for n in ("ZB", "ZB", "HKT")]),
        ("time | 08 | 12\nTurned/by | L BH | sit QR\n", [("DOCTOR", "BH"), ("DOCTOR", "QR")]),
        ("Initials:   gf    gf   \n", [("DOCTOR", "gf"), ("DOCTOR", "gf")]),
        ("By    RN    HCA\n", []),
        ("RN        ZB\n", []),
        ("Staff    YES    NO    ON\n", []),
        ("RN  settled overnight  no events  MJ  7\n", []),
    ],
)
def test_cells(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize("text", ["", "\n\n", "|", "Age  ", "  Age  |  ", "\tAge\t\n\t\n"])
def test_scraps_of_tables(text: str) -> None:
    assert found(text) == []


def test_long_lines_take_no_quadratic_time() -> None:
    assert found("Age  Name\n" + "a " * 50_000 + "\n") == []
    assert found("Age  Name\n" + "  |" * 30_000 + "\n") == []
    assert found("age,sex,bed\n" + ", " * 50_000 + "\n" + '"' * 50_000 + ",,\n") == []
