"""What a date is made of: its fields, each at its place in the words."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass

from phiscrub.replace.calendar import Word

YEAR, YEAR2, MONTH, DAY, WEEKDAY, SEASON = "year", "year2", "month", "day", "weekday", "season"
QUARTER, WEEK, DECADE, NUMBER = "quarter", "week", "decade", "number"
NTH, WEEK_DAY = "nth week of a month", "day of a week"
LEAP = 2000
WINTER = 3  # among the seasons


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

    Of a date that several mentions write together, `part` is where this one's words begin and end.
    `impossible` says that there is no such day, such as 30 February; `guessed` that month and
    day may as well be the other way round.
    """

    words: str
    fields: tuple[Field, ...]
    guessed: bool = False
    part: tuple[int, int] | None = None

    @property
    def own(self) -> tuple[Field, ...]:
        """The fields of this part."""
        start, end = self.part or (0, len(self.words))
        return tuple(field for field in self.fields if start <= field.start < end)

    def value(self, *kinds: str) -> int | None:
        """Return the first field of the kinds."""
        return next((field.value for field in self.fields if field.kind in kinds), None)

    @property
    def year(self) -> int | None:
        """The year, if one is written."""
        return self.value(YEAR, YEAR2)

    @property
    def winter(self) -> tuple[Field, Field] | None:
        """Both years of `winter 2019-2020`."""
        years = [field for field in self.fields if field.kind in (YEAR, YEAR2)]
        if self.value(SEASON) != WINTER or len(years) != 2:  # noqa: PLR2004
            return None
        return (years[0], years[1]) if years[1].value == years[0].value + 1 else None

    @property
    def impossible(self) -> bool:
        """Whether the month is shorter than the day says."""
        month, day = self.value(MONTH), self.value(DAY)
        return None not in (month, day) and day > monthrange(self.year or LEAP, month)[1]  # type: ignore[operator,arg-type]
