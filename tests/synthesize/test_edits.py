from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.synthesize.edits import Edges, Edit, edited, reordered


@st.composite
def changed(draw: st.DrawFn) -> tuple[Annotated, list[Edit]]:
    """A note, and edits none of which crosses an edge or empties a mention."""
    text = draw(strategies.texts(min_size=1))
    note = Annotated(Document("n", text), draw(strategies.disjoint_mentions(len(text))))
    edges = Edges.of(note)
    edits = []
    for start, end in draw(strategies.pieces(len(text))):
        at = draw(st.sampled_from((end, start)))  # nothing but an insertion, in half of the cases
        words = draw(st.text("abc ", min_size=1, max_size=4))
        if not edges.crossed(start, at):
            edits.append(Edit(start, at, words))
    return note, edits


@given(changed())
def test_every_mention_keeps_its_characters_and_what_was_put_among_them(
    case: tuple[Annotated, list[Edit]],
) -> None:
    note, edits = case
    owner = [-1] * len(note.document.text)
    for number, mention in enumerate(note.mentions):
        for at in range(mention.span.start, mention.span.end):
            owner[at] = number
    signs: list[tuple[str, int]] = []
    inner = {m.span.start for m in note.mentions} | {m.span.end for m in note.mentions}
    by_start = {edit.start: edit for edit in edits}
    at = 0
    while at <= len(note.document.text):
        edit = by_start.get(at)
        if edit is not None:
            is_outside = at in inner and edit.start == edit.end
            whose = -1 if is_outside or at == len(owner) else owner[at]
            signs += ((sign, whose) for sign in edit.words)
        stop = at + 1 if edit is None or edit.end == edit.start else edit.end
        if stop == at + 1 and at < len(owner) and (edit is None or edit.end == edit.start):
            signs.append((note.document.text[at], owner[at]))
        at = stop
    made = edited(note, edits)
    text = made.document.text
    assert text == "".join(sign for sign, _ in signs)
    assert [text[m.span.start : m.span.end] for m in made.mentions] == [
        "".join(sign for sign, whose in signs if whose == number)
        for number in range(len(note.mentions))
    ]


def test_an_edit_across_an_edge_is_refused() -> None:
    note = Annotated(Document("n", "Dr Lee left"), (Mention(Span(3, 6), "DOCTOR"),))
    with pytest.raises(AnnotationError, match="crosses the edge"):
        edited(note, [Edit(2, 4, "x")])
    with pytest.raises(AnnotationError, match="overlap"):
        edited(note, [Edit(0, 2, "x"), Edit(1, 3, "y")])


def test_marks_of_words_put_in_are_mentions() -> None:
    note = Annotated(Document("n", "see Lee"), (Mention(Span(4, 7), "DOCTOR"),))
    made = edited(note, [Edit(4, 4, "Dr Ann ", ((3, 6, "DOCTOR"),)), Edit(0, 3, "saw")])
    words = [made.document.text[m.span.start : m.span.end] for m in made.mentions]
    assert (made.document.text, words) == ("saw Dr Ann Lee", ["Ann", "Lee"])


@given(st.data())
def test_stretches_in_another_order_carry_their_mentions(data: st.DataObject) -> None:
    text = data.draw(strategies.texts(min_size=1))
    cuts = sorted(data.draw(st.sets(st.integers(1, max(1, len(text) - 1)), max_size=5)))
    edges = [0, *(cut for cut in cuts if cut < len(text)), len(text)]
    stretches = list(pairwise(edges))
    mentions = [Mention(Span(a, b), str(i)) for i, (a, b) in enumerate(stretches)]
    note = Annotated(Document("n", text), tuple(mentions))
    order = data.draw(st.permutations(stretches))
    made = reordered(note, order)
    assert made.document.text == "".join(text[a:b] for a, b in order)
    assert {m.label: made.document.text[m.span.start : m.span.end] for m in made.mentions} == {
        m.label: text[m.span.start : m.span.end] for m in mentions
    }


def test_stretches_must_be_the_text_and_cut_no_mention() -> None:
    note = Annotated(Document("n", "ab\ncd"), (Mention(Span(1, 4), "PATIENT"),))
    with pytest.raises(AnnotationError, match="not the whole"):
        reordered(note, [(0, 2)])
    with pytest.raises(AnnotationError, match="cuts a mention"):
        reordered(note, [(3, 5), (0, 3)])
