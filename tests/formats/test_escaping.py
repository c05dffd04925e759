"""Tables whose writer puts a backslash before what would end a cell."""

from __future__ import annotations

import csv
import io
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import phiscrub, small_pipeline
from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import InputError, PhiscrubError, SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.formats.delimited import Broken, Splitter
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import Source
from phiscrub.formats.table import Csv
from table_files import copy, failures, put, read, texts

SIGN = "\\"
WORDS = st.text(st.sampled_from('ab",\n\r\té\\'), max_size=8).filter(lambda s: s[-1:] != "\r")
MYSQL = (
    "id\tnote\tward\n"
    "1\tPt Gudrun Halvorsen\\\tMRN 0041776\\\nSon Mark Halvorsen\\\t406-555-0182\tA\n"
)


def test_a_row_with_escapes_is_kept_back(tmp_path: Path) -> None:
    whole = b"2\tSeen by Ann\\\\\tB\n3\tfine\\n\t\\N\n"
    path = put(tmp_path, MYSQL.encode() + whole, "t.tsv")
    items = read(path, doubts=True)
    assert texts(items) == ["Seen by Ann\\\\", "fine\\n"]
    first, second = failures(items)
    assert ", record 1, line 2: a backslash stands before the end of a cell" in first
    assert ", record 2, line 3: " in second
    assert "--escape" in first
    assert "Halvorsen" not in first + second
    assert copy(path, tmp_path / "o", doubts=True) == b"id\tnote\tward\n" + whole


def test_gold_may_end_in_a_backslash(tmp_path: Path) -> None:
    path = put(tmp_path, "id,text,path\n1,Ann,C:\\scans\\\n2,Bea,C:\\\n")
    assert texts(read(path)) == ["Ann", "Bea"]
    path = put(tmp_path, "id,text,path\n1,Ann,C:\\scans\\\n2,Bea,C:\n")
    first, second = failures(read(path, doubts=True))
    assert "a backslash stands before the end of a cell" in first
    assert "the row before ends in a backslash, and may go on here" in second
    assert "--escape" in second


@pytest.mark.parametrize("row", ["1\tSeen by Ann\\\tcame\tA\n", "1\tSeen\\\nby Ann\tA\n"])
def test_a_row_of_another_count_may_need_an_escape(tmp_path: Path, row: str) -> None:
    path = put(tmp_path, "id\tnote\tward\n" + row + "2\tx\tB\n", "t.tsv")
    assert "--escape" in failures(read(path, doubts=True))[0]
    assert Csv().sniff(path.read_bytes(), Path("t.dat"))


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        ("1,C:\\data\\,A", True),
        ("1,x,C:\\data\\", True),
        ("1\\,x,A", True),
        ('1,"C:\\data\\",A', False),
        ("1,C:\\data\\\\,A", False),
        ("1,C:\\data,\\N", False),
        ('1,"a\\\nb\\",A', False),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", ""])
def test_only_what_may_be_an_escape_is_kept_back(
    tmp_path: Path, row: str, kept: bool, end: str
) -> None:
    path = put(tmp_path, f"id,text,ward{end or chr(10)}{row}{end}")
    assert len(failures(read(path, doubts=True))) == kept
    if not kept:
        assert copy(path, tmp_path / "o.csv", doubts=True) == path.read_bytes()


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from('a",\n\r\\'), max_size=30))
def test_reading_goes_on_as_it_would_have(
    tmp_path_factory: pytest.TempPathFactory, rows: str
) -> None:
    path = put(tmp_path_factory.mktemp("t"), f"text,id\n{rows}")

    def seen(start: Position) -> list[Record | Failure]:
        found = []
        with suppress(InputError):  # a quote that is never closed
            found += Csv().open(Source(path), Options(doubts=True)).records(start)
        return found

    whole = seen(Position())
    for done, item in enumerate(whole, 1):
        assert list(map(repr, seen(item.after))) == list(map(repr, whole[done:]))


def test_escapes_hide_no_table_from_detection() -> None:
    assert Csv().sniff(MYSQL.encode(), Path("t.dat"))


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, str, list[list[str]]]:
    mark, end = draw(st.sampled_from(",\t")), draw(st.sampled_from(["\n", "\r\n"]))
    rows = draw(st.lists(st.lists(WORDS, min_size=3, max_size=3), max_size=5))
    out = io.StringIO(newline="")
    told = csv.writer(
        out, delimiter=mark, quoting=csv.QUOTE_NONE, escapechar=SIGN, lineterminator=end
    )
    told.writerows([["id", "text", "other"], *rows])
    return out.getvalue(), mark, rows


@settings(max_examples=150, deadline=None)
@given(tables(), WORDS)
def test_escaped_tables_are_read_and_written_as_python_reads_them(
    tmp_path_factory: pytest.TempPathFactory, table: tuple[str, str, list[list[str]]], text: str
) -> None:
    folder, (data, mark, rows) = tmp_path_factory.mktemp("t"), table
    path = put(folder, data)
    items = read(path, escape=SIGN)
    assert failures(items) == []
    assert texts(items) == [row[1] for row in rows]
    assert copy(path, folder / "same.csv", escape=SIGN) == path.read_bytes()
    out = put(folder, copy(path, folder / "o.csv", change=text, escape=SIGN))
    assert texts(read(out, escape=SIGN)) == [text] * len(rows)
    if not any("\r" in cell for row in rows for cell in row):
        told = io.StringIO(out.read_bytes().decode(), newline="")
        found = list(csv.reader(told, delimiter=mark, quoting=csv.QUOTE_NONE, escapechar=SIGN))
        assert found[1:] == [[row[0], text, row[2]] for row in rows]


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from('a",\n\r\\'), max_size=30), st.integers(1, 3), st.integers(1, 5))
def test_an_escaped_table_loses_no_byte_and_does_not_care_how_bytes_arrive(
    text: str, count: int, piece: int
) -> None:
    data = text.encode()

    def pieces(size: int) -> list[tuple[bytes, bool]]:
        source = io.BytesIO(data)
        splitter = Splitter.of(b",", count, SIGN.encode())
        rows = list(splitter.split(lambda _: source.read(size), b"", 1 << 20))
        return [(r.raw, True) if isinstance(r, Broken) else (r[0], False) for r in rows]

    whole = pieces(1 << 20)
    assert pieces(piece) == whole
    assert data.startswith(b"".join(raw for raw, _ in whole))


def test_what_mysql_writes_is_one_row(tmp_path: Path) -> None:
    path = put(tmp_path, MYSQL + "2\ta\r\\\nb\t\\N\n3\t\\N\tC:\\\\\n", "t.tsv")
    note = "Pt Gudrun Halvorsen\tMRN 0041776\nSon Mark Halvorsen\t406-555-0182"
    items = read(path, escape=SIGN)
    assert texts(items) == [note, "a\r\nb", "\\N"]
    assert [item.line for item in items if isinstance(item, Record)] == [2, 4, 6]
    told = Csv().open(Source(path), Options(escape=SIGN))
    assert [told.about(item)["ward"] for item in items if isinstance(item, Record)] == [
        "A",
        "\\N",
        "C:\\",
    ]
    out = copy(path, tmp_path / "o", change="x\ty\n\\z", escape=SIGN).decode()
    cell = "x\\\ty\\\n\\\\z"
    assert out == f"id\tnote\tward\n1\t{cell}\tA\n2\t{cell}\t\\N\n3\t{cell}\tC:\\\\\n"


@pytest.mark.parametrize(
    ("cell", "text", "change", "written"),
    [
        ("a\\nb", "a\nb", "c\nd", "c\\nd"),
        ("C:\\temp", "C:\temp", "D:\temp", "D:\\temp"),
        ('"a, \\"b\\"\n"', 'a, "b"\n', '"c", d\n', '"\\"c\\", d\n"'),
        ('"a ""b"""', 'a "b"', '"c"', '"\\"c\\""'),
        ('a "b"', 'a "b"', 'c "d"', 'c "d"'),
        ("a", "a", '"c" d, e', '\\"c" d\\, e'),
        ('\\"a\\" b', '"a" b', 'c "d"', 'c \\"d\\"'),
        ("a\\d", "a\\d", "c\\d", "c\\\\d"),
    ],
)
def test_a_changed_cell_is_written_in_the_style_of_what_it_was(
    tmp_path: Path, cell: str, text: str, change: str, written: str
) -> None:
    path = put(tmp_path, f"id,text,ward\n1,{cell},A\n")
    assert texts(read(path, escape=SIGN)) == [text]
    out = copy(path, tmp_path / "o.csv", change=change, escape=SIGN).decode()
    assert out == f"id,text,ward\n1,{written},A\n"
    assert texts(read(tmp_path / "o.csv", escape=SIGN)) == [change]


def test_an_escaped_quote_ends_no_quotes_where_a_row_is_broken(tmp_path: Path) -> None:
    row = '1,"a"b "c \\"\n2,Ann Lee,x"\n'
    items = read(put(tmp_path, f"id,text,ward\n{row}3,x,A\n"), escape=SIGN)
    assert texts(items) == ["x"]
    assert len(failures(items)) == 1


@pytest.mark.parametrize(
    ("data", "options", "error", "words"),
    [
        ("id,text\r1,Ann Lee\r", {}, InputError, "header is broken"),
        ("id,text\\\n1,Ann Lee\n", {}, InputError, "header is broken"),
        ("id,text\n1,Ann\n", {"encoding": "gbk"}, InputError, "iconv -f gbk -t utf-8"),
        ("id,text\n1,Ann\n", {"encoding": "iso2022_jp"}, InputError, "-f iso2022_jp -t utf-8"),
        ("id,text\n1,Ann\n", {"escape": "n"}, SettingsError, "'n' is no --escape"),
        ("id,text\n1,Ann\n", {"escape": ","}, SettingsError, "',' is no --escape"),
        ("id,text\n1,Ann\n", {"escape": "ab"}, SettingsError, "'ab' is no --escape"),
    ],
)
def test_a_frame_that_is_wrong_is_refused(
    tmp_path: Path, data: str, options: dict[str, str], error: type[PhiscrubError], words: str
) -> None:
    with pytest.raises(error, match=words) as caught:
        Csv().open(Source(put(tmp_path, data)), Options(**({"escape": SIGN} | options)))
    assert "Ann" not in str(caught.value)


def test_notes_of_other_formats_are_written_with_escapes(tmp_path: Path) -> None:
    note, out = Annotated(Document("a", '"No",\nhe\\she said')), tmp_path / "o.csv"
    writer = Csv().create(out, None, Options(escape=SIGN))
    writer.write(Record((note,), carry="another format's"))
    writer.close()
    assert out.read_bytes() == b'id,text,mentions\na,\\"No"\\,\\\nhe\\\\she said,[]\n'
    assert [i.notes[0] for i in read(out, escape=SIGN) if isinstance(i, Record)] == [note]


def test_the_command_scrubs_an_escaped_table(tmp_path: Path) -> None:
    data = "id\tnote\tward\n1\tDr. Lee\\\tcame\\\nDr. Ray\\\t555-0182\tA\n2\tDr. Fox\tB\n"
    path, out = put(tmp_path, data, "my.tsv"), tmp_path / "o.tsv"
    told = (path, "-o", out, "-p", small_pipeline(tmp_path / "pipe"), "--id-column", "id")
    ended = phiscrub("scrub", *told)
    assert ended.code == 3
    assert "--escape" in (tmp_path / "o.tsv.quarantine.jsonl").read_text()
    assert "Ray" not in out.read_text() + ended.err
    ended = phiscrub("scrub", *told, "--escape", SIGN)
    assert ended.code == 0
    text = put(tmp_path, data, "my.txt")
    ended = phiscrub("scrub", text, "-o", tmp_path / "o", *told[3:], "--escape", SIGN)
    assert ended.code == 2
    assert "no input is taken for one" in ended.err
    assert out.read_text() == (
        "id\tnote\tward\n1\tDr. [DOCTOR-1]\\\tcame\\\nDr. [DOCTOR-2]\\\t[PHONE-1]\tA\n"
        "2\tDr. [DOCTOR-1]\tB\n"
    )


@pytest.mark.parametrize(
    ("head", "kept"),
    [
        ("text,id\nSeen by Dr.\\\nPlan: rest,17\nwell,18\n", ["well"]),
        ("text\na\\\nb\\\nc\nd\n", ["d"]),
        ("text\na\\\\\nb\n", ["a\\\\", "b"]),
    ],
)
def test_what_a_line_goes_on_with_is_no_note(tmp_path: Path, head: str, kept: list[str]) -> None:
    assert texts(read(put(tmp_path, head), doubts=True)) == kept


def test_a_null_of_a_database_is_nobody(tmp_path: Path) -> None:
    head = "id\tpatient\ttext\n\\N\t\\N\tone\n\\N\tp7\ttwo\n"
    for escape in (None, SIGN):
        options = Options(subject_column="patient", escape=escape)
        records = Csv().open(Source(put(tmp_path, head, "t.tsv")), options).records()
        documents = [r.notes[0].document for r in records if isinstance(r, Record)]
        assert [d.subject.key if d.subject else None for d in documents] == [None, "p7"]
        assert len({d.id for d in documents}) == 2
    own = Options(subject_column="patient")
    (record,) = Csv().open(Source(put(tmp_path, "id,patient,text\nN,N,one\n")), own).records()
    assert isinstance(record, Record)
    (note,) = record.notes
    assert (note.document.id, note.document.subject) == ("N", Subject("N"))


def test_a_letter_whose_second_byte_is_a_backslash_is_no_escape(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes("id,text\n1,これは表\n2,ソ\n".encode("shift_jis"))
    assert texts(read(path, encoding="shift_jis")) == ["これは表", "ソ"]
