"""Years that are times of day or of cars, and stamps that go on behind the day."""

from __future__ import annotations

import re

import pytest

from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.clock import Settings, build
from phiscrub.tokenize.clinical import Clinical

REFINER = build(Settings(names=("CITY",)), Shelf("en", None))
MARK = re.compile(r"\[(CITY )?([^\]]*)\]")


def left(marked: str) -> list[str]:
    """Refine the dates in brackets; return what is left of them."""
    text = MARK.sub(lambda m: m[2], marked)
    mentions, behind = [], 0
    for match in MARK.finditer(marked):
        start = match.start() - behind
        span = Span(start, start + len(match[2]))
        mentions.append(Mention(span, "CITY" if match[1] else "DATE", 0.9, "test"))
        behind += len(match[0]) - len(match[2])
    (note,) = Clinical().tokenize([Document("note", text)])
    return [text[m.span.start : m.span.end] for m in REFINER.refine(note, mentions)]


@pytest.mark.parametrize(
    ("marked", "kept"),
    [
        ("MSH|A|[202506180911]||ORU", ["20250618"]),
        ("MSH|A|[20250618091107]||ORU", ["20250618"]),
        ("MSH|A|[202513180911]||ORU", ["202513180911"]),  # no month
        ("his [2009] Silverado in the ditch", []),
        ("rental: [2023] [CITY Tucson], plate", []),
        ("['04] Chevy Tahoe, seen [2004]", ["2004"]),
        ("in [2009] Ranger Station closed", ["2009"]),
        ("moved to [CITY Tucson] in [2009]", ["Tucson", "2009"]),
        ("MI [2012] [CITY Tucson], AZ", ["2012", "Tucson"]),
        ("hysterectomy [2004] [CITY Lincoln], NE", ["2004", "Lincoln"]),
        ("passenger in a [2012] [CITY Tacoma], belted", []),
        ("white [2012] [CITY Tacoma], belted", []),
        ("[2011] [CITY Lincoln] Navigator hit", ["2011", "Lincoln"]),
        ("[2012] [CITY Tacoma] pickup hit", []),
        ("knee [2016] [CITY Malibu] Surgery Center", ["2016", "Malibu"]),
    ],
)
def test_stamps_and_cars(marked: str, kept: list[str]) -> None:
    assert left(marked) == kept


def test_times_in_front_of_lines() -> None:
    night = "0338 asleep\n0712 awake\n[1949] to CT\n2104 back, seen at [1925], in [2019] too\n"
    assert left(night) == ["2019"]
    shift = "1830 on\n[1945] meds\n[2010] asleep\n2200 awake\n2330 asleep\nPSH:\n[2004] hip\n"
    assert left(shift) == ["2004"]
    code = "[1917] found\n[1919] VF, 200 J\n[1921] epi\n[1925] ETT\n"
    assert left(code) == []


@pytest.mark.parametrize(
    "history",
    [
        "[1987] appendectomy\n[1992] CABG\n[2004] hip\n",  # no times
        "[2004] hip\n[1950] born\n[2015] knee\n",  # no order of times
        "[1950] born\n[2004] hip\n",  # too few
        "born [1940], seen at [1925]\n",  # no record of times
        "PSH\n[2004] hip\n[2009] knee\n[2015] CABG\n",
        "[1958] tonsils\n[2003] hip\n[2011] knee\n",
        "[2004] hip\n[2015] knee\nDiet:\n1800 kcal ADA\n",
        "0700 up\n0830 fed\n1200 up\nmines from [1945] to [1952], retired by [1955]\n",
    ],
)
def test_years_stay(history: str) -> None:
    assert len(left(history)) == history.count("[")
