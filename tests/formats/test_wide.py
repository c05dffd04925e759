"""Tables in UTF-16 and UTF-32."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path, PurePath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.errors import EncodingError
from phiscrub.formats import delimited
from phiscrub.formats.record import Options
from phiscrub.formats.source import Source
from phiscrub.formats.table import Csv
from table_files import copy, failures, put, read, texts

WIDE = ("utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be")


def marked(text: str, name: str) -> bytes:
    return f"\ufeff{text}".encode(name)


@pytest.mark.parametrize("name", WIDE)
@given(cells=st.lists(st.text(st.sampled_from('aé😀中",;\n\r \t'), max_size=8), max_size=5))
@settings(deadline=None)
def test_wide_characters_are_read_and_written(
    tmp_path_factory: pytest.TempPathFactory, name: str, cells: list[str]
) -> None:
    folder, frame = tmp_path_factory.mktemp("wide"), io.StringIO()
    rows = csv.writer(frame)
    rows.writerows([("id", "text"), *enumerate(cells)])
    text = frame.getvalue()
    path, narrow = folder / "w.csv", folder / "n.csv"
    path.write_bytes(marked(text, name))
    narrow.write_bytes(text.encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(delimited, "CHUNK", 3)  # characters are cut apart
        assert texts(read(path)) == texts(read(narrow)) == cells
        assert copy(path, folder / "same.csv") == path.read_bytes()
        changed_text = copy(narrow, folder / "nc.csv", change='😀",').decode()
        assert copy(path, folder / "wc.csv", change='😀",') == marked(changed_text, name)
        reader = Csv().open(Source(path), Options())
        items = list(reader.records())
        for at, item in enumerate(items):
            assert list(reader.records(item.after)) == items[at + 1 :]


@pytest.mark.parametrize(
    ("name", "bad"), [("utf-16-le", b"\x00\xd8"), ("utf-32-le", b"\x00\x00\x11\x00")]
)
@pytest.mark.parametrize("column", ["2,b%,x", "2,b,%x"])
def test_a_row_with_bytes_that_are_no_characters_fails_alone(
    tmp_path: Path, name: str, bad: bytes, column: str
) -> None:
    before, after = (part.encode(name) for part in column.split("%"))
    rows = marked("id,text,x\n1,a,x\n", name) + before + bad + after
    path = put(tmp_path, rows + "\n3,c,x\n4,d,x".encode(name))
    items = read(path)
    assert texts(items) == ["a", "c", "d"]
    assert f"the row has bytes that are no {name}" in failures(items)[0]
    assert copy(path, tmp_path / "out.csv") == marked("id,text,x\n1,a,x\n3,c,x\n4,d,x", name)
    path.write_bytes(path.read_bytes() + b"e")  # half a character
    assert texts(read(path)) == ["a", "c"]
    path.write_bytes(marked("id,te", name) + bad + "xt\n1,a\n".encode(name))
    with pytest.raises(EncodingError):
        read(path)


def test_a_wide_file_that_is_no_table_is_none() -> None:
    data = b"\xff\xfe\x00\x00" + "Dr. Ann Lee".encode("utf-16-le")  # reads as UTF-32's mark
    assert not Csv().sniff(data, PurePath("a.txt"))
    assert not Csv().sniff(data, None)


@pytest.mark.parametrize("name", ["utf-16", "utf-32", "utf-32-be"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_a_named_encoding_of_wide_characters(tmp_path: Path, name: str, mark: str) -> None:
    own = name if name.endswith("be") else f"{name}-le"
    path = put(tmp_path, f"{mark}id,text\n1,é\n".encode(own))
    assert texts(read(path, encoding=name)) == ["é"]


def test_wide_characters_come_by_standard_input_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    long = "😀" * 40_000  # more than the head, and an odd number of characters before it
    data = marked(f"id,text\n1,{long}\n22,b\n", "utf-16-le")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(data))))
    items = list(Csv().open(Source(None), Options()).records())
    assert texts(items) == [long, "b"]
