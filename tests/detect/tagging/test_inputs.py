from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import SettingsError
from phiscrub.core.note import Note
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.inputs import Encoder, Inputs, Shown
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.windows import NONE, merged, sliding
from phiscrub.detect.tagging.wordclasses import chiu, inverse, strubell
from phiscrub.pipeline.shelf import Shelf
from phiscrub.tokenize.registry import get_tokenizer


def notes(*texts: str) -> Sequence[Note]:
    return get_tokenizer().tokenize([Document(str(i), t) for i, t in enumerate(texts)])


def encoder(inputs: Inputs) -> Encoder:
    return Encoder(inputs, Traits.of(inputs.trait_names, Shelf("en", None)))


def test_words_and_characters_are_numbers_from_2_on() -> None:
    reads = encoder(Inputs(words=("ann", "saw"), characters=("A", "n"), lower=True))
    frame = Frame.of(notes("Ann saw Bob"), "sentence")
    encoded = reads.encode(frame)
    numbers = reads.numbers(encoded.types)
    assert numbers.word[encoded.type].tolist() == [2, 3, 1]
    assert numbers.characters.tolist() == [[2, 3, 3], [1, 1, 1], [1, 1, 1]]
    assert numbers.shown.shape == (3, 0)
    assert encoded.notes.shape == (3, 0)


@pytest.mark.parametrize(
    ("digits", "looked_up"), [("none", "B12"), ("zero", "B00"), ("glued", "BDIGITDIGIT")]
)
def test_digits_are_looked_up_as_the_recipe_says(digits: str, looked_up: str) -> None:
    assert Inputs(digits=digits).looked_up("B12") == looked_up


def test_split_digits_are_positions_of_their_own() -> None:
    reads = encoder(
        Inputs(words=("DIGIT", "ab"), digits="split", traits=(Shown("nth", 2, values=("first",)),))
    )
    (note,) = notes("ab 1990 c7. next")
    frame = Frame.of([note], "sentence")
    encoded = reads.encode(frame)
    words = note.tokens.words()
    pieces = [encoded.types[i][0] for i in encoded.type.tolist()]
    assert "".join(pieces) == "".join(words)
    assert [pieces[i][0] for i in encoded.firsts.tolist()] == [word[0] for word in words]
    assert pieces[1:5] == ["1", "9", "9", "0"]
    assert reads.numbers(encoded.types).word[encoded.type][:5].tolist() == [3, 2, 2, 2, 2]
    assert len(encoded.notes) == len(pieces) == encoded.starts[-1]
    assert encoded.starts.tolist()[1:-1] == encoded.firsts[frame.starts[1:-1]].tolist()


def test_what_follows_a_word_is_part_of_its_type_where_it_is_read() -> None:
    reads = encoder(Inputs(characters=("a", " ", "\n"), post_space=3))
    batch = notes("a a\n\n\n\na", "a\n")
    encoded = reads.encode(Frame.of(batch, "note"))
    assert [encoded.types[i] for i in encoded.type.tolist()] == [
        ("a", " "),
        ("a", "\n\n\n"),
        ("a", ""),
        ("a", "\n"),
    ]
    numbers = reads.numbers(encoded.types)
    assert numbers.characters.tolist() == [[2, 3, 0, 0], [2, 4, 4, 4], [2, 0, 0, 0], [2, 4, 0, 0]]


def test_traits_are_looked_up_in_lists_or_hashed() -> None:
    traits = (
        Shown("classes", 4, values=("lower", "title")),
        Shown("gap", 4, values=(" ",)),
        Shown("suffix:2", 8, buckets=50, hashes=3),
    )
    reads = encoder(Inputs(traits=traits))
    assert [one.trait for one in reads.word_shown] == ["classes", "suffix:2"]
    assert [one.trait for one in reads.note_shown] == ["gap"]
    encoded = reads.encode(Frame.of(notes("Ann saw 12 I"), "note"))
    shown = reads.numbers(encoded.types).shown
    assert shown.shape == (4, 4)
    assert shown[:3, 0].tolist() == [3, 2, 1]
    assert shown[3, 1:].tolist() == [0, 0, 0]  # a word of one letter has no such suffix
    assert (shown[:3, 1:] >= 1).all()
    assert (shown[:, 1:] < traits[2].rows).all()
    assert encoded.notes.shape == (4, 1)


def test_two_hashes_are_two_functions() -> None:
    shown = Shown("word", 4, buckets=16, hashes=2)
    rows = shown.numbers([str(i) for i in range(400)])
    first = {tuple(np.flatnonzero(rows[:, 0] == b).tolist()) for b in range(1, 17)}
    second = {tuple(np.flatnonzero(rows[:, 1] == b).tolist()) for b in range(1, 17)}
    assert len(first) == 16
    assert not first & second
    assert rows[:3].tolist() == shown.numbers(["0", "1", "2"]).tolist()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text("aB1 .\n", max_size=30), min_size=1, max_size=4))
def test_a_batch_changes_nothing_but_speed(texts: list[str]) -> None:
    traits = (Shown("lower", 4, buckets=64), Shown("gap", 4, values=(" ",)))
    reads = encoder(Inputs(characters=("a", "B", "1"), traits=traits, post_space=2))

    def rows(batch: Sequence[Note]) -> list[tuple[object, ...]]:
        encoded = reads.encode(Frame.of(batch, "line"))
        numbers = reads.numbers(encoded.types)
        padded = np.pad(numbers.characters, ((0, 0), (0, 40 - numbers.characters.shape[1])))
        return [
            (numbers.word[t], *padded[t].tolist(), *numbers.shown[t].tolist(), *place.tolist())
            for t, place in zip(encoded.type.tolist(), encoded.notes, strict=True)
        ]

    batch = notes(*texts)
    assert rows(batch) == [row for note in batch for row in rows([note])]


def test_inputs_come_back_from_a_manifest() -> None:
    inputs = Inputs(("a",), ("b",), (Shown("word", 3, buckets=4), Shown("gap", 2, values=("x",))))
    table = json.loads(json.dumps(inputs.stated()))
    back = Inputs.read(table, inputs.words, inputs.characters)
    assert back.stated() == inputs.stated()
    assert (back.words, back.characters) == (inputs.words, inputs.characters)


@pytest.mark.parametrize(
    "change",
    [
        {"digits": "some"},
        {"lower": 1},
        {"longest": 0},
        {"longest": "9"},
        {"more": 1},
        {"traits": None},
        {"traits": [{}]},
        {"traits": [{"trait": "word", "dimension": 0, "values": []}]},
        {"traits": [{"trait": "word", "dimension": 2, "values": [3]}]},
        {"traits": [{"trait": "word", "dimension": "2", "values": []}]},
        {"traits": [{"trait": "word", "dimension": 2, "hashes": 2, "values": []}]},
    ],
)
def test_a_hostile_table_is_one_error(change: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        Inputs.read({**Inputs().stated(), **change}, (), ())


def test_word_classes() -> None:
    assert list(map(chiu, ["12", "123a", "ab", "AB", "Ab", "A1", "a1", "aB", "-"])) == [
        *("numeric", "mostly numeric", "lower", "upper", "initial upper", "initial upper"),
        *("contains digit", "other", "other"),
    ]
    assert list(map(strubell, ["AB", "Ab", "aB", "ab", "12"])) == [
        *("upper", "initial upper", "camel case", "other", "other"),
    ]
    assert list(map(inverse, ["ab", "AB", "Mr", "MRS.", "12"])) == [
        *("lower", "upper", "capitalised salutation", "upper salutation", "other"),
    ]


def test_windows_slide_and_the_last_one_ends_with_the_sequence() -> None:
    starts = np.array([0, 2, 7])
    assert sliding(starts, 3).tolist() == [[0, 1, NONE], [2, 3, 4], [3, 4, 5], [4, 5, 6]]
    assert sliding(starts, 3, 2).tolist() == [[0, 1, NONE], [2, 3, 4], [4, 5, 6]]
    assert sliding(starts, 4, 3).tolist() == [[0, 1, NONE, NONE], [2, 3, 4, 5], [3, 4, 5, 6]]
    assert sliding(np.array([0]), 3).shape == (0, 3)


def test_windows_are_merged_by_the_three_rules() -> None:
    windows = sliding(np.array([0, 4]), 2)  # [0 1] [1 2] [2 3]
    one, two, out = [0.1, 0.8, 0.1], [0.1, 0.3, 0.6], [0.9, 0.05, 0.05]
    other = [0.2, 0.7, 0.1]
    proba = np.array([[one, one], [other, two], [one, out]])
    rows = merged(windows, proba, 0).tolist()
    assert rows[0] == one  # seen once
    assert rows[1] == one  # agreed: the row of the larger index
    assert rows[2] == two  # in conflict: index 1 of its window against index 0
    assert rows[3] == out
    mixed = np.array([[out, out], [one, out], [two, out]])
    assert merged(windows, mixed, 0).tolist() == [out, one, two, out]  # PHI before O
