"""Vectors on disk: what was written is read, and whatever is broken is one clear line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import InputError, MissingError, OutputError, PhiscrubError, SettingsError
from phiscrub.core.tensors import pack_tensors
from phiscrub.embeddings.embedding import Embedding
from phiscrub.embeddings.files import FORMATS, SUFFIXES, read_embedding, write_embedding
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.subwords import Subwords
from phiscrub.embeddings.vectors import Vectors

NUMBERS = st.floats(width=32, allow_nan=False, allow_infinity=False)
LETTERS = st.characters(exclude_categories=("Cs", "Cc"), exclude_characters=" ")


@st.composite
def vectors(draw: st.DrawFn) -> Vectors:
    words = draw(st.lists(st.text(LETTERS, min_size=1, max_size=6), min_size=1, unique=True))
    # a first word that is a number makes a line of two numbers, which is what a header looks like
    size = draw(st.integers(2, 4))
    rows = [draw(st.lists(NUMBERS, min_size=size, max_size=size)) for _ in words]
    return Vectors(tuple(words), np.array(rows, dtype=np.float32))


def embedding(words: str = "pain knee", size: int = 3) -> Embedding:
    named = tuple(words.split())
    matrix = np.arange(len(named) * size, dtype=np.float32).reshape(len(named), size) / 7
    return Embedding("own", Vectors(named, matrix))


@pytest.mark.parametrize("name", FORMATS)
@given(given=vectors())
def test_what_was_written_is_read(name: str, given: Vectors, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("v") / ("x.bin" if name == "word2vec-binary" else "x.txt")
    write_embedding(Embedding("x", given), path, name)
    found, notices = read_embedding(path)
    assert found.vectors.words == given.words
    assert found.vectors.matrix.tobytes() == (given.matrix + np.float32(0)).tobytes() or (
        np.array_equal(found.vectors.matrix, given.matrix)
    )
    assert notices == ()


def test_ours_keeps_all_that_is_known(tmp_path: Path) -> None:
    made = embedding()
    table = np.arange(15, dtype=np.float32).reshape(5, 3)
    full = Embedding(
        "x", made.vectors, Normalise("glued", True), Subwords(table), {"training": {"seed": 3}}
    )
    write_embedding(full, tmp_path / "x.safetensors")
    found, _ = read_embedding(tmp_path / "x.safetensors")
    assert found.normalise == full.normalise
    assert found.about == {"training": {"seed": 3}}
    assert found.subwords is not None
    assert np.array_equal(found.subwords.table, table)
    assert (tmp_path / "x.safetensors").stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["x.safetensors"]


@pytest.mark.parametrize(
    ("data", "words", "size"),
    [
        (b"2 2\nthe 1 2\nknee 3 4\n", ("the", "knee"), 2),  # word2vec
        (b"2 2\nthe 1 2 \nknee 3 4 \n", ("the", "knee"), 2),  # fastText, word2vec in C
        (b"the 1 2\nknee 3 4\n", ("the", "knee"), 2),  # GloVe
        (b"the 1 2\r\nknee 3 4", ("the", "knee"), 2),
        (b"the\t1\t2\n", ("the",), 2),
        (b". . . 1 2\nat a@b.org 3 4\n\xc2\xa0 5 6\n", (". . .", "at a@b.org", "\xa0"), 2),
        (b"2008 1 2\n1/2 3 4\n", ("2008", "1/2"), 2),
        (b"the 1e-3 -2.5E2\n\n\n", ("the",), 2),
        ("\u2028 1 2\n\x85 1 2\n".encode(), ("\u2028", "\x85"), 2),  # ends of lines only to Python
    ],
)
def test_text_by_other_hands(data: bytes, words: tuple[str, ...], size: int, tmp_path) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    found, notices = read_embedding(tmp_path / "x.txt")
    assert found.vectors.words == words
    assert found.dimensions == size
    assert notices == ()


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_binary_by_other_hands(end: bytes, tmp_path: Path) -> None:
    rows = np.array([[1.5, -2], [3, 4]], dtype="<f4")
    data = b"2 2\n" + b"".join(
        word + b" " + row.tobytes() + end for word, row in zip([b"the", b"knee"], rows, strict=True)
    )
    (tmp_path / "x.bin").write_bytes(data)
    found, _ = read_embedding(tmp_path / "x.bin")
    assert found.vectors.words == ("the", "knee")
    assert np.array_equal(found.vectors.matrix, rows)
    (tmp_path / "x.bin").write_bytes(data[:-3])
    with pytest.raises(InputError, match="record 2: is no whole vector; there should be 2"):
        read_embedding(tmp_path / "x.bin")
    (tmp_path / "unnamed").write_bytes(data)
    assert read_embedding(tmp_path / "unnamed")[0].vectors.words == ("the", "knee")


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "an empty vocabulary"),
        (b"0 3\n", "an empty vocabulary"),
        (b"3 0\n", "line 1: has no numbers"),
        (b"the\n", "line 1: has no numbers"),
        (b"2 2\nthe 1 2\nknee 3\n", "line 3: has 1 numbers, not 2"),
        (b"the 1 2\nknee 3 4 5\n", "line 2: has 3 numbers, not 2"),
        (b"the 1 2\nknee 3 x\n", "line 2: holds what is no number"),
        (b"the 1 2\nknee 3 nan\n", "line 2: holds what is no finite number"),
        (b"the 1 2\nknee 3 1e99\n", "line 2: holds what is no finite number"),
        (b"the 1 2\n\nknee 3 4\n", "line 2: has 0 numbers, not 2"),
        (b"the 1 2\n 3 4\n", "line 2: has no word"),
        (b"3 2\nthe 1 2\nknee 3 4\n", "line 3: is the last of 2 vectors, not of 3"),
        (b"1 2\nthe 1 2\nknee 3 4\n", "line 3: is the last of 2 vectors, not of 1"),
    ],
)
def test_broken_text_is_one_line(data: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        read_embedding(tmp_path / "x.txt")
    assert "\n" not in str(caught.value)
    assert "knee" not in str(caught.value)


@pytest.mark.parametrize("header", [b"x 2\n", b"1\n", b"1 0\n", b"1 99999999999\n", b""])
def test_a_broken_head_of_a_binary_file(header: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.bin").write_bytes(header + b"the \0\0\0\0\0\0\0\0")
    with pytest.raises(InputError):
        read_embedding(tmp_path / "x.bin")


def test_a_long_file_names_the_line(tmp_path: Path) -> None:
    lines = [f"w{number} {number} 1" for number in range(9000)]
    lines[8500] = "w8500 1 y"
    (tmp_path / "x.txt").write_text("\n".join(lines))
    with pytest.raises(InputError, match="line 8501"):
        read_embedding(tmp_path / "x.txt")
    assert len(read_embedding(tmp_path / "x.txt", most=8000)[0].vectors) == 8000


def test_what_is_mended_is_told(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"the 1 2\n\xff\xfe 1 2\nthe 3 4\n")
    found, notices = read_embedding(tmp_path / "x.txt")
    assert found.vectors.matrix.tolist() == [[1, 2]]
    assert [line.partition(": ")[2] for line in notices] == [
        "1 words stand twice, the first vector is kept",
        "1 words are no UTF-8, they are left out",
    ]


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "phiscrub"])
@pytest.mark.parametrize("word", ["a b", "a\nb", "a\tb", "\ud800", ""])
def test_words_that_a_format_cannot_hold(name: str, word: str, tmp_path: Path) -> None:
    made = Embedding("x", Vectors(("the", word), np.ones((2, 2), dtype=np.float32)))
    with pytest.raises(OutputError, match="word 2 holds a blank or half a character"):
        write_embedding(made, tmp_path / "x", name)
    assert not list(tmp_path.iterdir())
    write_embedding(made, tmp_path / "x.safetensors")
    assert read_embedding(tmp_path / "x.safetensors")[0].vectors.words == ("the", word)


def test_the_suffix_names_the_format(tmp_path: Path) -> None:
    for suffix in SUFFIXES:
        write_embedding(embedding(), tmp_path / f"x{suffix}")
        assert read_embedding(tmp_path / f"x{suffix}")[0].vectors.words == ("pain", "knee")
    with pytest.raises(SettingsError, match="has no suffix of vectors"):
        write_embedding(embedding(), tmp_path / "x.model")
    with pytest.raises(SettingsError, match="no format of vectors 'gensim'"):
        write_embedding(embedding(), tmp_path / "x.txt", "gensim")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        read_embedding(tmp_path / "x.txt")
    with pytest.raises(InputError):
        read_embedding(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        write_embedding(embedding(), tmp_path / "file" / "x.txt")


def test_a_file_of_ours_that_was_changed_is_one_error(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    write_embedding(embedding(), path)
    whole = path.read_bytes()
    for at in range(0, len(whole), 3):
        for data in (whole[:at], whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :]):
            path.write_bytes(data)
            try:
                read_embedding(path)
            except PhiscrubError as error:
                assert "\n" not in str(error)  # noqa: PT017 - some changes are of a number


@pytest.mark.parametrize(
    "change",
    [
        {"format": 2},
        {"name": 1},
        {"about": []},
        {"normalise": {"digits": "none"}},
        {"normalise": {"digits": "other", "lower": False}},
        {"normalise": {"digits": 0, "lower": False}},
    ],
)
def test_settings_that_are_none(change: dict[str, object], tmp_path: Path) -> None:
    about = {"format": 1, "name": "x", "about": {}, "normalise": {"digits": "none", "lower": False}}
    tensors = {"vectors": np.ones((1, 2), dtype=np.float32)}
    for key, value in (("about", {**about, **change}), ("words", ["the"])):
        tensors[key] = np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)
    (tmp_path / "x.safetensors").write_bytes(pack_tensors(tensors))
    with pytest.raises(SettingsError):
        read_embedding(tmp_path / "x.safetensors")
