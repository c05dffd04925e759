"""Ranges whose halves are mentions of their own: each leans on the other."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates
from phiscrub.replace.keyed import Key
from phiscrub.replace.onset import index_day, since
from phiscrub.replace.together import behind
from phiscrub.replace.written import DAY

KEY = Key(b"a secret of many bytes")
CALENDARS = {language: Calendar.load(language) for language in ("en", "es", "sv")}
RECENT = st.dates(date(1972, 1, 1), date(2028, 12, 31))


def rejoined(text: str, days: int, *, language: str = "en", habit: bool | None = None) -> str:
    """Move the dates of a text in which each `[…]` is a mention."""
    spans, plain = [], ""
    for part in re.split(r"(\[[^]]*\])", text):
        words = part.strip("[]")
        spans += [(len(plain), len(plain) + len(words))] if part.startswith("[") else []
        plain += words
    words = [plain[start:end] for start, end in spans]
    read = Dates.of(CALENDARS[language], words, habit=habit, behind=behind(plain, spans))
    put, done = "", 0
    for index, (start, end) in enumerate(spans):
        put += plain[done:start] + read.moved(index, days, KEY).words
        done = end
    return put + plain[done:]


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("[March 3]-[5, 2021]", "April 12-14, 2021"),
        (
            "[March 3] to [5, 2021] and [June 1]-[4, 2020]",
            "April 12 to 14, 2021 and July 11-14, 2020",
        ),
        ("[January 18]-[22, 2023]", "February 27-March 3, 2023"),
        ("[November 18]-[23, 2021]", "December 28-January 2, 2022"),
        ("[3/12]-[14/2012]", "4/21-23/2012"),
        ("[3/14]-[16/2021]", "4/23-25/2021"),
        ("[1/18]-[22/2023]", "2/27-3/3/2023"),
        ("[12]-[14 March 2021]", "21-23 April 2021"),
        ("[18]–[22 January 2023]", "27 February–3 March 2023"),
        ("[Mon March 1] - [Wed 3, 2021]", "Sat April 10 - Mon 12, 2021"),
        ("[March 3], [5] and [7, 2021]", "April 12, 14 and 16, 2021"),
        ("[3/12]-[3/14/2012]", "4/21-4/23/2012"),
        ("[in 2019]. [January 25]-[February 3, 2020]", "in 2019. March 5-March 14, 2020"),
        ("[December 28] - [January 3, 2021]", "February 6 - February 12, 2021"),
        ("[April 3, 2020]. [5, 2021]", "May 13, 2020. 15, 2021"),
        ("[2008] and the [1990]'s", "2008 and the 1990's"),
    ],
)
def test_mentions_of_one_range_lean_on_each_other(was, put):
    assert rejoined(was, 40) == put


def test_decades_move_as_decades():
    assert rejoined("in the [80's] and [1990]'s", 2000) == "in the 90's and 2000's"


def test_swedish_and_spanish_ranges_of_two_mentions():
    assert rejoined("[12]-[14/3]", 40, language="sv") == "21-23/4"
    assert rejoined("[18]-[22/1]", 40, language="sv") == "27/2-3/3"
    assert rejoined("del [12] al [14 de marzo de 2021]", 40, language="es") == (
        "del 21 al 23 de abril de 2021"
    )
    assert rejoined("del [18] al [22 de enero de 2021]", 40, language="es") == (
        "del 27 de febrero al 03 de marzo de 2021"
    )


@settings(max_examples=150, deadline=None)
@given(
    first=RECENT,
    far=st.integers(1, 27),
    shift=st.integers(-400, 400),
    form=st.sampled_from(
        ("[{m:%B} {a}]-[{b}, {y}]", "[{a}]-[{b} {m:%B} {y}]", "[{n}/{a}]-[{b}/{y}]")
    ),
)
def test_ranges_of_two_mentions_keep_their_length(first, far, shift, form):
    first = first.replace(day=1 + first.day % (28 - far))
    last = first + timedelta(far)
    text = form.format(m=first, a=first.day, b=last.day, y=first.year, n=first.month)
    again = Dates.of(CALENDARS["en"], [rejoined(text, shift)])
    whole = again.written[0][1]
    if whole is None:  # both months are written
        pieces = again.reader.pieces(again.written[0][0])
        spans = [(a, b) for a, b in pieces]
        words = again.written[0][0]
        again = Dates.of(
            CALENDARS["en"], [words[a:b].strip() for a, b in spans], behind=behind(words, spans)
        )
        found = [again.day(0), again.day(1)]
    else:
        found = list(again.ends(0, DAY))
    assert found == [first + timedelta(shift), last + timedelta(shift)]


def test_the_onset_of_a_range_of_two_mentions():
    words = ["March 3", "5, 2021"]
    dates = Dates.of(CALENDARS["en"], words, behind=["-", ""])
    assert index_day(dates, ["", ""]) == date(2021, 3, 3)
    told = [since(dates, index, date(2021, 3, 1), "en") for index in range(2)]
    assert told == ["onset + 2 days", "onset + 4 days"]
