"""Named days: on which day of a year they are."""

from __future__ import annotations

from datetime import date

import pytest

from moved_dates import CALENDARS
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
