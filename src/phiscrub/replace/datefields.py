"""Reads dates: their fields, each at its place, so that another date can be put there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from phiscrub.replace.calendar import MONTHS, SEASONS, WEEKDAYS, Calendar
from phiscrub.replace.clock import without_times
from phiscrub.replace.misread import AS_DIGITS
from phiscrub.replace.onemonth import one_month
from phiscrub.replace.people import fold
from phiscrub.replace.spoken import short_year, spoken_day
from phiscrub.replace.spokenfields import blanked, spoken_fields
from phiscrub.replace.written import (
    DAY,
    DECADE,
    MONTH,
    NTH,
    NUMBER,
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

PIECE = re.compile(r"(?P<mark>(?<!\w)['’‘])?(?P<number>\d+)|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)")
RANGE = re.compile(
    r"\s{0,4}[–—]\s{0,4}|\s{1,4}-\s{0,4}|\s{0,4}-\s{1,4}|(?<=\d)-(?=\d{1,2}/|[^\W\d_]{3})"
    r"|(?<=[^\W\d_]{3})-(?=\d{1,2}\s+[^\W\d_]{3})"
    r"|(?<=\d)\s{1,4}(?=\d{1,4}[/.-]\d)"
    r"|(?<=\s)(?:to|thru|through|until|and|al|a|y|till|och)(?=\s)"
    r"|(?<=\s)or(?=\s)(?! (?:about|around|before|after|near))"
    r"|\s{0,4}[,;&+](?:\s{0,4}(?:and|or|y|och)(?=\s))?\s{0,4}"
)
MOST_CUTS = 24  # of one mention; more than that is no list of dates
JOINT = re.compile(r"(?<=\s)(?:to|thru|through|and|or|al|y|till|och)\s+(?=(?:the |el |den )?\d)")
LISTED = re.compile(
    r"(?:and|or|y|och)\s"
)  # `15 and 12 March` are of one month, not `28 to 2 March`
JOINTS = frozenset({"to", "thru", "through", "until", "and", "or"})
OR_SO = re.compile(r"or (?:about|around|before|after|near)(?!\w)", re.I)
LONGEST = 200  # characters; more are no one date
NUMERIC = re.compile(r"\d+")
NTH_TIME = re.compile(
    r"(?<!\w)(?P<nth>[1-5](?:st|nd|rd|th)|first|second|third|fourth|fifth)\s+(?:full\s+)?"
    r"(?:(?:week|weekend)s?|(?P<quarter>quarter))(?!\w)",
    re.I,
)
ISO_WEEK = re.compile(r"(?<!\d)(?P<year>\d{4})-?W(?P<week>\d\d)(?:-?(?P<day>[1-7]))?(?!\w)")
SUFFIX = re.compile(r"[ ]?(?:st|nd|rd|th|er|º|ª|[:][ae])(?![^\W\d_])", re.I)
WEEKDAY_ENDS = re.compile(  # and a month comes behind the day
    r"\.?,\s{0,2}\d{1,2}(?!\d)(?:\W*+(?:del?\s)?+[^\W\d_]|[/.-]\d)"
)
DECADES = re.compile(r"-talet|['’]?s(?!\w)", re.I)
MISREAD = re.compile(r"(?<![^\W\d_])(?!I{1,3}(?!\w))(?=[\dOolI ./-]*\d)[\dOolI]{1,4}(?![^\W\d_])")
ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")
MONTHS_A_YEAR, LAST_DAY, PIVOT = 12, 31, 35
SHORT, LONG = 2, 4  # digits of a year
CENTURIES = range(1800, 2101)
GLUE = frozenset(  # words beside a date, which stay
    (  # noqa: SIM905 - a list of words
        "of the de del el den d t z am pm at kl on in late early mid e a ano mes years week weeks "
        "weekend w c wc wk commencing beginning starting ending since from by around about approx "
        "circa before after la last next this past end middle start year month same current coming "
        "previous prior following ago pasado proximo este forra nasta ar m morning noon afternoon "
        "evening night approximately lasaret arsskiftet"
    ).split()
)
WEEKS = frozenset({"v", "vecka", "veckan", "w", "week", "wk", "semana"})
FISCAL = frozenset({"fy", "ay"})


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads dates of one note.

    `day_first` is how the note writes dates in digits, if it tells; `marks` tells it for those
    with one sign between day and month, and `habit` is what holds where the note does not tell,
    by default the language's.
    """

    calendar: Calendar
    day_first: bool | None = None
    marks: Mapping[str, bool] = field(default_factory=dict)
    habit: bool | None = None

    def pieces(self, words: str) -> list[tuple[int, int]]:
        """Return the stretches that are dates of their own: several in a range or a list."""
        cuts = list(RANGE.finditer(words))
        if not cuts or len(cuts) > MOST_CUTS or self.read(words) is not None:
            return [(0, len(words))]
        starts = [0, *(cut.end() for cut in cuts)]
        ends = [*(cut.start() for cut in cuts), len(words)]
        best: list[tuple[int, list[tuple[int, int]]]] = [(0, [])]
        for last, end in enumerate(ends):  # the fewest stretches of which the most can be read
            found = []
            for first, start in enumerate(starts[: last + 1]):
                lost, before = best[first]
                stretch = words[start:end]
                if not stretch.strip():
                    found.append((lost, before))
                    continue
                lost += 0 if self.read(stretch) is not None else len(stretch)
                found.append((lost, [*before, (start, end)]))
            best.append(min(found, key=lambda one: (one[0], len(one[1]))))
        return best[-1][1]

    def read(self, words: str) -> Written | None:
        """Return the words with their fields, None where they are no date that can be read."""
        if len(words) > LONGEST:
            return None
        words = MISREAD.sub(lambda m: m[0].translate(AS_DIGITS), words)
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
            elif SEASON in named and len(numbers) == 2 and _follow(numbers):  # noqa: PLR2004
                kinds = (YEAR2, YEAR2)  # `winter 19/20`
            else:
                kinds, guessed = self._in_digits(words, fields)
            if len(kinds) != len(numbers):
                return None
            told = dict(zip(numbers, kinds, strict=True))
            fields = [replace(f, kind=told[f]) if f.kind == NUMBER else f for f in fields]
        fields = [replace(f, value=_century(f.value)) if f.kind == YEAR2 else f for f in fields]
        if not fields or any(not _fits(field) for field in fields):
            return None
        fields, guessed = _by_weekday(words, fields, guessed=guessed)
        kinds = tuple(field.kind for field in fields)
        months, years = kinds.count(MONTH), kinds.count(YEAR) + kinds.count(YEAR2)
        days = [field.value for field in fields if field.kind == DAY]
        joint = JOINT.search(words)
        rises = days == sorted(days) or (joint is not None and LISTED.match(joint[0]) is not None)
        if (days and max(months, years) > 1) or (joint and not (months == 1 and rises)):
            return None  # dates of their own
        return Written(words, tuple(fields), guessed)

    def order(self, words: str) -> tuple[str, bool] | None:
        """Tell whether a date in digits has its day before its month, and what sign is between.

        None where the words do not tell: a month by its name says nothing of dates in digits.
        """
        read = Reader(self.calendar).read(words)
        if read is None or read.fields[0].kind in (YEAR, YEAR2):
            return None
        found = [f for f in read.fields if f.kind in (DAY, MONTH)]
        in_digits = all(NUMERIC.fullmatch(read.words, f.start, f.end) for f in found)
        if sorted(f.kind for f in found) != [DAY, MONTH] or not in_digits:
            return None
        weekday = read.value(WEEKDAY) is not None and not read.guessed
        if (read.value(DAY) or 0) <= MONTHS_A_YEAR and not (
            weekday and found[0].value != found[1].value
        ):
            return None
        first, second = found
        return read.words[first.end : second.start].strip(), first.kind == DAY

    def is_day_first(self, mark: str) -> bool:
        """Tell how dates in digits are read whose numbers do not tell."""
        told = self.marks.get(mark, self.day_first)
        if told is not None:
            return told
        return self.calendar.language != "en" if self.habit is None else self.habit

    def _fields(self, words: str) -> list[Field] | None:
        """Return what is written, numbers of one or two digits still as they are."""
        if year := short_year(words):
            return [Field(0, len(words), YEAR2, year, spoken=True)]
        blank = without_times(words)
        fields: list[Field] = []
        for week in ISO_WEEK.finditer(blank):
            kinds = (("year", YEAR), ("week", WEEK), ("day", WEEK_DAY))
            fields += [Field(*week.span(g), k, int(week[g])) for g, k in kinds if week[g]]
        blank = ISO_WEEK.sub(blanked, blank)
        for nth in NTH_TIME.finditer(blank):
            said = nth["nth"]
            value = int(said[0]) if said[0].isdigit() else spoken_day(said)
            spelled = not said[0].isdigit()
            kind = QUARTER if nth["quarter"] else NTH
            fields.append(Field(*nth.span("nth"), kind, value, spoken=spelled))
        blank = NTH_TIME.sub(blanked, blank)
        spoken, blank = spoken_fields(self.calendar, blank)
        fields += spoken
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
        swedish = self.calendar.language == "sv"
        last = (DAY, MONTH) if self.is_day_first("") else (MONTH, DAY)
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
        number = re.match(r"[. ]{0,2}(\d{1,2})(?!\d|/\d{1,2}/)", after)
        if number and (lone in WEEKS or lone == "q"):
            kind = QUARTER if lone == "q" else WEEK
            return [Field(end + number.start(1), end + number.end(), kind, int(number[1]))]
        if JOINT.match(words, start) or OR_SO.match(words, start):
            return []
        if lone in FISCAL:
            return self._after_mark(words, end) or None
        heads = not words[:start].strip() and re.match(r"[/.-]\d", after)  # `XII/2012`
        if lone in ROMAN and (heads or (start and words[start - 1] in "/.- ")):
            return [Field(start, end, MONTH, ROMAN.index(lone) + 1)]
        beside = words[max(0, start - 1) : start] + after[:1]
        joined = any(sign in "-/" or sign.isdigit() for sign in beside)
        dated = re.search(r"\d[-/]?$", words[:start]) or re.match(r"[-/]?\d", after)
        word = self.calendar.find(piece[0], short=joined, dated=dated is not None)
        if word is None and lone not in GLUE:
            word = self.calendar.misspelt(lone)
        if word is not None and word.kind == MONTHS and WEEKDAY_ENDS.match(after):
            word = self.calendar.weekday(lone) or word  # `mar., 16 ene.`
        if word is None or (lone in GLUE | JOINTS and word.language != self.calendar.language):
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
        if not others and (
            ranged := one_month(words.strip(), values, day_first=self.is_day_first("/"))
        ):
            return ranged, False
        if len(numbers) == 1 and len(years) == 1 and not others:
            year, value = years[0].value, values[0]
            if years[0].start < numbers[0].start and value == (year + 1) % 100 > MONTHS_A_YEAR:
                return (YEAR2,), False
            comma = words[numbers[0].end : years[0].start].strip() == ","  # of `March 3-5, 2021`
            return (DAY if comma or value > MONTHS_A_YEAR else MONTH,), False
        if len(numbers) == 1 and not years:
            return (YEAR2,) if values[0] > LAST_DAY else (DAY,), False
        if len(numbers) == 3 and not years:  # noqa: PLR2004 - a day, a month and a year
            if values[0] > LAST_DAY or (dashed and self.calendar.language == "sv"):
                return (YEAR2, MONTH, DAY), False
            first, guessed = self._pair(words, *numbers[:2])
            return (*first, YEAR2), guessed
        if len(numbers) == 2 and len(years) <= 1:  # noqa: PLR2004 - a day and a month
            if years and years[0].start < numbers[0].start:
                return ((DAY, MONTH) if values[0] > MONTHS_A_YEAR else (MONTH, DAY)), False
            if not years and values[0] <= MONTHS_A_YEAR and _no_day(numbers[1]):
                return (MONTH, YEAR2), False  # `4/98`
            if not years and values[1] <= MONTHS_A_YEAR and _no_day(numbers[0]):
                return (YEAR2, MONTH), False
            return self._pair(words, *numbers)
        return (), False

    def _pair(self, words: str, one: Field, two: Field) -> tuple[tuple[str, str], bool]:
        if one.value > MONTHS_A_YEAR or two.value > MONTHS_A_YEAR:
            return ((DAY, MONTH) if one.value > MONTHS_A_YEAR else (MONTH, DAY)), False
        mine = self.is_day_first(words[one.end : two.start].strip())
        order = (DAY, MONTH) if mine else (MONTH, DAY)
        return order, self.day_first is None and one.value != two.value


def _by_weekday(words: str, fields: list[Field], *, guessed: bool) -> tuple[list[Field], bool]:
    """Let a weekday tell which of two numbers is the month: `Thu 5/10/17` is 5 October."""
    by_kind = {YEAR if field.kind == YEAR2 else field.kind: field for field in fields}
    if len(fields) != len(by_kind) or by_kind.keys() != {DAY, MONTH, YEAR, WEEKDAY}:
        return fields, guessed
    day, month, year = by_kind[DAY], by_kind[MONTH], by_kind[YEAR]
    in_digits = all(NUMERIC.fullmatch(words, f.start, f.end) for f in (day, month))
    if not in_digits or day.value > MONTHS_A_YEAR or year.start < max(day.start, month.start):
        return fields, guessed
    weekday = by_kind[WEEKDAY].value
    right = date(year.value, month.value, day.value).weekday() == weekday
    swapped = date(year.value, day.value, month.value).weekday() == weekday
    if right == swapped:
        return fields, guessed
    other = {} if right else {day: replace(day, kind=MONTH), month: replace(month, kind=DAY)}
    return [other.get(field, field) for field in fields], False


def _beside_month(  # noqa: PLR0911 - one return a way of writing
    words: str, fields: list[Field]
) -> tuple[str, ...]:
    """Return what each number is beside a named month."""
    at = next(field.start for field in fields if field.kind == MONTH)
    numbers = [field for field in fields if field.kind == NUMBER]
    dated = any(field.kind in (YEAR, YEAR2) for field in fields)
    before = [field for field in numbers if field.start < at]
    after = [field for field in numbers if field.start > at]
    days = [field.start for field in fields if field.kind == DAY]
    if after and days and after[-1].start < max(days):
        return (DAY,) * len(numbers)  # `March 12 to the 14th`
    if before and before[0].value > LAST_DAY and len(before) == len(after) == 1:
        return YEAR2, DAY
    if (before or days) and len(after) <= 1 and not (after and dated):
        return (*[DAY] * len(before), *[YEAR2] * len(after))
    if before or not after:
        return ()
    if dated:
        return (DAY,) * len(after)
    if len(after) == 1:
        sign, month = words[after[0].start - 1], words[at : after[0].start - 1]
        glued = (sign in "-–" and not month[:1].isdigit()) or fold(month) in ROMAN
        return (YEAR2,) if after[0].value > LAST_DAY or glued else (DAY,)
    values = [field.value for field in after]
    if len(after) > 2 and values == sorted(set(values)):  # noqa: PLR2004 - `Mar 12, 13, 15`
        return (DAY,) * len(after)
    joined = words[after[0].end : after[1].start].strip() in ("-", "–", "&", "and", "or", "to")
    if joined and words[after[0].start - 1] not in "-/" and after[1].value > after[0].value:
        return (DAY,) * len(after)
    return (DAY, YEAR2) if len(after) == 2 else ()  # noqa: PLR2004


def _fits(field: Field) -> bool:
    most = {MONTH: MONTHS_A_YEAR, DAY: LAST_DAY, QUARTER: 4, WEEK: 53, NTH: 5}
    if field.kind == YEAR:
        return field.value in CENTURIES
    return field.kind not in most or 1 <= field.value <= most[field.kind]


def _follow(years: Sequence[Field]) -> bool:
    return years[1].value == (years[0].value + 1) % 100


def _no_day(number: Field) -> bool:
    two_digits = number.end - number.start == SHORT
    return two_digits and not 0 < number.value <= LAST_DAY


def _century(short: int) -> int:
    return short + (2000 if short <= PIVOT else 1900)
