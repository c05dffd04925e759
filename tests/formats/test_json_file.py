from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import InputError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.json_file import Json
from phiscrub.formats.json_object import SLACK
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.registry import detect_format
from phiscrub.formats.source import Source

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
OTHERS = st.dictionaries(TEXTS.map(lambda key: f"x{key}"), VALUES, max_size=3)


def put(folder: Path, data: bytes | str) -> Path:
    path = folder / "t.json"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def read(path: Path, **options: object) -> list[Record | Failure]:
    return list(Json().open(Source(path), Options(**options)).records())  # type: ignore[arg-type]


def texts(items: list[Record | Failure]) -> list[str]:
    return [n.document.text for item in items if isinstance(item, Record) for n in item.notes]


def copy(path: Path | None, out: Path, change: str | None = None) -> bytes:
    reader = Json().open(Source(path), Options())
    writer = Json().create(out, reader.layout, Options())
    for item in reader.records():
        if isinstance(item, Record):
            writer.write(item if change is None else changed(item, change))
    writer.close()
    return out.read_bytes()


def changed(record: Record, text: str) -> Record:
    notes = tuple(Annotated(replace(n.document, text=text)) for n in record.notes)
    return replace(record, notes=notes)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(OTHERS, TEXTS, OTHERS), max_size=4),
    st.sampled_from([None, 0, 2, "\t"]),
    st.booleans(),
    st.sampled_from(["", "\n", "\r\n "]),
    st.booleans(),
    TEXTS,
)
def test_files_pass_through_and_only_texts_change(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[dict[str, object], str, dict[str, object]]],
    indent: int | str | None,
    ascii_only: bool,
    end: str,
    lone: bool,
    text: str,
) -> None:
    folder = tmp_path_factory.mktemp("j")
    objects = [{**before, "note": note, **after} for before, note, after in rows]
    value: object = objects[0] if lone and objects else objects
    path = put(folder, json.dumps(value, indent=indent, ensure_ascii=ascii_only) + end)
    wanted = objects[:1] if lone else objects
    assert texts(read(path)) == [row["note"] for row in wanted]
    assert copy(path, folder / "same") == path.read_bytes()
    found = json.loads(copy(path, folder / "out", change=text))
    assert (found if isinstance(found, list) else [found]) == [{**w, "note": text} for w in wanted]


BOTH = '[\n  {"note": "a"},\n  "no",\n  {"note": 5},\n  7,\n  {"note": "b"}\n]\n'


def test_a_bad_record_fails_alone_and_says_where(tmp_path: Path) -> None:
    path = put(tmp_path, BOTH)
    items = read(path)
    told = [str(item.error) for item in items if isinstance(item, Failure)]
    assert [words.partition(":")[0] for words in told] == [
        f"{path}, record 2, line 3, offset 0",
        f"{path}, record 3, line 4",
        f"{path}, record 4, line 5, offset 0",
    ]
    assert copy(path, tmp_path / "o") == b'[\n  {"note": "a"},\n  {"note": "b"}\n]\n'


def test_the_first_record_may_be_kept_back(tmp_path: Path) -> None:
    path = put(tmp_path, '[ 1, {"note": "b"} , {"note": "c"}]')
    assert copy(path, tmp_path / "o") == b'[ {"note": "b"} , {"note": "c"}]'


@pytest.mark.parametrize("at", range(4))
def test_resuming_at_every_record_gives_the_bytes_of_one_run(tmp_path: Path, at: int) -> None:
    path = put(tmp_path, '\ufeff[3,\n {"note":"a"}, {"note":"b"}\n\n, {"note":"c"} ]')
    once = copy(path, tmp_path / "once", change="X")
    reader, out = Json().open(Source(path), Options()), tmp_path / "out"
    writer, length, start = Json().create(out, reader.layout, Options()), 0, Position()
    for index, item in enumerate(reader.records()):
        if index == at:
            length = writer.checkpoint()
        if isinstance(item, Record):
            writer.write(changed(item, "X" if index < at else "lost"))
        start = item.after if index < at else start
    writer.close()
    writer = Json().create(out, reader.layout, Options(), length)
    for item in reader.records(start):
        if isinstance(item, Record):
            writer.write(changed(item, "X"))
    writer.close()
    assert (
        out.read_bytes() == once == b'\xef\xbb\xbf[{"note":"X"}, {"note":"X"}\n\n, {"note":"X"} ]'
    )


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ('"Ann"', "neither a JSON array nor an object"),
        ('[{"note": "a"}', "the array has no end"),
        ('[{"note": "a"},]', "line 1: is no JSON"),
        ('[{"note": "a"}\n{"note": "b"}]', "line 2: is no JSON between"),
        ('[{"note": "a"}] ]', "is no JSON"),
        ('[{"note": "a]', "the record has no end"),
        ('{"note": "a"}, {"note": "a"}', "is no JSON"),
        ('[{"note": "' + "a" * (2 * SLACK) + '"}]', "the record is too long"),
        (json.dumps([{"note": "a"}]).encode("utf-16"), "convert it to UTF-8"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, data: bytes | str, words: str) -> None:
    path = put(tmp_path, data)
    with pytest.raises(InputError, match=words):
        read(path, max_note=100)


def test_long_notes_are_read_over_many_chunks(tmp_path: Path) -> None:
    rows = [{"note": 'é\\"[' * size} for size in (1, 900_000, 5, 400_000)]
    assert texts(read(put(tmp_path, json.dumps(rows)))) == [row["note"] for row in rows]


def test_notes_of_other_formats_read_back(tmp_path: Path) -> None:
    given_notes = [
        Annotated(Document("a", "é\nb"), (Mention(Span(0, 1), "N", 0.25, "rules:x"),)),
        Annotated(Document("b", "")),
    ]
    out = tmp_path / "o.json"
    writer = Json().create(out, object(), Options())
    for note in given_notes:
        writer.write(Record((note,)))
    writer.close()
    items = read(out)
    assert [n for item in items if isinstance(item, Record) for n in item.notes] == given_notes
    assert len(json.loads(out.read_bytes())) == 2
    writer = Json().create(out, object(), Options())
    writer.close()
    assert json.loads(out.read_bytes()) == []


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = json.dumps([{"note": f"a{n}"} for n in range(9000)], indent=1) + "\n"
    with put(tmp_path, data).open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        assert copy(None, tmp_path / "o") == data.encode()


@pytest.mark.parametrize(
    ("data", "name", "found"),
    [
        ('{\n  "text": "a"\n}\n', "t", "json"),
        ('\ufeff [\n {"text": "a"}]', "t.txt", "json"),
        ('["Ann", "Bo"]', "t.txt", "json"),
        ("[]", "t.json", "json"),
        ("Ann", "t.JSON", "json"),
        ('{"text": "a"}\n{"text": "b"}\n', "t.json", "jsonl"),
        ("[**Ann**] was seen", "t.txt", "text"),
        ("[1] was seen", "t.txt", "text"),
        ("[[NAME]] was seen", "t.txt", "text"),
        ('["Ann"] was seen', "t.txt", "json"),
        ("{curly} words\n", "t.txt", "text"),
    ],
)
def test_detection(tmp_path: Path, data: str, name: str, found: str) -> None:
    (tmp_path / name).write_text(data)
    assert detect_format(Source(tmp_path / name)).name == found
