"""Places that belong together: a region's towns, post codes and telephone areas."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from types import MappingProxyType

from phiscrub.replace.keyed import Key
from phiscrub.replace.people import fold

LANGUAGES = MappingProxyType({"es": "es", "sv": "sv"})  # every other language takes `us`


@dataclass(frozen=True, slots=True)
class Region:
    """A state, county or province, the beginning of its post codes, its areas and towns.

    `posts` and `dials` are those of towns that have others than the region's first.
    """

    code: str
    name: str
    post: str
    areas: tuple[str, ...]
    towns: tuple[str, ...]
    posts: Mapping[str, str]
    dials: Mapping[str, str]

    def post_of(self, town: str) -> str:
        """Return the beginning of a town's post codes, the region's where none is known of it."""
        return self.posts.get(town, self.post)

    def area_of(self, town: str) -> str:
        """Return a town's telephone area, the region's first where none is known of it."""
        return self.dials.get(town, self.areas[0])


@dataclass(frozen=True)
class Regions:
    """One country's regions, with what its streets and nature are called, and other countries."""

    country: str
    regions: tuple[Region, ...]
    streets: tuple[str, ...]
    countries: tuple[str, ...]

    @classmethod
    def load(cls, country: str, language: str) -> Regions:
        """Load a country: `us`, `uk`, `es` or `sv`."""
        file = resources.files("phiscrub") / "data" / "surrogates" / "places.toml"
        data = tomllib.loads(file.read_text("utf-8"))
        table = data[country]
        return cls(
            country=country,
            regions=tuple(map(_region, table["regions"].strip().splitlines())),
            streets=tuple(table["streets"].split()),
            countries=tuple(data["countries"].get(language, data["countries"]["en"]).split()),
        )

    @cached_property
    def known(self) -> Mapping[str, Region]:
        """Regions by folded names, codes, areas, and towns that only one of them has."""
        found: dict[str, Region] = {}
        towns: dict[str, list[Region]] = {}
        for region in self.regions:
            for name in (region.code, region.name, *region.areas):
                found[fold(name)] = region
            for town in region.towns:
                towns.setdefault(fold(town), []).append(region)
        return {t: rs[0] for t, rs in towns.items() if len(rs) == 1} | found

    @cached_property
    def _names(self) -> re.Pattern[str]:
        codes = "|".join(region.code for region in self.regions)
        names = "|".join(re.escape(region.name) for region in self.regions)
        return re.compile(rf"(?:{codes}|(?i:{names}))(?!\w)")

    def stated(self, text: str) -> Region | None:
        """Return the region whose code, in capitals, or name the text begins with."""
        found = self._names.match(text)
        return self.known[fold(found[0])] if found else None

    @cached_property
    def towns(self) -> tuple[str, ...]:
        """Every town of every region."""
        return tuple(town for region in self.regions for town in region.towns)

    @cached_property
    def of_area(self) -> Mapping[str, Region]:
        """The region of each telephone area."""
        return {area: region for region in self.regions for area in region.areas}

    def others(self, key: Key) -> Mapping[str, Region]:
        """Return by code the region that stands for a region throughout a patient's notes."""
        cycle = key.narrow("regions").shuffled(self.regions)
        following = (*cycle[1:], cycle[0])
        return {was.code: put for was, put in zip(cycle, following, strict=True)}


def _region(line: str) -> Region:
    code, name, post, areas, told = (part.strip() for part in line.split("|"))
    towns = [town.replace("_", " ").split(":") for town in told.split()]
    return Region(
        code,
        name,
        post,
        tuple(areas.split()),
        tuple(town[0] for town in towns),
        MappingProxyType({town[0]: town[1] for town in towns if len(town) > 1}),
        MappingProxyType({town[0]: town[2] for town in towns if len(town) > 2}),  # noqa: PLR2004
    )
