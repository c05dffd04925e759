"""Short dates are told by the note's other dates."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.detect import short_dates
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.clinical import Clinical

DATES = short_dates.build(short_dates.Settings(), Shelf("en", None))
TOLD = "Seen on 3/14, drain placed 3/19. "  # two dates without a doubt


def found(text: str) -> list[str]:
    (mentions,) = DATES.detect(Clinical().tokenize([Document("x", text)]))
    return [text[m.span.start : m.span.end] for m in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Tube out 2/5, line out 5/5.", ["2/5", "5/5"]),
        ("In hospital 1/2-1/5.", ["1/2", "1/5"]),
        ("Next 4/4 & 4/6, then home", ["4/4", "4/6"]),
        ("Strength 4/5, power in legs 5/5", []),
        ("Deltoids 4/5 and biceps 5/5 bilaterally", []),
        ("Drinks 1/2 pint, 3/4 cup", []),
        ("AKI 2/2 sepsis, carer 24/7", []),
        ("Pain 3/10", []),
        ("28 2/7 weeks at birth", []),
        ("Cough for 3/7, antibiotics 5/7", []),
        ("BP 120/80, then 9/40", []),
        ("Lot 1/2/3/4, ratio=3/4, 3/4mg, 3/4%", []),
        ("Born 3/25/2019. Tube change 4/7", ["4/7"]),
    ],
)
def test_fractions_in_a_note_of_short_dates(text: str, expected: list[str]) -> None:
    assert found(TOLD + text) == ["3/14", "3/19", *expected]


@pytest.mark.parametrize(
    "text", ["", "/", "Tube out 2/5.", "On 3/14 the tube was out, 2/5.", "Power 4/5, 5/5, 3/5"]
)
def test_too_few_dates_tell_nothing(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Born 3.11.2024. Echo 21.11 normal, seen 3.12, drain out 18.12.",
            ["21.11", "3.12", "18.12"],
        ),
        (
            "Born 3.11.2024. Calcium 2.12, ratio 12.10, 14.12 mg, at 10.05 pm, 10.12-12.12, 21.31",
            [],
        ),
        ("Echo 21.11 normal, seen 3.12", []),
    ],
)
def test_points(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_the_order_of_full_dates_says_what_can_be_a_date() -> None:
    told = "Admitted 25/03/2019, seen on 26/3 and on 27/3. Drain out "
    assert found(told + "4/13.") == ["26/3", "27/3"]
    assert found(told + "13/4.") == ["26/3", "27/3", "13/4"]


@given(st.text("0123456789/ .,;:-|\nonpaitestrength", max_size=200))
def test_mentions_lie_in_the_text_and_hold_a_fraction(text: str) -> None:
    assert all(words.count("/") == 1 for words in found(TOLD + text))


def test_long_notes_take_no_quadratic_time() -> None:
    assert found("1/" * 50_000) == []
    assert found("on 3/14 " * 20_000)[-1] == "3/14"


def test_a_pack_without_the_lists_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"terms/\w+\.txt: no such file"):
        short_dates.build(short_dates.Settings(str(tmp_path)), Shelf("en", tmp_path))
