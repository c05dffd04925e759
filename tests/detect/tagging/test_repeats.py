"""What a word's other places in its note tell hangs on that note alone."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

import phiscrub
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.layout import Column, Layout
from phiscrub.detect.tagging.repeats import echo
from tagging_notes import cut

LABELS = ("CITY", "DOCTOR", "PATIENT")
WORDS = ("Page", "Reading", "12", "seen")
token = st.tuples(st.sampled_from(WORDS), st.sampled_from(("", *LABELS)))
notes = st.lists(st.lists(token, min_size=1, max_size=9), min_size=1, max_size=4)


def echoed(batch: list[list[tuple[str, str]]]) -> list[list[str]]:
    layout = Layout.of(Frame.of(cut(*(" ".join(w for w, _ in note) for note in batch)), "note"))
    tags = (f"B-{label}" if label else "O" for note in batch for _, label in note)
    column = echo(layout, Column.of(tags))
    shown = [column.values[at] for at in column.ids.tolist()]
    return [[shown.pop(0) for _ in note] for note in batch]


def in_full(note: list[tuple[str, str]]) -> list[str]:
    """Return what each token shows, counted word by word."""
    told = []
    for word, label in note:
        there = [own for other, own in note if other == word and own]
        best = max(dict.fromkeys(there), key=Counter(there).__getitem__, default="")
        alone = there.count(best) == 1 and label == best
        told.append("" if alone or word.islower() else best)
    return told


@settings(max_examples=300, deadline=None)
@given(batch=notes)
def test_the_label_given_most_often_and_first_in_the_note(
    batch: list[list[tuple[str, str]]],
) -> None:
    assert echoed(batch) == [in_full(note) for note in batch]


def test_a_name_stays_masked_behind_another_note() -> None:
    pipeline = phiscrub.load("en", mode="fast")
    text = "Mr. Page of Page, TX. per Page 5mg. Page noted"
    for before in ("Seen by Dr. Lena Ortiz.", "Lives in Boston, MA."):
        both = list(pipeline.scrub_many([before, text]))
        assert both[1].text == pipeline.scrub(text).text
