"""What is known of one subject, laid out for look-up; no pattern is compiled from it.

`re` keeps the patterns that it compiled, so identifiers are never made into patterns: the note is
cut into words, and runs of words are looked up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import permutations, product
from types import MappingProxyType

from phiscrub.core.document import Subject

WORD = re.compile(r"[^\W\d_]+|\d+")
NAMES = frozenset({"PATIENT", "DOCTOR"})
PHONES = frozenset({"PHONE", "FAX"})
NUMBERS = frozenset(
    {"SSN", "MEDICALRECORD", "HEALTHPLAN", "ACCOUNT", "LICENSE", "VEHICLE", "DEVICE", "BIOID"}
    | {"IDNUM", "ZIP"}
)
LEAST_NUMBER = 4  # signs; a shorter number stands everywhere
LEAST_TAIL = 6  # digits of a number whose last four may stand for it
LOCAL, NATIONAL = 7, 10  # digits of a North American number without and with its area
CODES = ("34", "44", "46", "47", "45", "358", "49", "33", "39", "48", "61", "64", "353", "52", "1")
PARTICLES = frozenset(
    ("al", "af", "ben", "bin", "da", "de", "del", "den", "der", "di", "do", "dos", "du", "el", "la")
).union(("las", "le", "los", "van", "von", "y"))

MONTHS = MappingProxyType(
    {
        "en": "january february march april may june"
        " july august september october november december",
        "es": "enero febrero marzo abril mayo junio"
        " julio agosto septiembre octubre noviembre diciembre",
        "sv": "januari februari mars april maj juni"
        " juli augusti september oktober november december",
    }
)
STREET_WORDS = MappingProxyType(
    {
        short: long
        for long, shorts in {
            "street": "st str",
            "road": "rd",
            "avenue": "ave av avenida avda",
            "lane": "ln",
            "drive": "dr drv",
            "boulevard": "blvd",
            "court": "ct crt",
            "place": "pl plaza pza",
            "square": "sq",
            "terrace": "ter terr",
            "highway": "hwy",
            "parkway": "pkwy",
            "crescent": "cres",
            "close": "cl",
            "apartment": "apt lgh piso",
            "suite": "ste",
            "north": "n norra",
            "south": "s södra",
            "east": "e östra",
            "west": "w västra",
            "calle": "c cl",
            "carretera": "ctra",
            "paseo": "pº",
        }.items()
        for short in shorts.split()
    }
)
ENDINGS = (("gatan", "g"), ("vägen", "v"), ("gränd", "gr"))  # Storgatan is Storg. too

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """One subject's identifiers by the way they are looked up; each gives its label.

    `runs` are numbers without separators, `phrases` words by the first, `dates` the parts of a
    date without its small words, `tails` last four digits, `years` birth years, `parts` the words
    of names with the initials of the name that they are from.
    """

    runs: dict[str, str] = field(default_factory=dict, repr=False)
    phrases: dict[str, list[tuple[Phrase, str]]] = field(default_factory=dict, repr=False)
    dates: dict[Phrase, str] = field(default_factory=dict, repr=False)
    tails: dict[str, str] = field(default_factory=dict, repr=False)
    years: dict[str, str] = field(default_factory=dict, repr=False)
    parts: dict[str, tuple[str, frozenset[str]]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, subject: Subject, hub: Callable[[str], str], language: str) -> Known:
        """Lay out all that is known; `hub` names a label in the hub set, which tells its kind."""
        known = cls()
        for label, words in subject.known:
            kind = hub(label)
            if not cut(words):
                continue
            if kind in NAMES:
                known._add_name(label, words)
            elif kind == "DATE":
                known._add_date(label, words, language)
            elif kind in PHONES:
                known._add_phone(label, words)
            elif kind in NUMBERS:
                known._add_number(label, words)
            elif kind == "STREET":
                known._add_address(label, words)
            else:
                known._add_phrase(label, tuple(cut(words)))
        return known

    def _add_name(self, label: str, words: str) -> None:
        parts = cut(words)
        initials = frozenset(part[0] for part in parts)
        for part in parts:
            if len(part) > 1 and part not in PARTICLES:
                before = self.parts.get(part, (label, frozenset[str]()))
                self.parts[part] = before[0], before[1] | initials
        for word in words.split():  # O'Neil is written ONeil too
            joined = "".join(cut(word))
            if joined not in parts and len(joined) > 1:
                self.parts.setdefault(joined, (label, initials))

    def _add_number(self, label: str, words: str) -> None:
        sign = "".join(cut(words))
        for run in (sign, sign.lstrip("0")):
            if len(run) >= LEAST_NUMBER:
                self.runs.setdefault(run, label)
        self._add_tail(label, sign)

    def _add_tail(self, label: str, sign: str) -> None:
        if len(sign) >= LEAST_TAIL and sign[-4:].isdecimal():
            self.tails.setdefault(sign[-4:], label)

    def _add_phone(self, label: str, words: str) -> None:
        digits = "".join(c for c in words.replace("(0)", "") if c.isdecimal())
        abroad = words.strip().startswith(("+", "00"))
        digits = digits.removeprefix("00") if abroad else digits
        code = next((c for c in CODES if abroad and digits.startswith(c)), "")
        core = digits.removeprefix(code).removeprefix("0")
        for run in {digits, core, "0" + core, "1" + core}:
            if len(run) >= LEAST_NUMBER:
                self.runs.setdefault(run, label)
        for prefix in (code,) if code else CODES:
            for run in (prefix + core, f"00{prefix}{core}", f"{prefix}0{core}"):
                self.runs.setdefault(run, label)
        if len(core) == NATIONAL:
            self.runs.setdefault(core[-LOCAL:], label)
        self._add_tail(label, digits)

    def _add_phrase(self, label: str, phrase: Phrase) -> None:
        if sum(map(len, phrase)) > 1:
            self.phrases.setdefault(phrase[0], []).append((phrase, label))

    def _add_address(self, label: str, words: str) -> None:
        for piece in words.split(","):
            phrase = tuple(STREET_WORDS.get(w, w) for w in cut(piece))
            street = tuple(w for w in phrase if not w.isdecimal())
            numbers = tuple(w for w in phrase if w.isdecimal())
            if not street:
                self._add_number(label, piece)
                continue
            for form in _streets(street):
                for both in ((*numbers, *form), (*form, *numbers)):
                    self._add_phrase(label, both)
                if len(form) > 1 or len(form[0]) > LEAST_TAIL:
                    self._add_phrase(label, form)

    def _add_date(self, label: str, words: str, language: str) -> None:
        day = read_date(words, language)
        if day is None:
            self._add_phrase(label, tuple(cut(words)))
            return
        self.years[str(day.year)] = label
        for form in _date_forms(day, language):
            self.dates[form] = label


def cut(words: str) -> list[str]:
    """Cut into runs of letters and runs of digits, in small letters."""
    return [word.casefold() for word in WORD.findall(words)]


def read_date(words: str, language: str) -> date | None:
    """Read a date that is written in digits or with a month's name; None where it is none.

    ``3/4/1950`` is in March for English, in April for the others, unless only one can be.
    """
    parts = [p for p in cut(words) if p.isdecimal() or _month(p, language)]
    if len(parts) == 1 and len(parts[0]) == len("19500314"):
        parts = [parts[0][:4], parts[0][4:6], parts[0][6:]]
    if len(parts) != len("ymd"):
        return None
    named = [_month(p, language) for p in parts]
    numbers = [m or int(p) for m, p in zip(named, parts, strict=True)]
    if len(parts[0]) == len("1950"):
        orders = [(0, 1, 2), (0, 2, 1)]
    elif language == "en":
        orders = [(2, 0, 1), (2, 1, 0)]
    else:
        orders = [(2, 1, 0), (2, 0, 1)]
    for year, month, day in orders:
        if any(m and i != month for i, m in enumerate(named)):
            continue
        try:
            return date(numbers[year], numbers[month], numbers[day])
        except ValueError:
            continue
    return None


def _month(word: str, language: str) -> int:
    for names in {MONTHS.get(language, MONTHS["en"]), MONTHS["en"]}:
        for number, name in enumerate(names.split(), 1):
            if word in (name, name[:3], name[:4]):
                return number
    return 0


def _date_forms(day: date, language: str) -> Iterator[Phrase]:
    """Yield every order and spelling of a date, small words left out."""
    years = (str(day.year), f"{day.year % 100:02}")
    days, months = _padded(day.day), _padded(day.month)
    for y, m, d in product(years, months, days):
        yield from ((y, m, d), (d, m, y), (m, d, y))
    y4, y2, m2, d2 = *years, f"{day.month:02}", f"{day.day:02}"
    yield from ((y4 + m2 + d2,), (y2 + m2 + d2,), (d2 + m2 + y4,), (m2 + d2 + y4,))
    names = {MONTHS.get(language, MONTHS["en"]).split()[day.month - 1]}
    names |= {MONTHS["en"].split()[day.month - 1]} if language == "en" else set()
    for name in sorted(names):
        for spelt, d in product({name, name[:3], name[:4]}, days):
            yield from ((d, spelt), (spelt, d))
            for y in years:
                yield from permutations((d, spelt, y))


def _padded(number: int) -> set[str]:
    return {str(number), f"{number:02}"}


def _streets(street: Phrase) -> Iterable[Phrase]:
    """Yield a street's name, and with the short endings of Swedish ones."""
    yield street
    for long, short in ENDINGS:
        if street[-1].endswith(long):
            yield (*street[:-1], street[-1].removesuffix(long) + short)
