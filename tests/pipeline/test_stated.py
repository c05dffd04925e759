"""Settings that would leave identifiers in notes without a word are refused when they load."""

from __future__ import annotations

from typing import Any

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.pipeline.load import Declaration, build

DATES = {"use": "patterns", "packs": ["en/dates"]}
COLUMNS = {"use": "columns"}
FORM = {"use": "patterns", "packs": ["es/form"]}


def built(combiner: dict[str, Any], *refiners: dict[str, Any]) -> None:
    build(Declaration("en", (DATES, COLUMNS), combiner=combiner, refiner=refiners))


@pytest.mark.parametrize("use", ["ranked", "vote"])
@pytest.mark.parametrize(
    ("stated", "what"),
    [
        ({"least_scores": {"DATE": 2.0}}, "'least_scores.DATE' is no score: 2.0"),
        ({"least_scores": {"DATE": -0.1}}, "'least_scores.DATE' is no score: -0.1"),
        ({"least_scores": {"DATE": float("nan")}}, "'least_scores.DATE' is no score: nan"),
        ({"least_scores": {"FOO": 0.5}}, "'least_scores' names no label of i2b2-2014: 'FOO'"),
        ({"first": ["FOO"]}, "'first' names no label of i2b2-2014: 'FOO'"),
        ({"prefer": {"FOO": ["columns"]}}, "'prefer' names no label of i2b2-2014: 'FOO'"),
        ({"prefer": {"DATE": ["crff"]}}, "'prefer' names no source of mentions: 'crff'"),
        ({"prefer": {"DATE": ["pattern"]}}, "'prefer' names no source of mentions: 'pattern'"),
    ],
)
def test_combiners(use: str, stated: dict[str, Any], what: str) -> None:
    with pytest.raises(SettingsError, match=f"'combiner': {what}"):
        built({"use": use, **stated})


@pytest.mark.parametrize(
    ("refiner", "what"),
    [
        ({"use": "boundary", "join": ["FOO"]}, "'join' names no label"),
        ({"use": "boundary", "names": ["FOO"]}, "'names' names no label"),
        ({"use": "boundary", "staff": ["FOO"]}, "'staff' names no label"),
        ({"use": "medical", "labels": ["FOO"]}, "'labels' names no label"),
        ({"use": "medical", "labels": [], "in_phrases": ["FOO"]}, "'in_phrases' names no label"),
        ({"use": "medical", "labels": ["CITY"], "sure": 5.0}, "'sure' is no score: 5.0"),
        ({"use": "repeat", "labels": ["FOO"]}, "'labels' names no label"),
        ({"use": "repeat", "labels": [], "least_score": 2}, "'least_score' is no score: 2.0"),
        ({"use": "relabel", "map": {"FOO": "DATE"}}, "'map' names no label"),
        ({"use": "relabel", "map": {}, "of": ["crff"]}, "'of' names no source"),
        ({"use": "aged", "labels": ["FOO"]}, "'labels' names no label"),
        ({"use": "aged", "labels": ["PATIENT"], "age": "BAR"}, "'age' names no label"),
        ({"use": "clock", "labels": ["FOO"]}, "'labels' names no label"),
        ({"use": "clock", "names": ["FOO"]}, "'names' names no label"),
    ],
)
def test_refiners(refiner: dict[str, Any], what: str) -> None:
    with pytest.raises(SettingsError, match=rf"'refiner\[0\]': {what}"):
        built({"use": "ranked"}, refiner)


def test_a_detector_of_which_nothing_is_heard() -> None:
    with pytest.raises(SettingsError, match=r"'detector\[0\].only' is empty"):
        build(Declaration("en", ({**DATES, "only": []},)))
    for renamed in ({}, {"DATE": "EMAIL"}):
        with pytest.raises(SettingsError, match=r"only' names no label that the detector gives"):
            build(Declaration("en", ({**DATES, "only": ["EMAIL"], "map": renamed},)))


def test_a_default_label_that_the_set_lacks() -> None:
    aged = {"use": "aged", "labels": ["NOMBRE_SUJETO_ASISTENCIA"]}
    declared = Declaration("es", (FORM,), labels="meddocan", refiner=(aged,))
    with pytest.raises(SettingsError, match="'age' names no label of meddocan: 'AGE'"):
        build(declared)


def test_sources_that_there_are() -> None:
    believed = ["patterns", "patterns:en/dates:iso", "columns", "repeat"]
    relabel = {"use": "relabel", "map": {"CITY": "STATE"}, "of": ["columns"]}
    repeat = {"use": "repeat", "labels": ["PATIENT"]}
    built({"use": "ranked", "prefer": {"DATE": believed, "CITY": []}}, relabel, repeat)
    model = {"use": "crf", "model": "en-crf"}
    for name in ("crf", "crf:en-crf"):
        build(Declaration("en", (model,), combiner={"use": "ranked", "prefer": {"DATE": [name]}}))
    combiner = {"use": "ranked", "prefer": {"DATE": ["crf:en-crff"]}}
    with pytest.raises(SettingsError, match="'crf:en-crff'; known: crf:en-crf"):
        build(Declaration("en", (model,), combiner=combiner))
