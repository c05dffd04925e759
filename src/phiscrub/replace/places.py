"""Addresses and places of one note: towns, states, post codes and telephone areas that fit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from phiscrub.replace.casing import like
from phiscrub.replace.keyed import Key
from phiscrub.replace.numbers import DIGIT, number
from phiscrub.replace.people import fold
from phiscrub.replace.placewords import (
    COUNTRY_SHORT,
    GENERIC,
    GLUED,
    NAME_PARTICLES,
    STREET_WORDS,
)
from phiscrub.replace.regions import Region, Regions

CITY, STATE, ZIP = "CITY", "STATE", "ZIP"
JOINED = re.compile(r"[\s,;|()·-]{0,4}")  # what stands between a town, its state and post code
WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*\.?")
UK_CODE = re.compile(r"([A-Z]{1,2})(\d[A-Z\d]?)(\s*)(\d)([A-Z]{2})", re.I)


@dataclass(frozen=True, slots=True)
class Place:
    """One mention of a place, by its kind in the hub set, where it stands."""

    kind: str
    words: str
    start: int
    end: int


@dataclass(slots=True)
class Places:
    """Stands in for the places of one note; see `Names` for when a word steps aside.

    With `in_state` what states the note tells stays in it, and towns and areas go to others of
    the same state.
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

    def __post_init__(self) -> None:
        same = {region.code: region for region in self.regions.regions}
        self._others = same if self.in_state else self.regions.others(self.key)

    def replace(self, text: str, mentions: Sequence[Place]) -> list[str]:
        """Return the words that stand for each place."""
        homes = self._homes(text, mentions)
        return [self._one(m, *home) for m, home in zip(mentions, homes, strict=True)]

    @property
    def stand_ins(self) -> dict[str, str]:
        """What stands for each town so far, folded: institutions are called after them."""
        return dict(self._towns)

    def area(self, code: str) -> str:
        """Return the telephone area that stands for one, "" where it is none.

        In a state that stays it is another where the state has another with towns.
        """
        region = self.regions.of_area.get(code)
        return self._area(self._others[region.code], code) if region else ""

    def _area(self, home: Region, code: str) -> str:
        """Return an area that most towns of a region have, but one, where there are others."""
        areas = Counter(map(home.area_of, home.towns))
        if len(areas) > 1:
            areas.pop(code, None)
        return max(self.key.narrow("area").shuffled(list(areas)), key=areas.__getitem__)

    def _homes(self, text: str, mentions: Sequence[Place]) -> list[tuple[Region, str]]:
        """Return the region that each place goes to, and the town of the address it stands in."""
        groups: list[list[int]] = []
        for index, mention in enumerate(mentions):
            before = mentions[index - 1] if index else None
            if before and JOINED.fullmatch(text[before.end : mention.start]):
                groups[-1].append(index)
            else:
                groups.append([index])
        stated = {
            group[0]: next((h for i in group if (h := self._stated(text[mentions[i].end :]))), None)
            for group in groups
        }
        known: dict[str, Region] = {}
        homes = [(self.regions.regions[0], "")] * len(mentions)
        for group in sorted(groups, key=lambda g: (stated[g[0]] is None, -len(g))):
            told = (h for i in group if (h := self._told(mentions[i])))
            home = stated[group[0]] or next(told, None)
            town = next((fold(mentions[i].words) for i in group if mentions[i].kind == CITY), "")
            home = home or known.get(town)
            if home is None:
                home = self.key.narrow("home", town or fold(mentions[group[0]].words)).choice(
                    self.regions.regions
                )
            if town:
                known.setdefault(town, home)
            for index in group:
                homes[index] = (home, town)
        return homes

    def _stated(self, behind: str) -> Region | None:
        """Return the state that stays in the note behind a place, such as `, MA 021`."""
        joined = JOINED.match(behind)
        if not self.in_state or joined is None:
            return None
        return self.regions.stated(behind[joined.end() :])

    def _told(self, mention: Place) -> Region | None:
        if mention.kind not in (CITY, STATE):
            return None
        name = fold(mention.words)
        region = self.regions.known.get(name) or self.regions.known.get(name.strip("."))
        return None if region is None else self._others[region.code]

    def _one(self, mention: Place, home: Region, town: str) -> str:  # noqa: PLR0911 - one a kind
        words, kind = mention.words, mention.kind
        if kind == CITY and not any(c.isdigit() for c in words):
            return like(words, self.town(words, home))
        if kind == CITY and (name := WORD.search(words)) and sum(map(str.isdigit, words)) <= 2:  # noqa: PLR2004
            put = f"{words[: name.start()]}{self.town(name[0], home)}{words[name.end() :]}"
            return re.sub(r"\d+", lambda m: number(m[0], self.key), put)
        if kind == STATE:
            short = len(words.strip(".")) <= len("ABC") and words.strip(".").isupper()
            return home.code if short and self.regions.country != "uk" else like(words, home.name)
        if kind == ZIP or (kind == CITY and sum(c.isdigit() for c in words) > 2):  # noqa: PLR2004
            return self._post(words, home.post_of(self.town(town, home)) if town else home.post)
        if kind == "COUNTRY":
            return self._country(words)
        if kind == "STREET":
            return self._street(words)
        return self._other(words)

    def town(self, words: str, home: Region | None = None) -> str:
        """Return the town that stands for a town, where there is one of the area of telephones."""
        name = fold(words)
        if name not in self._towns:
            home = home or self.key.narrow("home", name).choice(self.regions.regions)
            key = self.key.narrow("town", name)
            everywhere = () if self.in_state else key.walk(self.regions.towns)
            own = {fold(t): home.area_of(t) for t in home.towns} if self.in_state else {}
            area = self._area(home, own.get(name, ""))
            near = [town for town in home.towns if home.area_of(town) == area]
            options = chain(key.walk(near), key.walk(home.towns), everywhere)
            free = (t for t in options if (town := fold(t)) != name and town not in self.avoid)
            put = first = next(free, home.towns[0])
            if first in self._taken and not self._is_spent:
                put = next((town for town in free if town not in self._taken), first)
                self._is_spent = put == first and all(
                    town in self._taken or fold(town) in self.avoid for town in self.regions.towns
                )
            self._towns[name] = put
            self._taken.add(put)
        return self._towns[name]

    def _post(self, words: str, post: str) -> str:
        british = UK_CODE.fullmatch(words)
        if british:
            drawn = self.key.narrow("post", fold(words)).numbers()
            area = post if post.isalpha() else number(british[1], self.key)
            letters = "ABDEFGHJLNPQRSTUWXYZ"
            unit = "".join(letters[next(drawn) % len(letters)] for _ in "ab")
            return like(
                words, f"{area}{next(drawn) % 9 + 1}{british[3]}{next(drawn) % 9 + 1}{unit}"
            )
        put = number(words, self.key.narrow("post"))
        if not post.isdecimal() or sum(c.isdigit() for c in words) < len("12345"):
            return put
        left = iter(post)
        put = DIGIT.sub(lambda m: next(left, m[0]), put)
        return put if put != words else put[:-1] + str((int(put[-1]) + 1) % 10)

    def _country(self, words: str) -> str:
        name = fold(words)
        for country in self.key.narrow("country", name).walk(self.regions.countries):
            if fold(country) != name and fold(country) not in self.avoid:
                short = name.strip(".") in COUNTRY_SHORT
                return country if short else like(words, country)
        return self.regions.countries[0]

    def _street(self, words: str) -> str:
        """Replace a street's name by another, and its numbers; the type of street stays."""
        put: list[str] = []
        done = 0
        named = False
        for found in WORD.finditer(words):
            plain = fold(found[0])
            glued = plain.endswith(GLUED) and plain not in STREET_WORDS
            stays = plain.strip(".") in STREET_WORDS or plain in STREET_WORDS or len(plain) == 1
            between = words[done : found.start()]
            done = found.end()
            if stays and not glued:
                particle = named and plain in NAME_PARTICLES and not found[0].isupper()
                put += ("", "") if particle else (between, found[0])
            elif named:
                put += (between.rstrip(" -"), "")
            else:
                put += (between, like(found[0], self._street_name(plain)))
                named = True
        put.append(words[done:])
        key = self.key.narrow("house", fold(words))
        text = re.sub(r"\d+", lambda m: number(m[0], key), "".join(put))
        return text if fold(text) != fold(words) else number(words, key)

    def _street_name(self, name: str) -> str:
        key = self.key.narrow("street", name)
        others = (s for s in key.walk(self.regions.streets) if fold(s) != name)
        return next((s for s in others if fold(s) not in self.avoid), self.regions.streets[0])

    def _other(self, words: str) -> str:
        """Replace what names a place; what kind of place it is stays."""
        named = False

        def word(found: re.Match[str]) -> str:
            nonlocal named
            if fold(found[0]).strip(".") in GENERIC:
                return found[0]
            if named:
                return ""
            named = True
            return like(found[0], self._street_name(fold(found[0])))

        put = re.sub(r"\s{2,}", " ", WORD.sub(word, words)).strip(" ,-")
        put = re.sub(r"\d+", lambda m: number(m[0], self.key), put)
        return put if fold(put) != fold(words) else like(words, self._street_name(fold(words)))
