"""Dates that are said in words."""

from __future__ import annotations

import pytest

from moved_dates import moved


@pytest.mark.parametrize(
    ("language", "was", "days", "put"),
    [
        ("en", "twelfth of the ninth nineteen sixty", 30, "twelfth of the tenth nineteen sixty"),
        ("en", "the third of the second", 28, "the third of the third"),
        ("en", "ninety six", 365, "ninety seven"),
        ("en", "Ninety nine", 365, "Two thousand"),
        ("en", "ninety nine", 731, "two thousand and one"),
        (
            "es",
            "tres de mayo de mil novecientos ochenta y cuatro",
            365,
            "tres de mayo de mil novecientos ochenta y cinco",
        ),
        ("es", "Mil novecientos noventa y nueve", 365, "Dos mil"),
        ("es", "junio de dos mil veintidós", 365, "junio de dos mil veintitrés"),
        ("es", "MARZO DE DOS MIL DIECISEIS", 31, "ABRIL DE DOS MIL DIECISÉIS"),
        ("sv", "tredje juni nittonhundraåttiofyra", 365, "tredje juni nittonhundraåttiofem"),
        ("sv", "våren nittonhundranittionio", 365, "våren tvåtusen"),
        ("sv", "maj tjugohundrafyra", 365, "maj tjugohundrafem"),
        ("sv", "maj nitton hundra åttiofyra", -365, "maj nitton hundra åttiotre"),
    ],
)
def test_days_months_and_years_in_words_move(language, was, days, put):
    assert moved(was, days, language) == put
