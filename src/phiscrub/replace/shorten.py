"""What stays of a shortened mention: the year, an age under 90, three digits of a zip code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from types import MappingProxyType

from phiscrub.core.span import Span
from phiscrub.replace.clock import without_times
from phiscrub.replace.spoken import SPOKEN_YEAR, spoken_year

YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)|(?<!\w)['’]\d\d(?!\d)")
ANY_YEAR = re.compile(  # in digits that are one number, too
    r"(?<!\d)(?:1[6-9]|20)\d\d(?=(?:(?:0[1-9]|1[0-2])[0-3]\d(?:\d\d){0,3})?(?!\d))"
    r"|(?<=(?<!\d)\d{4})(?:1[6-9]|20)\d\d(?!\d)"
)
SHORT_YEAR = re.compile(r"(?<!\d)\d\d\Z")
NUMBER = re.compile(r"\d+")
SMALL_UNIT = re.compile(r"[\s-]{0,2}(?:days?|wks?|weeks?|mos?|mths?|months?|hrs?|hours?)\b", re.I)
ZIP = re.compile(r"(\d{3})\d{2}(?:[ -]?\d{4})?")
LETTERS = re.compile(r"[^\W\d_]+")
OLDEST = re.compile(
    r"ninet\w+|hundred\w*|nonagenarians?|(?:super)?centenarians?|"
    r"novent\w+|cien(?:to)?|(?:nonagen|(?:super)?centen)ari[oa]s?|nittio\w*|(?:ett)?hundra\w*"
)
OLD_POINT = re.compile(r"(?<![\d.,])(\d{2,3})[.,]\Z")
REACH = 5  # characters before an age that may be the rest of its number
YOUNGER = re.compile(
    r"zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|"
    r"(?:thir|four|fif|six|seven|eigh|nine)teen|teens|"
    r"(?:twent|thirt|fou?rt|fift|sixt|sevent|eight)(?:y|ies)|(?:sexa|septua|octo)genarian"
)


@dataclass(frozen=True, slots=True)
class Limits:
    """What a shortened mention may still tell.

    Ages above `oldest_age` become one group. Years before `oldest_year`, or more than
    `oldest_age` years before the latest year that the note dates, tell such an age and go too.
    Zip prefixes in `restricted_zips` become ``000``.
    """

    oldest_age: int = 89
    oldest_year: int = 0
    restricted_zips: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch that goes: `words` stand in for it, or the replacer's where they are None."""

    span: Span
    words: str | None = None


@dataclass(frozen=True, slots=True)
class Shortening:
    """One note's text, what its policy allows, and the earliest year that may stay."""

    text: str
    limits: Limits
    first_year: int

    @classmethod
    def of(cls, text: str, dates: Iterable[Span], limits: Limits) -> Shortening:
        """Work out the earliest year from the note's dates."""
        told = (y[0] for d in dates for y in YEAR.finditer(text, d.start, d.end) if y[0].isdigit())
        latest = max(map(int, told), default=0)
        return cls(text, limits, max(limits.oldest_year, latest - limits.oldest_age))

    def date(self, span: Span) -> Iterator[Piece]:
        """Yield what is left of a date without its years.

        Years have four digits or an apostrophe: two bare digits may as well be a day.
        """
        years = YEAR.finditer(self.text, span.start, span.end)
        stay = [year.span() for year in years if self._may_stay(year[0])]
        if not stay:
            yield Piece(span)
            return
        edges = [span.start, *chain.from_iterable(stay), span.end]
        for start, end in list(pairwise(edges))[::2]:
            inner = [i for i in range(start, end) if self.text[i].isalnum()]
            if inner:
                yield Piece(Span(inner[0], inner[-1] + 1))

    def tells_oldest(self, words: str, *, birth: bool = False) -> bool:
        """Tell whether a date's year tells an age above the oldest; of a birth, if it may do so."""
        words = without_times(words)
        years = [int(year[0]) for year in ANY_YEAR.finditer(words)]
        years += [spoken_year(year[0]) for year in SPOKEN_YEAR.finditer(words)]
        if birth and not years and (short := SHORT_YEAR.search(words)):
            years = [1900 + int(short[0])]
        return any(year < self.first_year for year in years)

    def age(self, span: Span) -> Iterator[Piece]:
        """Yield nothing for an age up to the oldest, the whole age as ``90+`` above it.

        The ``5`` of ``92.5`` is a mention of its own to some detectors: it becomes 0.
        """
        point = OLD_POINT.search(self.text[max(0, span.start - REACH) : span.start])
        rest = NUMBER.match(self.text, span.start, span.end)
        if point and rest and int(point[1]) > self.limits.oldest_age:
            yield Piece(Span(*rest.span()), "0")
            return
        words = self.text[span.start : span.end]
        told = [word.lower() for word in LETTERS.findall(words)]
        top = f"{self.limits.oldest_age + 1}+"
        numbers = list(NUMBER.finditer(self.text, span.start, span.end))
        if any(map(OLDEST.fullmatch, told)) or any(map(self._is_oldest, numbers)):
            yield Piece(span, top)
        elif not numbers and not any(map(YOUNGER.fullmatch, told)):
            yield Piece(span)  # an age that cannot be read may be any age

    def zip(self, span: Span) -> Iterator[Piece]:
        """Yield a US zip code as its first three digits, any other postcode as it is."""
        match = ZIP.fullmatch(self.text, span.start, span.end)
        if match is None:
            yield Piece(span)
        else:
            yield Piece(span, "000" if match[1] in self.limits.restricted_zips else match[1])

    def _is_oldest(self, number: re.Match[str]) -> bool:
        in_years = SMALL_UNIT.match(self.text, number.end()) is None
        return in_years and int(number[0]) > self.limits.oldest_age

    def _may_stay(self, year: str) -> bool:
        # `'05` may be 1905: it stays only where the earlier of its centuries may
        return int(year if year.isdigit() else f"19{year[1:]}") >= self.first_year


Method = Callable[[Shortening, Span], Iterator[Piece]]
METHODS: MappingProxyType[str, Method] = MappingProxyType(
    {"DATE": Shortening.date, "AGE": Shortening.age, "ZIP": Shortening.zip}
)  # by the hub label that can be shortened so
