"""Regions: a town's post code and telephone area are those of its region."""

from __future__ import annotations

import pytest

from phiscrub.replace.regions import Regions

COUNTRIES = ["us", "uk", "es", "sv"]


@pytest.mark.parametrize("country", COUNTRIES)
def test_every_region_has_a_post_code_and_an_area(country):
    regions = Regions.load(country, "en")
    kind = str.isalpha if country == "uk" else str.isdecimal
    told = [post for region in regions.regions for post in region.posts]
    assert all(map(kind, told))
    assert len(told) == len(set(told))
    assert country == "uk" or len(set(map(len, told))) == 1
    assert all(region.area.isdecimal() for region in regions.regions)
    assert len({region.code for region in regions.regions}) == len(regions.regions)


@pytest.mark.parametrize("country", COUNTRIES)
def test_no_town_stands_for_others_in_two_regions(country):
    regions = Regions.load(country, "en")
    assert len(regions.towns) == len(set(regions.towns))
    assert all(len(region.towns) > 1 for region in regions.homes)
    assert not {town for region in regions.homes for town in region.towns} & set(regions.common)


def test_american_towns_codes_and_areas_tell_their_state():
    regions = Regions.load("us", "en")
    towns = {"boston": "MA", "chicago": "IL", "new york": "NY", "saint louis": "MO"}
    assert {town: regions.of_town[town].code for town in towns} == towns
    assert "portland" not in regions.of_town  # in Maine and in Oregon
    posts = {"021": "MA", "606": "IL", "100": "NY", "885": "TX", "733": "TX", "731": "OK"}
    assert {post: regions.of_post[post].code for post in posts} == posts
    areas = {"617": "MA", "773": "IL", "917": "NY", "907": "AK"}
    assert {area: regions.of_area[area].code for area in areas} == areas
    assert len([a for r in regions.regions for a in r.areas]) == len(regions.of_area)
