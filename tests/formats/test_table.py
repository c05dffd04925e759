from __future__ import annotations

import csv
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import (
    EncodingError,
    InputError,
    MissingError,
    OutputError,
    PhiscrubError,
    SettingsError,
)
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats import delimited
from phiscrub.formats.delimited import Broken, Splitter
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source
from phiscrub.formats.table import Csv
from table_files import changed, copy, failures, put, read, texts

ACI = Path(__file__).parents[2].parent / "shared" / "data" / "aci_bench"
WORDS = st.text(st.sampled_from('ab",;\\\n\r \té'), max_size=8)


@st.composite
def tables(draw: st.DrawFn) -> tuple[bytes, list[tuple[str, str, str]]]:
    mark, end = draw(st.sampled_from(",;\t|")), draw(st.sampled_from(["\n", "\r\n"]))
    rows = draw(st.lists(st.tuples(WORDS, WORDS, WORDS), max_size=6))

    def cell(text: str) -> str:
        if any(sign in text for sign in f'"\r\n{mark}') or draw(st.booleans()):
            return '"' + text.replace('"', '""') + '"'
        return text

    lines = [mark.join(("id", "text", "other")), *(mark.join(map(cell, row)) for row in rows)]
    last = draw(st.sampled_from([end, ""])) if rows and lines[-1] else end
    bom = draw(st.sampled_from(["", "\ufeff"]))
    return (bom + end.join(lines) + last).encode(), rows


@settings(max_examples=120, deadline=None)
@given(tables())
def test_any_quoting_passes_through_and_reads_as_the_csv_module_does(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[bytes, list[tuple[str, str, str]]]
) -> None:
    folder, (data, rows) = tmp_path_factory.mktemp("t"), table
    path = put(folder, data)
    items = read(path)
    assert failures(items) == []
    assert texts(items) == [row[1] for row in rows]
    assert copy(path, folder / "out.csv") == data


@settings(max_examples=120, deadline=None)
@given(tables(), WORDS)
def test_a_replacement_reads_back_and_other_cells_stay(
    tmp_path_factory: pytest.TempPathFactory,
    table: tuple[bytes, list[tuple[str, str, str]]],
    text: str,
) -> None:
    folder, (data, rows) = tmp_path_factory.mktemp("t"), table
    out = copy(put(folder, data), folder / "out.csv", change=text).decode("utf-8-sig")
    found = list(csv.reader(io.StringIO(out, newline=""), delimiter=out[2]))
    assert found[1:] == [[row[0], text, row[2]] for row in rows]


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('a",\n\r'), max_size=30), st.integers(1, 3), st.integers(1, 5))
def test_the_splitter_loses_no_byte_and_does_not_care_how_bytes_arrive(
    text: str, count: int, piece: int
) -> None:
    data = text.encode()

    def pieces(source: io.BytesIO, size: int) -> list[bytes]:
        splitter = Splitter.of(b",", count)
        rows = splitter.split(lambda _: source.read(size), b"", 1 << 20)
        return [row.raw if isinstance(row, Broken) else row[0] for row in rows]

    whole = pieces(io.BytesIO(data), 1 << 20)
    assert pieces(io.BytesIO(data), piece) == whole
    assert data.startswith(b"".join(whole))
    bounds = [sum(map(len, whole[:index])) for index in range(len(whole))]
    for index, at in enumerate(bounds):
        assert pieces(io.BytesIO(data[at:]), 1 << 20) == whole[index:]


@pytest.mark.parametrize("at", range(6))
def test_resuming_at_every_record_gives_the_bytes_of_one_run(tmp_path: Path, at: int) -> None:
    path = put(
        tmp_path, 'id,text\r\n1,a\r\n2,"b\r\nb"\r\n3,bad,row\r\n4,"say ""c"""\r\n\r\n5,d\r\n6,e'
    )
    once = copy(path, tmp_path / "once.csv", change="X, Y")
    reader = Csv().open(Source(path), Options())
    out = tmp_path / "out.csv"
    writer = Csv().create(out, reader.layout, Options())
    length, position = writer.checkpoint(), None
    for index, item in enumerate(reader.records()):
        if index < at and isinstance(item, Record):
            writer.write(changed(item, "X, Y"))
        if index < at:
            length, position = writer.checkpoint(), item.after
        elif isinstance(item, Record):
            writer.write(changed(item, "lost"))
    writer.close()
    writer = Csv().create(out, reader.layout, Options(), length)
    rest = reader.records() if position is None else reader.records(position)
    for item in rest:
        if isinstance(item, Record):
            writer.write(changed(item, "X, Y"))
    writer.close()
    assert out.read_bytes() == once
    whole = list(reader.records())
    assert list(map(str, reader.records(whole[at].after))) == list(map(str, whole[at + 1 :]))


def test_positions_count_bytes_lines_and_records(tmp_path: Path) -> None:
    path = put(tmp_path, 'id,text\n1,"a\nb"\n2,c\n')
    first, second = read(path)
    assert (first.after.offset, first.after.line, first.after.index) == (16, 3, 1)
    assert (second.after.offset, second.after.line, second.after.index) == (20, 4, 2)


def test_rows_that_cannot_be_read_fail_alone_and_say_where(tmp_path: Path) -> None:
    data = b'id,text\n1,ok\n2,\xff\n3,a\0b\n4,"x"y\n5,a,b\n'
    data += b'6,too long a note\n7,"two\nl\xffnes"\n8,ok\n'
    path = put(tmp_path, data)
    items = read(path, encoding="utf-8", max_note=8)
    assert texts(items) == ["ok", "ok"]
    found = failures(items)
    assert [message.split(":")[0].removeprefix(str(path)) for message in found] == [
        ", record 2, line 3",
        ", record 3, line 4, offset 1",
        ", record 4, line 5",
        ", record 5, line 6",
        ", record 6, line 7",
        ", record 7, line 9",
    ]
    for message, words in zip(
        found, ["byte 0xff", "NUL", "closing quote", "3 cells", "limit", "byte 0xff"], strict=True
    ):
        assert words in message
    assert not any("too long a note" in message for message in found)


def test_a_quote_that_is_never_closed_ends_the_file(tmp_path: Path) -> None:
    path = put(tmp_path, 'id,text\n1,ok\n2,"open\n3,x\n')
    records = Csv().open(Source(path), Options()).records()
    assert isinstance(next(records), Record)
    with pytest.raises(InputError, match="the quote opened at line 3 is never closed"):
        next(records)


def test_an_open_quote_is_found_before_much_is_read(tmp_path: Path) -> None:
    path = put(tmp_path, 'id,text\n1,"open\n' + "2,x\n" * 2_000_000)
    read_bytes = 0

    def reading(size: int) -> bytes:
        nonlocal read_bytes
        read_bytes += size
        return file.read(size)

    with path.open("rb") as file:
        file.readline()
        (row,) = Splitter.of(b",", 2).split(reading, b"", 1 << 20)
    assert isinstance(row, Broken)
    assert row.raw == b"1,"
    assert row.fault is delimited.Fault.UNCLOSED
    assert read_bytes <= 4 << 20


@pytest.mark.parametrize(
    ("row", "left"),
    [
        ('1,"he said "stay"\nand, then went"\n', ["x y"]),
        ('1,"he is 5\'11" tall"\n', ["x y"]),
        ('1,"he is 5\'11" tall"\n2,"she is 5\'4" tall"\n', ["x y"]),
        ('1,"she "quoted" him, and, more"\n', ["x y"]),
    ],
)
def test_lines_of_a_note_with_loose_quotes_are_not_taken_for_rows(
    tmp_path: Path, row: str, left: list[str]
) -> None:
    items = read(put(tmp_path, f'id,text\n{row}9,"x y"\n'))
    assert texts(items) == left
    assert all("closing quote" in message for message in failures(items))


def test_several_columns_subjects_and_ids(tmp_path: Path) -> None:
    path = put(tmp_path, "Note_ID,mrn,history,plan\n7,p1,a,b\n,p2,c,d\n")
    first, second = read(path, text_columns=("plan", "history"), subject_column="mrn")
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert [n.document.id for n in first.notes] == ["7/history", "7/plan"]
    assert [n.document.id for n in second.notes] == ["t-2/history", "t-2/plan"]
    assert [n.document.subject.key for n in first.notes if n.document.subject] == ["p1", "p1"]
    items = read(path, text_columns=("plan",), id_column="mrn")
    assert [n.document.id for i in items if isinstance(i, Record) for n in i.notes] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("data", "options", "error", "words"),
    [
        ("id,body\n1,a\n", {}, MissingError, "the columns are id, body"),
        ("id,body\n1,a\n", {"text_columns": ("txt",)}, MissingError, "no column 'txt'"),
        ("id,text\n1,a\n", {"subject_column": "mrn"}, MissingError, "no column 'mrn'"),
        ("id,text,text\n1,a,b\n", {}, InputError, "2 columns are called 'text'"),
        ("id,text,note\n1,a,b\n", {}, InputError, "--column"),
        ("id,start,end,label,text\n1,0,3,CITY,a\n", {}, InputError, "a list of annotations"),
        ("Doc;Begin;End;Entity_Type\n1;0;3;CITY\n", {}, InputError, "under 'mentions'"),
        ("1,Ann Lee has a cough and a fever of 39\n", {}, MissingError, "is there a header"),
        ("Ann Lee was seen\nand sent home\n", {}, MissingError, "is there a header"),
        ("Lee,Ann,Seattle\nRay,Jo,Boise\n", {}, MissingError, "is there a header"),
        ("Lee,Ann\nRay,Jo\n", {"text_columns": ("txt",)}, MissingError, "is there a header"),
        ("Ann Lee,Ward,Note\n", {"text_columns": ("txt",)}, MissingError, "is there a header"),
        ("Ann Lee,Section\n", {}, MissingError, "is there a header"),
        ("MRN 12345,Section,History\n", {}, MissingError, "is there a header"),
        ("mrn;patientName;Ward 7\n", {}, MissingError, "the columns are mrn, patientName, Ward 7"),
        ('id,"text\n1,a\n', {}, InputError, "header is broken"),
        ("sep=;\n", {}, InputError, "is empty"),
        ('sep=;\nid;"text\n', {}, InputError, "line 2: the header is broken"),
        ("id,text\n1,a\n", {"encoding": "utf-16"}, MissingError, "is there a header"),
        ("id,text\n1,a\n", {"encoding": "cp037"}, InputError, "convert it to UTF-8"),
        ("id,text\n1,a\n", {"delimiter": '"'}, SettingsError, "is no delimiter"),
    ],
)
def test_a_frame_that_is_wrong_is_refused(
    tmp_path: Path, data: str, options: dict[str, object], error: type[PhiscrubError], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        Csv().open(Source(put(tmp_path, data)), Options(**options))  # type: ignore[arg-type]
    assert not any(cell in str(caught.value) for cell in ("Ann", "12345"))


def test_a_column_that_is_named_is_read_beside_starts_and_ends(tmp_path: Path) -> None:
    path = put(tmp_path, "start,end,type,text\n2019-03-04,2019-03-05,ED,Seen.\n")
    (item,) = read(path, text_columns=("text",))
    assert isinstance(item, Record)
    assert [n.document.text for n in item.notes] == ["Seen."]


def test_a_header_alone_is_a_table_without_rows(tmp_path: Path) -> None:
    path = put(tmp_path, "\ufeffid;text\r\n")
    assert read(path) == []
    assert copy(path, tmp_path / "out.csv") == path.read_bytes()


@pytest.mark.parametrize(
    ("frame", "options"),
    [
        ("sep=|\r\nid|text,a;b\r\n", {"text_columns": ("text,a;b",)}),
        ('\ufeff"SEP=|"\nid|text\n', {}),
        ("sep=;\nid|text\n", {"delimiter": "|"}),
    ],
)
def test_a_first_line_for_excel_names_the_delimiter_and_passes_through(
    tmp_path: Path, frame: str, options: dict[str, object]
) -> None:
    path = put(tmp_path, frame + "1|a, b\n2|c; d\n", "t.dat")
    assert options or Csv().sniff(path.read_bytes(), path)
    items = read(path, **options)
    assert texts(items) == ["a, b", "c; d"]
    assert [item.line for item in items if isinstance(item, Record)] == [3, 4]
    assert copy(path, tmp_path / "out.csv", **options) == path.read_bytes()


def test_rows_with_nul_fail_alone(tmp_path: Path) -> None:
    path = put(tmp_path, "id,text\n" + "1,Dr. Lee was seen here\n" * 9 + "2,\0\0\0\n3,a\n")
    assert len(texts(read(path))) == 10
    assert "NUL character" in failures(read(path))[0]


def test_windows_1252_stays_and_refuses_what_it_lacks(tmp_path: Path) -> None:
    path = put(tmp_path, "id,text,other\n1,“é”,ñ\n".encode("cp1252"))
    assert texts(read(path)) == ["“é”"]
    assert copy(path, tmp_path / "a.csv", change="à,") == 'id,text,other\n1,"à,",ñ\n'.encode(
        "cp1252"
    )
    with pytest.raises(EncodingError, match="--encoding utf-8"):
        copy(path, tmp_path / "b.csv", change="Ω")


def test_mentions_are_written_anew_and_never_pass_through(tmp_path: Path) -> None:
    claims = '"[{""start"": 0, ""end"": 3, ""label"": ""NAME"", ""text"": ""Ann""}]"'
    path = put(tmp_path, f"id,text,mentions\n1,Ann Lee,{claims}\n2,b,\n")
    first, second = read(path)
    assert isinstance(first, Record)
    assert isinstance(second, Record)
    assert first.notes[0].mentions == (Mention(Span(0, 3), "NAME"),)
    assert second.notes[0].mentions == ()
    out = copy(path, tmp_path / "out.csv").decode()
    assert "Ann" not in out.replace("Ann Lee", "")
    assert texts(read(tmp_path / "out.csv")) == ["Ann Lee", "b"]
    again = read(tmp_path / "out.csv")[0]
    assert isinstance(again, Record)
    assert again.notes == first.notes
    assert "[]" in copy(path, tmp_path / "none.csv", change="XXX").decode()


@pytest.mark.parametrize(
    "cell",
    [
        "x",
        "{}",
        "[1]",
        '[{"start":0}]',
        '[{"start":0,"end":9,"label":"A"}]',
        '[{"start":1,"end":1,"label":"A"}]',
        '[{"start":0,"end":1,"label":"A","score":2}]',
        "[" * 100_000,
    ],
    ids=range(8),
)
def test_mentions_that_do_not_fit_fail(tmp_path: Path, cell: str) -> None:
    quoted = cell.replace('"', '""')
    items = read(put(tmp_path, f'id,text,mentions\n1,Ann,"{quoted}"\n2,b,[]\n'))
    assert texts(items) == ["b"]
    assert ", record 1, line 2: " in failures(items)[0]


def test_notes_of_other_formats_become_id_text_mentions(tmp_path: Path) -> None:
    notes = [
        Annotated(Document("a", 'He said "no",\r\nleft'), (Mention(Span(0, 2), "N", 0.5, "x:y"),)),
        Annotated(Document("b", "")),
    ]
    out = tmp_path / "o.csv"
    writer = Csv().create(out, None, Options())
    for note in notes:
        writer.write(Record((note,), carry="another format's"))
    writer.close()
    assert out.read_bytes().startswith(b"id,text,mentions\n")
    assert [i.notes[0] for i in read(out) if isinstance(i, Record)] == notes


def test_going_on_with_a_file_that_is_too_short_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path, "id")
    with pytest.raises(OutputError, match="without --resume"):
        Csv().create(path, None, Options(), 100)
    with pytest.raises(OutputError, match="cannot be written"):
        Csv().create(tmp_path / "no" / "o.csv", None, Options())


def test_standard_input_is_read_in_one_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"id,text\n" + b"".join(b'%d,"note, %d"\n' % (i, i) for i in range(20_000))
    path = put(tmp_path, data)
    with path.open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        items = list(Csv().open(Source(None), Options()).records())
    assert texts(items) == [f"note, {i}" for i in range(20_000)]


@pytest.mark.parametrize(
    ("head", "name", "accepted"),
    [
        (b"a,b\n", "t.csv", True),
        (b"id\ttext\n1\tx\n2\ty\n", "t.dat", True),
        (b"id,text\n1,x\n", None, True),
        (b"id,text\n1,x,y\n2,z\n", None, False),
        (b"id,body\n1,x\n", None, False),
        (b"id,text\n1,x\n", "t.txt", False),
        (b"Text\nThe patient, Ann, came.\n", None, False),
        (b"Dear colleague, this note, in short\nis plain, text\n", None, False),
        (b"", None, False),
        (b"\0\1\2", None, False),
    ],
)
def test_detection(head: bytes, name: str | None, accepted: bool) -> None:
    assert Csv().sniff(head, None if name is None else Path(name)) is accepted


@pytest.mark.skipif(not ACI.exists(), reason="the corpora are not here")
def test_aci_bench_passes_through(tmp_path: Path) -> None:
    files = [
        path
        for path in sorted(ACI.rglob("*.csv"))
        if b"dialogue,note" in path.read_bytes()[:80] and "metadata" not in path.name
    ]
    assert files
    for path in files:
        with path.open(newline="", encoding="utf-8") as file:
            expected = [row["note"] for row in csv.DictReader(file)]
        assert texts(read(path)) == expected
        assert copy(path, tmp_path / path.name) == path.read_bytes()
