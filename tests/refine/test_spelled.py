"""Letters that spell a name."""

from __future__ import annotations

import pytest

from phiscrub.core.document import Document
from phiscrub.core.errors import LabelError
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.spelled import Settings, Spelled, build
from phiscrub.tokenize.clinical import Clinical

REFINER = Spelled(frozenset({"DOCTOR"}))


def names(marked: str, label: str = "DOCTOR") -> list[str]:
    """Return what becomes of the name in braces."""
    start, end = marked.index("{"), marked.index("}") - 1
    text = marked.replace("{", "").replace("}", "")
    (note,) = Clinical().tokenize([Document("note", text)])
    refined = REFINER.refine(note, [Mention(Span(start, end), label, 0.8, "test")])
    assert {m.label for m in refined} == {label}
    return [text[m.span.start : m.span.end] for m in refined]


@pytest.mark.parametrize(
    ("marked", "parts"),
    [
        ("mister {hollett h o l l e t t} the manager", ["hollett", "h o l l e t t"]),
        ("this is {delfina guerra g u e r r a} calling", ["delfina guerra", "g u e r r a"]),
        ("Dr. {Bray}, spelled B-R-A-Y, at", ["Bray", "B-R-A-Y"]),
        ("Dr. {Bray} that's B.R.A.Y", ["Bray", "B.R.A.Y"]),
        ("{BRAY (B R A Y) JOHN} rang", ["BRAY", "B R A Y", "JOHN"]),
        ("{Bray} B R A I N", ["Bray"]),
        ("{Bray-Lund} that's B-R-A-Y hyphen L-U-N-D", ["Bray-Lund"]),
        ("{Ann Bray} that is a-n-n b-r-a-y", ["Ann Bray"]),
        ("{Bray}, J R S", ["Bray"]),
        ("{Bray J R S}", ["Bray J R S"]),
        ("{Bray} b-r-a-y's", ["Bray"]),
        ("{Al} a l", ["Al"]),
    ],
)
def test_letters_that_spell_the_name_are_a_mention(marked: str, parts: list[str]) -> None:
    assert names(marked) == parts


def test_other_labels_are_left_alone() -> None:
    assert names("{bray b r a y}", "HOSPITAL") == ["bray b r a y"]


def test_a_label_that_the_set_lacks() -> None:
    with pytest.raises(LabelError, match="NAME"):
        build(Settings(labels=("NAME",), label_set="i2b2-2014"), Shelf("en", None))
