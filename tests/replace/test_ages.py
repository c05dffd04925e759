"""Ages in words are grouped as those in digits are."""

from __future__ import annotations

import pytest

from phiscrub.replace.ages import Ages, age


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("forty-seven", "forty-five"),
        ("Forty Seven", "Forty five"),
        ("FORTY-NINE", "FORTY-FIVE"),
        ("forty-two", "forty"),
        ("forty", "forty"),
        ("ninety-three", "ninety"),
        ("47", "45"),
    ],
)
def test_grouped_by_five(was, put):
    assert age(was, Ages.GROUP).lower() == put.lower()
    assert age(was, Ages.KEEP) == ("ninety" if was.startswith("ninety") else was)


@pytest.mark.parametrize(
    ("was", "put"),
    [
        ("one hundred and two year old", "ninety year old"),
        ("a hundred and one", "ninety"),
        ("One Hundred Two", "Ninety"),
        ("one-hundred-and-ten", "ninety"),
        ("de noventa y cuatro años", "de noventa años"),
        ("noventa y medio", "noventa y medio"),
        ("ciento dos años", "noventa años"),
        ("cien años", "noventa años"),
        ("nittiofyra år", "nittio år"),
        ("nittiofyraårig", "nittioårig"),
        ("hundratvå år", "nittio år"),
        ("92.5", "90"),
        ("92,5 år", "90 år"),
        ("92½", "90"),
        ("89.5", "89.5"),
        ("centenarian", "nonagenarian"),
        ("Supercentenarians", "Nonagenarians"),
        ("centenaria", "nonagenaria"),
    ],
)
def test_above_89_is_90_in_words_and_decimals_too(was, put):
    assert age(was, Ages.KEEP) == put


@pytest.mark.parametrize("words", ["one hundred and two days", "ninety-three days", "4.5 weeks"])
def test_small_units_stay(words):
    assert age(words, Ages.KEEP) == age(words, Ages.GROUP) == words


def test_the_decimals_of_an_age_above_89_are_none():
    assert age("5 year", Ages.KEEP, "a 92.") == "0 year"
    assert age("5", Ages.KEEP, "at 82.") == "5"
