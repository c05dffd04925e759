"""Pictures: what the axes say."""

from __future__ import annotations

import re

from phiscrub.experiments.picture import RIGHT, WIDTH, Series, draw

LABEL = re.compile(r'<text x="([\d.]+)" y="[\d.]+" text-anchor="(\w+)"[^>]*>([^<]*)</text>')


def test_large_numbers_are_written_out_and_within_the_picture() -> None:
    points = ((62_230.0, 0.25), (1_251_400.0, 0.75))
    labels = LABEL.findall(draw([Series("one", points)], "tokens", "similarity"))
    told = [words for _, _, words in labels]
    assert {"62,230", "1,251,400", "0.25", "0.75"} <= set(told)
    assert not any("e+" in words for words in told)
    last = next(own for own in labels if own[2] == "1,251,400")
    assert (float(last[0]), last[1]) == (WIDTH - RIGHT, "end")
