"""Realistic stand-ins of the same type and form, the same for one patient in all notes."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import HUB, LabelSet, label_set, renaming
from phiscrub.core.mention import Mention
from phiscrub.core.redaction import Redaction
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.checks import is_nhs
from phiscrub.replace import contacts
from phiscrub.replace.addresses import pieces
from phiscrub.replace.ages import Ages, age
from phiscrub.replace.british import is_british
from phiscrub.replace.calendar import Calendar
from phiscrub.replace.dates import WEEK_DAYS, Dates, noted_year, offset
from phiscrub.replace.institutions import Institutions, UnitLists
from phiscrub.replace.keyed import Key
from phiscrub.replace.misread import as_letters
from phiscrub.replace.namelists import SURNAME, NameLists, letters
from phiscrub.replace.names import KIN_REACH, Names
from phiscrub.replace.numbers import SPOKEN_NUMBER, coded, number
from phiscrub.replace.onset import index_day, since, stated, stated_day
from phiscrub.replace.people import RELATIVES, fold, is_title, named_relatives
from phiscrub.replace.pieces import GIVEN, Person
from phiscrub.replace.places import Place, Places
from phiscrub.replace.pronouns import told_sex
from phiscrub.replace.real import MOST_ATTEMPTS, Real
from phiscrub.replace.regions import LANGUAGES, Regions
from phiscrub.replace.renamed import rename
from phiscrub.replace.swedish import Locations

PEOPLE = frozenset({"PATIENT", "DOCTOR"})
PLACES = frozenset({"CITY", "STATE", "ZIP", "COUNTRY", "STREET", "LOCATION-OTHER"})
UNITS = frozenset({"HOSPITAL", "ORGANIZATION"})
NAMED = PEOPLE | UNITS | PLACES - {"ZIP"}  # labels of names, in which digits are misread letters
ROLES = {"First_Name": GIVEN, "Last_Name": SURNAME}
SEX = "SEXO_SUJETO_ASISTENCIA"
STAYS = frozenset({"AGE", "DATE"})  # labels of the hub set whose words may come out as they were
WORD = re.compile(r"[^\W\d_]+")
LEAST_WORD = 3
MOST_DAYS = 36_500
STATE_REACH = 12  # characters behind a town that may hold its state
CUE_REACH = 80  # characters before a date or an age that may say more of it


class DateMode(StrEnum):
    """What becomes of dates."""

    SHIFT = "shift"
    KEEP = "keep"
    ONSET = "onset"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Settings:
    """Whose secret, what becomes of dates and ages, and whose names and places stand in.

    `label_set` is that of the mentions: words are chosen by labels that tell more than those of
    `output_labels`, which the redaction speaks, by default the same set. Without `secret_file` a
    key is drawn that nobody has, unless one run of several processes has its `key`, which no file
    can name. `setting` is a mix of names: `us`, `uk`, `world`, `es` or `sv`;
    `country` is where places lie: `us`, `uk`, `es` or `sv`, by default the setting's in English.
    Else both are the language's; of English notes of nobody known, the British ones where a note
    tells. With `states` kept, towns and telephone areas stay in their state.
    """

    label_set: str = HUB
    secret_file: str = ""
    dates: str = "shift"
    shift_days: int = 365
    keep_weekday: bool = False
    ages: str = "keep"
    professions: str = "replace"
    states: str = "replace"
    setting: str = ""
    country: str = ""
    patients: str = ""
    output_labels: str = ""
    key: Key | None = field(default=None, repr=False)


def build(settings: Settings, toolbox: Toolbox) -> Surrogates:
    """Make the replacer; raises `SettingsError` or `MissingError` for what will not do."""
    stays = ("keep", "replace")
    kinds = {"dates": DateMode, "ages": Ages, "professions": stays, "states": stays}
    for name, known in kinds.items():
        if getattr(settings, name) not in tuple(known):
            hint = f"known: {', '.join(known)}"
            raise SettingsError(f"no {name} {getattr(settings, name)!r}", hint=hint)
    if not 1 <= settings.shift_days <= MOST_DAYS:
        raise SettingsError("shift_days is not between 1 and 36500", hint="such as 365")
    if settings.keep_weekday and settings.shift_days < WEEK_DAYS:
        raise SettingsError("shift_days is under a week with keep_weekday", hint="such as 365")
    if settings.keep_weekday and settings.dates != DateMode.SHIFT:
        what = f"keep_weekday says nothing of dates {settings.dates!r}"
        raise SettingsError(what, hint="leave out one of both, or shift dates")
    language = toolbox.language
    english = settings.setting if language == "en" and settings.setting in ("us", "uk") else ""
    said = settings.country or english
    home = said or LANGUAGES.get(language, "us")
    if home not in ("us", "uk", "es", "sv"):
        raise SettingsError(f"no country {home!r}", hint="known: us, uk, es, sv")
    labels = label_set(settings.label_set)
    names = renaming(labels, label_set(settings.output_labels or labels.name))
    key = settings.key or Key.random()
    if settings.secret_file:
        key = Key.read(Path(settings.secret_file))
    mix = settings.setting
    countries = {home: (Regions.load(home, language), NameLists.load(language, mix))}
    if home == "us" and not said:
        countries["uk"] = (Regions.load("uk", language), NameLists.load(language, mix or "uk"))
    return Surrogates(
        settings=settings,
        key=key,
        language=language,
        labels=labels,
        names=names,
        calendar=Calendar.load(language),
        units=UnitLists.load(language),
        countries=countries,
        real=Real.read(Path(settings.patients)) if settings.patients else Real(),
        locations=Locations.load() if language == "sv" else None,
    )


@dataclass(frozen=True, slots=True)
class Surrogates:
    """`Dr. Lena Ortiz … Dr. Ortiz` becomes `Dr. Paloma Reyes … Dr. Reyes`.

    A surrogate depends on the key, the patient and the words; without a patient's key, on the
    note. It steps aside only where it would be another identifier of the same note, stand for two
    in it, or be a `real` patient's. What a single note tells of country and sex counts only where
    no patient is known. `names` are the output's labels; `countries` are the places and names by
    country, the language's own first; `locations` tells Swedish places from firms.
    """

    settings: Settings
    key: Key = field(repr=False)
    language: str
    labels: LabelSet = field(repr=False)
    names: Mapping[str, str] = field(repr=False)
    calendar: Calendar = field(repr=False)
    units: UnitLists = field(repr=False)
    countries: Mapping[str, tuple[Regions, NameLists]] = field(repr=False)
    real: Real = field(default_factory=Real, repr=False)
    locations: Locations | None = field(default=None, repr=False)

    def replace(self, document: Document, cover: Cover) -> Redaction:
        """Return the document with surrogates for mentions, under the output's labels."""
        words = _Note(self, document, cover.mentions).words()
        return Redaction(document, rename(cover, self.names), words)

    def scope(self, document: Document) -> Key:
        """Return the key of the patient, or of this very note where no patient is known."""
        if document.subject is not None:
            return self.key.narrow("subject", document.subject.key)
        told = hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()
        return self.key.narrow("note", document.id, told)

    @property
    def whole(self) -> frozenset[str]:
        """Labels of the hub set whose words move as a whole, so that no part of them may stay."""
        moves = self.settings.dates in (DateMode.SHIFT, DateMode.ONSET)
        return frozenset({"DATE"}) if moves else frozenset()

    @property
    def keeps(self) -> frozenset[str]:
        """Labels of the hub set whose words stay as they are."""
        return frozenset({"DATE"}) if self.settings.dates == DateMode.KEEP else frozenset()

    def days(self, document: Document) -> int:
        """Return by how many days the dates of a note move."""
        settings = self.settings
        return offset(self.scope(document), settings.shift_days, keep_weekday=settings.keep_weekday)


class _Note:
    """One note on its way through the replacer."""

    def __init__(self, made: Surrogates, document: Document, mentions: Sequence[Mention]) -> None:
        self.made, self.document, self.mentions = made, document, mentions
        self.text = document.text
        self.hubs = [made.labels.to_hub.get(m.label, "") for m in mentions]
        if made.locations is not None:
            self.hubs = [self._firm(i, made.locations) for i in range(len(mentions))]
        self.key = made.scope(document)
        self.alone = document.subject is None  # so that no other note must be told alike
        british = self.alone and "uk" in made.countries and is_british(self.text)
        self.country = "uk" if british else next(iter(made.countries))
        self.regions, lists = made.countries[self.country]
        self.avoid = self._avoid()
        own = letters(self.key)
        self.names = Names(lists, self.key, own, self.avoid, made.language, made.real, self.alone)
        kept = made.settings.states == "keep"
        self.places = Places(self.regions, self.key, self.avoid, made.language, in_state=kept)
        area = self.places.area if self.regions.country == "us" else contacts.nowhere
        self.phones = contacts.Phones(self.key, area, self.country)
        self.done: dict[int, str] = {}

    def words(self) -> tuple[str, ...]:
        """Return what stands for each mention."""
        self._people()
        self._places()
        self._dates()
        stems = contacts.Stems(self.names.stand_ins | self.places.stand_ins, self.names.letters)
        units = Institutions(self.made.units, self.key, self.avoid, self.places.stand_ins)
        units.learn([self._of(i) for i in range(len(self.hubs)) if self.hubs[i] in UNITS])
        for index, (mention, hub) in enumerate(zip(self.mentions, self.hubs, strict=True)):
            if index not in self.done:
                self.done[index] = self._other(mention, hub, self._of(index), units, stems)
            stays = hub in STAYS or mention.label in (SEX, RELATIVES) or self._stays(hub)
            if not stays and not (hub in PEOPLE and is_title(self._of(index))):
                self.done[index] = self._never_the_same(index)
            if hub not in PEOPLE | STAYS:
                self.done[index] = self._never_real(hub, self.done[index])
        return tuple(map(self._seen, range(len(self.mentions))))

    def _seen(self, index: int) -> str:
        """Return what stands for a mention, or its tag where a reader would see nothing."""
        words = self.done[index]
        is_seen = any(c.isprintable() and not c.isspace() for c in words)
        return words if is_seen else self._tag(self.mentions[index])

    def _tag(self, mention: Mention) -> str:
        return f"[{self.made.names.get(mention.label, mention.label)}]"

    def _stays(self, hub: str) -> bool:
        return hub == "PROFESSION" and self.made.settings.professions == "keep"

    def _firm(self, index: int, locations: Locations) -> str:
        """Return the label of the hub set, ORGANIZATION for a Location that is no place."""
        hub = self.hubs[index]
        firm = hub == "LOCATION-OTHER" and locations.kind(self._of(index)) == "ORGANIZATION"
        return "ORGANIZATION" if firm else hub

    def _of(self, index: int) -> str:
        span = self.mentions[index].span
        words = self.text[span.start : span.end]
        return as_letters(words) if self.hubs[index] in NAMED else words

    def _avoid(self) -> frozenset[str]:
        """Return the words that no surrogate may be: those of the note and of the patient."""
        kinds = PEOPLE | PLACES | UNITS | {"PROFESSION"}
        told = [self._of(i) for i, hub in enumerate(self.hubs) if hub in kinds]
        known = self.document.subject.known if self.document.subject else ()
        found: set[str] = set()
        for words in (*told, *(words for _, words in known)):
            found.add(fold(words))
            found.update(w for w in WORD.findall(fold(words)) if len(w) >= LEAST_WORD)
        return frozenset(found)

    def _chosen(self, hubs: frozenset[str]) -> list[int]:
        return [i for i, hub in enumerate(self.hubs) if hub in hubs]

    def _people(self) -> None:
        places: list[tuple[int, int, int]] = []  # of a mention: its number, start and end of a name
        for i in self._chosen(PEOPLE):
            words = self._of(i)
            if self.mentions[i].label == RELATIVES:  # `madre` stays, `Juan` does not
                places += ((i, *run) for run in named_relatives(words, self.names.lists.sexes))
            else:
                places.append((i, 0, len(words)))
        people = []
        for i, start, end in places:
            at = self.mentions[i].span.start + start
            before = self.text[max(0, at - KIN_REACH) : at]
            role = ROLES.get(self.mentions[i].label, "")
            words = self._of(i)[start:end]
            people.append(Person(words, before, patient=self.hubs[i] == "PATIENT", role=role))
        put = self.names.replace(people, told_sex(self.text), self._known_people())
        self._put(list(zip(places, put, strict=True)))
        for i in {i for i, _, _ in places if self.mentions[i].label == RELATIVES}:
            self.done[i] = age(self.done[i], Ages(self.made.settings.ages))

    def _known_people(self) -> list[Person]:
        """Return the names known of the patient, which other notes may tell."""
        known = self.document.subject.known if self.document.subject else ()
        return [Person(w, "", patient=h == "PATIENT") for h, w in known if h in PEOPLE]

    def _put(self, found: Sequence[tuple[tuple[int, int, int], str]]) -> None:
        """Write words at places of mentions; what stands between them stays."""
        ends: dict[int, int] = {}
        for (i, start, end), words in found:
            self.done[i] = self.done.get(i, "") + self._of(i)[ends.get(i, 0) : start] + words
            ends[i] = end
        for i, end in ends.items():
            self.done[i] += self._of(i)[end:]

    def _places(self) -> None:
        found = []  # of a mention: its number, and where in it a place begins and ends
        places = []
        for i in self._chosen(PLACES):
            words, hub, at = self._of(i), self.hubs[i], self.mentions[i].span.start
            swedish = self.made.locations if hub == "LOCATION-OTHER" else None
            split = swedish.pieces(words) if swedish else pieces(hub, words, self.regions)
            for kind, start, end in split:
                found.append((i, start, end))
                ends = at + end
                places.append(Place(kind, words[start:end], self.text[ends : ends + STATE_REACH]))
        self._put(list(zip(found, self.places.replace(places), strict=True)))

    def _day_first(self) -> bool:
        """Tell whether the day comes first in digits, where the note's dates do not tell."""
        settings = self.made.settings
        if settings.country or self.country != "us":
            return self.country != "us"
        told = settings.setting == "uk" or self.made.calendar.language != "en"
        return told or is_british(self.text)

    def _dates(self) -> None:
        made, mode = self.made, self.made.settings.dates
        chosen = self._chosen(frozenset({"DATE"}))
        if mode in (DateMode.KEEP, DateMode.REMOVE):
            for i in chosen:
                gone = mode == DateMode.REMOVE
                self.done[i] = self._tag(self.mentions[i]) if gone else self._of(i)
            return
        spans = [(self.mentions[i].span.start, self.mentions[i].span.end) for i in chosen]
        habit, onset = self._day_first(), None
        if mode == DateMode.ONSET and spans:
            onset = stated_day(made.calendar, stated(self.document), habit=habit)
        year = noted_year(self.document.meta) or (onset.year if onset else None)
        dates, places = Dates.in_text(made.calendar, self.text, spans, habit=habit, year=year)
        if mode == DateMode.ONSET and onset is None:
            onset = index_day(
                dates, [self.text[max(0, at - CUE_REACH) : at] for _, at, _ in places]
            )
        days = made.days(self.document)
        found = []
        for number_, (which, start, end) in enumerate(places):
            i, at = chosen[which], spans[which][0]
            if mode == DateMode.ONSET:
                told = None if onset is None else since(dates, number_, onset, made.language)
                put = told or self._tag(self.mentions[i])
            else:
                put = dates.moved(number_, days, self.key).words
            found.append(((i, start - at, end - at), put))
        self._put(found)

    def _other(  # noqa: PLR0911 - one return a kind
        self, mention: Mention, hub: str, words: str, units: Institutions, stems: contacts.Stems
    ) -> str:
        settings = self.made.settings
        if mention.label == SEX or self._stays(hub):
            return words
        if hub == "AGE" or mention.label == RELATIVES:
            return age(words, Ages(settings.ages), self._before(mention))
        if hub == "PROFESSION":
            return units.job(words)
        if hub in UNITS:
            return units.name(words)
        if hub == "DEPARTMENT":
            return units.department(words)
        if hub in ("PHONE", "FAX") or (contacts.is_american(words) and not is_nhs(words)):
            return self.phones.another(words)
        if hub == "EMAIL":
            return contacts.mail(words, self.key, stems)
        if hub == "USERNAME":
            return contacts.user(words, self.names.log_in, self.key, stems)
        if hub == "URL":
            return contacts.web(words, self.key, stems)
        if hub == "IPADDR":
            return contacts.address(words, self.key)
        upper = words.isupper() and hub not in ("", "OTHER", "PHI")
        if upper or any(c.isdigit() for c in words) or SPOKEN_NUMBER.fullmatch(words):
            name = units.name if hub == "VEHICLE" else None
            return coded(words, self.key, name, language=self.made.language)
        return units.name(words) if words[:1].isupper() else self._tag(mention)

    def _before(self, mention: Mention) -> str:
        return self.text[max(0, mention.span.start - CUE_REACH) : mention.span.start]

    def _never_the_same(self, index: int) -> str:
        words = self.done[index]
        if fold(words) != fold(self._of(index)):
            return words
        put = number(words, self.key.narrow("another"))
        return put if fold(put) != fold(words) else self._tag(self.mentions[index])

    def _never_real(self, hub: str, words: str) -> str:
        """Return words, or a number of their shape where they are a known patient's."""
        put = words
        for attempt in range(MOST_ATTEMPTS):
            if not self.made.real.holds(hub, put):
                break
            put = number(words, self.key.narrow("nobody", str(attempt)))
        return put
