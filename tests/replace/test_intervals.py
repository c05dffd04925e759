"""Intervals between dates survive, and what comes out is a date."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moved_dates import CALENDARS, DAYS, KEY, SHIFTS
from phiscrub.replace.dates import Dates, Doubt


@settings(max_examples=60, deadline=None)
@given(days=st.lists(DAYS, min_size=2, max_size=6), shift=SHIFTS)
def test_intervals_survive(days, shift):
    words = [day.strftime("%B %d, %Y") for day in days]
    read = Dates.of(CALENDARS["en"], words)
    put = [read.moved(index, shift, KEY).words for index in range(len(words))]
    again = Dates.of(CALENDARS["en"], put)
    for index, day in enumerate(days):
        assert again.day(index) - again.day(0) == day - days[0]


FORMS = {
    "us": ("%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y", "%m%d%Y"),
    "uk": ("%d/%m/%Y", "%d-%m-%Y", "%d.%m.%y", "%d%m%Y"),
    "": ("%B %d, %Y", "%d-%b-%Y", "%d %B %Y", "%Y-%m-%d", "%Y%m%d", "%Y%m%d0915", "%d%b%Y"),
}
UNPADDED = re.compile(r"(?<!\d)0(?=\d)")
RECENT = st.dates(date(1972, 1, 1), date(2028, 12, 31))


@settings(max_examples=150, deadline=None)
@given(data=st.data(), home=st.sampled_from(("us", "uk")), shift=st.integers(-365, 365))
def test_intervals_survive_for_every_order_and_form_mixed(data, home, shift):
    written = st.tuples(RECENT, st.sampled_from(FORMS[home] + FORMS[""]))
    told = data.draw(st.lists(written, min_size=2, max_size=6))
    words = [day.strftime(form) for day, form in told]
    read = Dates.of(CALENDARS["en"], words, habit=home == "uk")
    for index, (day, form) in enumerate(told):
        expected = (day + timedelta(shift)).strftime(form)
        put = read.moved(index, shift, KEY)
        assert UNPADDED.sub("", put.words) == UNPADDED.sub("", expected)
        assert put.doubts in ((), (Doubt.AMBIGUOUS,))


POSSIBLE = st.text("0123456789/-. :,thstWTJanMrch", min_size=1, max_size=14)


@settings(max_examples=300, deadline=None)
@given(words=POSSIBLE, shift=st.integers(1, 365))
def test_dates_that_come_out_are_possible(words, shift):
    put = Dates.of(CALENDARS["en"], [words]).moved(0, shift, KEY).words
    again = Dates.of(CALENDARS["en"], [put])
    written = again.written[0][1]
    assert written is None or not written.impossible
    for found in re.finditer(r"(?<![\d/.-])(\d{1,2})/(\d{1,2})/(?:19|20)\d\d(?![\d/.-])", put):
        month, day = sorted(map(int, found.groups()))
        assert 1 <= month <= 12 or "/" not in words
        assert day <= 31


@pytest.mark.parametrize("days", [-255, -40, 340])
def test_intervals_survive_between_notes_with_a_year_and_without(days):
    def day(words, year=None):
        dates = Dates.of(CALENDARS["en"], [words], year=year)
        return dates.moved(0, days, KEY).words

    dated = day("3/21/2022")
    assert dated.startswith(day("3/21") + "/")
    assert day("March 3, 2020").startswith(day("March 3", year=2020) + ", ")
    assert day("2/29") == day("2/29/2020").rpartition("/")[0]  # which is in leap years alone
