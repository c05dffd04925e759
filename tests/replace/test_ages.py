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
