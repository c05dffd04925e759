from __future__ import annotations

import pytest

from phiscrub.core.document import Document
from phiscrub.core.errors import LabelError
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.pipeline.shelf import Shelf
from phiscrub.refine.relabel import Settings, build
from phiscrub.tokenize.clinical import Clinical

(NOTE,) = Clinical().tokenize([Document("x", "Ann Lee, 3/14")])
MENTIONS = (
    Mention(Span(0, 3), "PATIENT", 0.5, "crf:a"),
    Mention(Span(4, 7), "PATIENT", 0.6, "crfs:a"),
    Mention(Span(9, 13), "DATE", 0.7, "crf:a"),
)


def labels(**chosen: object) -> list[str]:
    refiner = build(Settings(**chosen), Shelf("en", None))  # type: ignore[arg-type]
    refined = refiner.refine(NOTE, MENTIONS)
    assert [(m.span, m.score, m.source) for m in refined] == [
        (m.span, m.score, m.source) for m in MENTIONS
    ]
    return [m.label for m in refined]


def test_labels_are_renamed() -> None:
    assert labels(map={"PATIENT": "DOCTOR"}) == ["DOCTOR", "DOCTOR", "DATE"]
    assert labels(map={"PATIENT": "DATE", "DATE": "PATIENT"}) == ["DATE", "DATE", "PATIENT"]


def test_of_some_detectors_only() -> None:
    assert labels(map={"PATIENT": "DOCTOR"}, of=("crf",)) == ["DOCTOR", "PATIENT", "DATE"]


def test_a_label_that_is_not_there() -> None:
    with pytest.raises(LabelError, match=r"'map\.PATIENT' is no label of i2b2-2014"):
        labels(map={"PATIENT": "NAME"})
