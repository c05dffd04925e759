from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from phiscrub.core.document import Document
from phiscrub.core.errors import AnnotationError, InputError, LabelError, MissingError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.brat import Brat
from phiscrub.formats.encoding import Encoding
from phiscrub.formats.record import Options, Record
from phiscrub.formats.source import Source

CORPUS = Path(__file__).parents[3] / "shared" / "data" / "meddocan"
TEXT = "Seen by Ann Lee.\nCall 555-0100."


def load(folder: Path, suffix: str = ".txt", options: Options = Options()) -> Record:  # noqa: B008
    return Brat().load(Source(folder / f"n{suffix}"), options)


def put(folder: Path, text: str | bytes, annotations: str | bytes) -> None:
    for suffix, data in ((".txt", text), (".ann", annotations)):
        (folder / f"n{suffix}").write_bytes(data.encode() if isinstance(data, str) else data)


def places(note: Annotated) -> list[tuple[int, int, str]]:
    return sorted((m.span.start, m.span.end, m.label) for m in note.mentions)


@given(
    text=strategies.texts(1),
    marks=st.data(),
    encoding=st.sampled_from((None, Encoding(), Encoding("utf-16-le", b"\xff\xfe"))),
)
def test_reading_what_was_written_gives_the_note_back(
    tmp_path_factory: pytest.TempPathFactory,
    text: str,
    marks: st.DataObject,
    encoding: Encoding | None,
) -> None:
    note = Annotated(Document("n", text), tuple(marks.draw(strategies.mentions(len(text)))))
    folder = tmp_path_factory.mktemp("brat")
    files = Brat().dump(note, encoding, Options())
    put(folder, files[".txt"], files[".ann"])
    forced = "utf-16" if encoding and encoding.bom else "utf-8"
    record = load(folder, options=Options(encoding=forced))
    assert record.notes[0].document == note.document
    assert places(record.notes[0]) == places(note)
    assert Brat().dump(record.notes[0], record.carry, Options()) == files


def test_ids_count_in_text_order_and_line_breaks_become_blanks() -> None:
    mentions = (Mention(Span(8, 21), "NAME"), Mention(Span(0, 4), "X"))
    files = Brat().dump(Annotated(Document("n", TEXT), mentions), None, Options())
    assert files == {
        ".txt": TEXT.encode(),
        ".ann": b"T1\tX 0 4\tSeen\nT2\tNAME 8 21\tAnn Lee. Call\n",
    }


def test_other_lines_are_no_mentions_and_are_not_carried_on(tmp_path: Path) -> None:
    others = (
        "R1\tOf Arg1:T1 Arg2:T2\nE1\tX:T1\nA1\tSure T1\nM1\tSure T1\n*\tEquiv T1 T2\n"
        "N1\tReference T1 Wiki:1\tAnn Lee\n#1\tAnnotatorNotes T1\tAnn Lee\n\n"
    )
    put(tmp_path, TEXT, others + "T1\tDOCTOR 8 15\tAnn Lee\n")
    record = load(tmp_path, ".ann")
    assert places(record.notes[0]) == [(8, 15, "DOCTOR")]
    files = Brat().dump(record.notes[0], record.carry, Options())
    assert files[".ann"] == b"T1\tDOCTOR 8 15\tAnn Lee\n"


def test_a_text_without_mentions_has_an_empty_file_beside_it(tmp_path: Path) -> None:
    put(tmp_path, TEXT, "")
    record = load(tmp_path)
    assert record.notes[0].mentions == ()
    assert Brat().dump(record.notes[0], record.carry, Options())[".ann"] == b""


def test_offsets_count_code_points_and_both_characters_of_a_crlf(tmp_path: Path) -> None:
    put(tmp_path, "\U00010348\r\nAnn\r\nLee", "T1\tDOCTOR 3 11\tAnn  Lee\r\n")
    assert places(load(tmp_path).notes[0]) == [(3, 11, "DOCTOR")]


@pytest.mark.parametrize(("start", "text"), [(1, "\ufeffAnn"), (0, "Ann")])
def test_a_mark_counts_as_brat_has_it_unless_the_mentions_say_not(
    tmp_path: Path, start: int, text: str
) -> None:
    put(tmp_path, b"\xef\xbb\xbfAnn", f"T1\tDOCTOR {start} {start + 3}\tAnn\n")
    record = load(tmp_path)
    assert record.notes[0].document.text == text
    assert places(record.notes[0]) == [(start, start + 3, "DOCTOR")]


def test_the_mark_of_a_text_is_kept_and_counts(tmp_path: Path) -> None:
    note = Annotated(Document("n", "Ann Lee"), (Mention(Span(0, 3), "DOCTOR"),))
    files = Brat().dump(note, Encoding("utf-8", b"\xef\xbb\xbf"), Options())
    assert files == {".txt": b"\xef\xbb\xbfAnn Lee", ".ann": b"T1\tDOCTOR 1 4\tAnn\n"}
    put(tmp_path, files[".txt"], files[".ann"])
    record = load(tmp_path)
    assert Brat().dump(record.notes[0], record.carry, Options()) == files


def test_a_marked_text_that_fits_neither_way_is_refused(tmp_path: Path) -> None:
    put(tmp_path, b"\xef\xbb\xbfAnn Lee", "T1\tDOCTOR 2 5\tAnn\n")
    with pytest.raises(AnnotationError):
        load(tmp_path)


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("T1\tDOCTOR 8 11;12 15\tAnn Lee", "several pieces"),
        ("T1\tDOCTOR 8 x\tAnn", "not two numbers"),
        ("T1\tDOCTOR -1 3\tAnn", "not two numbers"),
        ("T1\tDOCTOR 8 8\t", "empty"),
        ("T1\tDOCTOR 9 8\tA", "empty"),
        ("T1\tDOCTOR 8 900\tAnn", "ends behind the text, which has 31"),
        ("T1\tDOCTOR 9 16\tAnn Lee", "not the one"),
        ("T1\tDOCTOR 8 15\tAnn lee", "not the one"),
        ("T1\tDOCTOR 8 15", "not the line of a mention"),
        ("T1 DOCTOR 8 15 Ann Lee", "not the line of a mention"),
        ("Ann Lee", "no line of brat"),
        ("?", "no line of brat"),
    ],
)
def test_a_bad_line_is_placed_and_not_quoted(tmp_path: Path, line: str, what: str) -> None:
    put(tmp_path, TEXT, f"T7\tX 0 4\tSeen\n{line}\n")
    if line == "Ann Lee":  # an attribute by its first letter
        line = "Bnn Lee"
        put(tmp_path, TEXT, f"T7\tX 0 4\tSeen\n{line}\n")
    with pytest.raises(AnnotationError, match=what) as caught:
        load(tmp_path)
    assert str(caught.value).startswith(f"{tmp_path / 'n.ann'}, line 2: ")
    assert "Lee" not in str(caught.value)


def test_both_files_are_needed(tmp_path: Path) -> None:
    (tmp_path / "n.ann").write_text("")
    with pytest.raises(MissingError, match="no such file") as caught:
        load(tmp_path, ".ann")
    assert "n.txt" in str(caught.value)
    (tmp_path / "n.ann").unlink()
    (tmp_path / "n.txt").write_text(TEXT)
    with pytest.raises(MissingError, match="no such file") as caught:
        load(tmp_path)
    assert "n.ann" in str(caught.value)


def test_a_huge_text_and_standard_input_are_refused(tmp_path: Path) -> None:
    put(tmp_path, TEXT, "")
    with pytest.raises(InputError, match="limit"):
        load(tmp_path, options=Options(max_note=5))
    with pytest.raises(InputError, match="two files"):
        Brat().load(Source(None), Options())


@pytest.mark.parametrize("label", ["TWO WORDS", "A\tB", "X\n"])
def test_a_label_that_a_line_cannot_hold_is_refused(label: str) -> None:
    note = Annotated(Document("n", TEXT), (Mention(Span(0, 4), label),))
    with pytest.raises(LabelError):
        Brat().dump(note, None, Options())


def test_a_text_is_brat_only_beside_its_annotations(tmp_path: Path) -> None:
    assert not Brat().sniff(b"x", tmp_path / "n.txt")
    put(tmp_path, TEXT, "")
    assert Brat().sniff(b"x", tmp_path / "n.txt")
    assert Brat().sniff(b"", tmp_path / "n.ann")
    assert not Brat().sniff(b"x", tmp_path / "n.csv")
    assert not Brat().sniff(b"x", None)


@pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not here")
def test_every_tenth_meddocan_note_survives() -> None:
    notes = sorted(CORPUS.glob("*/brat/*.txt"))[::10]
    assert len(notes) == 75
    for path in notes:
        record = Brat().load(Source(path), Options())
        files = Brat().dump(record.notes[0], record.carry, Options())
        before = path.with_suffix(".ann").read_text("utf-8").splitlines()
        after = files[".ann"].decode().splitlines()
        assert files[".txt"] == path.read_bytes()
        assert sorted(x.split("\t", 1)[1] for x in after) == sorted(
            x.split("\t", 1)[1] for x in before
        )
