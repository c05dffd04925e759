"""A vote over what refiners made of claims: nothing that was voted for loses its votes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from phiscrub.combine.vote import Vote, voter
from phiscrub.core.contracts import Refiner
from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.aged import Aged
from phiscrub.refine.boundary import Settings, build
from phiscrub.refine.repeat import Repeat
from phiscrub.tokenize.clinical import Clinical

REPEAT = Repeat(frozenset({"PATIENT"}))
AGED = Aged(frozenset({"PATIENT"}))
BOUNDARY = build(Settings(join=("DATE",)), Shelf("en", None))


def voted(
    text: str, label: str, words: Sequence[str], refiner: Refiner, *sources: str
) -> list[str]:
    """Return what two votes cover of a text whose words several sources claim at first sight."""
    (note,) = Clinical().tokenize([Document("x", text)])
    spans = [Span(text.index(w), text.index(w) + len(w)) for w in words]
    claims = [Mention(span, label, 0.9, source) for span in spans for source in sources]
    cover = Vote(2).combine(note, refiner.refine(note, claims))
    return [text[m.span.start : m.span.end] for m in cover]


@pytest.mark.parametrize(
    ("text", "label", "words", "refiner", "wanted"),
    [
        ("Mr. Kovac. Kovac.", "PATIENT", ("Kovac",), REPEAT, ["Kovac", "Kovac"]),
        ("Ann Kovac, 71, fell", "PATIENT", ("Ann Kovac",), AGED, ["Ann Kovac", "71"]),
        ("the 3rd of March", "DATE", ("3rd", "March"), BOUNDARY, ["3rd of March"]),
    ],
)
def test_what_two_voters_believe_carries_on(text, label, words, refiner, wanted) -> None:
    assert voted(text, label, words, refiner, "crf:a", "patterns:en/dates:x") == wanted
    assert voted(text, label, words, refiner, "patterns:b:x", "patterns:en/dates:x") == []


def test_an_addition_has_the_vote_of_what_it_rests_on() -> None:
    assert voter("repeat:crf:a") == "crf:a"
    assert voter("aged:repeat:patterns:en/names:x") == "patterns"
