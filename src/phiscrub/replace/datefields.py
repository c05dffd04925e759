"""How a date is written: its fields, each at its place, so that another date can be put there."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace

from phiscrub.replace.calendar import MONTHS, SEASONS, WEEKDAYS, Calendar, Word
from phiscrub.replace.people import fold
from phiscrub.replace.spoken import SPOKEN_DAY, SPOKEN_YEAR, spoken_day, spoken_year

YEAR, YEAR2, MONTH, DAY, WEEKDAY, SEASON = "year", "year2", "month", "day", "weekday", "season"
QUARTER, WEEK, DECADE, NUMBER = "quarter", "week", "decade", "number"
PIECE = re.compile(r"(?P<mark>(?<!\w)['’‘])?(?P<number>\d+)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)")
TIME = re.compile(r"(?<!\d)\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?")
RANGE = re.compile(
    r"\s*[–—]\s*|\s+-\s*|\s*-\s+|(?<=\d)-(?=\d{1,2}/)"
    r"|(?<=\s)(?:to|thru|through|until|and|al|a|y|till|och)(?=\s)"
)
SUFFIX = re.compile(r"[ ]?(?:st|nd|rd|th|er|º|ª|[:][ae])(?![^\W\d_])", re.I)
DECADES = re.compile(r"-talet|s(?!\w)", re.I)
MISREAD = re.compile(r"(?<![^\W\d_])(?!I{1,3}(?!\w))(?=[\dOolI ./-]*\d)[\dOolI]{1,4}(?![^\W\d_])")
DIGITS = str.maketrans("OolI", "0011")  # what a scanner reads for digits
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
MONTHS_A_YEAR, LAST_DAY, PIVOT = 12, 31, 35
SHORT, LONG = 2, 4  # digits of a year
CENTURIES = range(1800, 2101)
LEAP = 2000
GLUE = frozenset(
    [
        "of",
        "the",
        "de",
        "del",
        "den",
        "d",
        "t",
        "z",
        "am",
        "pm",
        "at",
        "kl",
        "on",
        "in",
        "late",
        "early",
        "mid",
        "e",
        "a",
        "ano",
        "mes",
        "years",
    ]
)
WEEKS = frozenset({"v", "vecka", "veckan", "week", "wk", "semana"})
FISCAL = frozenset({"fy", "ay"})


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a date at its place in the words; `form` is its word's list in the calendar.

    Years have their century in `value`, months count from 1, weekdays and seasons from 0.
    """

    start: int
    end: int
    kind: str
    value: int
    form: Word | None = None
    spoken: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """Words that are one date, or days of one month: their fields in order.

    `impossible` says that there is no such day, such as 30 February; `guessed` that month and
    day may as well be the other way round.
    """

    words: str
    fields: tuple[Field, ...]
    guessed: bool = False

    def value(self, *kinds: str) -> int | None:
        """Return the first field of the kinds."""
        return next((field.value for field in self.fields if field.kind in kinds), None)

    @property
    def year(self) -> int | None:
        """The year, if one is written."""
        return self.value(YEAR, YEAR2)

    @property
    def twin(self) -> bool:
        """Whether day and month are the same number, which tells nothing of their order."""
        return self.value(DAY) == self.value(MONTH)

    @property
    def impossible(self) -> bool:
        """Whether the month is shorter than the day says."""
        month, day = self.value(MONTH), self.value(DAY)
        return None not in (month, day) and day > monthrange(self.year or LEAP, month)[1]  # type: ignore[operator,arg-type]


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads dates of one note; `day_first` is how the note writes dates in digits, if it tells."""

    calendar: Calendar
    day_first: bool | None = None

    def pieces(self, words: str) -> list[tuple[int, int]]:
        """Return the stretches that are dates of their own: two where the words are a range."""
        if self.read(words) is not None:
            return [(0, len(words))]
        found, done = [], 0
        for cut in RANGE.finditer(words):
            found.append((done, cut.start()))
            done = cut.end()
        found.append((done, len(words)))
        return [(start, end) for start, end in found if words[start:end].strip()]

    def read(self, words: str) -> Written | None:
        """Return the words with their fields, None where they are no date that can be read."""
        words = MISREAD.sub(lambda m: m[0].translate(DIGITS), words)
        fields = self._fields(words)
        if fields is None:
            return None
        guessed = False
        if any(field.kind == NUMBER for field in fields):
            named = [f.kind for f in fields if f.kind != NUMBER]
            numbers = [f for f in fields if f.kind == NUMBER]
            if MONTH in named:
                kinds = _beside_month(words, fields)
            elif len(numbers) == 1 and set(named) & {SEASON, WEEK, QUARTER, DAY}:
                kinds = (YEAR2,)
            else:
                kinds, guessed = self._in_digits(words, fields)
            if len(kinds) != len(numbers):
                return None
            told = dict(zip(numbers, kinds, strict=True))
            fields = [replace(f, kind=told[f]) if f.kind == NUMBER else f for f in fields]
        fields = [replace(f, value=_century(f.value)) if f.kind == YEAR2 else f for f in fields]
        if not fields or any(not _fits(field) for field in fields):
            return None
        return Written(words, tuple(fields), guessed)

    def order(self, words: str) -> bool | None:
        """Tell whether these words write the day before the month, None where they do not tell."""
        read = Reader(self.calendar).read(words)
        kinds = (
            []
            if read is None or read.guessed or read.twin
            else [field.kind for field in read.fields]
        )
        if not {DAY, MONTH} <= set(kinds) or kinds[0] in (YEAR, YEAR2):
            return None
        return kinds.index(DAY) < kinds.index(MONTH)

    def _fields(self, words: str) -> list[Field] | None:
        """Return what is written, numbers of one or two digits still as they are."""
        blank = TIME.sub(_blank, words)
        fields = [
            Field(*spoken.span(), YEAR, spoken_year(spoken[0]), spoken=True)
            for spoken in SPOKEN_YEAR.finditer(blank)
        ]
        blank = SPOKEN_YEAR.sub(_blank, blank)
        fields += [
            Field(*spoken.span(), DAY, spoken_day(spoken[0]), spoken=True)
            for spoken in SPOKEN_DAY.finditer(blank)
        ]
        blank = SPOKEN_DAY.sub(_blank, blank)
        done = 0
        for piece in PIECE.finditer(blank):
            if piece.start() < done:
                continue
            found = self._number(blank, piece) if piece["number"] else self._word(blank, piece)
            if found is None:
                return None
            fields += found
            done = max((field.end for field in found), default=piece.end())
        return sorted(fields, key=lambda field: field.start)

    def _number(self, words: str, piece: re.Match[str]) -> list[Field] | None:
        digits, start, end = piece["number"], piece.start("number"), piece.end()
        value, after = int(digits), words[end : end + 1]
        if suffix := SUFFIX.match(words, end):
            return [Field(start, suffix.end(), DAY, value)] if len(digits) <= SHORT else None
        ending = DECADES.match(words, end)
        if ending and len(digits) in (SHORT, LONG) and not value % 10:
            return [
                Field(start, ending.end(), DECADE, value + (1900 if len(digits) == SHORT else 0))
            ]
        if after in ("q", "Q") and len(digits) == 1:
            return [Field(start, end, QUARTER, value), *self._after_mark(words, end + 1)]
        if len(digits) == LONG:
            return [Field(start, end, YEAR, value)]
        if len(digits) <= SHORT:
            known = piece["mark"] or (start and words[:start].strip() in ("-", "–"))
            return [Field(start, end, YEAR2 if known else NUMBER, value)]
        return self._run(digits, start)

    def _after_mark(self, words: str, start: int) -> list[Field]:
        year = re.compile(r"[ ]?['’]?(\d{2}|\d{4})(?!\d)").match(words, start)
        if year is None:
            return []
        kind = YEAR if len(year[1]) == LONG else YEAR2
        return [Field(year.start(1), year.end(), kind, int(year[1]))]

    def _run(self, digits: str, start: int) -> list[Field] | None:
        """Read 20140312, 12032014 or 140312."""
        swedish, us = self.calendar.language == "sv", self.calendar.language == "en"
        last = (MONTH, DAY) if us and self.day_first is not True else (DAY, MONTH)
        layouts: list[tuple[tuple[str, int], ...]] = []
        if len(digits) == len("20140312"):
            layouts = [((YEAR, 4), (MONTH, 2), (DAY, 2)), ((last[0], 2), (last[1], 2), (YEAR, 4))]
        elif len(digits) == len("140312"):
            layouts = [((YEAR2, 2), (MONTH, 2), (DAY, 2)), ((last[0], 2), (last[1], 2), (YEAR2, 2))]
            layouts = layouts if swedish else layouts[::-1]
        for layout in layouts:
            fields, at = [], 0
            for kind, length in layout:
                value = int(digits[at : at + length])
                fields.append(Field(start + at, start + at + length, kind, value))
                at += length
            if all(map(_fits, fields)):
                return fields
        return None

    def _word(self, words: str, piece: re.Match[str]) -> list[Field] | None:
        start, end = piece.span()
        lone, after = fold(piece[0]), words[end:]
        number = re.match(r"[. ]{0,2}(\d{1,2})(?!\d)", after)
        if number and (lone in WEEKS or lone == "q"):
            kind = QUARTER if lone == "q" else WEEK
            return [Field(end + number.start(1), end + number.end(), kind, int(number[1]))]
        if lone in FISCAL:
            return self._after_mark(words, end) or None
        if lone in ROMAN and words[start - 1 : start] in tuple("/.- ") and start:
            return [Field(start, end, MONTH, ROMAN.index(lone) + 1)]
        joined = start > 0 and words[start - 1] in "-/" and after[:1] in tuple("-/")
        word = self.calendar.find(piece[0], short=joined)
        if word is None:
            return [] if lone in GLUE else None
        kinds = {MONTHS: MONTH, WEEKDAYS: WEEKDAY, SEASONS: SEASON}
        return [Field(start, end, kinds[word.kind], word.number + (word.kind == MONTHS), word)]

    def _in_digits(  # noqa: PLR0911 - one return a way of writing
        self, words: str, fields: list[Field]
    ) -> tuple[tuple[str, ...], bool]:
        """Return what each number is where no month is named, and whether that is a guess."""
        numbers = [field for field in fields if field.kind == NUMBER]
        years = [field for field in fields if field.kind in (YEAR, YEAR2)]
        others = len(fields) - len(numbers) - len(years)
        values = [field.value for field in numbers]
        dashed = set(words) & set("-/.") == {"-"}
        if len(numbers) == 1 and len(years) == 1 and not others:
            year, value = years[0].value, values[0]
            if years[0].start < numbers[0].start and value == (year + 1) % 100 > MONTHS_A_YEAR:
                return (YEAR2,), False
            return (MONTH,), False
        if len(numbers) == 1 and not years:
            return (YEAR2,) if values[0] > LAST_DAY else (DAY,), False
        if len(numbers) == 3 and not years:  # noqa: PLR2004 - a day, a month and a year
            if values[0] > LAST_DAY or (dashed and self.calendar.language == "sv"):
                return (YEAR2, MONTH, DAY), False
            first, guessed = self._pair(values[0], values[1])
            return (*first, YEAR2), guessed
        if len(numbers) == 2 and len(years) <= 1:  # noqa: PLR2004 - a day and a month
            if years and years[0].start < numbers[0].start:
                return ((DAY, MONTH) if values[0] > MONTHS_A_YEAR else (MONTH, DAY)), False
            return self._pair(values[0], values[1])
        return (), False

    def _pair(self, first: int, second: int) -> tuple[tuple[str, str], bool]:
        if first > MONTHS_A_YEAR or second > MONTHS_A_YEAR:
            return ((DAY, MONTH) if first > MONTHS_A_YEAR else (MONTH, DAY)), False
        mine = self.calendar.language != "en" if self.day_first is None else self.day_first
        return ((DAY, MONTH) if mine else (MONTH, DAY)), self.day_first is None and first != second


def _beside_month(  # noqa: PLR0911 - one return a way of writing
    words: str, fields: list[Field]
) -> tuple[str, ...]:
    """Return what each number is beside a named month."""
    at = next(field.start for field in fields if field.kind == MONTH)
    numbers = [field for field in fields if field.kind == NUMBER]
    dated = any(field.kind in (YEAR, YEAR2) for field in fields)
    before = [field for field in numbers if field.start < at]
    after = [field for field in numbers if field.start > at]
    has_day = bool(before) or any(field.kind == DAY for field in fields)
    if before and before[0].value > LAST_DAY and len(before) == len(after) == 1:
        return YEAR2, DAY
    if has_day and len(after) <= 1 and not (after and dated):
        return (*[DAY] * len(before), *[YEAR2] * len(after))
    if before or not after:
        return ()
    if dated:
        return (DAY,) * len(after)
    if len(after) == 1:
        glued = words[after[0].start - 1] in "-–" and not words[at].isdigit()
        return (YEAR2,) if after[0].value > LAST_DAY or glued else (DAY,)
    joined = words[after[0].end : after[1].start].strip() in ("-", "–", "&", "and")
    if joined and words[after[0].start - 1] not in "-/" and after[1].value > after[0].value:
        return (DAY,) * len(after)
    return (DAY, YEAR2) if len(after) == 2 else ()  # noqa: PLR2004


def _fits(field: Field) -> bool:
    most = {MONTH: MONTHS_A_YEAR, DAY: LAST_DAY, QUARTER: 4, WEEK: 53}
    if field.kind == YEAR:
        return field.value in CENTURIES
    return field.kind not in most or 1 <= field.value <= most[field.kind]


def _century(short: int) -> int:
    return short + (2000 if short <= PIVOT else 1900)


def _blank(found: re.Match[str]) -> str:
    return " " * len(found[0])
