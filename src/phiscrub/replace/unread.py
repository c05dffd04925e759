"""Words that cannot be read as a date: what stands for them is no more precise than they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Set
from datetime import date, timedelta

from phiscrub.replace.calendar import MONTHS, SEASONS, WEEKDAYS, Calendar
from phiscrub.replace.datefields import CENTURIES, GLUE, JOINTS, LONG, SHORT
from phiscrub.replace.keyed import Key
from phiscrub.replace.people import fold
from phiscrub.replace.written import MONTH, SEASON, WEEKDAY, YEAR, Field, Written

YEAR_DAYS = 365
LEAST_WORD = 3
PARTS = 3  # numbers that a whole date has
COUNTS = re.compile(r"(?<![\w/.:'’-])\d{1,2}(?![\w/.:-])")  # `2 wks`: numbers of no date
IN_DIGITS = re.compile(
    r"(?P<year>\d{4})(?P<mark>[/.-])\d{1,2}(?P=mark)\d{1,2}"
    r"|\d{1,2}(?P<sign>[/.-])\d{1,2}(?P=sign)(?P<last>\d{4}|\d{2})"
)
WORD = re.compile(r"[^\W\d_]+")
YEARS = re.compile(r"(?<![\d/.-])((?:19|20)\d\d)(?:\s?[-–/]\s?\d{2}(?:\d\d)?)?(?![\d/.-])")
TIMES = frozenset(
    {"year", "years", "month", "months", "week", "weeks", "weekend", "day", "today"}
    | {"morning", "afternoon", "evening", "night"}
)
KINDS = {MONTHS: MONTH, SEASONS: SEASON, WEEKDAYS: WEEKDAY}


def is_relative(words: str) -> bool:
    """Tell whether words name no date at all: `last year`, `this weekend`."""
    told = {fold(word) for word in WORD.findall(words)}
    return not any(map(str.isdigit, words)) and bool(told & TIMES) and told <= GLUE | JOINTS | TIMES


def about(calendar: Calendar, words: str) -> Written | None:
    """Return the first month, season or weekday and the first year of words without a day."""
    years = YEARS.findall(words)
    found = (calendar.find(word) for word in WORD.findall(words) if len(word) >= LEAST_WORD)
    word = next((word for word in found if word and word.language == calendar.language), None)
    if any(map(str.isdigit, YEARS.sub("", words))) or not (word or years):
        return None
    name, fields = "", []
    if word is not None:
        name, kind = word.forms[word.number], KINDS[word.kind]
        fields.append(Field(0, len(name), kind, word.number + (kind == MONTH), word))
    if years:
        name += " " * bool(name)
        fields.append(Field(len(name), len(name) + LONG, YEAR, int(years[0])))
    return Written("".join((name, *years[:1])), tuple(fields))


def invented(
    calendar: Calendar,
    words: str,
    near: tuple[date, int],
    key: Key,
    taken: Set[tuple[int, int]],
    *,
    is_day_first: Callable[[str], bool],
) -> str:
    """Return a day of the year of another, moved so many days, and no month and day of `taken`.

    It is in digits where the words are a whole date in digits, `is_day_first` telling their order
    by the sign between them, else written out, with a year where the words hold one; counts stay
    counts.
    """
    key = key.narrow("unreadable", fold(words))
    if COUNTS.search(words) and not any(c.isdigit() for c in COUNTS.sub("", words)):
        drawn = key.numbers()
        return COUNTS.sub(lambda m: str((int(m[0]) + next(drawn) % 8) % 9 + 1), words)
    numbers = re.findall(r"\d+", words)
    years = [int(number) for number in numbers if len(number) == LONG]
    year = next((year for year in years if year in CENTURIES), near[0].year)
    first = key.below(YEAR_DAYS)
    days = [date(year, 1, 1) + timedelta((first + step) % YEAR_DAYS) for step in range(YEAR_DAYS)]
    day = next((day for day in days if (day.month, day.day) not in taken), days[0])
    if shape := IN_DIGITS.fullmatch(words):
        return _in_digits(day + timedelta(near[1]), shape, is_day_first)
    dated = bool(years) or len(numbers) >= PARTS or any(len(n) > SHORT for n in numbers)
    return calendar.written_out(day + timedelta(near[1]), dated=dated)


def _in_digits(day: date, shape: re.Match[str], is_day_first: Callable[[str], bool]) -> str:
    """Write a day as a date in digits was, each number as long as it can be."""
    mark = shape["mark"] or shape["sign"]
    fields = ["d", "m"] if is_day_first(mark) else ["m", "d"]
    order = ["y", "m", "d"] if shape["year"] else [*fields, "y"]
    put = {"y": f"{day.year:04}", "m": str(day.month), "d": str(day.day)}
    if shape["last"]:
        put["y"] = put["y"][-len(shape["last"]) :]
    sizes = map(len, shape[0].split(mark))
    return mark.join(put[one].zfill(size) for one, size in zip(order, sizes, strict=True))
