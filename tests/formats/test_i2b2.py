from __future__ import annotations

import xml.etree.ElementTree as ET
from itertools import islice
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
    Place,
)
from phiscrub.core.labels import label_set
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.i2b2 import ELEMENTS, Frame, I2b2, Meddocan, Tag, read_tags
from phiscrub.formats.i2b2_2006 import I2b2Year2006
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source
from strategies import spans, texts

OPTIONS = Options()
SHARED = Path(__file__).parents[3] / "shared" / "data"
NOTE = """<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2>
<TEXT><![CDATA[Ann Lee & Jo 😀, 04/12
]]></TEXT>
<TAGS>
<DATE id="P0" start="16" end="21" text="04/12" TYPE="DATE" comment="" />
<NAME id="P1" start="0" end="7" text="Ann Lee" TYPE="PATIENT" comment="x" />
</TAGS>
</deIdi2b2>
"""


def load(
    folder: Path, data: str, form: I2b2 | Meddocan | None = None, options: Options = OPTIONS
) -> Record:
    path = folder / "7.xml"
    path.write_bytes(data.encode())
    return (form or I2b2()).load(Source(path), options)


def parsed(data: bytes) -> ET.Element:
    return ET.fromstring(data)  # noqa: S314 - we wrote it


def note(text: str, tags: str = "", root: str = "deIdi2b2") -> str:
    return f"<{root}>\n<TEXT>{text}</TEXT>\n<TAGS>\n{tags}\n</TAGS>\n</{root}>"


def tag(start: object, end: object, words: str = "", rest: str = 'TYPE="PATIENT"') -> str:
    return f'<NAME id="P0" start="{start}" end="{end}" text="{words}" {rest} comment="" />'


def gold(text: str, *mentions: tuple[int, int, str]) -> Annotated:
    return Annotated(
        Document("7", text), tuple(Mention(Span(s, e), label) for s, e, label in mentions)
    )


def marked(record: Record) -> list[tuple[int, int, str]]:
    (annotated,) = record.notes
    return [(m.span.start, m.span.end, m.label) for m in annotated.mentions]


def test_a_note_is_read(tmp_path: Path) -> None:
    record = load(tmp_path, NOTE)
    assert record.notes[0].document == Document("7", "Ann Lee & Jo 😀, 04/12\n")
    assert marked(record) == [(16, 21, "DATE"), (0, 7, "PATIENT")]
    assert record.carry == Frame("i2b2", "deIdi2b2")


def test_a_note_is_written_with_its_tags_in_text_order(tmp_path: Path) -> None:
    record = load(tmp_path, NOTE)
    lines = NOTE.splitlines()
    first, second = lines[6].replace("P1", "P0").replace('"x"', '""'), lines[5].replace("P0", "P1")
    expected = [*lines[:5], first, second, *lines[7:], ""]
    assert I2b2().dump(record.notes[0], record.carry, OPTIONS) == {
        ".xml": "\n".join(expected).encode()
    }


def test_nothing_of_the_input_but_text_and_tags_is_written(tmp_path: Path) -> None:
    data = NOTE.replace("<TEXT>", "<!-- Jim --><META>Jim</META><TEXT>", 1)
    data = data.replace('comment="x"', 'comment="Jim" annotator="Jim"')
    record = load(tmp_path, data.replace("<deIdi2b2>", '<deIdi2b2 by="Jim">'))
    assert b"Jim" not in I2b2().dump(record.notes[0], record.carry, OPTIONS)[".xml"]


def test_escaped_text_is_cdata_and_line_ends_are_one(tmp_path: Path) -> None:
    record = load(tmp_path, note("A&amp;B\r\n&lt;x&gt;<![CDATA[&lt;]]>\r", tag(4, 7, "&lt;x&gt;")))
    assert record.notes[0].document.text == "A&B\n<x>&lt;\n"


def test_absent_tags_are_no_mentions(tmp_path: Path) -> None:
    data = "<deIdi2b2><TEXT>Ann</TEXT></deIdi2b2>"
    assert load(tmp_path, data).notes[0].mentions == ()
    assert read_tags(Source(tmp_path / "7.xml")) == ("Ann", None)
    assert load(tmp_path, note("")).notes[0].document.text == ""
    assert read_tags(Source(tmp_path / "7.xml")) == ("", ())


@pytest.mark.parametrize(
    ("element", "type_", "label"),
    [
        ("NAME", 'TYPE="PATIENT"', "PATIENT"),
        ("PHI", 'TYPE="PHI"', "PHI"),
        ("NAME", 'TYPE="PATIENTS"', "NAME/PATIENTS"),
        ("NAME", 'TYPE="patient"', "NAME/patient"),
        ("DATE", 'TYPE="PATIENT"', "DATE/PATIENT"),
        ("PHI", 'TYPE="PATIENT"', "PHI/PATIENT"),
        ("ID", 'TYPE="A/&quot;B&#10;"', 'ID/A/"B\n'),
        ("AGE", 'TYPE=""', "AGE"),
        ("DATE", "", "DATE"),
        ("NAME", "", "NAME"),
        ("NAME", 'TYPE=""', "NAME"),
        ("AGE", "", "AGE"),
    ],
)
def test_a_label_that_the_set_lacks_keeps_its_element(
    tmp_path: Path, element: str, type_: str, label: str
) -> None:
    record = load(tmp_path, note("Ann Lee", f'<{element} start="0" end="3" {type_}/>'))
    assert marked(record) == [(0, 3, label)]
    written = I2b2().dump(record.notes[0], record.carry, OPTIONS)[".xml"].decode()
    assert f"<{element} id=" in written
    assert marked(load(tmp_path, written)) == [(0, 3, label)]


def test_elements_that_are_no_tags_are_left_out(tmp_path: Path) -> None:
    odd = (
        '<FOO start="x" TYPE="PATIENT"/><name start="x"/><IDX/><NAME start="0" end="3"><ID/></NAME>'
    )
    assert marked(load(tmp_path, note("Ann", odd))) == [(0, 3, "NAME")]


def test_tags_come_in_the_official_order_and_raw(tmp_path: Path) -> None:
    tags = (
        '<OTHER start=" 07" end="x" TYPE="a" text="Ann"/>\n<NAME end="2" TYPE="B"/>'
        '<PHI start="9" end="9"/><NAME start="0" end="1" TYPE="A"/><FOO start="1"/>'
    )
    load(tmp_path, note("Ann"))
    (tmp_path / "8.xml").write_text(note("Ann", tags))
    text, found = read_tags(Source(tmp_path / "8.xml"))
    assert text == "Ann"
    assert found == (
        Tag("PHI", "9", "9", "", "", 5),
        Tag("NAME", "", "2", "B", "", 5),
        Tag("NAME", "0", "1", "A", "", 5),
        Tag("OTHER", " 07", "x", "a", "Ann", 4),
    )
    assert [each.line for each in found] == [5, 5, 5, 4]
    assert found[0] == Tag("PHI", "9", "9", "", "other words", 99)
    assert "Ann" not in repr(found)


@pytest.mark.parametrize(
    ("made", "offset", "says"),
    [
        (tag("", 3), None, "a number as its start"),
        (tag("zero", 3), None, "a number as its start"),
        (tag("-1", 3), None, "a number as its start"),
        (tag("1.0", 3), None, "a number as its start"),
        (tag("٣", 3), None, "a number as its start"),
        (tag("9" * 5000, 3), None, "a number as its start"),
        (tag(0, ""), None, "a number as its end"),
        ('<NAME TYPE="PATIENT" end="3"/>', None, "a number as its start"),
        (tag(2, 2), 2, "empty or outside"),
        (tag(3, 2), 3, "empty or outside"),
        (tag(8, 13), 8, "empty or outside"),
        (tag(900, 901), 900, "empty or outside"),
        (tag(5, 8, "Lee"), 5, "other words"),
        (tag(3, 7, "Lee X"), 3, "other words"),
    ],
)
def test_offsets_that_do_not_fit_are_placed(
    tmp_path: Path, made: str, offset: int | None, says: str
) -> None:
    with pytest.raises(AnnotationError, match=says) as caught:
        load(tmp_path, note("Ann Lee 😀 x", f"\n{made}"))
    assert caught.value.where == Place(str(tmp_path / "7.xml"), 5, offset)
    assert caught.value.hint
    assert "Lee" not in str(caught.value)


@pytest.mark.parametrize(
    "words", ["", "Ann Lee", "Ann\tLee", " AnnLee ", "Ann ’Lee’", "Ann L", "...", "Ann&#10;Lee"]
)
def test_words_may_be_written_in_other_ways(tmp_path: Path, words: str) -> None:
    assert marked(load(tmp_path, note("Ann\nLee", tag(" 0", "7 ", words)))) == [(0, 7, "PATIENT")]


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        ("<deIdi2b2>\n<TAGS></TAGS></deIdi2b2>", None, "no TEXT element"),
        ("<html><body><TEXT>x</TEXT></body></html>", None, "no TEXT element"),
        ("<TEXT>x</TEXT>", None, "no TEXT element"),
        ("<a><TEXT>x</TEXT>\n<TEXT>y</TEXT></a>", 2, "two TEXT"),
        ("<a><TEXT>x</TEXT><TAGS/>\n<TAGS/></a>", 2, "two TAGS"),
        ("<a><TEXT>x\n<PHI>Ann</PHI></TEXT></a>", 2, "element stands inside"),
        ("<a><TEXT>x\n</TEXT>", 2, "broken XML at column 8"),
    ],
)
def test_xml_of_another_shape_is_refused(
    tmp_path: Path, data: str, line: int | None, says: str
) -> None:
    with pytest.raises(InputError, match=says) as caught:
        load(tmp_path, data)
    assert caught.value.where == Place(str(tmp_path / "7.xml"), line)
    assert "Ann" not in str(caught.value)


def test_no_file_and_an_empty_file(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        I2b2().load(Source(tmp_path / "none.xml"), OPTIONS)
    with pytest.raises(InputError, match="is empty"):
        load(tmp_path, "")


def test_a_note_over_the_limit_is_refused_with_its_size(tmp_path: Path) -> None:
    small = Options(max_note=1_000_000)
    load(tmp_path, note("x" * 1_000_000), options=small)
    with pytest.raises(InputError, match=r"has 2\.0 million characters; the limit is 1"):
        load(tmp_path, note("x" * 2_000_000), options=small)


def test_an_unknown_label_is_refused_with_the_choices() -> None:
    for label in ("PERSON", "FOO/PATIENT", "PATIENT/"):
        with pytest.raises(LabelError, match="PATIENT, DOCTOR"):
            I2b2().dump(gold("Ann", (0, 3, label)), None, OPTIONS)
    with pytest.raises(LabelError, match="NOMBRE_SUJETO_ASISTENCIA"):
        Meddocan().dump(gold("Ann", (0, 3, "PATIENT")), None, OPTIONS)


@pytest.mark.parametrize("bad", ["Ann\x0cLee", "Ann\0", "\uffff"])
def test_text_that_xml_cannot_hold_is_not_written(bad: str) -> None:
    with pytest.raises(EncodingError) as caught:
        I2b2().dump(gold(bad), None, OPTIONS)
    at = next(i for i, c in enumerate(bad) if c in "\x0c\0\uffff")
    assert caught.value.where == Place(record="7", offset=at)
    with pytest.raises(EncodingError):
        I2b2().dump(gold("Ann", (0, 3, f"NAME/{bad}")), None, OPTIONS)


@pytest.mark.parametrize(
    ("form", "carry", "root"),
    [
        (I2b2(), None, "deIdi2b2"),
        (Meddocan(), None, "MEDDOCAN"),
        (I2b2(), Frame("i2b2", "note"), "note"),
        (Meddocan(), Frame("i2b2", "deIdi2b2"), "MEDDOCAN"),
        (I2b2(), "something of another format", "deIdi2b2"),
    ],
)
def test_the_root_is_kept_within_a_format(form: I2b2 | Meddocan, carry: object, root: str) -> None:
    assert parsed(form.dump(gold("x"), carry, OPTIONS)[".xml"]).tag == root


def test_a_root_with_a_prefix_can_be_written_again(tmp_path: Path) -> None:
    record = load(tmp_path, '<n:x xmlns:n="urn:n"><TEXT>Ann</TEXT></n:x>')
    written = I2b2().dump(record.notes[0], record.carry, OPTIONS)[".xml"]
    assert parsed(written).tag == "x"


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (NOTE, "i2b2"),
        ("<root><TEXT>Ann</TEXT>", "i2b2"),
        ("<root><TAGS>", "i2b2"),
        ("<deIdi2b2><id>1</id>", "i2b2"),
        ("<?xml version='1.0'?><report>", "i2b2"),
        ("<!DOCTYPE x [<!ENTITY a 'b'>]><x>", "i2b2"),
        (note('TYPE="FECHAS" &lt;ID TYPE="FECHAS"/>', tag(0, 1)), "i2b2"),
        (note("x", '<LOCATION start="0" end="1" TYPE="HOSPITAL"/>'), "i2b2"),
        ("<MEDDOCAN>", "meddocan"),
        (note("x", root="MEDDOCAN"), "meddocan"),
        (note("x", '<DATE start="0" end="1" TYPE="FECHAS"/>'), "meddocan"),
        ("<ROOT><RECORD ID='1'><TEXT>", "i2b2-2006"),
        ("<?xml version='1.0'?>\n<ROOT>\n<RECORD ID='1'>\n<TEXT>\n", "i2b2-2006"),
        ("Ann Lee\n<TEXT>", "none"),
        ("<b>Note</b>", "none"),
        ('{"text": "<TEXT>"}', "none"),
    ],
)
def test_formats_are_told_apart(head: str, name: str) -> None:
    for data in (head.encode(), head.encode("utf-16"), head.encode("utf-8-sig")):
        asked = (Meddocan(), I2b2(), I2b2Year2006())
        assert next((f.name for f in asked if f.sniff(data, None)), "none") == name


def test_every_category_is_an_element() -> None:
    for name in ("i2b2-2014", "meddocan"):
        assert set(label_set(name).categories.values()) <= set(ELEMENTS)


HARD = st.sampled_from(("]]>", "]]", "\r", "\r\n", "\n", "&#13;", "😀", '"', "<TAGS>"))


def holds(character: str) -> bool:
    return (character >= " " or character in "\t\n\r") and character not in "\ufffe\uffff"


@st.composite
def notes(draw: st.DrawFn, form: I2b2 | Meddocan) -> Annotated:
    parts = draw(st.lists(HARD | texts(), max_size=6))
    text = "".join(filter(holds, "".join(parts)))
    known = label_set(form.label_set).labels
    odd = st.builds("{}/odd{}".format, st.sampled_from(ELEMENTS), st.sampled_from(("", '\r\t"<')))
    labels = st.sampled_from(known) | odd
    marked = st.lists(st.builds(Mention, spans(len(text)), labels), max_size=6)
    return Annotated(Document("7", text), tuple(draw(marked)) if text else ())


@given(st.data(), st.sampled_from((I2b2(), Meddocan())))
def test_reading_back_what_was_written_gives_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, form: I2b2 | Meddocan
) -> None:
    before = data.draw(notes(form))
    written = form.dump(before, None, OPTIONS)[".xml"]
    root = parsed(written)
    assert (root.findtext("TEXT") or "") == before.document.text
    for made in root.iterfind("TAGS/*"):
        cut = slice(int(made.attrib["start"]), int(made.attrib["end"]))
        assert made.attrib["text"] == before.document.text[cut]
    record = load(tmp_path_factory.getbasetemp(), written.decode(), form)
    (after,) = record.notes
    assert after.document == before.document
    assert by_place(after) == by_place(before)
    again = form.dump(after, record.carry, OPTIONS)[".xml"]
    assert again == written


def by_place(annotated: Annotated) -> list[Mention]:
    return sorted(annotated.mentions, key=lambda mention: mention.key)


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared corpora are not here")
@pytest.mark.parametrize(
    ("form", "folder"), [(Meddocan(), "meddocan/train/xml"), (I2b2(), "english_notes")]
)
def test_corpora_are_read_exactly(tmp_path: Path, form: I2b2 | Meddocan, folder: str) -> None:
    for path in islice(sorted((SHARED / folder).glob("*.xml")), 0, None, 10):
        source = Source(path)
        assert form.sniff(source.head(), path)
        (before,) = form.load(source, OPTIONS).notes
        text, tags = read_tags(source)
        assert tags
        assert len(tags) == len(before.mentions)
        assert all(text[int(each.start) : int(each.end)] == each.words for each in tags)
        assert not any("/" in mention.label for mention in before.mentions)
        copy = tmp_path / path.name
        copy.write_bytes(form.dump(before, None, OPTIONS)[".xml"])
        (after,) = form.load(Source(copy), OPTIONS).notes
        assert after.document == before.document
        assert by_place(after) == by_place(before)
