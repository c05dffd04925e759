"""Dates: every form is read, moved exactly, and written as it was."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moved_dates import CALENDARS, DAYS, KEY, SHIFTS, moved
from phiscrub.replace.calendar import easter, holiday
from phiscrub.replace.dates import Dates, Doubt, noted_year, offset
from phiscrub.replace.keyed import Key


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("3/14/2012", "4/23/2012"),
        ("03/14/12", "04/23/12"),
        ("2012-03-14", "2012-04-23"),
        ("2012-03-14T10:20:00", "2012-04-23T10:20:00"),
        ("20120314", "20120423"),
        ("14-Mar-2012", "23-Apr-2012"),
        ("14MAR2012", "23APR2012"),
        ("March 14th, 2012", "April 23rd, 2012"),
        ("the 14th of March 2012", "the 23rd of April 2012"),
        ("Wed 14 March 2012", "Mon 23 April 2012"),
        ("14.III.2012", "23.IV.2012"),
        ("March 12-14, 2012", "April 21-23, 2012"),
        ("March 12-28, 2012", "April 21-May 7, 2012"),
        ("Jan. 12-28, 2012", "Feb. 21-Mar. 8, 2012"),
        ("Mar. 12-28, 2012", "Apr. 21-May 7, 2012"),
        ("March 2012", "April 2012"),
        ("03/2012", "04/2012"),
        ("Mar. 2012", "Apr. 2012"),
        ("Apr. 14, 2012", "May 24, 2012"),
        ("Winter 2012", "Winter 2012"),
        ("Q1 2012", "Q1 2012"),
        ("'12", "'12"),
        ("MONDAY", "SATURDAY"),
        ("march the fourteenth two thousand and twelve", "april the twenty-third twenty twelve"),
        ("Thanksgiving 2012", "January 1, 2013"),
        ("O3/l4/2012", "04/23/2012"),
        ("MWF", "SatMW"),
        ("Feburary 3, 2020", "March 14, 2020"),
        ("14 NOVEMEBER 2021", "24 DECEMBER 2021"),
        ("Septmber 5", "October 15"),
        ("Janurary 4-6, 2021", "February 13-15, 2021"),
        ("3/12-14/2012", "4/21-23/2012"),
        ("2/12-26/2021", "3/24-4/7/2021"),
        ("12-14/3/2012", "21-23/4/2012"),
        ("14-28/2/2021", "26/3-9/4/2021"),
        ("the 80's", "the 80's"),
        ("mid 1990's", "mid 1990's"),
    ],
)
def test_forms_stay(was, put):
    assert moved(was, 40) == put


def test_a_month_is_named_once_in_a_common_year():
    assert moved("FEB 26", 64, "en", "08/2021") == "MAY 01"
    assert moved("26 Feb", 64, "en", "8/1/2021") == "1 May"


@pytest.mark.parametrize(
    ("language", "was", "put"),
    [
        ("es", "14 de marzo de 2012", "23 de abril de 2012"),
        ("es", "14/03/2012", "23/04/2012"),
        ("es", "septiembre del año 2000", "octubre del año 2000"),
        ("es", "Lunes", "Sábado"),
        ("es", "14-mar-2012", "23-abr-2012"),
        ("es", "mar-12", "abr-12"),
        ("es", "mar/2012", "abr/2012"),
        ("es", "14/mar/12", "23/abr/12"),
        ("es", "14MAR2012", "23ABR2012"),
        ("es", "lun-mar-mié", "sáb-dom-lun"),
        ("es", "el catorce de marzo", "el veintitrés de abril"),
        ("es", "catorce de marzo del 98", "veintitrés de abril del 98"),
        ("es", "miércoles doce de marzo", "lunes veintiuno de abril"),
        ("es", "VEINTIDOS DE MARZO DE 2012", "PRIMERO DE MAYO DE 2012"),
        ("es", "treinta y uno de marzo", "diez de mayo"),
        ("es", "veintiuno de abril", "treinta y uno de mayo"),
        ("es", "primero de mayo", "diez de junio"),
        ("sv", "14/3-07", "23/4-07"),
        ("sv", "070314", "070423"),
        ("sv", "1:a maj", "10:e juni"),
        ("sv", "den fjortonde mars", "den tjugotredje april"),
        ("sv", "Tjugoförsta mars 2012", "Trettionde april 2012"),
        ("sv", "tjugosjunde mars", "sjätte maj"),
        ("sv", "vt 2012", "vt 2012"),
        ("sv", "ht -14", "ht -14"),
        ("sv", "vt 24", "vt 24"),
        ("sv", "HT22", "HT22"),
        ("sv", "läsåret 2012/13", "läsåret 2012/13"),
        ("sv", "höstterminen 2012", "höstterminen 2012"),
        ("sv", "14:e mars 2007", "23:e april 2007"),
        ("sv", "sept -98", "okt -98"),
        ("sv", "80-talet", "80-talet"),
    ],
)
def test_forms_of_other_languages(language, was, put):
    assert moved(was, 40, language) == put


def test_seasons_and_years_move_with_the_rest():
    assert moved("Spring of 2012", 100) == "Summer of 2012"
    assert moved("2012", 300) == "2013"
    assert moved("Christmas", 40, "en", "1/3/2020") == "February 3"


@settings(max_examples=60, deadline=None)
@given(day=DAYS, days=SHIFTS, form=st.sampled_from(("%Y-%m-%d", "%m/%d/%Y", "%Y%m%d")))
def test_moved_exactly(day, days, form):
    assert moved(day.strftime(form), days, "en", "01/02/2000") == (day + timedelta(days)).strftime(
        form
    )


@settings(max_examples=40, deadline=None)
@given(subject=st.text(max_size=8), most=st.integers(1, 4000), weeks=st.booleans())
def test_offsets_are_in_range_and_never_none(subject, most, weeks):
    days = offset(KEY.narrow(subject), most, keep_weekday=weeks)
    assert 0 < abs(days) <= max(most, 7 if weeks else 1)
    assert not weeks or days % 7 == 0
    assert days == offset(KEY.narrow(subject), most, keep_weekday=weeks)


def test_a_note_tells_its_order_of_day_and_month():
    assert moved("2/3/2023", 0, "en", "25/3/2023") == "2/3/2023"
    assert moved("2/3/2023", 40, "en", "25/3/2023") == "11/4/2023"
    assert moved("2/3/2023", 40, "en", "1/28/2023", "1/29", "5/6") == "3/15/2023"


@pytest.mark.parametrize(
    ("words", "doubt"),
    [
        ("3/4/2012", Doubt.AMBIGUOUS),
        ("2/30/2012", Doubt.IMPOSSIBLE),
        ("44/14/2014", Doubt.UNREADABLE),
        ("Poson Poya", Doubt.UNREADABLE),
    ],
)
def test_doubts_are_told_and_nothing_is_lost(words, doubt):
    found = Dates.of(CALENDARS["en"], [words]).moved(0, 40, KEY)
    assert doubt in found.doubts
    assert found.words != words


@given(st.text(max_size=20))
@settings(max_examples=150, deadline=None)
def test_anything_can_be_moved(words):
    assert isinstance(moved(words, 77), str)
    assert moved("7" * 5000, 77) != "7" * 5000  # more digits than Python reads as a number


def test_named_days():
    assert easter(2024) == date(2024, 3, 31)
    assert holiday("4-3-11", 2024) == date(2024, 11, 28)
    assert holiday("-1-0-05", 2024) == date(2024, 5, 27)
    assert holiday("4>06-19", 2012) == date(2012, 6, 22)
    assert holiday("5>10-31", 2020) == date(2020, 10, 31)
    assert abs((holiday("hijri-09-01", 2024) - date(2024, 3, 11)).days) <= 1


def test_habit_decides_where_the_note_does_not_tell():
    def put(habit, *words):
        return Dates.of(CALENDARS["en"], words, habit=habit).moved(0, 40, KEY).words

    assert put(True, "03/04/2012") == "13/05/2012"
    assert put(False, "03/04/2012") == "04/13/2012"
    assert put(True, "03/04/2012", "3/20/2012") == "04/13/2012"
    assert put(False, "03/04/2012", "20/3/2012") == "13/05/2012"
    assert put(True, "03042012") == "13052012"


def test_a_month_by_its_name_says_nothing_of_dates_in_digits():
    assert moved("03/04/2012", 40, "en", "14-Mar-2012", "3/20/2012") == "04/13/2012"
    assert moved("03/04/2012", 40, "en", "14-Mar-2012", "15 May 2012") == "04/13/2012"


def test_dates_with_one_sign_speak_for_each_other():
    context = ("25.3.2012", "26.3.2012", "3/20/2012")
    assert moved("03/04/2012", 40, "en", *context) == "04/13/2012"
    assert moved("03.04.2012", 40, "en", *context) == "13.05.2012"


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("20120314091522", "20120423091522"),
        ("20120314091522.123-0500", "20120423091522.123-0500"),
        ("201203140915", "201204230915"),
        ("20120314T091522Z", "20120423T091522Z"),
        ("3/14/12 0915", "4/23/12 0915"),
        ("3/14 0915", "4/23 0915"),
        ("3/14/12 1915", "4/23/12 1915"),
        ("14 March 2012 2015", "23 April 2012 2015"),
        ("03-14-2012 1430hrs", "04-23-2012 1430hrs"),
        ("3/14/2012 9am", "4/23/2012 9am"),
        ("3/14/2012 @ 14:30 EST", "4/23/2012 @ 14:30 EST"),
        ("3/14/12 AM", "4/23/12 AM"),
        ("3/9 a.m.", "4/18 a.m."),
        ("W 3/14/12", "W 4/23/12"),
        ("the night of March 14", "the night of April 23"),
        ("Monday morning", "Saturday morning"),
        ("TTS", "SuTTh"),
        ("tths", "sutth"),
        ("T/Th/S", "Su/T/Th"),
        ("the week of 3/12", "the week of 4/21"),
        ("w/c 3/12", "w/c 4/21"),
        ("wk of 3/12", "wk of 4/21"),
        ("on or about 3/14/12", "on or about 4/23/12"),
        ("2012-W12", "2012-W18"),
        ("2012-W12-3", "2012-W18-1"),
        ("2012-W50", "2013-W04"),
        ("1st week of March", "2nd week of April"),
        ("first week of March 2012", "second week of April 2012"),
        ("2nd quarter of 2012", "2nd quarter of 2012"),
        ("14-Mar", "23-Apr"),
        ("14-May-2012", "23-Jun-2012"),
        ("March 5 to 7, 2012", "April 14 to 16, 2012"),
    ],
)
def test_what_stands_beside_a_date_stays(was, put):
    assert moved(was, 40) == put


def test_an_abbreviated_month_stays_abbreviated():
    assert moved("14-Mar", 110) == "2-Jul"


@pytest.mark.parametrize(
    ("words", "pieces"),
    [
        ("4/12,4/13", ["4/12", "4/13"]),
        ("3/12 & 3/14/12", ["3/12", "3/14/12"]),
        ("Sept 12-May 3", ["Sept 12", "May 3"]),
        ("30 December-2 January 2021", ["30 December", "2 January 2021"]),
        ("March 5, 2012, March 7, 2012", ["March 5, 2012", "March 7, 2012"]),
        ("March 12, 13 and 14, 2012", ["March 12, 13 and 14, 2012"]),
        ("May 2013 to June 2014", ["May 2013 ", " June 2014"]),
        ("Smith", ["Smith"]),
    ],
)
def test_lists_of_dates_are_pieces(words, pieces):
    found = Dates.of(CALENDARS["en"], [words]).reader.pieces(words)
    assert [words[start:end] for start, end in found] == pieces


def test_a_weekday_tells_the_order_of_day_and_month():
    assert moved("Thu 5/10/17", 40) == "Tue 14/11/17"
    assert moved("Wed 5/10/17", 40) == "Mon 6/19/17"
    assert moved("Tue 5/10/17", 40) == "Sun 6/19/17"  # a slip: neither is a Tuesday
    assert moved("2/3/17", 40, "en", "Thu 5/10/17") == "11/4/17"
    assert not Dates.of(CALENDARS["en"], ["Thu 5/10/17"]).moved(0, 40, KEY).doubts


def test_a_word_near_a_month_is_none_where_it_is_another():
    assert Dates.of(CALENDARS["en"], ["sometime 2020", "marc 3", "Smarch"]).written[1][1] is None


def test_a_date_of_which_nobody_tells_the_year_is_doubtful():
    def doubts(*words, year=None):
        return Dates.of(CALENDARS["en"], words, year=year).moved(0, 40, KEY).doubts

    assert doubts("3/21") == doubts("Easter") == (Doubt.YEARLESS,)
    assert doubts("3/21", "2019") == doubts("3/21", year=2022) == doubts("Monday") == ()


def test_the_year_of_a_notes_metadata_is_known():
    assert noted_year({"date": "2022-03-21"}) == noted_year({"year": "2022"}) == 2022
    assert noted_year({"date": "spring", "page": "2022"}) is None


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("4/98", "8/97"),
        ("04-98", "08-97"),
        ("4/48", "8/47"),
        ("4/00", "8/99"),
        ("98-4", "97-08"),
        ("XII/2012", "IV/2012"),
        ("IV/98", "VIII/97"),
        ("XII/12", "IV/12"),
        ("4/98-6/98", "8/97-10/97"),
        ("April of last year", "August of last year"),
        ("mid-April last year", "mid-August last year"),
        ("month of April", "month of August"),
        ("the year 2012", "the year 2011"),
        ("last year", "last year"),
        ("this month", "this month"),
        ("sometime in April", "August"),
        ("summer holidays 2019", "autumn 2018"),
    ],
)
def test_a_month_without_its_day_stays_one(was, put):
    words = [was[a:b] for a, b in Dates.of(CALENDARS["en"], [was]).reader.pieces(was)]
    dates = Dates.of(CALENDARS["en"], [*words, "February 27, 2021"])
    joint = "-" if len(words) > 1 else ""
    assert joint.join(dates.moved(i, -256, KEY).words for i in range(len(words))) == put


@pytest.mark.parametrize(
    ("was", "language", "shape"),
    [
        ("13/13/2021", "en", r"(0[1-9]|1[0-2])/[0-3]\d/202[12]"),
        ("13.13.21", "en", r"(0[1-9]|1[0-2])\.[0-3]\d\.\d\d"),
        ("13/13/2021", "es", r"[0-3]\d/(0[1-9]|1[0-2])/202[12]"),
        ("2021-13-40", "en", r"202[12]-(0[1-9]|1[0-2])-[0-3]\d"),
        ("44/5/2021", "en", r"\d\d/\d\d?/202[12]"),
    ],
)
def test_a_date_in_digits_that_cannot_be_stays_in_digits(was, language, shape):
    dates = Dates.of(CALENDARS[language], [was])
    put = {dates.moved(0, 40, Key(bytes(16) + bytes([n]))).words for n in range(9)}
    assert len(put) > 1
    assert all(re.fullmatch(shape, one) for one in put), put


def test_an_invented_date_has_a_year_where_the_words_do_and_is_no_other_of_the_note():
    alone = moved("44/45", 40)
    assert not re.search(r"\d{4}", alone)
    assert moved("44/45 of 2012", 40)[-6:] in (", 2012", ", 2013")
    days = [date(2021, 2, 3) + timedelta(n) for n in range(332)]  # none of January
    others = [f"{day:%B} {day.day}" for day in days]
    assert moved("44/45", 0, "en", *others).startswith("January ")
    assert not any(moved(f"44/{n}", 0, "en", *others) in others for n in range(32, 52))


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("4/12, 13", "7/30, 31"),
        ("4/12 & 13", "7/30 & 31"),
        ("4/12, 13 and 14", "7/30, 31 and 8/1"),
        ("winter 2019-2020", "spring 2019"),
        ("winter of 2019/20", "spring of 2019"),
        ("winter 19/20", "spring 19"),
        ("flu season 2019-20", "2018"),
        ("Thu, 12 Apr 2012 10:22:00 +0100", "Sun, 31 Jul 2011 10:22:00 +0100"),
        ("Thanksgiving weekend", "March 15 weekend"),
        ("Thanksgiving weekend 2020", "March 15, 2020 weekend"),
        ("Memorial Day weekend", "September 17 weekend"),
        ("the week after Easter 2020", "the week after July 31, 2019"),
        ("Easter Day 2020", "July 31, 2019"),
    ],
)
def test_lists_seasons_zones_and_named_days(was, put):
    assert moved(was, -256, "en", "4/15/2021") == put


def test_days_of_one_month_lean_on_the_month_where_it_comes_last():
    assert moved("12, 13/4", 40, "sv", "2021-04-15") == "22, 23/5"
    assert moved("12 och 13/4-21", 40, "sv") != "12 och 13/4-21"


def test_a_winter_of_two_years_moves_to_another():
    assert moved("winter 2019-2020", 365) == "winter 2020-2021"
    assert moved("winter 2019-20", -365) == "winter 2018-19"
    assert moved("winter 2019-20", -40) == "winter 2019-20"


def test_a_month_is_as_long_as_the_notes_other_months():
    def put(*words):
        return Dates.of(CALENDARS["en"], words).moved(0, -256, KEY).words

    assert put("May 5", "Apr 3", "Jun 3, 2021") == "Aug 22"
    assert put("May 5", "April 3, 2021") == put("May 5") == "August 22"
    assert put("Jan 5", "Sept 3, 2021") == "Apr 24"
    assert put("5-May-2021", "April 3") == "22-Aug-2020"
    assert put("May 5, 2021", "3-Apr-2021") == "August 22, 2020"
    assert put("15-Feb-2021", "June 1, 2021") == "4-Jun-2020"


@pytest.mark.parametrize(
    ("language", "was", "days", "put"),
    [
        ("es", "mar., 16 ene. 2024", 31, "vie., 16 feb. 2024"),
        ("es", "mar. 16", 31, "abr. 16"),
        ("es", "mar, 16 de enero de 2024", 31, "vie, 16 de febrero de 2024"),
        ("es", "mar, 16/01/2024", 31, "vie, 16/02/2024"),
        ("es", "mar., 2015", -244, "jul., 2014"),
        ("es", "mar, 16 2015", -256, "jul, 03 2014"),
        ("es", "mar, 16 de 2015", -256, "jul, 03 de 2014"),
        ("es", "Navidad de 2015", 10, "4 de enero de 2016"),
        ("es", "Semana Santa del 2012", 40, "13 de mayo de 2012"),
    ],
)
def test_tuesdays_that_look_like_march_and_feasts_of_a_year(language, was, days, put):
    assert moved(was, days, language) == put
