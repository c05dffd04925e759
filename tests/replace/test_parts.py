"""Dates that several mentions write together."""

from __future__ import annotations

import re
from datetime import date

import pytest

from moved_dates import CALENDARS, KEY
from phiscrub.replace.dates import Dates, Doubt

MARKED = re.compile(r"\{([^}]*)\}")


def text_moved(marked: str, days: int, language: str = "en") -> str:
    """Return a text with the dates in braces so many days later."""
    plain, spans, done = "", [], 0
    for found in MARKED.finditer(marked):
        plain += marked[done : found.start()]
        spans.append((len(plain), len(plain) + len(found[1])))
        plain += found[1]
        done = found.end()
    plain += marked[done:]
    dates, places = Dates.in_text(CALENDARS[language], plain, spans)
    put, done = "", 0
    for index, (_, start, end) in enumerate(places):
        put += plain[done:start] + dates.moved(index, days, KEY).words
        done = end
    return put + plain[done:]


@pytest.mark.parametrize(
    ("language", "was", "days", "put"),
    [
        ("en", "{March 14}, {2012}", -80, "December 25, 2011"),
        ("en", "{March 12}, {13}, and {14}, {2012}", -80, "December 23, 24, and 25, 2011"),
        ("en", "{Wed Mar 14} 10:20:30 EST {2012}", -80, "Sun Dec 25 10:20:30 EST 2011"),
        ("en", "{3/14} and {3/18}, {2012}", -80, "12/25 and 12/29, 2011"),
        ("en", "{March}, {2012}", -80, "December, 2011"),
        ("en", "{2012}-{03}", -80, "2011-12"),
        ("en", "{2013}-{14}", -365, "2012-13"),
        ("en", "{winter 2011}-{2012}", -365, "winter 2010-2011"),
        ("en", "{winter 2011}-{2012}", -100, "autumn 2011-2012"),
        ("en", "{Christmas}, {2012}", 40, "February 3, 2013"),
        ("en", "{March 12th} through the {14th}", -10, "March 2nd through the 4th"),
        ("en", "{March 12th} through the {14th}", -80, "December 22nd through the 24th"),
        ("es", "{marzo 14}, {2012}", -80, "diciembre 25, 2011"),
        ("es", "{14 de marzo} de {2012}", -80, "25 de diciembre de 2011"),
        ("es", "entre el {3} y el {14 de marzo}", -10, "entre el 21 de febrero y el 4 de marzo"),
        ("sv", "{12}-{14/3} {2012}", -13, "28/2-1/3 2012"),
        ("sv", "{12/3}-{14/3} {2012}", -80, "23/12-25/12 2011"),
        ("sv", "{12}-{14/3} {2012}", -80, "23-25/12 2011"),
        ("sv", "{12-14/3 2012}", -80, "23-25/12 2011"),
        ("en", "{March 12 to the 14th, 2012}", -10, "March 2 to the 4th, 2012"),
        ("en", "{March 12 to the 14th}", -10, "March 2 to the 4th"),
        ("sv", "{vecka 12}, {2012}", -100, "vecka 50, 2011"),
        ("sv", "{julafton} {2012}", 10, "3 januari 2013"),
    ],
)
def test_a_year_apart_goes_with_its_date(language, was, days, put):
    assert text_moved(was, days, language) == put


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("{March 14}. {2012} was bad", "December 25. 2012 was bad"),
        ("{March 14} and {2012}", "December 25 and 2012"),
        ("{March 14}, {2011}, {2012}", "December 24, 2010, 2012"),
        ("{2010}-{2012}", "2010-2012"),
        ("{3/14}\n{2012} was bad", "12/25\n2012 was bad"),
    ],
)
def test_a_year_of_its_own_stays_one(was, put):
    assert text_moved(was, -80) == put


@pytest.mark.parametrize(
    ("language", "was", "put"),
    [
        ("es", "del {12 y} {14 de marzo}", "del 22 y 24 de marzo"),
        (
            "es",
            "del {28 de marzo al} {2 de abril de 2012}",
            "del 7 de abril al 12 de abril de 2012",
        ),
        ("sv", "{12-}{14/3}", "22-24/3"),
        ("en", "{March 3 and } the rest", "March 13 and  the rest"),
        ("en", "{by March 3 - }", "by March 13 - "),
        ("en", "until {March 3}, 9 am -", "until March 13, 9 am -"),
        ("en", "until {March 3} -", "until March 13 -"),
    ],
)
def test_what_joins_a_date_to_the_next_stays_where_it_was_marked_too(language, was, put):
    assert text_moved(was, 10, language) == put


def test_a_space_beside_words_that_cannot_be_read_stays():
    assert re.fullmatch(r"\w+ \d+ and 4/23", text_moved("{xyz 3/12 and 3/14}", 40))


def test_a_date_without_its_year_does_not_lean_on_a_birth_nor_on_the_distant_past():
    def days(text, *words, year=None):
        spans = [(text.index(one), text.index(one) + len(one)) for one in words]
        dates, _ = Dates.in_text(CALENDARS["en"], text, spans, year=year)
        return [dates.day(index) for index in range(len(words))]

    seen = date(2012, 3, 14)
    assert days("Seen 3/14/2012. DOB 5/6/1950. CT 3/12", "3/14/2012", "5/6/1950", "3/12") == [
        seen,
        date(1950, 5, 6),
        date(2012, 3, 12),
    ]
    assert days("DOB 5/6/2005. CT 3/12, MRI 3/14/2012", "5/6/2005", "3/12", "3/14/2012")[1] == (
        date(2012, 3, 12)
    )
    assert days("CABG in 1998, CT 3/12, MRI 3/14/2012", "1998", "3/12", "3/14/2012")[1] == (
        date(2012, 3, 12)
    )
    assert days("born 5/6/2005, CT 6/7", "5/6/2005", "6/7")[1] == date(2005, 6, 7)
    assert days("born 5/6/2005, CT 6/7", "5/6/2005", "6/7", year=2012)[1] == date(2012, 6, 7)
    alone, _ = Dates.in_text(CALENDARS["en"], "born 5/6/2005, CT 6/7", [(5, 13), (18, 21)])
    assert alone.moved(1, 40, KEY).doubts == (Doubt.AMBIGUOUS, Doubt.YEARLESS)
