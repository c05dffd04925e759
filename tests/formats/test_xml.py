from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phiscrub.core.errors import EncodingError, InputError, MissingError, Place
from phiscrub.formats import xml
from phiscrub.formats.record import Options
from phiscrub.formats.source import Source

BOMB = (
    '<!DOCTYPE a [<!ENTITY b "secret"><!ENTITY c "&b;&b;&b;&b;">]>\n<a><TEXT>&c;&c;&c;</TEXT></a>'
)


def read(folder: Path, data: bytes | str, encoding: str | None = None) -> list[xml.Event]:
    path = folder / "note.xml"
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return list(xml.events(Source(path), Options(encoding=encoding)))


def text_of(events: list[xml.Event]) -> str:
    return "".join(event.text for event in events if isinstance(event, xml.Chars))


def refused(folder: Path, data: bytes | str, encoding: str | None = None) -> InputError:
    with pytest.raises(InputError) as caught:
        read(folder, data, encoding)
    message = str(caught.value)
    assert "note.xml" in message
    assert "\n" not in message
    assert "secret" not in message
    assert caught.value.hint
    return caught.value


def test_events_come_in_order_with_their_lines(tmp_path: Path) -> None:
    found = read(tmp_path, '<a>\n<b c="d"/></a>')
    assert found == [
        xml.Start("a", {}, 1),
        xml.Chars("\n", 2),
        xml.Start("b", {"c": "d"}, 2),
        xml.End("b", 2),
        xml.End("a", 2),
    ]


def test_line_ends_are_normalised_and_references_are_not(tmp_path: Path) -> None:
    assert text_of(read(tmp_path, b"<a>1\r\n2\r3&#13;4<![CDATA[&amp;]]></a>")) == "1\n2\n3\r4&amp;"


def test_no_text_of_the_note_is_shown() -> None:
    assert "Ann" not in repr((xml.Chars("Ann", 1), xml.Start("a", {"text": "Ann"}, 1)))


@pytest.mark.parametrize("name", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_marks_and_wide_characters_tell_the_encoding(tmp_path: Path, name: str) -> None:
    assert text_of(read(tmp_path, "<a>José Ångström 😀</a>".encode(name))) == "José Ångström 😀"


@pytest.mark.parametrize(
    ("said", "name", "text"),
    [
        ("ISO-8859-1", "latin-1", "José"),
        ("windows-1252", "cp1252", "“José” – 5 €"),
        ("ISO-8859-15", "iso8859-15", "5 €"),
        ("Shift_JIS", "shift_jis", "山田"),
        ("utf-16", "utf-8", "José"),  # declared by a writer that then wrote bytes
        ("UTF-8", "utf-8", "José"),
    ],
)
def test_the_declared_encoding_is_read(tmp_path: Path, said: str, name: str, text: str) -> None:
    data = f'<?xml version="1.0" encoding="{said}"?>\n<a>{text}</a>'.encode(name)
    assert text_of(read(tmp_path, data)) == text


def test_a_forced_encoding_beats_the_declared_one(tmp_path: Path) -> None:
    data = "<?xml version='1.0' encoding='UTF-8'?><a>José</a>".encode("cp1252")
    error = refused(tmp_path, data)
    assert isinstance(error, EncodingError)
    assert error.where == Place(str(tmp_path / "note.xml"), 1, data.index(b"\xe9"))
    assert text_of(read(tmp_path, data, "cp1252")) == "José"


@pytest.mark.parametrize("said", ["klingon", "zlib_codec", "undefined"])
def test_an_encoding_that_is_none_is_refused(tmp_path: Path, said: str) -> None:
    error = refused(tmp_path, f'<?xml version="1.0" encoding="{said}"?><a/>')
    assert isinstance(error, EncodingError)


def test_a_broken_byte_is_placed_behind_the_first_block(tmp_path: Path) -> None:
    line = "<b>é and more</b>\n".encode()
    head = b"<a>\n" + line * (xml.BLOCK // len(line) + 2)
    error = refused(tmp_path, head + b"x\xff</a>")
    assert error.where == Place(str(tmp_path / "note.xml"), head.count(b"\n") + 1, len(head) + 1)


@pytest.mark.parametrize("shift", range(4))
def test_a_character_across_two_blocks_is_whole(tmp_path: Path, shift: int) -> None:
    text = "x" * (xml.BLOCK - 3 - shift) + "😀y"
    assert text_of(read(tmp_path, f"<a>{text}</a>")) == text


def test_a_character_cut_by_the_end_is_refused(tmp_path: Path) -> None:
    assert isinstance(refused(tmp_path, "<a>😀".encode()[:-1]), EncodingError)


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        ("<a>\n<b>secret</c></a>", 2, 12),
        ("<a>\n\n  secret & x</a>", 3, 11),
        ("<a>secret", 1, 10),
        ("secret", 1, 1),
        ("<a/>\n<a/>", 2, 1),
        ("<a>&secret;</a>", 1, 4),
        ('<a b="1" b="2"/>', 1, 10),
        ("<a>&#0;</a>", 1, 4),
        ("\n<?xml version='1.0'?><a/>", 2, 1),
    ],
)
def test_broken_xml_is_placed(tmp_path: Path, data: str, line: int, column: int) -> None:
    error = refused(tmp_path, data)
    assert error.where == Place(str(tmp_path / "note.xml"), line)
    assert f"broken XML at column {column}:" in str(error)


def test_what_stands_before_the_break_is_given(tmp_path: Path) -> None:
    path = tmp_path / "note.xml"
    path.write_text("<a><b>1</b></c>")
    reading = xml.events(Source(path), Options())
    assert [type(next(reading)) for _ in range(4)] == [xml.Start, xml.Start, xml.Chars, xml.End]
    with pytest.raises(InputError):
        next(reading)


@pytest.mark.parametrize(
    "data",
    [
        BOMB,
        '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>\n<a>&b;</a>',
        '<!DOCTYPE a [<!ENTITY % b SYSTEM "http://localhost/secret"> %b;]><a/>',
        "<!DOCTYPE a [<!ELEMENT a ANY>]><a/>",
        "<!DOCTYPE a []><a/>",
    ],
)
def test_declarations_of_ones_own_are_refused_unexpanded(tmp_path: Path, data: str) -> None:
    error = refused(tmp_path, data)
    assert "document type" in str(error)
    assert error.where == Place(str(tmp_path / "note.xml"), 1)


def test_a_document_type_is_named_but_never_fetched(tmp_path: Path) -> None:
    (tmp_path / "a.dtd").write_text('<!ENTITY b "secret">')
    doctype = '<!DOCTYPE a SYSTEM "a.dtd">\n'
    assert text_of(read(tmp_path, f"{doctype}<a>x</a>")) == "x"
    error = refused(tmp_path, f"{doctype}<a>x&b;</a>")
    assert "entity" in str(error)
    assert error.where == Place(str(tmp_path / "note.xml"), 2)


def test_no_file_an_empty_file_a_binary_file(tmp_path: Path) -> None:
    with pytest.raises(MissingError):
        list(xml.events(Source(tmp_path / "none.xml"), Options()))
    assert "is empty" in str(refused(tmp_path, b""))
    assert "binary" in str(refused(tmp_path, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0" * 9))


@pytest.mark.parametrize("character", ["\0", "\x0b", "\x0c", "\x1b", "\ufffe", "\uffff"])
def test_characters_that_xml_cannot_hold_are_placed(tmp_path: Path, character: str) -> None:
    padding = "line\n" * 200
    error = refused(tmp_path, f"<a>{padding}é{character}</a>")
    assert isinstance(error, EncodingError)
    assert f"U+{ord(character):04X}" in str(error)
    assert error.where == Place(str(tmp_path / "note.xml"), 201, 3 + len(padding) + 1)


def test_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = tmp_path / "large.xml"
    path.write_text("<a>" + "<b>some words of a note</b>\n" * 60_000 + "</a>")
    tracemalloc.start()
    count = sum(1 for _ in xml.events(Source(path), Options()))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count > 240_000
    assert path.stat().st_size > 6 * xml.BLOCK
    assert peak < 10_000_000


ANY = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
HARD = st.sampled_from(("]]>", "]]", ">", "\r", "\r\n", "\n", "\t", "&#13;", "<![CDATA[", "&", '"'))
TEXTS = st.lists(HARD | ANY, max_size=8).map("".join)


def allowed(character: str) -> bool:
    return (character >= " " or character in "\t\n\r") and character not in "\ufffe\uffff"


@given(TEXTS)
def test_what_is_written_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str):
    folder = tmp_path_factory.getbasetemp()
    wrong = next((at for at, character in enumerate(text) if not allowed(character)), None)
    if wrong is not None:
        with pytest.raises(EncodingError) as caught:
            xml.check_characters(text, Place(record="7"))
        assert caught.value.where == Place(record="7", offset=wrong)
        return
    xml.check_characters(text, Place())
    found = read(
        folder,
        f'{xml.HEADER}<a c="{xml.escape_attribute(text)}">{xml.cdata(text)}'
        f"<b>{xml.escape(text)}</b></a>",
    )
    assert isinstance(found[0], xml.Start)
    assert found[0].attributes["c"] == text
    assert text_of(found) == text * 2


@pytest.mark.parametrize(
    ("head", "declared", "root", "child"),
    [
        (b"", False, "", ""),
        (b"Dear Dr. Lee", False, "", ""),
        (b"<b>Note</b> of Ann", False, "b", ""),
        (b"<?xml", True, "", ""),
        (b"\n <?xml version='1.0'?><a><b>", True, "a", "b"),
        (b"<?xml version='1.0'?>\n<!-- <x> --><!DOCTYPE a><a>\n<b><c", True, "a", "b"),
        (b"<a><![CDATA[<b><c>", False, "a", ""),
        (b"\xef\xbb\xbf<a><b>", False, "a", "b"),
        ("<a ü='1'><b>\u0105".encode("utf-16"), False, "a", "b"),
        (BOMB.encode(), True, "", ""),
        (b"\x89PNG\r\n\x1a\n\0", False, "", ""),
    ],
)
def test_a_sketch_shows_what_the_head_shows(
    head: bytes, declared: bool, root: str, child: str
) -> None:
    seen = xml.sketch(head)
    assert (seen.declared, seen.root, seen.child) == (declared, root, child)


@given(st.binary(max_size=80), st.sampled_from((b"", b"<", b"<?xml version='1.0'?><a>")))
def test_a_sketch_never_raises(data: bytes, start: bytes) -> None:
    xml.sketch(start + data)
