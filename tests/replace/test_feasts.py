"""Named days: on which day of a year they are."""

from __future__ import annotations

from datetime import date

import pytest

from moved_dates import CALENDARS, moved
from phiscrub.replace.dates import Dates


@pytest.mark.parametrize(
    ("language", "words", "day"),
    [
        ("sv", "midsommarafton 2012", date(2012, 6, 22)),
        ("sv", "midsommardagen 2021", date(2021, 6, 26)),
        ("sv", "alla helgons dag 2020", date(2020, 10, 31)),
        ("sv", "första advent 2022", date(2022, 11, 27)),
        ("sv", "mors dag 2021", date(2021, 5, 30)),
        ("sv", "fars dag 2021", date(2021, 11, 14)),
        ("es", "Día de la Madre de 2021", date(2021, 5, 2)),
        ("es", "Lunes de Pascua de 2021", date(2021, 4, 5)),
        ("es", "San José 2021", date(2021, 3, 19)),
        ("en", "Black Friday 2021", date(2021, 11, 26)),
        ("en", "Mothering Sunday 2021", date(2021, 3, 14)),
    ],
)
def test_feasts_are_on_the_day_of_their_year(language, words, day):
    assert Dates.of(CALENDARS[language], [words]).day(0) == day


@pytest.mark.parametrize(
    ("language", "was", "put"),
    [
        ("en", "CHRISTMAS", "JANUARY 4"),
        ("en", "CHRISTMAS EVE 2019", "JANUARY 3, 2020"),
        ("en", "Christmas", "January 4"),
        ("en", "christmas", "january 4"),
        ("es", "NAVIDAD", "4 DE ENERO"),
        ("es", "Navidad", "4 de enero"),
        ("sv", "JULDAGEN", "4 JANUARI"),
        ("sv", "juldagen", "4 januari"),
    ],
)
def test_what_stands_for_a_named_day_is_written_as_it_was(language, was, put):
    assert moved(was, 10, language) == put


def test_what_stands_for_words_in_capitals_is_in_capitals():
    assert moved("SOMETIME IN APRIL", 120) == "AUGUST"
    assert moved("POSON POYA", 10).isupper()
