from __future__ import annotations

import builtins
import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import InputError, MissingError, OutputError, SettingsError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats import parquet_writer
from phiscrub.formats.parquet import Parquet
from phiscrub.formats.record import Failure, Options, Record
from phiscrub.formats.source import Source

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

LONG = "123456789012345678901234567890"  # more digits than decimals are reckoned with
PERSON = pa.struct(
    [
        ("name", pa.struct([("first", pa.string())])),
        ("mrn", pa.int64()),
        ("seen", pa.list_(pa.timestamp("ns"))),
    ]
)


def table(count: int = 25) -> Any:
    rows = range(count)
    schema = pa.schema(
        [
            ("id", pa.int64()),
            ("when", pa.timestamp("us", "UTC")),
            ("note", pa.large_string()),
            ("kind", pa.dictionary(pa.int8(), pa.string())),
            ("tags", pa.list_(pa.int32())),
            pa.field("name", pa.string(), metadata={"unit": "none"}),
            ("plan", pa.dictionary(pa.int32(), pa.string())),
        ],
        metadata={"made": "by hand"},
    )
    columns = [
        list(rows),
        [datetime(2020, 1, 1 + i % 28, tzinfo=UTC) for i in rows],
        [None if i % 7 == 3 else "" if i % 7 == 5 else f"note é {i}" for i in rows],
        [("a", "b", None, "c")[i * i % 4] for i in rows],
        [None if i % 5 == 0 else list(range(i % 3)) for i in rows],
        [None if i % 2 else f"n{i}" for i in rows],
        [("go", "stay", None)[i % 3] for i in rows],
    ]
    return pa.Table.from_arrays(
        [pa.array(c, f.type) for c, f in zip(columns, schema, strict=True)], schema=schema
    )


def put(folder: Path, data: Any, name: str = "t.parquet", **options: Any) -> Path:
    path = folder / name
    pq.write_table(data, path, **options)
    return path


def read(path: Path, **options: Any) -> list[Record | Failure]:
    return list(Parquet().open(Source(path), Options(**options)).records())


def notes(items: list[Record | Failure]) -> list[Annotated]:
    return [note for item in items if isinstance(item, Record) for note in item.notes]


def changed(record: Record, change: Callable[[str], str]) -> Record:
    return replace(
        record,
        notes=tuple(
            Annotated(replace(n.document, text=change(n.document.text))) for n in record.notes
        ),
    )


def copy(path: Path, out: Path, change: Callable[[str], str] = str, **options: Any) -> bytes:
    settings_ = Options(**options)
    reader = Parquet().open(Source(path), settings_)
    writer = Parquet().create(out, reader.layout, settings_)
    for item in reader.records():
        if isinstance(item, Record):
            writer.write(changed(item, change))
    writer.close()
    return out.read_bytes()


@pytest.mark.parametrize("columns", [("note",), ("plan", "note")])
@pytest.mark.parametrize("codec", ["snappy", "zstd", "none", "gzip"])
def test_a_table_passes_through_with_schema_nulls_metadata_and_codec(
    tmp_path: Path, columns: tuple[str, ...], codec: str
) -> None:
    path = put(tmp_path, table(), row_group_size=7, compression=codec)
    out = tmp_path / "o.parquet"
    copy(path, out, text_columns=columns)
    before, after = pq.read_table(path), pq.read_table(out)
    assert after.schema.equals(before.schema, check_metadata=True)
    assert after.to_pylist() == before.to_pylist()
    one, two = (pq.ParquetFile(p).metadata.row_group(0).column(2).compression for p in (path, out))
    assert one == two


def test_texts_change_and_nothing_else_does(tmp_path: Path) -> None:
    path = put(tmp_path, table())
    copy(path, tmp_path / "o", str.upper, text_columns=("note", "plan"))
    expected = [
        {k: v.upper() if k in {"note", "plan"} and v else v for k, v in row.items()}
        for row in table().to_pylist()
    ]
    assert pq.read_table(tmp_path / "o").to_pylist() == expected


@settings(max_examples=25, deadline=None)
@given(
    count=st.integers(0, 30),
    stops=st.lists(st.integers(0, 29), max_size=4),
    cut=st.integers(0, 30),
    held=st.integers(1, 9),
)
def test_checkpoints_and_resuming_leave_no_trace(
    tmp_path_factory: pytest.TempPathFactory, count: int, stops: list[int], cut: int, held: int
) -> None:
    folder = tmp_path_factory.mktemp("p")
    path = put(folder, table(count), row_group_size=11)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parquet_writer, "GROUP_ROWS", 8)
        patch.setattr(parquet_writer, "GROUP_BYTES", 500)
        once = copy(path, folder / "once", str.upper)
        patch.setattr(parquet_writer, "HELD_RECORDS", held)
        reader, out = Parquet().open(Source(path), Options()), folder / "out"
        writer = Parquet().create(out, reader.layout, Options())
        length, done = 0, 0
        items = list(reader.records())
        for index, item in enumerate(items):
            if index in stops and index <= cut:
                length, done = writer.checkpoint(), index
            assert isinstance(item, Record)
            writer.write(changed(item, str.upper if index < cut else str.lower))
        writer.checkpoint()
        writer = Parquet().create(out, reader.layout, Options(), length)
        rest = reader.records(items[done - 1].after) if done else reader.records()
        for item in rest:
            assert isinstance(item, Record)
            writer.write(changed(item, str.upper))
        writer.close()
    assert out.read_bytes() == once


def test_row_groups_are_bounded_by_rows_and_by_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = put(tmp_path, pa.table({"text": ["x" * 1000] * 6 + ["y"] * 6}))
    monkeypatch.setattr(parquet_writer, "GROUP_ROWS", 5)
    monkeypatch.setattr(parquet_writer, "GROUP_BYTES", 2000)
    copy(path, tmp_path / "o")
    metadata = pq.ParquetFile(tmp_path / "o").metadata
    groups = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    assert groups == [2, 2, 2, 5, 1]


def test_reading_from_any_row_gives_the_same_records(tmp_path: Path) -> None:
    path = put(tmp_path, table(), row_group_size=10)
    reader = Parquet().open(Source(path), Options())
    whole = list(reader.records())
    assert [item.after.offset for item in whole] == list(range(1, 26))
    for at in (0, 8, 9, 10, 23, 24):
        rest = [
            (i.after, i.notes) for i in reader.records(whole[at].after) if isinstance(i, Record)
        ]
        assert rest == [(i.after, i.notes) for i in whole[at + 1 :] if isinstance(i, Record)]


def test_a_record_travels_without_its_batch(tmp_path: Path) -> None:
    path = put(tmp_path, pa.table({"text": ["a"] * 900, "other": ["x" * 1000] * 900}))
    reader = Parquet().open(Source(path), Options())
    writer = Parquet().create(tmp_path / "o", reader.layout, Options())
    for item in reader.records():
        data = pickle.dumps(item)
        assert len(data) < 5000
        writer.write(pickle.loads(data))  # noqa: S301 - made here
    writer.close()
    assert pq.read_table(tmp_path / "o") == pq.read_table(path)


def test_ids_subjects_and_several_texts(tmp_path: Path) -> None:
    data = {"row_id": [7, None], "mrn": ["p", None], "a": ["x", None], "b": ["y", "z"]}
    path = put(tmp_path, pa.table(data))
    found = notes(read(path, text_columns=("a", "b"), subject_column="mrn"))
    assert [n.document.id for n in found] == ["7/a", "7/b", "t-2/b"]
    assert [n.document.subject for n in found] == [Subject("p"), Subject("p"), None]


@pytest.mark.parametrize("kind", [pa.float64(), pa.float32(), pa.decimal128(30, 2), pa.int64()])
def test_a_whole_number_is_the_same_patient_whatever_its_type(tmp_path: Path, kind: Any) -> None:
    keys = pa.array([17, None]).cast(kind)
    path = put(tmp_path, pa.table({"id": keys, "mrn": keys, "note": ["x", "y"]}))
    found = [note.document for note in notes(read(path, subject_column="mrn"))]
    assert [document.id for document in found] == ["17", "t-2"]
    assert [document.subject for document in found] == [Subject("17"), None]
    copy(path, tmp_path / "o", subject_column="mrn")
    assert pq.read_table(tmp_path / "o") == pq.read_table(path)


@pytest.mark.parametrize(
    ("key", "word"),
    [(17.5, "17.5"), (float("nan"), ""), (float("inf"), "inf"), (Decimal("17.5"), "17.5")],
)
def test_a_key_that_is_no_whole_number(tmp_path: Path, key: object, word: str) -> None:
    keys = pa.array([key], from_pandas=False)
    path = put(tmp_path, pa.table({"id": keys, "mrn": keys, "note": ["x"]}))
    (note,) = notes(read(path, subject_column="mrn"))
    assert note.document.id == (word or "t-1")
    assert note.document.subject == (Subject(word) if word else None)


STRUCTS = pa.list_(
    pa.struct(
        [("start", pa.int32()), ("end", pa.int32()), ("label", pa.string()), ("x", pa.string())]
    )
)


@pytest.mark.parametrize("kind", [pa.string(), STRUCTS], ids=["json", "structs"])
def test_mentions_are_read_and_written_anew(tmp_path: Path, kind: Any) -> None:
    claim: Any = [{"start": 0, "end": 3, "label": "N", "x": "Ann"}]
    cells = [json.dumps(claim) if kind == pa.string() else claim, None]
    path = put(tmp_path, pa.table({"text": ["Ann", "b"], "mentions": pa.array(cells, kind)}))
    reader = Parquet().open(Source(path), Options())
    writer = Parquet().create(tmp_path / "o", reader.layout, Options())
    for item in reader.records():
        assert isinstance(item, Record)
        writer.write(item)
    writer.close()
    assert [n.mentions for n in notes(read(tmp_path / "o"))] == [(Mention(Span(0, 3), "N"),), ()]
    cell = pq.read_table(tmp_path / "o")["mentions"][0].as_py()
    cell = json.loads(cell) if isinstance(cell, str) else cell
    assert not cell[0].get("x")


def test_rows_that_cannot_be_read_fail_alone(tmp_path: Path) -> None:
    broken = pa.array([b"ok", b"\xff", b"a\0", b"far too long", b"ok"]).view(pa.string())
    path = put(tmp_path, pa.table({"text": broken}))
    items = read(path, max_note=5)
    assert [n.document.text for n in notes(items)] == ["ok", "ok"]
    messages = [str(item.error) for item in items if isinstance(item, Failure)]
    for number, (message, words) in enumerate(
        zip(messages, ["not UTF-8", "NUL", "limit"], strict=True), 2
    ):
        assert message.startswith(f"{path}, record {number}")
        assert words in message


@pytest.mark.parametrize(
    ("data", "options", "words"),
    [
        ({"body": ["a"]}, {}, "the columns are body"),
        ({"text": [1]}, {}, "holds int64, not text"),
        ({"text": ["a"], "mentions": [1]}, {}, "holds int64, not mentions"),
        ({"text": ["a"]}, {"id_column": "key"}, "no column 'key'"),
    ],
)
def test_a_schema_that_does_not_fit_is_refused(
    tmp_path: Path, data: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError, match=words):
        read(put(tmp_path, pa.table(data)), **options)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = put(tmp_path, table(3000), compression="none")
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(InputError, match="damaged"):
        read(path)
    path.write_bytes(data[:4] + b"\xff" * 3000 + data[3004:])
    with pytest.raises(InputError, match="damaged"):
        read(path)
    with pytest.raises(MissingError, match="no such file"):
        read(tmp_path / "none.parquet")
    with pytest.raises(InputError, match="save it to a file"):
        Parquet().open(Source(None), Options())


def test_parts_that_are_gone_are_missed(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="2 of its 2 parts are gone"):
        Parquet().create(tmp_path / "o", None, Options(), 2)


def test_notes_of_other_formats_become_id_text_mentions(tmp_path: Path) -> None:
    given_notes = [
        Annotated(Document("a", "é b"), (Mention(Span(0, 1), "N", 0.5, "x:y"),)),
        Annotated(Document("b", "")),
    ]
    writer = Parquet().create(tmp_path / "o", None, Options())
    writer.write(Record(tuple(given_notes), carry="another format's"))
    writer.close()
    assert notes(read(tmp_path / "o")) == given_notes
    assert pq.read_schema(tmp_path / "o").names == ["id", "text", "mentions"]


def test_a_table_without_rows(tmp_path: Path) -> None:
    path = put(tmp_path, table(0))
    copy(path, tmp_path / "o")
    assert pq.read_table(tmp_path / "o").equals(pq.read_table(path))


def test_without_pyarrow_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real = put(tmp_path, table()), builtins.__import__

    def missing(name: str, *rest: Any) -> Any:
        if name.startswith("pyarrow"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    for act in (lambda: read(path), lambda: Parquet().create(tmp_path / "o", None, Options())):
        with pytest.raises(SettingsError, match=r'pip install "phiscrub\[parquet\]"'):
            act()


def test_detection() -> None:
    assert Parquet().sniff(b"PAR1\x15", None)
    assert not Parquet().sniff(b"PAR", Path("t.parquet"))


def test_an_id_that_python_cannot_hold(tmp_path: Path) -> None:
    when = pa.array([1_552_521_600_000_000_001, None], pa.timestamp("ns"))
    path = put(tmp_path, pa.table({"text": ["a", "b"], "when": when}))
    records = Parquet().open(Source(path), Options(id_column="when")).records()
    told = [note.document.id for one in records if isinstance(one, Record) for note in one.notes]
    assert told == ["2019-03-14 00:00:00", "t-2"]


def test_about_tells_values_of_any_type(tmp_path: Path) -> None:
    ns = 1_552_521_600_000_000_001  # 2019-03-14, and a nanosecond that Python has no place for
    cells = {
        "day": pa.array([date(2019, 3, 14)]),
        "seen": pa.array([datetime(2019, 3, 14, 8, tzinfo=UTC)], pa.timestamp("ms")),
        "exact": pa.array([ns], pa.timestamp("ns")),
        "local": pa.array([ns], pa.timestamp("ns", tz="UTC")),
        "nowhere": pa.array([ns], pa.timestamp("ns", tz="America/Nowhere")),
        "far": pa.array([2**62], pa.timestamp("us")),
        "names": pa.array([["Ann", None, "Lee"]]),
        "person": pa.array([{"name": {"first": "Ann"}, "mrn": 417, "seen": [ns]}], PERSON),
        "map": pa.array([[("Ann", 7)]], pa.map_(pa.string(), pa.int64())),
        "mrn": pa.array([Decimal("417")], pa.decimal128(38, 0)),
        "card": pa.array([Decimal(LONG)], pa.decimal128(38, 0)),
        "dose": pa.array([Decimal(f"{LONG}.5")], pa.decimal128(38, 1)),
        "loose": pa.array([417.0]),
        "share": pa.array([0.5]),
        "none": pa.array([float("nan")]),
        "raw": pa.array([b"Ren\xc3\xa9e"]),
        "live": pa.array([True]),
        "gone": pa.array([None], pa.list_(pa.string())),
    }
    path = put(tmp_path, pa.table({"text": ["Seen"], **cells}))
    reader = Parquet().open(Source(path), Options())
    (record,) = reader.records()
    assert isinstance(record, Record)
    assert reader.about(record) == {
        "day": "2019-03-14",
        "seen": "2019-03-14 08:00:00",
        "exact": "2019-03-14 00:00:00",
        "local": "2019-03-14 00:00:00+00:00",
        "names": "Ann Lee",
        "person": "Ann 417 2019-03-14 00:00:00",
        "map": "Ann 7",
        "mrn": "417",
        "card": LONG,
        "loose": "417",
        "raw": "Renée",
    }
