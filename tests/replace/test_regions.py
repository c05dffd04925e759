"""Regions: a town's post code and telephone area are those of its region."""

from __future__ import annotations

import pytest

from phiscrub.replace.regions import Regions


@pytest.mark.parametrize("country", ["us", "uk", "es", "sv"])
def test_every_town_has_a_post_code_and_an_area(country):
    regions = Regions.load(country, "en").regions
    kind = str.isalpha if country == "uk" else str.isdecimal
    for region in regions:
        assert set(region.posts) <= set(region.towns)
        for town in region.towns:
            assert ":" not in town
            assert kind(region.post_of(town))
            assert len(region.post_of(town)) == len(region.post) or country == "uk"
            assert region.area_of(town) in region.areas


def test_towns_of_one_state_have_codes_of_their_own():
    regions = {region.code: region for region in Regions.load("us", "en").regions}
    told = {
        (code, town): (regions[code].post_of(town), regions[code].area_of(town))
        for code, town in (("KS", "Manhattan"), ("KS", "Topeka"), ("NY", "Rochester"))
    }
    assert told == {
        ("KS", "Manhattan"): ("665", "785"),
        ("KS", "Topeka"): ("666", "785"),
        ("NY", "Rochester"): ("146", "585"),
    }
    assert all(set(region.posts) == set(region.towns) for region in regions.values())
