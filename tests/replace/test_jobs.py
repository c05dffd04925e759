"""Occupations: another one that fits into the sentence."""

from __future__ import annotations

import re

import pytest

from phiscrub.pipeline.shelf import Shelf
from phiscrub.replace import surrogates
from phiscrub.replace.jobs import another
from phiscrub.replace.keyed import Key
from replaced import put

PATIENTS = (None, *map(str, range(8)))


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("drives a truck", r"works as an? .*[^s]"),
        ("sells hearing aids", r"works as an? .*[^s]"),
        ("cleaned offices", r"worked as an? .*[^s]"),
        ("FARMED 3 QUARTERS", r"WORKED AS AN? .*[^S]"),
        ("truck driver", r".*[^s]"),
        ("steelworkers", r".*s"),
    ],
)
def test_english(english, words, form):
    for patient in PATIENTS:
        assert re.fullmatch(form, put(english, f"She {{PROFESSION:{words}}}.", patient)[0])


@pytest.mark.parametrize(
    ("words", "form"),
    [
        ("contadora", r".*(?:a|e|l)"),
        ("vendedora de ropa", r"(?!sastre|albañil).*[^os]"),
        ("manipuladora de alimentos", r".*[^os]"),
        ("conductor de bus", r".*[^s]"),
        ("albañiles", r".*s"),
        ("taxista", r".*"),
    ],
)
def test_spanish(secret, words, form):
    spanish = surrogates.build(surrogates.Settings(secret_file=str(secret)), Shelf("es", None))
    for patient in PATIENTS:
        put_ = put(spanish, f"Es {{PROFESSION:{words}}}.", patient)[0]
        assert re.fullmatch(form, put_), put_
        assert not re.search(r"[lr]s$", put_)


def test_a_woman_s_occupation_becomes_another():
    options = ("cocinero", "contador", "maestro")
    for patient in PATIENTS:
        key = Key(b"0123456789abcdef").narrow(str(patient))
        assert another("cocinera", options, key, frozenset(), spanish=True) in (
            "contadora",
            "maestra",
        )
        assert another("cocinera", options, key, {"contadora"}, spanish=True) == "maestra"
