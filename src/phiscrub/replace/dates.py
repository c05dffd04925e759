"""Dates of one note moved by so many days: format and precision stay, and so do intervals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import StrEnum

from phiscrub.replace.births import REACH, is_birth
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.casing import like
from phiscrub.replace.datefields import Reader
from phiscrub.replace.holidays import Holiday
from phiscrub.replace.keyed import Key
from phiscrub.replace.lonedays import settled
from phiscrub.replace.monthforms import in_one_form
from phiscrub.replace.shifted import clamped, day_of, shifted
from phiscrub.replace.together import RANGE, bare, behind, read_together
from phiscrub.replace.unread import about, invented, is_relative
from phiscrub.replace.written import DAY, MONTH, Written

WEEK_DAYS = 7
LONG_AGO = 10  # years
ENDED_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
WEEKLY = re.compile(r"(?:Th|Tu|Su|Sa|Sat|M|T|W|F|S)(?:[-/, ]?(?:Th|Tu|Su|Sat|Sa|M|T|W|F|S)){0,4}")
LETTER = re.compile(r"Th|Tu|Su|Sat|Sa|M|T|W|F|S")
SMALL_LETTER = re.compile(LETTER.pattern, re.I)
LEAST_LETTERS = 3  # of weekdays whose case does not tell them
TUESDAY = re.compile(r"T(?![hu])")
LETTERS = ("M", "T", "W", "Th", "F", "Sat", "Su")
NUMBERS = {"Tu": 1, "Sa": 5, "S": 5} | {letter: i for i, letter in enumerate(LETTERS)}


class Doubt(StrEnum):
    """What was uncertain about a date; none is lost for it."""

    AMBIGUOUS = "ambiguous"  # 3/4: read as the note's or the language's other dates are
    IMPOSSIBLE = "impossible"  # 30 February: read as 1 or 2 March
    UNREADABLE = "unreadable"  # replaced by an invented date
    YEARLESS = "yearless"  # of a year that nobody tells: a leap year has a day more


@dataclass(frozen=True, slots=True)
class Moved:
    """What stands for one date, and what was doubtful."""

    words: str
    doubts: tuple[Doubt, ...] = ()


def offset(key: Key, days: int, *, keep_weekday: bool = False) -> int:
    """Return by how many days a patient's dates move: up to `days`, never 0, either way.

    The least is a twelfth of the most where that leaves a choice, so that a month without its day
    is another month; with `keep_weekday` it is whole weeks.
    """
    step = WEEK_DAYS if keep_weekday else 1
    most = max(1, days // step)
    least = min(most, max(1, -(-days // (12 * step))))
    key = key.narrow("date offset")
    far = least + key.narrow("days").below(most - least + 1)
    return far * step * key.narrow("sign").choice((-1, 1))


@dataclass(frozen=True, slots=True)
class Dates:
    """The dates of one note as they were read, in the light of each other."""

    reader: Reader
    written: tuple[tuple[str, Written | None], ...]
    references: tuple[date, ...]
    padded: bool
    yearless: bool  # nothing tells a year
    taken: frozenset[tuple[int, int]]  # months and days that they mean, and those beside them

    @classmethod
    def of(
        cls,
        calendar: Calendar,
        words: Sequence[str],
        *,
        habit: bool | None = None,
        behind: Sequence[str] = (),
        births: Sequence[bool] = (),
        year: int | None = None,
    ) -> Dates:
        """Read a note's dates, given in order; those without year or month lean on the others.

        Where no date of the note has a year, they lean on `year`.

        `births` tells which are of a birth, so that others do not lean on them.
        `behind` is the text from the end of each to the next one's start, up to `together.REACH`
        characters of it: what joins two dates tells that they are one range.
        `habit` tells whether the day comes before the month in digits where the note itself does
        not tell, by default as in the calendar's language.
        """
        plain = Reader(calendar, habit=habit)
        votes = [vote for vote in map(plain.order, words) if vote is not None]
        marks = {mark: _most(day for other, day in votes if other == mark) for mark, _ in votes}
        sure = {mark: day for mark, day in marks.items() if day is not None}
        reader = replace(plain, day_first=_most(day for _, day in votes), marks=sure)
        behind = behind or [""] * len(words)
        births = births or [False] * len(words)
        read = in_one_form(calendar, read_together(reader, words, behind))
        padded = _pads(read, calendar.language)
        references = _references(read, behind, births, year)
        told = (one for one, birth in zip(read, births, strict=True) if not birth)
        yearless = year is None and not any(map(_known, told))
        days = {
            day_of(one, field, reference)
            for one, reference in zip(read, references, strict=True)
            for field in (one.own if one else ())
            if one and field.kind == DAY
        }
        near = {day + timedelta(step) for day in days for step in (-1, 0, 1)}
        taken = frozenset((day.month, day.day) for day in near)
        written = tuple(zip(words, read, strict=True))
        return cls(reader, written, references, padded, yearless, taken)

    @classmethod
    def in_text(
        cls,
        calendar: Calendar,
        text: str,
        spans: Sequence[tuple[int, int]],
        *,
        habit: bool | None = None,
        year: int | None = None,
    ) -> tuple[Dates, list[tuple[int, int, int]]]:
        """Read the dates at places of a note, and cut those that are several.

        With them comes for each the number of its span, and where in the note it begins and ends.
        """
        reader = cls.of(calendar, [text[start:end] for start, end in spans], habit=habit).reader
        places = [
            (number, *bare(text, at + start, at + end))
            for number, (at, last) in enumerate(spans)
            for start, end in reader.pieces(text[at:last])
        ]
        words = [text[start:end] for _, start, end in places]
        joints = behind(text, [(start, end) for _, start, end in places])
        births = [is_birth(text[max(0, start - REACH) : start]) for _, start, _ in places]
        read = cls.of(calendar, words, habit=habit, behind=joints, births=births, year=year)
        return read, places

    def day(self, index: int) -> date | None:
        """Return the day that a date means, None where it is less than a day or unreadable."""
        words, written = self.written[index]
        if written is None:
            named = Holiday.find(self.reader.calendar, words, self.references[index])
            return named.day if named and not (named.before or named.behind) else None
        days = self.ends(index, DAY)
        return days[0] if days else None

    def ends(self, index: int, *kinds: str) -> tuple[date, ...]:
        """Return the days that the fields of some kinds mean: two where a date is a range."""
        written, reference = self.written[index][1], self.references[index]
        fields = () if written is None else written.own
        return tuple(
            day_of(written, field, reference)
            for field in fields
            if written is not None and field.kind in kinds
        )

    def moved(self, index: int, days: int, key: Key) -> Moved:
        """Return a date so many days on, written the same way."""
        words, written = self.written[index]
        reference = self.references[index]
        if written is not None:
            doubts = [Doubt.AMBIGUOUS] * written.guessed + [Doubt.IMPOSSIBLE] * written.impossible
            leans = any(field.kind == DAY for field in written.own)
            doubts += [Doubt.YEARLESS] * (self.yearless and leans)
            return Moved(shifted(written, days, reference, padded=self.padded), tuple(doubts))
        if weekly := _weekly(words):
            put = LETTER.sub(lambda m: LETTERS[(_weekday(m) + days) % WEEK_DAYS], weekly)
            return Moved(put.lower() if words.islower() else put)
        calendar = self.reader.calendar
        if (holiday := Holiday.find(calendar, words, reference)) is not None:
            put = calendar.written_out(holiday.day + timedelta(days), dated=holiday.dated)
            doubts = [Doubt.YEARLESS] * (self.yearless and not holiday.dated)
            put = like(holiday.name, put)
            return Moved(f"{holiday.before}{put}{holiday.behind}", tuple(doubts))
        if is_relative(words):
            return Moved(words)
        named = about(calendar, words)
        if named is not None:
            put = shifted(named, days, reference, padded=self.padded)
        else:
            near, order = (reference, days), self.reader.is_day_first
            put = invented(calendar, words, near, key, self.taken, is_day_first=order)
        return Moved(put.upper() if words.isupper() else put, (Doubt.UNREADABLE,))


def noted_year(meta: Mapping[str, str]) -> int | None:
    """Return the year that a note's metadata give it: that of `date`, or `year`."""
    found = ENDED_YEAR.search(f"{meta.get('date', '')} {meta.get('year', '')}")
    return int(found[0]) if found else None


def _references(
    read: Sequence[Written | None],
    behind: Sequence[str],
    births: Sequence[bool],
    year: int | None,
) -> tuple[date, ...]:
    """Return for each date the day that it most likely leans on: one before it, else behind it.

    None leans on a birth, nor on what was long before the last, where the note has another year.
    Without any it is in `year`, or in one that most years are like: 29 February is in leap years.
    The first day of a range leans on its last: `December 28 - January 3, 2021` begins in 2020.
    """
    known = [_known(written) for written in read]
    leap = any(one and (one.value(MONTH), one.value(DAY)) == (2, 29) for one in read)
    unknown = date(year or (2020 if leap else 2021), 7, 1)
    late = max((day.year for day in known if day), default=0) - LONG_AGO
    leaned = [
        None if birth or (day and day.year < late) else day
        for day, birth in zip(known, births, strict=True)
    ]
    if year is None and not any(leaned):
        leaned = known
    first = next((day for day in leaned if day), unknown)
    references, last = [], first
    for day in leaned:
        last = day or last
        references.append(last)
    for index, written in enumerate(read):
        after = read[index + 1] if index + 1 < len(read) else None
        if written is None and after and after.part and after.part[0]:  # `Christmas` and its year
            references[index] = known[index + 1] or references[index]
        end = known[index + 1] if after is not None and RANGE.fullmatch(behind[index]) else None
        month = written.value(MONTH) if written and written.year is None else None
        if end is not None and month is not None:
            references[index] = date(end.year - (month > end.month), month, 1)
    dated = year is not None or any(leaned)
    apart = [
        one is None and (birth or day is not None)
        for one, day, birth in zip(leaned, known, births, strict=True)
    ]
    return settled(read, references, behind, apart, dated=dated)


def _weekly(words: str) -> str:
    """Return letters of weekdays with their capitals, `TThS` of `tths`, `` where none are."""
    if WEEKLY.fullmatch(words):
        return words
    cased = SMALL_LETTER.sub(lambda letter: letter[0].title(), words)
    return cased if len(words) >= LEAST_LETTERS and WEEKLY.fullmatch(cased) else ""


def _weekday(letter: re.Match[str]) -> int:
    """Return the weekday of a letter, Thursday for the second T of `TTS`."""
    again = letter[0] == "T" and TUESDAY.search(letter.string[: letter.start()])
    return NUMBERS["Th" if again else letter[0]]


def _most(votes: Iterable[bool]) -> bool | None:
    """Return what more than half of the votes say."""
    told = [1 if vote else -1 for vote in votes]
    return None if sum(told) == 0 else sum(told) > 0


def _known(written: Written | None) -> date | None:
    if written is None or written.year is None:
        return None
    if written.value(DAY) and not written.value(MONTH):
        return None  # `5, 2021`: in the month of the date before it
    return clamped(written.year, written.value(MONTH) or 7, written.value(DAY) or 1)


def _pads(read: Sequence[Written | None], language: str) -> bool:
    """Tell whether a note writes `03` for 3: most of its numbers under ten tell."""
    numbers = [
        w.words[f.start : f.end] for w in read if w for f in w.fields if f.kind in (DAY, MONTH)
    ]
    with_zero = sum(number.startswith("0") for number in numbers)
    without = sum(len(number) == 1 for number in numbers)
    return with_zero > without or (with_zero == without and language != "en")
