"""Whom templates are about: the patient of a note, as far as the note tells."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated
from phiscrub.core.span import Span
from phiscrub.replace.namelists import FEMALE, MALE
from phiscrub.replace.people import PART, fold
from phiscrub.replace.titles import CREDENTIALS, PARTICLES, SUFFIXES, TITLES
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.told import UK, US, told_age, told_country, told_sex

WHOLE_NAMES = frozenset({"PATIENT", "NOMBRE_SUJETO_ASISTENCIA"})
NOT_NAMES = TITLES | SUFFIXES | CREDENTIALS | PARTICLES
BRITONS = 0.25  # of the patients of English notes that do not tell their country
OWN_AGE, OWN_YEAR, OWN_BIRTH = 58, 2019, 1961  # of the templates' patient
CENTURY, PIVOT = 100, 30  # years of two digits above the pivot are of the last century
YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
SHORT_YEAR = re.compile(r"\d\d?[/.-]\d\d?[/.-](?P<last>\d\d)|(?P<first>\d\d)\d{4}")
MONTH_FIRST = re.compile(r"(?<![\d/.-])(\d\d?)([/.-])(\d\d?)(?=\2\d|$)")
WEEKDAY = re.compile(r"^[A-Z][a-z]{2} (?=\d)")
BORN = re.compile(
    r"(?<!\w)(?:dob|d\.o\.b\.|birth|born(?: on)?|nacimiento|f\. ?nac\.?)\W{0,4}$", re.I
)


@dataclass(frozen=True, slots=True)
class Persona:
    """A patient: sex, country if the language has several, age and year of the note.

    `names` stand for the templates' own; `born` is how the note writes the day of birth.
    """

    sex: str
    names: Mapping[str, str] = field(repr=False)
    country: str = ""
    age: int = OWN_AGE
    year: int = OWN_YEAR
    born: str = field(default="", repr=False)

    @classmethod
    def of(cls, note: Annotated, labels: str, language: str, draw: Draw) -> Persona:
        """Read the patient of a note in a language, whose labels are of a set.

        Where the note does not tell, sex and country are drawn, and the rest is the templates'
        own. Of a patient known by more than the note no country is drawn: surrogates are at home.
        """
        text, hubs = note.document.text, label_set(labels).to_hub
        ages = [m.span for m in note.mentions if hubs.get(m.label) == "AGE"]
        dates = [m.span for m in note.mentions if hubs.get(m.label) == "DATE"]
        she = told_sex(text, ages)
        drawn_she, drawn_british = draw.happens(0.5), draw.happens(BRITONS)
        country = ""
        if language == "en":
            british = drawn_british and note.document.subject is None
            country = told_country(text) or (UK if british else US)
        year, born = _years(text, dates)
        age, birth = told_age(text, ages), YEAR.search(born)
        if age is None:
            age = max(0, year - int(birth[0])) if birth else OWN_AGE
        is_she = drawn_she if she is None else she
        return cls(FEMALE if is_she else MALE, _names(note), country, age, year, born)

    def aged(self, words: str) -> str:
        """Return an age of the templates, as much older or younger as the patient is."""
        return re.sub(r"\d+", lambda found: str(int(found[0]) + self.age - OWN_AGE), words)

    def dated(self, words: str, *, month_first: bool) -> str:
        """Return a date of the templates in the note's time, the day of birth as the note has it.

        A Briton's day stands in front where the template's month does.
        """
        if OWN_BIRTH in years_in(words) and self.born:
            return self.born
        for start, end in _places(words)[::-1]:
            put = str(self.year_of(_whole(words[start:end])))
            words = words[:start] + put[start - end :] + words[end:]
        if self.year != OWN_YEAR:
            words = WEEKDAY.sub("", words)
        return MONTH_FIRST.sub(r"\3\2\1", words) if month_first and self.country == UK else words

    def year_of(self, year: int) -> int:
        """Return a year of the templates in the note's time."""
        return self.year - (self.age if year == OWN_BIRTH else OWN_YEAR - year)


def years_in(words: str) -> list[int]:
    """Return the years of a date as templates write it."""
    return [_whole(words[start:end]) for start, end in _places(words)]


def _places(words: str) -> list[tuple[int, int]]:
    """Return where the years of a date stand."""
    short = SHORT_YEAR.fullmatch(words)
    if short:
        return [short.span(short.lastgroup or 0)]
    return [found.span() for found in YEAR.finditer(words)]


def _whole(digits: str) -> int:
    """Return a year of two digits or four."""
    year = int(digits)
    return year if year >= CENTURY else year + (1900 if year > PIVOT else 2000)


def _years(text: str, dates: list[Span]) -> tuple[int, str]:
    """Return the last year of a note's dates, and how it writes the day of birth."""
    born = [span for span in dates if BORN.search(text[: span.start][-20:])]
    others = [text[s.start : s.end] for s in dates if s not in born]
    last = max((int(y) for words in others for y in YEAR.findall(words)), default=OWN_YEAR)
    return last, text[born[0].start : born[0].end] if born else ""


def _names(note: Annotated) -> dict[str, str]:
    """Return what stands for the templates' names: the first whole name of a patient."""
    text = note.document.text
    spans = [m.span for m in note.mentions if m.label in WHOLE_NAMES]
    whole = [parts for s in spans if len(parts := _parts(text[s.start : s.end])) > 1]
    names: dict[str, str] = {}
    if whole:
        given, surname = whole[0][0], whole[0][-1]
        for own, theirs in (("Ann", given), ("Tom", given), ("Walker", surname)):
            names |= {own: theirs, own.upper(): theirs.upper()}
    return names


def _parts(words: str) -> list[str]:
    """Return the words of a name, the given name first; none of a name that cannot be read."""
    before, comma, after = words.partition(",")
    turned = f"{after} {before}" if comma and PART.search(after) else words
    parts = [part for part in PART.findall(turned) if fold(part) not in NOT_NAMES and part[1:]]
    return [part.removesuffix("'s").removesuffix("’s") for part in parts]
