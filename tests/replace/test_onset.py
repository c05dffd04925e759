"""Dates as the time to an index event."""

from __future__ import annotations

from datetime import date

import pytest

from moved_dates import CALENDARS
from phiscrub.core.errors import InputError
from phiscrub.replace.dates import Dates
from phiscrub.replace.onset import index_day, since, stated_day


def test_time_to_onset():
    words = ["3/1/2020", "3/8/2020", "2019", "May 2020", "soon"]
    dates = Dates.of(CALENDARS["en"], words)
    onset = index_day(dates, ["Seen ", "onset of rash: ", "", "", ""])
    assert onset == date(2020, 3, 8)
    told = [since(dates, index, onset, "en") for index in range(len(words))]
    assert told == ["onset - 7 days", "onset", "onset - 1 year", "onset + 2 months", None]
    assert index_day(dates, [""] * 5) == date(2020, 3, 1)
    assert index_day(dates, ["DOB: ", "", "", "", ""]) == date(2020, 3, 8)
    assert stated_day(CALENDARS["en"], "2020-02-01") == date(2020, 2, 1)
    assert stated_day(CALENDARS["en"], "") is None
    with pytest.raises(InputError, match="names no day"):
        stated_day(CALENDARS["en"], "April 2021")
    assert since(dates, 0, date(2020, 2, 29), "sv") == "debut + 1 dag"


def test_the_onset_has_both_ends_of_a_range():
    words = [
        "5-7 March 2012",
        "2005-2007",
        "Christmas 2012",
        "May-June 2012",
        "March 5, 6, 8, 2012",
    ]
    dates = Dates.of(CALENDARS["en"], words)
    told = [since(dates, index, date(2012, 3, 5), "en") for index in range(len(words))]
    assert told == [
        "onset to onset + 2 days",
        "onset - 7 years to onset - 5 years",
        "onset + 295 days",
        "onset + 2 months to onset + 3 months",
        "onset, onset + 1 day, onset + 3 days",
    ]


def test_days_about_a_named_one_are_no_exact_time_to_the_onset():
    dates = Dates.of(CALENDARS["en"], ["Christmas 2020", "Christmas week 2020"])
    told = [since(dates, index, date(2020, 12, 20), "en") for index in range(2)]
    assert told == ["onset + 5 days", None]


def test_a_day_of_the_past_is_not_guessed_to_be_the_onset():
    dates = Dates.of(CALENDARS["en"], ["1/2/1971", "4/19/2021", "4/20/2021"])
    assert index_day(dates, ["father d. ", "Seen ", "rang "]) == date(2021, 4, 19)
    assert index_day(dates, ["CABG in the past, prior to ", "came ", ""]) == date(2021, 4, 19)
    assert index_day(dates, ["rang ", "and ", "Seen "]) == date(2021, 4, 20)
    assert index_day(dates, ["father d. ", "mother d. ", "DOB "]) == date(1971, 1, 2)


def test_an_admission_is_a_visit():
    dates = Dates.of(CALENDARS["en"], ["2/1/2021", "3/14/2021", "3/20/2021"])
    assert index_day(dates, ["film of ", "ADMIT: ", "Seen "]) == date(2021, 3, 14)
