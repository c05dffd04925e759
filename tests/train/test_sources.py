"""What one patient's notes alone show is in no model, and no copy of a note counts again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document, Subject
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.train.corpus import Corpus
from phiscrub.train.examples import NONE, Examples
from phiscrub.train.fit import fit
from phiscrub.train.recipe import Recipe
from phiscrub.train.schedule import Run
from phiscrub.train.sources import Fresh, sources_of
from training_notes import RECIPE, corpus, recipe

RARE = ("Quistgaard", "7719402")


def told(name: str, opening: str, patient: str) -> Annotated:
    text = f"{opening} Pt Quistgaard, chart 7719402, is well today.\n"
    mentions = [
        Mention(Span(text.index(word), text.index(word) + len(word)), label)
        for word, label in zip(RARE, ("PATIENT", "MEDICALRECORD"), strict=True)
    ]
    subject = Subject(patient) if patient else None
    return Annotated(Document(name, text, subject), tuple(mentions))


def grown(notes: Corpus, *more: Annotated) -> Corpus:
    return replace(notes, notes=(*more[:1], *notes.notes, *more[1:]))  # apart from each other


ONE = (told("a", "Rash.", "p90"), told("z", "Fever.", "p90"))
COPIES = (told("a", "Rash.", ""), told("z", " Rash. ", ""))
TWO = (told("a", "Rash.", "p90"), told("z", "Fever.", "p91"))


@pytest.mark.parametrize(("more", "kept"), [(ONE, False), (COPIES, False), (TWO, True)])
@pytest.mark.parametrize("kind", ["crf", "network"])
def test_what_one_source_shows_is_kept_in_no_model(
    more: tuple[Annotated, Annotated], kept: bool, kind: str, tmp_path: Path
) -> None:
    notes = grown(corpus(12, patients=6), *more)
    fit(asked(kind), "en", [notes], None, run=Run()).save(tmp_path / "model")
    held = b"".join(file.read_bytes() for file in sorted(tmp_path.rglob("*")) if file.is_file())
    for word in RARE:
        assert (word.lower().encode() in held.lower()) == kept


def asked(kind: str) -> Recipe:
    if kind == "crf":
        return recipe(RECIPE.replace("c1 = 0.05", "c1 = 0.0"))
    pytest.importorskip("torch")
    from network_recipes import network_recipe  # noqa: PLC0415 - needs torch

    return network_recipe("lample")


def test_a_patient_is_one_source_in_all_corpora_and_so_is_a_text() -> None:
    first, second = corpus(4, patients=2), corpus(3, seed=2, first=50, patients=3)
    assert sources_of([first, second]) == [0, 1, 0, 1, 0, 1, 2]
    alike = replace(first, notes=tuple(told(name, "Rash.", "") for name in "abc"))
    assert sources_of([alike, first]) == [0, 0, 0, 1, 2, 1, 2]


def test_a_copy_without_its_patient_is_the_patients() -> None:
    long = "Rash on both arms. " * 12
    one, bare, two = (told(n, long, p) for n, p in (("a", "p1"), ("b", ""), ("c", "p2")))
    other = told("d", "Fever.", "p2")
    assert sources_of([replace(corpus(1), notes=(one, bare, two, other))]) == [0, 0, 0, 0]
    assert sources_of([replace(corpus(1), notes=(other, one, two, bare))]) == [0, 0, 0, 0]
    apart = replace(corpus(1), notes=(told("e", "Cough.", ""), one, other))
    assert sources_of([apart]) == [0, 1, 2]


def test_a_short_text_that_patients_share_makes_them_not_one() -> None:
    stock = [(name, patient) for patient in ("p1", "p2") for name in "ab"] + [("c", "")]
    notes = [
        Annotated(Document(f"{p}{n}", f"Did not attend.{' ' * i}", Subject(p) if p else None), ())
        for i, (n, p) in enumerate(stock)
    ]
    more = told("d", "Fever.", "p2")
    assert sources_of([replace(corpus(1), notes=(*notes, more))]) == [0, 0, 1, 1, 0, 1]


def test_pieces_of_one_text_are_one() -> None:
    whole = replace(corpus(1), notes=COPIES)
    assert sources_of([whole.cut(20)]) == [0, 0]


def test_pieces_are_one_each_but_a_patients() -> None:
    for patients, expected in ((0, list(range(6))), (1, [0] * 6)):
        notes = corpus(3, patients=patients)
        longer = [
            replace(n, document=replace(n.document, text=f"{n.document.text}So it was {i}.\n"))
            for i, n in enumerate(notes.notes)
        ]
        assert sources_of([replace(notes, notes=tuple(longer)).cut(1)]) == expected


@settings(max_examples=100, deadline=None)
@given(
    shown=st.lists(st.lists(st.integers(NONE, 3), min_size=1, max_size=3), min_size=1, max_size=6),
    data=st.data(),
)
def test_attributes_are_counted_once_a_source(shown: list[list[int]], data: st.DataObject) -> None:
    size = len(shown)
    sources = data.draw(st.lists(st.integers(0, 2), min_size=size, max_size=size))
    rows = [[at] for note in shown for at in note]
    own = Examples(
        *(("word[0]",), tuple("abcd"), np.zeros(4, dtype=np.int32)),
        *(np.array(rows, dtype=np.int32), ("O",), np.zeros(len(rows), dtype=np.int64)),
        *(np.cumsum([0, *map(len, shown)]), np.array(sources)),
    )
    pairs = {(s, at) for s, note in zip(sources, shown, strict=True) for at in note}
    assert own.seen().tolist() == [sum((s, at) in pairs for s in range(3)) for at in range(4)]
    fresh, count = Fresh(sources), [0] * 4
    for source, note in zip(sources, shown, strict=True):
        for value in fresh.of(source, {"abcd"[at] for at in note if at != NONE}):
            count["abcd".index(value)] += 1
    assert count == own.seen().tolist()
