"""Places that belong together: a region's towns, post codes and telephone areas."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any

from phiscrub.replace.keyed import Key
from phiscrub.replace.people import fold
from phiscrub.replace.placewords import TOWN_WORDS, TOWNS_SHORT
from phiscrub.replace.streets import is_generic

LANGUAGES = MappingProxyType({"es": "es", "sv": "sv"})  # every other language takes `us`
POINTS = re.compile(r"(?<!\w)(?:\w\.){2,}")
AWAY = re.compile(r"['’]")
BLANK = re.compile(r"[-.\s]+")
CODE_LETTERS = 2  # of an American state
SHORT = r"[A-Z]{2}(?!\w)|(?:[A-Z]\. ?)?[A-Z][A-Za-z]{0,5}\."  # `MA`, `Mass.` and `N. Dak.`
BEHIND = re.compile(rf"(?:[ \t]*,\s{{0,3}}|[ \t]{{1,3}})({SHORT})")


@dataclass(frozen=True, slots=True)
class Region:
    """A state, county or province, the beginnings of its post codes, its areas and towns.

    What stands for others of its kind is the first post code, the first area and `towns`, which
    have both; `further` are other towns of it. `short` are what it is abbreviated to besides its
    code, the one that is written first.
    """

    code: str
    name: str
    posts: tuple[str, ...]
    areas: tuple[str, ...]
    towns: tuple[str, ...]
    further: tuple[str, ...]
    short: tuple[str, ...] = ()

    @property
    def post(self) -> str:
        """The beginning of the post codes of its towns."""
        return self.posts[0]

    @property
    def area(self) -> str:
        """The telephone area of its towns."""
        return self.areas[0]


@dataclass(frozen=True)
class Regions:
    """One country's regions, with what its streets and nature are called, and other countries.

    `common` are names of towns that fit any region.
    """

    country: str
    regions: tuple[Region, ...]
    common: tuple[str, ...]
    streets: tuple[str, ...]
    countries: tuple[str, ...]

    @classmethod
    def load(cls, country: str, language: str) -> Regions:
        """Load a country: `us`, `uk`, `es` or `sv`."""
        data, towns = _read("places.toml"), _read("towns.toml").get(country, {})
        table = data[country]
        lines, ways = table["regions"].strip().splitlines(), table.get("abbreviated", {})
        return cls(
            country=country,
            regions=tuple(_region(line, towns, ways) for line in lines),
            common=tuple(map(_spaced, table["common"].split())),
            streets=tuple(table["streets"].split()),
            countries=tuple(data["countries"].get(language, data["countries"]["en"]).split()),
        )

    @cached_property
    def known(self) -> Mapping[str, Region]:
        """Regions by folded names and codes, and by abbreviations as `closed` makes them."""
        named = {fold(name): r for r in self.regions for name in (r.code, r.name)}
        return named | self.abbreviated

    @cached_property
    def abbreviated(self) -> dict[str, Region]:
        """Regions by what `closed` makes of their abbreviations."""
        return {closed(way): region for region in self.regions for way in region.short}

    def state(self, words: str) -> Region | None:
        """Return the region that is written so: in full, by its code, or abbreviated."""
        return self.known.get(fold(words).strip(".")) or self.known.get(closed(words))

    def is_short(self, words: str) -> bool:
        """Tell whether words abbreviate a region by tradition: `Pa.` and `N.Y.`, but not `PA`."""
        return closed(words) in self.abbreviated and not _is_code(words)

    def shortened(self, words: str) -> Region | None:
        """Return the region of a code in capitals or of an abbreviation, None for other words."""
        return (self.known if _is_code(words) else self.abbreviated).get(closed(words))

    @cached_property
    def of_town(self) -> Mapping[str, Region]:
        """Regions by what `spelled` makes of the names of towns that only one of them has."""
        found: dict[str, Region | None] = {}
        for region in self.regions:
            for town in {spelled(town) for town in (*region.towns, *region.further)}:
                found[town] = None if town in found else region
        return {town: region for town, region in found.items() if region}

    @cached_property
    def of_area(self) -> Mapping[str, Region]:
        """The region of each telephone area."""
        return {area: region for region in self.regions for area in region.areas}

    @cached_property
    def of_post(self) -> Mapping[str, Region]:
        """The region of each beginning of post codes."""
        return {post: region for region in self.regions for post in region.posts}

    def stated(self, behind: str) -> str:
        """Return the code of the American state that stands behind a town, "" where none does."""
        found = BEHIND.match(behind) if self.country == "us" else None
        region = self.shortened(found[1]) if found else None
        return region.code if region else ""

    @cached_property
    def towns(self) -> tuple[str, ...]:
        """Every town that stands for another."""
        return (*self.common, *(town for region in self.regions for town in region.towns))

    @cached_property
    def homes(self) -> tuple[Region, ...]:
        """The regions that stand for others."""
        return tuple(region for region in self.regions if region.towns)

    @cached_property
    def _said(self) -> Mapping[str, frozenset[str]]:
        """By code the folded words that a region is written with."""
        found: dict[str, frozenset[str]] = {}
        for region in self.regions:
            whole = map(fold, (region.code, region.name, *region.short))
            words = (word for word in fold(region.name).split() if not is_generic(word))
            found[region.code] = frozenset((*whole, *words, *map(closed, region.short)))
        return found

    def is_named(self, region: Region, words: frozenset[str]) -> bool:
        """Tell whether one of the words names a region, or is a word of its name."""
        return not self._said[region.code].isdisjoint(words)

    def others(self, key: Key, avoid: frozenset[str]) -> Mapping[str, Region]:
        """Return by code the region that stands for a region throughout a patient's notes.

        One that words to `avoid` name steps aside for another, which where it can is none that
        stands for a region they name.
        """
        cycle = key.narrow("regions").shuffled(self.homes)
        following = (*cycle[1:], cycle[0])
        found = {was.code: put for was, put in zip(cycle, following, strict=True)}
        found |= {
            region.code: key.narrow("home", region.code).choice(self.homes)
            for region in self.regions
            if region.code not in found
        }
        named = {region.code for region in self.regions if self.is_named(region, avoid)}
        taken = {found[code].code for code in named}
        for code in sorted(found, key=lambda code: (code not in named, code)):
            if found[code].code in named:
                walk = key.narrow("aside", code).walk(self.homes)
                free = (r for r in walk if r.code not in named and r.code != code)
                found[code] = min(free, key=lambda r: r.code in taken, default=found[code])
                taken.add(found[code].code)
        return found


def spelled(town: str) -> str:
    """Return a town's name as all spell it: `St. Louis` is `saint louis`, `L.A.` `los angeles`."""
    plain = AWAY.sub("", POINTS.sub(lambda found: found[0].replace(".", ""), fold(town)))
    words = " ".join(TOWN_WORDS.get(word, word) for word in BLANK.split(plain) if word)
    return TOWNS_SHORT.get(words, words)


def closed(words: str) -> str:
    """Return folded words without stops and blanks: `N. Dak.` is `ndak`."""
    return "".join(fold(words).replace(".", "").split())


def _is_code(words: str) -> bool:
    bare = words.strip(".")
    return len(bare) == CODE_LETTERS and bare.isupper()


def _read(name: str) -> dict[str, Any]:
    file = resources.files("phiscrub") / "data" / "surrogates" / name
    return tomllib.loads(file.read_text("utf-8"))


def _spaced(town: str) -> str:
    return town.replace("_", " ")


def _region(line: str, further: Mapping[str, str], ways: Mapping[str, str]) -> Region:
    code, name, posts, areas, towns, *others = (part.strip() for part in line.split("|"))
    told = further.get(code, "").split("|")
    return Region(
        code,
        name,
        tuple(dict.fromkeys(post for one in posts.split() for post in _counted(one))),
        tuple(areas.split()),
        tuple(map(_spaced, towns.split())),
        (*(_spaced(town) for one in others for town in one.split()), *filter(None, told)),
        tuple(filter(None, ways.get(code, "").split("|"))),
    )


def _counted(posts: str) -> Iterator[str]:
    """Yield the post codes from one to another: `010-012` is `010`, `011`, `012`."""
    first, _, last = posts.partition("-")
    if not last:
        yield first
        return
    for post in range(int(first), int(last) + 1):
        yield str(post).zfill(len(first))
