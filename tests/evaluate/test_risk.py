from __future__ import annotations

import pytest

from phiscrub.core.counts import Counts
from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.identifying import split
from phiscrub.evaluate.masking import Leak
from phiscrub.evaluate.risk import Model, assess
from phiscrub.evaluate.uncertainty import exact_bounds

MODEL = Model(frozenset({"NAME"}), frozenset({"DATE", "CITY", "AGE"}))
NOTES = {str(n): ("NAME", "DATE", "CITY") for n in range(90)} | {str(n): () for n in range(90, 100)}


def leak(document: str, *labels: str) -> Leak:
    return Leak(document, 0, 1, labels, ((0, 1),))


def test_one_direct_identifier_is_enough_and_quasi_ones_count_together():
    leaks = [
        *(leak("1", "NAME"), leak("1", "NAME"), leak("2", "DATE"), leak("3", "DATE")),
        *(leak("3", "CITY"), leak("4", "DATE"), leak("4", "DATE"), leak("5", "OTHER")),
        *(leak("6", "NAME", "DATE"), leak("6", "AGE")),
    ]
    risk = assess(NOTES, leaks, MODEL)
    assert risk.direct == Counts(88, 2)
    assert risk.quasi == Counts(88, 2)
    assert risk.chance.value == pytest.approx(0.03)  # the note with both leaks counts once
    assert risk.chance.low < 0.03 < risk.chance.high


def test_chances_of_an_attack_scale_the_risk():
    model = Model(MODEL.direct, MODEL.quasi, 1, attempt=0.5, success_direct=0.8, success_quasi=0.1)
    risk = assess(NOTES, [leak("1", "NAME"), leak("2", "DATE")], model)
    assert risk.chance.value == pytest.approx(0.5 * (0.01 * 0.8 + 0.01 * 0.1))


def test_few_clean_notes_prove_little_and_many_prove_more():
    few, many = (assess({str(n): () for n in range(size)}, [], MODEL) for size in (20, 500))
    assert few.chance.value == many.chance.value == 0.0
    assert few.chance.high == pytest.approx(2 * exact_bounds(0, 20, 0.975).high)
    assert not few.acceptable
    assert many.acceptable


def test_recall_is_over_the_documents_that_have_such_identifiers():
    notes = {"a": ["NAME"], "b": ["DATE"], "c": ["DATE", "CITY", "CITY"], "d": []}
    risk = assess(notes, [leak("c", "CITY")], MODEL)
    assert risk.direct == Counts(1, 0)
    assert risk.quasi == Counts(1, 0)  # one of two is left, which does not identify
    assert risk.documents == 4
    assert risk.chance.value == 0


def test_labels_are_direct_or_quasi_by_what_the_hub_calls_them():
    labels = ["NAME/PATIENT", "NOMBRE_SUJETO_ASISTENCIA", "DATE/DATE", "FECHAS", "DOCTOR"]
    direct, quasi = split([*labels, "CARDINAL", "OUR-OWN"])
    assert direct == {"NAME/PATIENT", "NOMBRE_SUJETO_ASISTENCIA", "OUR-OWN"}
    assert quasi == {"DATE/DATE", "FECHAS", "DOCTOR"}
    assert split(labels, ["DATE"]) == ({"DATE/DATE"}, set(labels) - {"DATE/DATE"})


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(SettingsError, match="both direct and quasi: NAME"):
        Model(frozenset({"NAME"}), frozenset({"NAME"}))
    with pytest.raises(SettingsError, match="not in"):
        Model(frozenset(), frozenset(), attempt=2)
    with pytest.raises(SettingsError, match="no documents"):
        assess({}, [], MODEL)
