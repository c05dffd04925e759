"""Places of one note: towns, states, post codes and telephone areas that fit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import DIGIT, number
from phiscrub.replace.people import fold
from phiscrub.replace.placewords import COUNTRY_SHORT, TOWNS_SHORT
from phiscrub.replace.regions import Region, Regions, spelled
from phiscrub.replace.streets import WORD, Streets

CITY, STATE, ZIP = "CITY", "STATE", "ZIP"
UK_CODE = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\s*)(\d)([A-Z]{2})", re.I)
CODE = re.compile(
    r"(\W*(?:(?:c\.? ?p|d\.? ?p|zip|postnr)(?!\w))?\W*)(\d{3} ?\d\d|\d{3})(?!\d)(.*)", re.I
)
SENTENCE_END = re.compile(r"[\"'”’]*(?:\s*$|\s*\n|\s+[\"'“‘(]*(?!\d{5})[A-Z\d])")
UK_UNIT = "ABDEFGHJLNPQRSTUWXYZ"


@dataclass(frozen=True, slots=True)
class Place:
    """One mention of a place, by its kind in the hub set, and the text behind it."""

    kind: str
    words: str
    behind: str = ""


@dataclass(slots=True)
class Places:
    """Stands in for the places of one note; see `Names` for when a word steps aside.

    A town's surrogate hangs on its name, a post code's on the code, an area's on the area, and all
    on the region that has them: so they fit wherever they stand. A region that the note names steps
    aside with all that it has. What no list knows gets a name that fits any region. With
    `in_state` towns, codes and areas stay in their state.
    """

    regions: Regions
    key: Key
    avoid: frozenset[str]
    language: str = "en"
    in_state: bool = False
    _towns: dict[str, str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _is_spent: bool = False  # no town is left that would stand for one only
    _others: Mapping[str, Region] = field(init=False)
    _streets: Streets = field(init=False)

    def __post_init__(self) -> None:
        same = {region.code: region for region in self.regions.regions}
        self._others = same if self.in_state else self.regions.others(self.key, self.avoid)
        self._streets = Streets(self.regions.streets, self.key, self.avoid)

    def replace(self, places: Sequence[Place]) -> list[str]:
        """Return the words that stand for each place."""
        return list(map(self._one, places))

    @property
    def stand_ins(self) -> dict[str, str]:
        """What stands for each town so far, folded: institutions are called after them."""
        return dict(self._towns)

    def area(self, code: str) -> str:
        """Return the telephone area that stands for one, "" where it is none."""
        region = self.regions.of_area.get(code)
        return self._others[region.code].area if region else ""

    def _home(self, region: Region | None, told: str) -> Region:
        """Return the region that stands for one, and where none is known for what is told of it."""
        if region:
            return self._others[region.code]
        walk = self.key.narrow("home", told).walk(self.regions.homes)
        return min(walk, key=lambda home: self.regions.is_named(home, self.avoid))

    def _one(self, place: Place) -> str:
        words, kind = place.words, place.kind
        digits = sum(c.isdigit() for c in words)
        if kind == ZIP or (kind == CITY and digits > 2):  # noqa: PLR2004
            return self._post(words)
        if kind == CITY and not digits:
            put = self.town(words, self.regions.stated(place.behind))
            is_short = words.isupper() and fold(words).replace(".", "") in TOWNS_SHORT
            return put if is_short else like(words, put)
        if kind == CITY and (name := WORD.search(words)):
            put = f"{words[: name.start()]}{self.town(name[0])}{words[name.end() :]}"
            return re.sub(r"\d+", lambda m: number(m[0], self.key), put)
        if kind == STATE:
            return self._state(words, place.behind)
        if kind == "COUNTRY":
            return self._country(words)
        return self._streets.street(words) if kind == "STREET" else self._streets.other(words)

    def town(self, words: str, state: str = "") -> str:
        """Return the town that stands for a town; `state` is the code behind its name, if any."""
        name = spelled(words)
        known = self.regions.of_town.get(name)
        own = name
        if known and state and state != known.code:
            known, own = None, f"{name}, {state}"  # another town of that name
        if own not in self._towns:
            key = self.key.narrow("town", own)
            options = chain(
                self._near(name, known, key) if known else (),
                key.walk(self.regions.common),
                () if self.in_state else key.walk(self.regions.towns),
            )
            free = (t for t in options if spelled(t) != name and fold(t) not in self.avoid)
            put = first = next(free, self.regions.common[0])
            if first in self._taken and not self._is_spent:
                put = next((town for town in free if town not in self._taken), first)
                self._is_spent = put == first and all(
                    town in self._taken or fold(town) in self.avoid for town in self.regions.towns
                )
            self._towns[own] = put
            self._taken.add(put)
        return self._towns[own]

    def _near(self, name: str, known: Region, key: Key) -> Iterator[str]:
        """Yield the towns for one of a region; a town called as its region gets its like first."""
        home = self._others[known.code]
        called = [town for town in home.towns if town == home.name]
        named = spelled(known.name) == name
        yield from called if named else ()
        yield from key.walk([town for town in home.towns if town not in called])
        yield from called

    def _state(self, words: str, behind: str) -> str:
        """Return a state as this one is written; where its stop ends the sentence, one stays."""
        home = self._home(self.regions.state(words), fold(words).strip("."))
        bare = words.replace(".", "").strip()
        is_code = len(bare) <= len("ABC") and bare.isupper() and self.regions.country != "uk"
        if self.regions.is_short(words):
            initials = len(bare) == len("NY") and bare.isupper()  # which tell no case
            put = like("" if initials else words, (*home.short, home.name)[0])
        else:
            put = home.code if is_code else like(words, home.name)
        if not words.endswith("."):
            return put.rstrip(".") if "." in words + behind[:1] else put.replace(".", "")
        return put if put.endswith(".") or not SENTENCE_END.match(behind) else f"{put}."

    def _post(self, words: str) -> str:
        british = UK_CODE.fullmatch(words)
        if british:
            letters = british[1].upper()
            post = self._home(self.regions.of_post.get(letters), letters).post
            drawn = self.key.narrow("post", "".join(fold(words).split())).numbers()
            area = post if post.isalpha() else number(letters, self.key)
            unit = "".join(UK_UNIT[next(drawn) % len(UK_UNIT)] for _ in "ab")
            return like(
                words, f"{area}{next(drawn) % 9 + 1}{british[3]}{next(drawn) % 9 + 1}{unit}"
            )
        key, found = self.key.narrow("post"), CODE.fullmatch(words)
        size = len(self.regions.regions[0].post)
        if found is None or not self.regions.regions[0].post.isdecimal():
            return number(words, key)
        digits = "".join(DIGIT.findall(found[2]))
        post = self._home(self.regions.of_post.get(digits[:size]), digits[:size]).post
        left = iter(post + number(digits, key)[size:])
        put = DIGIT.sub(lambda _: next(left), found[2])
        if put == found[2]:
            put = number(put, key)
        return f"{found[1]}{put}{number(found[3], key)}"

    def _country(self, words: str) -> str:
        name = fold(words)
        for country in self.key.narrow("country", name).walk(self.regions.countries):
            if fold(country) != name and fold(country) not in self.avoid:
                short = name.strip(".") in COUNTRY_SHORT
                return country if short else like(words, country)
        return self.regions.countries[0]
