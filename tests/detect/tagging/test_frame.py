from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.frame import SEQUENCES, Frame, lines_of
from strategies import texts
from tagging_notes import cut


def test_a_batch_is_one_row() -> None:
    frame = Frame.of(cut("Ann is ill. Ann left.", "", "Ann"), "sentence")
    assert frame.words == ("Ann", "is", "ill", ".", "left")
    assert frame.word.tolist() == [0, 1, 2, 3, 0, 4, 3, 0]
    assert frame.note_starts.tolist() == [0, 7, 7, 8]
    assert frame.starts.tolist() == [0, 4, 7, 8]
    assert len(frame) == 8
    assert "Ann" not in repr(frame)


@pytest.mark.parametrize(
    ("sequence", "starts"), [("note", [0, 6]), ("line", [0, 5, 6]), ("sentence", [0, 3, 5, 6])]
)
def test_kinds_of_sequence(sequence: str, starts: list[int]) -> None:
    assert Frame.of(cut("He left. She stayed\nAll"), sequence).starts.tolist() == starts


def test_an_unknown_kind() -> None:
    with pytest.raises(SettingsError, match="known: sentence, line, note"):
        Frame.of((), "page")


def test_no_notes() -> None:
    frame = Frame.of((), "line")
    assert (len(frame), frame.starts.tolist(), frame.note_starts.tolist()) == (0, [0], [0])


@given(st.lists(texts(), max_size=4), st.sampled_from(SEQUENCES))
def test_sequences_part_the_tokens(batch: list[str], sequence: str) -> None:
    notes = cut(*batch)
    frame = Frame.of(notes, sequence)
    assert [frame.words[i] for i in frame.word.tolist()] == [
        word for note in notes for word in note.tokens.words()
    ]
    assert len(set(frame.words)) == len(frame.words)
    assert all(low < high for low, high in pairwise(frame.starts.tolist()))
    assert frame.starts[0] == 0
    assert frame.starts[-1] == len(frame)
    assert set(frame.note_starts.tolist()) <= set(frame.starts.tolist())
    firsts = zip(notes, frame.note_starts[:-1], strict=True)
    alone = [Frame.of([note], sequence).starts + first for note, first in firsts]
    assert {at for starts in alone for at in starts.tolist()} <= set(frame.starts.tolist())
    assert sum(len(starts) - 1 for starts in alone) == len(frame.starts) - 1


@given(texts())
def test_lines_are_those_of_python(text: str) -> None:
    (note,) = cut(text)
    lines = text.splitlines(keepends=True)
    begins = np.cumsum([0, *map(len, lines)])
    expected = [int(np.searchsorted(begins, s, side="right")) - 1 for s in note.tokens.starts]
    assert lines_of(note).tolist() == expected
