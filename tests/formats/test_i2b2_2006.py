from __future__ import annotations

import io
import sys
import tracemalloc
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.document import Document
from phiscrub.core.errors import (
    AnnotationError,
    EncodingError,
    InputError,
    LabelError,
    MissingError,
    OutputError,
    Place,
)
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.i2b2_2006 import I2b2Year2006, Layout
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.registry import detect_format
from phiscrub.formats.source import Source
from phiscrub.formats.xml import BLOCK
from strategies import disjoint_mentions, texts

OPTIONS = Options()
FORM = I2b2Year2006()
START = Position()
FILE = """<?xml version="1.0" encoding="UTF-8" ?>
<ROOT>
<RECORD ID="641">
<TEXT>
Seen by Dr. <PHI TYPE="DOCTOR">O&apos;Neil</PHI> &amp; <PHI TYPE="X-Y">Jo</PHI>.
</TEXT>
</RECORD>
<RECORD ID="a/2"><TEXT><PHI TYPE="DATE">04/12</PHI></TEXT></RECORD>
</ROOT>
"""


def read(
    folder: Path, data: str, start: Position = START, options: Options = OPTIONS
) -> list[Record | Failure]:
    path = folder / "all.xml"
    path.write_bytes(data.encode())
    return list(FORM.open(Source(path), options).records(start))


def parsed(data: bytes) -> ET.Element:
    return ET.fromstring(data)  # noqa: S314 - we wrote it


def note(name: str, text: str, *mentions: tuple[int, int, str]) -> Annotated:
    return Annotated(
        Document(name, text), tuple(Mention(Span(s, e), label) for s, e, label in mentions)
    )


def write(path: Path, notes: list[Annotated], layout: object = Layout()) -> bytes:
    writer = FORM.create(path, layout, OPTIONS)
    for each in notes:
        writer.write(Record((each,)))
    writer.close()
    return path.read_bytes()


FIRST = note("641", "\nSeen by Dr. O'Neil & Jo.\n", (13, 19, "DOCTOR"), (22, 24, "X-Y"))
SECOND = note("a/2", "04/12", (0, 5, "DATE"))


def test_records_are_read_with_offsets_of_the_bare_text(tmp_path: Path) -> None:
    assert read(tmp_path, FILE) == [
        Record((FIRST,), after=Position(1, 6, 1), line=3),
        Record((SECOND,), after=Position(2, 7, 2), line=8),
    ]


@pytest.mark.parametrize("skipped", [0, 1, 2])
def test_reading_resumes_behind_a_position(tmp_path: Path, skipped: int) -> None:
    whole = read(tmp_path, FILE)
    start = whole[skipped - 1].after if skipped else Position()
    assert read(tmp_path, FILE, start) == whole[skipped:]


def test_standard_input_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(FILE.encode())))
    )
    found = list(FORM.open(Source(None), OPTIONS).records())
    assert [record.notes for record in found if isinstance(record, Record)] == [(FIRST,), (SECOND,)]


def test_what_is_written_is_plain_to_see(tmp_path: Path) -> None:
    written = write(tmp_path / "out.xml", [FIRST, SECOND])
    assert written.decode() == (
        '<?xml version="1.0" encoding="UTF-8" ?>\n<ROOT>\n<RECORD ID="641">\n<TEXT>\n'
        'Seen by Dr. <PHI TYPE="DOCTOR">O\'Neil</PHI> &amp; <PHI TYPE="X-Y">Jo</PHI>.\n'
        "</TEXT>\n</RECORD>\n"
        '<RECORD ID="a/2">\n<TEXT><PHI TYPE="DATE">04/12</PHI></TEXT>\n</RECORD>\n</ROOT>\n'
    )


def test_the_root_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "in.xml"
    path.write_text('<NOTES xmlns="urn:x"><RECORD ID="1"><TEXT>x</TEXT></RECORD></NOTES>')
    layout = FORM.open(Source(path), OPTIONS).layout
    assert layout == Layout("NOTES")
    assert parsed(write(tmp_path / "out.xml", [SECOND], layout)).tag == "NOTES"
    assert parsed(write(tmp_path / "out.xml", [SECOND], "other")).tag == "ROOT"


def test_nested_mentions_are_read_inner_first(tmp_path: Path) -> None:
    inline = '<PHI TYPE="HOSPITAL">St. <PHI TYPE="DOCTOR">Lee</PHI></PHI>'
    (record,) = read(tmp_path, f'<R><RECORD ID="1"><TEXT>{inline}</TEXT></RECORD></R>')
    assert record == Record(
        (note("1", "St. Lee", (4, 7, "DOCTOR"), (0, 7, "HOSPITAL")),),
        after=Position(1, 0, 1),
        line=1,
    )


def test_a_record_without_an_id_is_called_by_its_number(tmp_path: Path) -> None:
    found = read(tmp_path, "<R><RECORD><TEXT/></RECORD><RECORD ID=''><TEXT>x</TEXT></RECORD></R>")
    names = [record.notes[0].document.id for record in found if isinstance(record, Record)]
    assert names == ["all-1", "all-2"]


def test_a_file_without_records_has_none(tmp_path: Path) -> None:
    assert read(tmp_path, "<ROOT>\n</ROOT>") == []
    assert read(tmp_path, write(tmp_path / "x.xml", []).decode()) == []


@pytest.mark.parametrize(
    ("record", "line", "kind", "says"),
    [
        ('<RECORD ID="5">\n<SMOKING/></RECORD>', 2, InputError, "without a TEXT"),
        ('<RECORD ID="5"><TEXT/>\n<TEXT/></RECORD>', 3, InputError, "two TEXT"),
        ('<RECORD ID="5">\n<TEXT>\n<b>Ann</b></TEXT></RECORD>', 4, AnnotationError, "than PHI"),
        ('<RECORD ID="5"><TEXT>\n<PHI>Ann</PHI></TEXT></RECORD>', 3, AnnotationError, "a TYPE"),
        (
            '<RECORD ID="5"><TEXT>\nAnn<PHI TYPE="ID"/></TEXT></RECORD>',
            3,
            AnnotationError,
            "without text",
        ),
        ('<RECORD ID="5"><TEXT/>Ann</RECORD>', 2, InputError, "outside its TEXT"),
        ('<NOTE ID="5"><TEXT>Ann</TEXT></NOTE>', 2, InputError, "other than RECORD"),
        (f'<RECORD ID="5"><TEXT>{"x" * 101}</TEXT></RECORD>', 2, InputError, "the limit is 0.0001"),
    ],
)
def test_a_bad_record_fails_alone(
    tmp_path: Path, record: str, line: int, kind: type[InputError], says: str
) -> None:
    good = '<RECORD ID="{}"><TEXT>x</TEXT></RECORD>'
    data = f"<ROOT>{good.format(4)}\n{record}\n{good.format(6)}</ROOT>"
    before, failure, after = read(tmp_path, data, options=Options(max_note=100))
    assert isinstance(before, Record)
    assert isinstance(after, Record)
    assert after.notes == (note("6", "x"),)
    assert after.after.index == 3
    assert isinstance(failure, Failure)
    assert type(failure.error) is kind
    assert failure.error.where == Place(str(tmp_path / "all.xml"), line, record="5")
    assert failure.error.hint
    assert says in str(failure.error)
    assert "Ann" not in str(failure.error)


def test_a_break_ends_the_file_after_the_records_before_it(tmp_path: Path) -> None:
    path = tmp_path / "all.xml"
    path.write_text(FILE.replace("</TEXT></RECORD>", "</RECORD>"))
    reading = FORM.open(Source(path), OPTIONS).records()
    assert next(reading) == Record((FIRST,), after=Position(1, 6, 1), line=3)
    with pytest.raises(InputError, match="broken XML") as caught:
        next(reading)
    assert caught.value.where == Place(str(path), 8)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ("", "is empty"),
        ("Ann Lee", "no RECORD"),
        ("<deIdi2b2><TEXT>x</TEXT></deIdi2b2>", "no RECORD"),
        ("<?xml version='1.0'?><a><TEXT>x</TEXT></a>", "no RECORD"),
        ("<ROOT>Ann<RECORD ID='1'><TEXT>x</TEXT></RECORD></ROOT>", "between the records"),
        ("<!DOCTYPE R [<!ENTITY a 'Ann'>]><R><RECORD><TEXT>&a;</TEXT></RECORD></R>", "document"),
        ("<ROOT><RECORD ID='1'><TEXT>x\0</TEXT></RECORD></ROOT>", "U+0000"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, data: str, says: str) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path, data)
    assert says in str(caught.value)
    assert "all.xml" in str(caught.value)
    assert "Ann" not in str(caught.value)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        FORM.open(Source(tmp_path / "none.xml"), OPTIONS)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    words = 'Seen by <PHI TYPE="DOCTOR">Lee</PHI> with a cough. ' * 40
    path.write_text("<ROOT>" + f'<RECORD ID="1"><TEXT>{words}</TEXT></RECORD>\n' * 750 + "</ROOT>")
    tracemalloc.start()
    count = sum(1 for _ in FORM.open(Source(path), OPTIONS).records(Position(740, 0, 740)))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 10
    assert path.stat().st_size > 5 * BLOCK
    assert peak < 10_000_000


@pytest.mark.parametrize("spans", [((0, 3), (2, 5)), ((0, 5), (1, 2)), ((0, 3), (0, 3))])
def test_overlapping_mentions_are_refused(
    tmp_path: Path, spans: tuple[tuple[int, int], ...]
) -> None:
    path = tmp_path / "out.xml"
    writer = FORM.create(path, Layout(), OPTIONS)
    writer.write(Record((SECOND,)))
    with pytest.raises(AnnotationError) as caught:
        writer.write(Record((FIRST, note("7", "Ann Lee", *((s, e, "ID") for s, e in spans)))))
    assert caught.value.where == Place(record="7")
    writer.close()
    assert path.read_bytes() == write(tmp_path / "other.xml", [SECOND])  # nothing of the two


def test_text_that_xml_cannot_hold_is_not_written(tmp_path: Path) -> None:
    writer = FORM.create(tmp_path / "out.xml", Layout(), OPTIONS)
    for bad in (note("7", "Ann\x0c"), note("7", "Ann", (0, 3, "I\x0cD")), note("\x0c", "Ann")):
        with pytest.raises(EncodingError):
            writer.write(Record((bad,)))
    writer.close()


def test_a_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    path, whole = tmp_path / "out.xml", write(tmp_path / "whole.xml", [FIRST, SECOND, FIRST])
    writer = FORM.create(path, Layout(), OPTIONS)
    lengths = [writer.checkpoint()]
    for each in (FIRST, SECOND, FIRST):
        writer.write(Record((each,)))
        lengths.append(writer.checkpoint())
        assert path.stat().st_size == lengths[-1]
    writer.close()
    for done, length in enumerate(lengths):
        going = FORM.create(path, Layout(), OPTIONS, length)
        for each in (FIRST, SECOND, FIRST)[done:]:
            going.write(Record((each,)))
        going.close()
        assert path.read_bytes() == whole


def test_starting_anew_leaves_nothing_of_an_older_file(tmp_path: Path) -> None:
    path = tmp_path / "out.xml"
    path.write_text("x" * 5_000)
    write(path, [SECOND])
    assert b"xx" not in path.read_bytes()


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="cannot be written"):
        FORM.create(tmp_path / "none" / "out.xml", Layout(), OPTIONS)
    with pytest.raises(OutputError, match="cannot be written"):
        FORM.create(tmp_path / "out.xml", Layout(), OPTIONS, 10)
    (tmp_path / "out.xml").write_text("<ROOT>")
    with pytest.raises(OutputError, match="is shorter"):
        FORM.create(tmp_path / "out.xml", Layout(), OPTIONS, 10)


@pytest.mark.skipif(not Path("/dev/full").is_char_device(), reason="needs /dev/full")
def test_a_full_disk_is_one_clear_line() -> None:
    writer = FORM.create(Path("/dev/full"), Layout(), OPTIONS)
    with pytest.raises(OutputError, match="No space left"):
        writer.close()


HARD = st.sampled_from(("]]>", "\r", "\r\n", "&amp;", "😀", "</TEXT>", '<PHI TYPE="ID">'))


def holds(character: str) -> bool:
    return (character >= " " or character in "\t\n\r") and character not in "\ufffe\uffff"


XML_TEXTS = st.lists(HARD | texts(), max_size=5).map(
    lambda parts: "".join(filter(holds, "".join(parts)))
)


@st.composite
def notes(draw: st.DrawFn) -> Annotated:
    text = draw(XML_TEXTS)
    name = draw(XML_TEXTS.filter(bool))
    return Annotated(Document(name, text), draw(disjoint_mentions(len(text))))


@given(st.lists(notes(), max_size=3))
def test_reading_back_what_was_written_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, made: list[Annotated]
) -> None:
    folder = tmp_path_factory.getbasetemp()
    written = write(folder / "out.xml", made)
    bare = ["".join(each.itertext()) for each in parsed(written).iter("TEXT")]
    assert bare == [each.document.text for each in made]
    found = read(folder, written.decode())
    assert [record.notes for record in found if isinstance(record, Record)] == [(n,) for n in made]


def test_only_a_file_of_2006_may_have_other_types(tmp_path: Path) -> None:
    writer = FORM.create(tmp_path / "out.xml", None, OPTIONS)
    with pytest.raises(LabelError, match="X-Y is not in label set i2b2-2006") as caught:
        writer.write(Record((FIRST,)))
    writer.close()
    assert "--source-labels" in caught.value.hint
    unnamed = note("1", "04/12", (0, 2, "DATE"), (3, 5, "PHI"))
    assert b'TYPE="PHI"' in write(tmp_path / "out.xml", [unnamed], None)


def test_records_with_spanish_types_are_told_by_their_shape(tmp_path: Path) -> None:
    path = tmp_path / "out.xml"
    data = write(path, [note("1", "Leeds", (0, 5, "TERRITORIO"))])
    assert FORM.sniff(data, path)
    assert detect_format(Source(path)).name == "i2b2-2006"
