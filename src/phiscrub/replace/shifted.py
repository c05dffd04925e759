"""One date written so many days on, in the form that it has."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import pairwise

from phiscrub.replace.casing import like
from phiscrub.replace.spoken import ORDINALS, spell, spell_year
from phiscrub.replace.written import (
    DAY,
    DECADE,
    MONTH,
    NTH,
    QUARTER,
    SEASON,
    WEEK,
    WEEK_DAY,
    WEEKDAY,
    YEAR,
    YEAR2,
    Field,
    Written,
)
from phiscrub.replace.yearwords import said_in

WEEK_DAYS = 7
EARLIEST, LATEST = date(1700, 1, 1), date(2200, 12, 31)
WHOLE = frozenset({"may", "june", "july"})  # months that are never cut short


def clamped(year: int, month: int, day: int) -> date:
    """Return the day; 30 February is 1 or 2 March."""
    return date(year, month, 1) + timedelta(day - 1)


def _nearest(written: Written, field: Field, *kinds: str) -> int | None:
    """Return the value of the field of a kind that stands closest."""
    found = [other for other in written.fields if other.kind in kinds]
    return min(found, key=lambda other: abs(other.start - field.start)).value if found else None


def day_of(  # noqa: PLR0911 - one return a precision
    written: Written, field: Field, reference: date
) -> date:
    """Return the day that a field is about; one of less precision is in the middle of its time."""
    year = _nearest(written, field, YEAR, YEAR2) or reference.year
    day = field.value if field.kind == DAY else _nearest(written, field, DAY)
    if day is None and (nth := written.value(NTH)) is not None:
        day = WEEK_DAYS * nth - 3
    month = _nearest(written, field, MONTH)
    if month is not None:
        return clamped(year, month, 15 if day is None else day)
    if day is not None:
        return clamped(year, reference.month, day)
    if (season := written.value(SEASON)) is not None:
        if winter := written.winter:
            year = winter[1].value
        return date(year, (4, 7, 10, 1)[season], 15)
    if (quarter := written.value(QUARTER)) is not None:
        return date(year, 3 * quarter - 1, 15)
    if (week := written.value(WEEK)) is not None:
        weekday = written.value(WEEK_DAY) or 4  # Thursday, by whose year the week is counted
        return date.fromisocalendar(year, 1, weekday) + timedelta(WEEK_DAYS * (week - 1))
    if (decade := written.value(DECADE)) is not None:
        return date(decade + 5, 7, 1)
    return date(year, 7, 2)


def shifted(written: Written, days: int, reference: date, *, padded: bool) -> str:
    """Return the words of a date so many days on; `padded` is whether the note writes `03`."""
    told = {
        field: min(max(day_of(written, field, reference) + timedelta(days), EARLIEST), LATEST)
        for field in written.fields
    }
    if winter := written.winter:
        first, last = winter
        day = told[last]
        is_winter = day.month % 12 <= 2  # noqa: PLR2004 - December to February
        if not is_winter and written.part is None:
            return shifted(_of_one_year(written, first, last), days, reference, padded=padded)
        year = day.year + (not is_winter or day.month == 12)  # noqa: PLR2004 - December
        told |= {first: day.replace(year=year - 1), last: day.replace(year=year)}
    own = [written.words[f.start : f.end] for f in written.fields if f.kind in (DAY, MONTH)]
    run = any(one.end == two.start and not (one.form or two.form) for one, two in pairwise(told))
    if run or any(number.startswith("0") for number in own) or _is_iso(written):
        padded = True
    elif any(len(number) == 1 for number in own):
        padded = False
    done, end = written.part or (0, len(written.words))
    pieces = []
    for field in written.own:
        pieces.append(written.words[done : field.start])
        pieces.append(_field(written, field, told, days, padded=padded))
        done = field.end
        if (
            field.kind == MONTH
            and pieces[-1].lower() in WHOLE
            and written.words[done:end][:1] == "."
        ):
            done += 1  # `Feb. 14`, but `May 14`
    pieces.append(written.words[done:end])
    return "".join(pieces)


def _of_one_year(written: Written, first: Field, last: Field) -> Written:
    """Return the words with the last year in place of both."""
    gone = last.end - first.end
    fields = [
        replace(field, start=field.start - gone, end=field.end - gone)
        if field.start > last.start
        else replace(field, value=last.value)
        if field == first
        else field
        for field in written.fields
        if field != last
    ]
    words = written.words[: first.end] + written.words[last.end :]
    return replace(written, words=words, fields=tuple(fields))


def _is_iso(written: Written) -> bool:
    return written.fields[0].kind in (YEAR, YEAR2) and not any(f.form for f in written.fields)


def _field(  # noqa: PLR0911 - one return a kind of field
    written: Written, field: Field, told: Mapping[Field, date], days: int, *, padded: bool
) -> str:
    was, day = written.words[field.start : field.end], told[field]
    if field.kind == WEEKDAY and field.form:
        return like(was, field.form.forms[(field.value + days) % WEEK_DAYS])
    if field.kind == MONTH:
        if field.form:
            return like(was, field.form.forms[day.month - 1])
        if field.spoken:
            return like(was, ORDINALS[day.month - 1])
        return _number(was, day.month, padded=padded) if was.isdecimal() else _roman(was, day.month)
    if field.kind == DAY:
        words = _day(field, was, day.day, padded=padded)
        months = [other for other in written.fields if other.kind == MONTH]
        if len(months) == 1 and told[months[0]].month != day.month:
            return _with_month(
                written,
                field,
                words,
                _field(written, months[0], {months[0]: day}, days, padded=padded),
            )
        return words
    if field.kind in (NTH, QUARTER):  # `1st week of March`, `2nd quarter`, `Q2`
        nth = (day.day - 1) // WEEK_DAYS if field.kind == NTH else (day.month - 1) // 3
        return _day(field, was, nth + 1, padded=False)
    if field.kind in (YEAR, YEAR2):
        year = day.year if written.value(WEEK) is None else day.isocalendar().year
        return _year(field, was, year)
    if field.kind == SEASON and field.form:
        return like(was, _season(field.form.forms, day.month))
    if field.kind == WEEK:
        return _number(was, day.isocalendar().week, padded=len(was) > 1)
    if field.kind == WEEK_DAY:
        return str(day.isoweekday())
    decade = day.year // 10 * 10
    return re.sub(r"\d+", lambda m: str(decade)[-len(m[0]) :], was)


def _with_month(written: Written, day: Field, words: str, month: str) -> str:
    """Return a day with a month of its own, joined as the month that is written is to its day."""
    at = next(i for i, field in enumerate(written.fields) if field.kind == MONTH)
    before = day.start < written.fields[at].start
    one, two = written.fields[at - before : at - before + 2]
    sign = written.words[one.end : two.start] if DAY in (one.kind, two.kind) else " "
    if month.lower() in WHOLE:
        sign = sign.replace(".", "")
    return f"{words}{sign}{month}" if before else f"{month}{sign}{words}"


def _day(field: Field, was: str, day: int, *, padded: bool) -> str:
    if field.form or field.spoken:
        return like(was, (field.form.forms if field.form else ORDINALS)[day - 1])
    digits = re.match(r"\d+", was)
    if digits is None or digits[0] == was:
        return _number(was, day, padded=padded)
    ending = was[digits.end() :]
    if ending.strip().lower() in ("st", "nd", "rd", "th"):
        teens = day in (11, 12, 13)
        proper = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
        ending = ending.replace(ending.strip(), proper.upper() if ending.isupper() else proper)
    elif ending.startswith(":"):
        ending = ":a" if day in (1, 2, 21, 22, 31) else ":e"
    return _number(digits[0], day, padded=False) + ending


def _year(field: Field, was: str, year: int) -> str:
    if field.form:
        return like(was, said_in(field.form, year))
    if field.spoken:
        whole = field.kind == YEAR or year % 100 < 10  # noqa: PLR2004 - `one` is no year
        return like(was, spell_year(year) if whole else spell(year % 100))
    return str(year) if field.kind == YEAR else f"{year % 100:02}"


def _season(forms: Sequence[str], month: int) -> str:
    """Return the season of a month, or the term where a year has but two."""
    if forms[0] == forms[1]:
        return forms[2 * (month > 6)]  # noqa: PLR2004 - July
    return forms[(month % 12 // 3 + 3) % 4]


def _number(was: str, value: int, *, padded: bool) -> str:
    return f"{value:02}" if padded or was.startswith("0") else str(value)


def _roman(was: str, month: int) -> str:
    numerals = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")
    return numerals[month - 1] if was.isupper() else numerals[month - 1].lower()
