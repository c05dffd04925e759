"""Names in Spanish notes: the detector `names` with the Spanish lists, as `es-rules` has it."""

from __future__ import annotations

import pytest

from phiscrub import load
from phiscrub.core.document import Document
from phiscrub.pipeline.pipeline import Pipeline

PATIENT, STAFF = "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO"


@pytest.fixture(scope="module")
def rules() -> Pipeline:
    found = load("es-rules")
    assert isinstance(found, Pipeline)
    return found


def named(rules: Pipeline, text: str) -> list[tuple[str, str]]:
    (cover,) = rules.covers([Document("case", text)])
    return [
        (mention.label, text[mention.span.start : mention.span.end])
        for mention in cover
        if mention.label in (PATIENT, STAFF)
    ]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ARRIETA CHUMACERO, ELVIA  F 44 a", [(PATIENT, "ARRIETA CHUMACERO, ELVIA")]),
        ("pte: ramiro quispe. dolor lumbar", [(PATIENT, "ramiro quispe")]),
        ("Se comenta con Berrizbeitia, que acepta.", [(STAFF, "Berrizbeitia")]),
        ("VALORA DRA. ZAIRA TOLEDANO", [(STAFF, "ZAIRA TOLEDANO")]),
        ("Anoche Arnau durmió mal.", [(PATIENT, "Arnau")]),
        ("Firmado por Ítalo Marchetti", [(STAFF, "Ítalo Marchetti")]),
    ],
)
def test_names_are_found(rules: Pipeline, text: str, found: list[tuple[str, str]]) -> None:
    assert named(rules, text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Signo de Babinski negativo y escala de Tinetti 14.",
        "Metformina y Enalapril suspendidos por el ingreso.",
        "Sin fiebre. Control en planta, dieta blanda.",
        "EF: ABDOMEN BLANDO, NO DOLOROSO. PLAN: ALTA.",
        "síndrome de Wilkie",
        "lesión en el pilar anterior y el marco cólico",
    ],
)
def test_words_of_charts_are_no_names(rules: Pipeline, text: str) -> None:
    assert named(rules, text) == []
