"""Rules of packs, alone and together."""

from __future__ import annotations

from phiscrub.core.document import Document
from phiscrub.detect.patterns import Chosen
from phiscrub.detect.remembered import Remembered
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer

PACKS = ["en/contact", "en/names"]
SOME = {"use": "patterns", "packs": ["en/names"], "rules": ["title-doctor"]}
TEXT = "Seen by Dr. Lena Ortiz and Mr. Osei; call 209 555 0153, then Dr. Varga."


def test_single_rules_are_heard_out_of_packs_that_run_whole() -> None:
    notes = get_tokenizer("clinical").tokenize([Document("d", TEXT)])
    shelf = Shelf("en", None)
    whole = shelf.detector({"use": "patterns", "packs": PACKS}, "detector[0]")
    heard = shelf.detector(SOME, "detector[1]")
    alone = Shelf("en", None).detector(SOME, "detector[0]")
    assert isinstance(heard, Remembered)
    assert isinstance(heard._detector, Chosen)
    assert heard._detector.detector is whole
    assert heard.labels == alone.labels
    assert heard.detect(notes) == alone.detect(notes)
    found = [TEXT[m.span.start : m.span.end] for m in heard.detect(notes)[0]]
    assert found == ["Lena Ortiz", "Varga"]


def test_all_rules_of_a_pack_are_heard_where_it_is_named_among_single_rules() -> None:
    notes = get_tokenizer("clinical").tokenize([Document("d", TEXT)])
    table = {"use": "patterns", "packs": PACKS, "rules": ["title-doctor", "en/contact"]}
    shelf = Shelf("en", None)
    shelf.detector({"use": "patterns", "packs": PACKS}, "detector[0]")
    heard = shelf.detector(table, "detector[1]")
    alone = Shelf("en", None).detector(table, "detector[0]")
    assert heard.labels == alone.labels
    assert heard.detect(notes) == alone.detect(notes)
    found = [TEXT[m.span.start : m.span.end] for m in heard.detect(notes)[0]]
    assert set(found) == {"209 555 0153", "Lena Ortiz", "Varga"}


def test_packs_are_heard_out_of_more_packs_that_run_whole() -> None:
    notes = get_tokenizer("clinical").tokenize([Document("d", TEXT)])
    shelf = Shelf("en", None)
    whole = shelf.detector({"use": "patterns", "packs": PACKS}, "detector[0]")
    some = {"use": "patterns", "packs": PACKS[1:]}
    heard = shelf.detector(some, "detector[1]")
    assert isinstance(heard, Remembered)
    assert isinstance(heard._detector, Chosen)
    assert heard._detector.detector is whole
    alone = Shelf("en", None).detector(some, "detector[0]")
    assert heard.labels == alone.labels
    assert heard.detect(notes) == alone.detect(notes)
    backwards = shelf.detector({"use": "patterns", "packs": PACKS[::-1]}, "detector[2]")
    assert isinstance(backwards, Remembered)
    assert not isinstance(backwards._detector, Chosen)
