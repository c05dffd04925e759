from __future__ import annotations

import pytest

from phiscrub.core.counts import Counts
from phiscrub.core.errors import SettingsError
from phiscrub.evaluate.sample import Sample
from phiscrub.evaluate.usefulness import LANGUAGES, Lost, usefulness

TEXT = (
    "Ann Lee took metformin 500 mg for 3 days. BP 120/80, HR 72. WBC 12.4, creatinine was 1.1. "
    "Pneumonia of the lung two weeks ago; Parkinson's disease."
)


def found(text: str = TEXT, gold: tuple[str, ...] = (), masked: tuple[str, ...] = ()) -> Sample:
    def places(words: tuple[str, ...]) -> tuple[tuple[int, int, str], ...]:
        return tuple((text.index(w), text.index(w) + len(w), "X") for w in words)

    return Sample("n", text, places(gold), places(masked))


def kept(sample: Sample) -> dict[str, tuple[int, int]]:
    tallies = usefulness([sample]).kinds
    return {kind: (one.total.hit, one.total.missed) for kind, one in tallies.items()}


def test_each_kind_is_found_and_kept():
    assert kept(found()) == {
        "drug": (1, 0),
        "dose": (1, 0),
        "laboratory value": (2, 0),
        "vital sign": (2, 0),
        "diagnosis": (2, 0),
        "body site": (1, 0),
        "time relation": (2, 0),
    }


def test_what_only_the_system_marks_is_lost_and_named():
    sample = found(gold=("Ann Lee",), masked=("Ann Lee", "Parkinson", "120"))
    result = usefulness([sample, Sample("m", "no drug", (), ())])
    assert result.kinds["diagnosis"].by_document() == {"n": Counts(1, 1), "m": Counts()}
    places = [(TEXT.index("BP"), "vital sign"), (TEXT.index("Parkinson"), "diagnosis")]
    assert sorted((one.start, one.kind) for one in result.lost) == places
    assert result.lost[0] == Lost("n", places[1][0], len(TEXT) - 1, "diagnosis")


def test_what_identifies_is_no_loss():
    sample = found(gold=("metformin",), masked=("metformin",))
    assert kept(sample)["drug"] == (0, 0)


SPANISH = (
    "Ana Ruiz toma metformina 850 mg y acido folico desde hace 3 meses. TA 120/80, FC: 72, "
    "Tª 36,5. Leucocitos 12.400, creatinina de 1,1. Neumonía del pulmón derecho dos semanas "
    "después; enfermedad de Parkinson."
)


def test_each_kind_is_found_in_spanish_with_or_without_accents():
    tallies = usefulness([found(SPANISH)], "es").kinds
    assert {kind: one.total.hit for kind, one in tallies.items()} == {
        "drug": 2,
        "dose": 1,
        "laboratory value": 2,
        "vital sign": 3,
        "diagnosis": 2,
        "body site": 1,
        "time relation": 2,
    }


def test_what_a_spanish_system_takes_is_lost():
    text = SPANISH
    sample = found(text, gold=("Ana Ruiz",), masked=("Ana Ruiz", "Parkinson", "metformina"))
    result = usefulness([sample], "es")
    assert [(one.start, one.kind) for one in result.lost] == [
        (text.index("enfermedad"), "diagnosis"),
        (text.index("metformina"), "drug"),
    ]


def test_languages_have_the_same_kinds():
    assert len({tuple(usefulness([], language).kinds) for language in LANGUAGES}) == 1


def test_a_language_without_lists_is_said():
    with pytest.raises(SettingsError, match="known: en"):
        usefulness([], "sv")
