"""Whom templates are about: the patient of a note, as far as the note tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated
from phiscrub.core.span import Span
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import Dates
from phiscrub.replace.namelists import FEMALE, MALE
from phiscrub.replace.people import PART, fold
from phiscrub.replace.titles import CREDENTIALS, PARTICLES, SUFFIXES, TITLES
from phiscrub.synthesize.draw import Draw
from phiscrub.synthesize.told import UK, US, told_age, told_country, told_sex

WHOLE_NAMES = frozenset({"PATIENT", "NOMBRE_SUJETO_ASISTENCIA"})
HALVES = frozenset({"First_Name", "Last_Name"})  # of anybody's name
OF_PATIENT = re.compile(r"(?<!\w)(?:pat|patient(?:en)?|namn|avser|gäller)\W{0,3}$", re.I)
TITLED = re.compile(r"(?<!\w)(?:mr|mrs|ms|miss|sr|sra|srta)\.?\s*$", re.I)
REACH = 20  # characters before a name or date that say whose it is
NOT_NAMES = TITLES | SUFFIXES | CREDENTIALS | PARTICLES
BRITONS = 0.25  # of the patients of English notes that do not tell their country
OWN_AGE, OWN_YEAR, OWN_BIRTH = 58, 2019, 1961  # of the templates' patient
LEAST_DRAWN, DRAWN = 18, 75  # the years of a patient of whom a note tells none, and how many may be
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

        Where the note does not tell, sex, country and age are drawn, and the rest is the
        templates' own. Of a patient known by more than the note no country is drawn: surrogates
        are at home.
        """
        text, hubs = note.document.text, label_set(labels).to_hub
        ages = [m.span for m in note.mentions if hubs.get(m.label) == "AGE"]
        dates = sorted(m.span for m in note.mentions if hubs.get(m.label) == "DATE")
        she = told_sex(text, ages)
        drawn_she, drawn_british = draw.happens(0.5), draw.happens(BRITONS)
        drawn_age = LEAST_DRAWN + draw.below(DRAWN)
        country = ""
        if language == "en":
            british = drawn_british and note.document.subject is None
            country = told_country(text) or (UK if british else US)
        year, birth, born = _years(text, dates, language)
        age = told_age(text, ages)
        if age is None:
            age = drawn_age if birth is None else max(0, year - birth)
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


def _years(text: str, spans: Sequence[Span], language: str) -> tuple[int, int | None, str]:
    """Return the last year of a note's dates, that of the day of birth, and how it is written."""
    places = [(span.start, span.end) for span in spans]
    dates, found = Dates.in_text(_calendar(language), text, places)
    told = [written.year if written else None for _, written in dates.written]
    own = [at for at, (start, _) in enumerate(places) if BORN.search(_before(text, start))]
    others = [y for y, (at, _, _) in zip(told, found, strict=True) if y and at not in own]
    last = max(others, default=OWN_YEAR)
    if not own:
        return last, None, ""
    births = (y for y, (at, _, _) in zip(told, found, strict=True) if y and at == own[0])
    birth = next(births, None)
    if birth is not None and birth > last:
        birth -= CENTURY
    return last, birth, text[slice(*places[own[0]])]


@cache
def _calendar(language: str) -> Calendar:
    return Calendar.load(language)


def _before(text: str, place: int) -> str:
    return text[max(0, place - REACH) : place]


def _names(note: Annotated) -> dict[str, str]:
    """Return what stands for the templates' names: the first whole name of a patient.

    Without one it is the first surname behind a title.
    """
    text, spans = note.document.text, list(_spans(note))
    read = [(span, _parts(text[span.start : span.end])) for span in spans]
    whole = [parts for _, parts in read if len(parts) > 1]
    titled = [p[0] for span, p in read if p and TITLED.search(_before(text, span.start))]
    names: dict[str, str] = {}
    if whole:
        names = {"Ann": whole[0][0], "Tom": whole[0][0], "Walker": whole[0][-1]}
    elif titled:
        names = {"Walker": titled[0]}
    return names | {own.upper(): theirs.upper() for own, theirs in names.items()}


def _spans(note: Annotated) -> Iterator[Span]:
    """Yield where a patient's names stand, those too whose halves are marked apart."""
    text, mentions = note.document.text, sorted(note.mentions, key=lambda m: m.key)
    yield from (m.span for m in mentions if m.label in WHOLE_NAMES)
    for one, other in pairwise(mentions):
        between = text[one.span.end : other.span.start]
        if (
            {one.label, other.label} == HALVES
            and not between.strip(" ,")
            and OF_PATIENT.search(_before(text, one.span.start))
        ):
            yield Span(one.span.start, other.span.end)


def _parts(words: str) -> list[str]:
    """Return the words of a name, the given name first; none of a name that cannot be read."""
    before, comma, after = words.partition(",")
    turned = f"{after} {before}" if comma and PART.search(after) else words
    parts = [part for part in PART.findall(turned) if fold(part) not in NOT_NAMES and part[1:]]
    return [part.removesuffix("'s").removesuffix("’s") for part in parts]
