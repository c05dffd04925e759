"""Days without a month lean on the date before them, so that intervals survive."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moved_dates import CALENDARS, KEY
from phiscrub.replace.dates import Dates
from phiscrub.replace.onset import since

RECENT = st.dates(date(1972, 1, 1), date(2028, 12, 31))


def read_of(text: str) -> tuple[Dates, list[tuple[int, int]], str]:
    """Read the dates of a text in which each `[…]` is a mention."""
    spans, plain = [], ""
    for part in re.split(r"(\[[^]]*\])", text):
        words = part.strip("[]")
        spans += [(len(plain), len(plain) + len(words))] if part.startswith("[") else []
        plain += words
    dates, places = Dates.in_text(CALENDARS["en"], plain, spans)
    return dates, [(start, end) for _, start, end in places], plain


def days_of(text: str) -> list[str]:
    """Return month and day of each date."""
    dates, places, _ = read_of(text)
    days = [dates.day(index) for index in range(len(places))]
    return ["" if day is None else f"{day:%m-%d}" for day in days]


def put(text: str, days: int) -> str:
    """Return the text with its dates moved, each a mention again."""
    dates, places, plain = read_of(text)
    done, moved = 0, ""
    for index, (start, end) in enumerate(places):
        moved += f"{plain[done:start]}[{dates.moved(index, days, KEY).words}]"
        done = end
    return moved + plain[done:]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("[2/27/2020]. Surgery on [the 29th]. Home [July 4th].", "02-27 02-29 07-04"),
        ("[28 March]. Home on [the 2nd].", "03-28 04-02"),
        ("[31 December 2020]. Home on [the 2nd].", "12-31 01-02"),
        ("[3 April 2020]. Seen on [the 28th].", "04-03 03-28"),
        ("[14 March]. Ill on [the 4th], seen on [the 30th]", "03-14 03-04 03-30"),
        ("[28 March]. [the 2nd], and on [the 20th].", "03-28 04-02 04-20"),
        ("[10 March]. [the 25th], but on [the 12th], home [30th]", "03-10 03-25 03-12 03-30"),
        ("[3 February 2020]. Well on [the 25th]. Home [4 March].", "02-03 02-25 03-04"),
        ("[March 2020]: on [the 28th] and in [2015]. On [the 30th].", " 03-28  03-30"),
        ("[2/3/2020]. MI [5/4/1999]. On [the 5th].", "02-03 05-04 02-05"),
        ("[2/3/2020], born [5/4/2018]. On [the 5th].", "02-03 05-04 02-05"),
        ("Fell on [the 28th], seen on [the 2nd]. [5 April 2020]", "03-28 04-02 04-05"),
        ("Seen on [Mon 5th], written [3 April 2021]", "04-05 04-03"),
        ("[3 April 2020]. Seen on [Wed 25th].", "04-03 03-25"),
        ("[3 April 2020]. Due on [Sat 25th].", "04-03 04-25"),
        ("[3 April 2020]. Seen on [Tue 28th].", "04-03 04-28"),
        ("[3 April 2020]. Seen on [Mon 28th].", "04-03 03-28"),  # a slip: none is a Monday
        (
            "[2020-02-03]. From [14]-[16/5] and [the 1st] and [15th of June]",
            "02-03 05-14 05-16 06-01 06-15",
        ),
        ("[the 30th] to [the 2nd of April 2020]", "03-30 04-02"),
        ("[the 30th to the 2nd of April 2020]", "03-30 04-02"),
        ("[March 28, 2020 to the 2nd]", "03-28 04-02"),
        ("[March 28] to [the 2nd]", "03-28 04-02"),
        ("Ill on [the 29th], well on [the 2nd]", "07-29 08-02"),
        ("[2/3/2020], home on [the 25th]. Clinic [3/16/2020]", "02-03 02-25 03-16"),
        ("the [20th] day of [May 2020]", "05-20 "),
        ("the [30th] day of [May 2020]", "05-30 "),
    ],
)
def test_a_lone_day_is_in_the_month_that_is_meant(text, days):
    assert days_of(text) == days.split(" ")


def test_days_of_a_list_need_not_rise():
    assert put("CT on [March 15 and 12, 2021]", -10) == "CT on [March 5 and 2, 2021]"
    assert put("CT on [March 15] and [12, 2021]", -10) == "CT on [March 5] and [2, 2021]"


def test_a_lone_day_keeps_its_interval():
    text = "Admitted [2/27/2020]. Surgery on [the 29th]. Discharge [July 4th]."
    assert put(text, -347) == "Admitted [3/17/2019]. Surgery on [the 19th]. Discharge [July 23rd]."
    dates, _, _ = read_of("[29-Feb-20], on [the 29th], home [28-Jul-20]")
    assert since(dates, 1, date(2020, 2, 29), "en") == "onset"


@settings(max_examples=150, deadline=None)
@given(first=RECENT, far=st.integers(-10, 17), shift=st.integers(-400, 400))
def test_intervals_to_lone_days_survive(first, far, shift):
    day = first + timedelta(far)
    text = f"Seen [{first:%B %d, %Y}] and again on [the {day.day}th]; due [in {first.year + 1}]."
    for words in (text, put(text, shift)):
        dates = read_of(words)[0]
        assert dates.day(1) - dates.day(0) == timedelta(far)


@settings(max_examples=150, deadline=None)
@given(
    first=RECENT,
    steps=st.tuples(st.integers(1, 15), st.integers(1, 15)),
    shift=st.integers(-400, 400),
)
def test_a_day_between_two_dates_of_a_month_stays_between_them(first, steps, shift):
    day, last = first + timedelta(steps[0]), first + timedelta(sum(steps))
    text = f"In [{first:%m/%d/%Y}], surgery on [the {day.day}th], home [{last:%m/%d/%Y}]."
    dates = read_of(put(text, shift))[0]
    assert [dates.day(n) - dates.day(0) for n in (1, 2)] == [day - first, last - first]
