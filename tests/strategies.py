"""Hypothesis strategies for notes: texts that break naive offsets, and what is marked in them."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from phiscrub.core.cover import Cover
from phiscrub.core.document import Document, Subject
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens

# Beside any text: astral characters, combining marks, joiners, a BOM, and every line end.
HARD_PIECES = (
    *("\r\n", "\n", "\r", "\u2028", "\x85", "\t", " ", "\xa0", "\u200b", "\ufeff"),
    *(
        "e\u0301",
        "\u0301",
        "\U0001f469\u200d\u2695\ufe0f",
        "\U00010348",
        "ß",
        "İ",
        "ﬁ",
        "שלום",
        "漢",
    ),
    *("Dr. Ann Lee", "3041023MARY", "04/12by", "555-0100", "<b>&amp;", '"', ",", "[NAME]"),
)
SUBJECTS = (None, Subject("p1"), Subject("p-2", (("PATIENT", "Ann Lee"), ("DATE", "3/14"))))
METADATA = st.sampled_from(({}, {"ward": "7"}, {"ward": "Zürich", "year": "1999"}))
CHARACTERS = st.characters(exclude_categories=("Cs",), exclude_characters="\0")


def texts(min_size: int = 0, max_size: int = 60) -> st.SearchStrategy[str]:
    """Texts of at least and about at most so many characters; no NUL, no lone surrogate."""
    pieces = st.lists(st.sampled_from(HARD_PIECES) | st.text(CHARACTERS, max_size=6), max_size=12)
    plain = st.text(CHARACTERS, min_size=min_size, max_size=max_size)
    hard = pieces.map(lambda parts: "".join(parts)[:max_size])
    return plain | hard.filter(lambda text: len(text) >= min_size)


def labels() -> st.SearchStrategy[str]:
    """Labels, one of them with a dash."""
    return st.sampled_from(("PATIENT", "DOCTOR", "DATE", "LOCATION-OTHER"))


@st.composite
def spans(draw: st.DrawFn, length: int) -> Span:
    """A span in a text of `length` characters, which must not be 0."""
    start = draw(st.integers(0, length - 1))
    return Span(start, draw(st.integers(start + 1, length)))


@st.composite
def pieces(draw: st.DrawFn, length: int, max_size: int = 8) -> list[tuple[int, int]]:
    """Disjoint, sorted ``(start, end)`` pairs in a text of `length`; many touch each other."""
    steps = draw(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), max_size=max_size))
    found, done = [], 0
    for gap, size in steps:
        start, done = done + gap, done + gap + size
        if done > length:
            break
        found.append((start, done))
    return found


@st.composite
def mentions(draw: st.DrawFn, length: int, max_size: int = 6) -> list[Mention]:
    """Any mentions in a text of `length`: overlapping, in any order."""
    if not length:
        return []
    sources = st.sampled_from(("gold", "patterns:en/contact:phone", "cues"))
    scores = st.floats(0, 1, exclude_min=True)
    one = st.builds(Mention, spans(length), labels(), scores, sources)
    return draw(st.lists(one, max_size=max_size))


@st.composite
def disjoint_mentions(draw: st.DrawFn, length: int, max_size: int = 8) -> tuple[Mention, ...]:
    """Sorted mentions that share no character."""
    found = draw(pieces(length, max_size))
    return tuple(Mention(Span(start, end), draw(labels())) for start, end in found)


@st.composite
def tokens(draw: st.DrawFn, text: str, max_size: int = 12) -> Tokens:
    """Some tokens of a text, not all of it covered."""
    return Tokens.of(text, draw(pieces(len(text), max_size)))


def documents(min_size: int = 0) -> st.SearchStrategy[Document]:
    """Documents with and without subject and metadata."""
    ids = st.sampled_from(("note-1", "ward b/2"))
    return st.builds(Document, ids, texts(min_size), st.sampled_from(SUBJECTS), METADATA)


@st.composite
def annotated(draw: st.DrawFn) -> Annotated:
    """Documents with disjoint, sorted mentions."""
    document = draw(documents())
    return Annotated(document, draw(disjoint_mentions(len(document.text))))


@st.composite
def covered(draw: st.DrawFn) -> tuple[Document, Cover]:
    """A document and a cover of it."""
    note = draw(annotated())
    return note.document, Cover(note.mentions)


@st.composite
def probabilities(draw: st.DrawFn, rows: int, columns: int) -> np.ndarray:
    """A float32 matrix whose rows sum to 1."""
    weights = st.lists(st.floats(1, 100), min_size=rows * columns, max_size=rows * columns)
    matrix = np.array(draw(weights), dtype=np.float64).reshape(rows, columns)
    return (matrix / matrix.sum(axis=1, keepdims=True)).astype(np.float32)
