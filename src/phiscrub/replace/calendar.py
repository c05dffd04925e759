"""The words of calendars: months, weekdays and seasons of several languages, named days."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from importlib import resources
from types import MappingProxyType

from phiscrub.replace.people import fold
from phiscrub.replace.slips import one_slip

MONTHS, WEEKDAYS, SEASONS, DAYS = "months", "weekdays", "seasons", "days"
SHORTEST = 3  # letters of an abbreviated month
LONG = 5  # letters of a word that may be a slip of another
HIJRI_EPOCH = 227_015  # proleptic ordinal of 1 Muharram of the year 1, tabular (civil) calendar
HIJRI_YEAR = 354.36667


@dataclass(frozen=True, slots=True)
class Word:
    """A word of a calendar: what it is, its number in its list (from 0), and that list."""

    kind: str
    number: int
    forms: tuple[str, ...]
    language: str


@dataclass(frozen=True, slots=True)
class Calendar:
    """Look-up of calendar words, those of one language before others; words are folded.

    `templates` are how the language writes a day of a month, without and with a year; `days` are
    its own words for days of a month, `said` finds them.
    """

    words: Mapping[str, tuple[Word, ...]]
    days: Mapping[str, Word]
    said: re.Pattern[str]
    holidays: Mapping[str, str]
    templates: tuple[str, str]
    long_months: tuple[str, ...]
    language: str

    @classmethod
    def load(cls, language: str) -> Calendar:
        """Load the shipped calendar, English where the language has none."""
        file = resources.files("phiscrub") / "data" / "surrogates" / "calendar.toml"
        data = tomllib.loads(file.read_text("utf-8"))
        named: dict[str, list[str]] = data.pop("holidays")
        mine = language if language in data else "en"
        words: dict[str, list[Word]] = {}
        for name in sorted(data, key=lambda name: (name != mine, name != "en")):
            for kind in (MONTHS, WEEKDAYS, SEASONS):
                for line in data[name][kind]:
                    forms = tuple(line.split())
                    for number, form in enumerate(forms):
                        words.setdefault(fold(form), []).append(Word(kind, number, forms, name))
        days = [tuple(line.split()) for line in data[mine].get(DAYS, ())]
        said = {
            form.replace("_", " "): Word(
                DAYS, number, tuple(form.replace("_", " ") for form in forms), mine
            )
            for forms in reversed(days)
            for number, form in enumerate(forms)
        }
        return cls(
            days=MappingProxyType({fold(form): word for form, word in said.items()}),
            said=_any({*said, *map(fold, said)}),
            words=MappingProxyType({word: tuple(found) for word, found in words.items()}),
            holidays=MappingProxyType({fold(n): rule for rule, ns in named.items() for n in ns}),
            templates=(data[mine]["of"], data[mine]["of_year"]),
            long_months=tuple(data[mine][MONTHS][0].split()),
            language=mine,
        )

    def find(self, word: str, *, short: bool = False, dated: bool = False) -> Word | None:
        """Return what a word is; in short dates `May` is one of `Jan Feb Mar`.

        With a number beside it, `dated`, `mar` is no Tuesday.
        """
        found = self.words.get(fold(word).removesuffix("."), ())
        mine = [entry for entry in found if entry.language == found[0].language]
        if short and len(word) <= SHORTEST:
            months = [entry for entry in mine if dated and entry.kind == MONTHS]
            return min(months or mine, key=lambda entry: len("".join(entry.forms)), default=None)
        return mine[0] if mine else None

    def weekday(self, word: str) -> Word | None:
        """Return the weekday of the language that a word may be, though it is a month, too."""
        found = self.words.get(fold(word).removesuffix("."), ())
        mine = (entry for entry in found if entry.language == self.language)
        return next((entry for entry in mine if entry.kind == WEEKDAYS), None)

    def misspelt(self, word: str) -> Word | None:
        """Return the one long month of the language that a folded word is a slip away from."""
        if len(word) < LONG:
            return None
        near = [month for month in map(fold, self.long_months) if one_slip(word, month)]
        return self.find(near[0]) if len(near) == 1 and len(near[0]) >= LONG else None

    def written_out(self, day: date, *, dated: bool) -> str:
        """Return a day as the language writes it, with its year if `dated`."""
        month = self.long_months[day.month - 1]
        return self.templates[dated].format(day=day.day, month=month, year=day.year)

    def holiday(self, words: str, year: int) -> date | None:
        """Return when a named day was in a year, None where the name is not known."""
        rule = self.holidays.get(fold(words).replace("’", "'"))
        return None if rule is None else holiday(rule, year)


def _any(words: Iterable[str]) -> re.Pattern[str]:
    """Return what finds one of the words, the longest first; nothing where there is none."""
    found = "|".join(sorted(words, key=lambda word: (-len(word), word)))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)" if found else r"(?!)", re.I)


def holiday(rule: str, year: int) -> date:
    """Return the day that a rule of the calendar file gives for a year."""
    if rule.startswith("easter"):
        return easter(year) + timedelta(int(rule.removeprefix("easter+")))
    if rule.startswith("hijri-"):
        return hijri(year, int(rule[6:8]), int(rule[9:11]))
    if ">" in rule:
        first = date(year, int(rule[2:4]), int(rule[5:7]))
        return first + timedelta((int(rule[0]) - first.weekday()) % 7)
    if rule.startswith("~") or len(rule) == len("MM-DD"):
        return date(year, int(rule[-5:-3]), int(rule[-2:]))
    nth, weekday, month = map(int, rule.rsplit("-", 2))
    if nth > 0:
        first = date(year, month, 1)
        return first + timedelta((weekday - first.weekday()) % 7 + 7 * (nth - 1))
    last = date(year + month // 12, month % 12 + 1, 1) - timedelta(1)
    return last - timedelta((last.weekday() - weekday) % 7)


def easter(year: int) -> date:
    """Return Easter Sunday of the western churches (Anonymous Gregorian algorithm, Meeus 1991)."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    return date(year, f // 31, f % 31 + 1)


def hijri(year: int, month: int, day: int) -> date:
    """Return the first such day of the tabular Islamic calendar in a Gregorian year."""
    lunar = int((date(year, 1, 1).toordinal() - HIJRI_EPOCH) / HIJRI_YEAR)
    while True:
        leap = (3 + 11 * lunar) // 30
        days = (lunar - 1) * 354 + leap + (59 * (month - 1) + 1) // 2 + day - 1
        found = date.fromordinal(HIJRI_EPOCH + days)
        if found.year >= year:
            return found
        lunar += 1
