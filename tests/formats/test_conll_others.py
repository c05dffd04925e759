"""Other programs' columns: read whole, and written back byte by byte."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from pathlib import Path, PurePath

import pytest

from columns import (
    CONLL_2003,
    CONLL_2012,
    KLINTAN,
    SUC,
    TABBED,
    UNER,
    Regex,
    facts,
    only,
    parse,
    plain,
    read,
    rewrite,
    words,
    write,
)
from phiscrub.core.document import Document
from phiscrub.core.errors import (
    AnnotationError,
    EncodingError,
    InputError,
    SettingsError,
)
from phiscrub.core.mention import Mention
from phiscrub.core.span import Span
from phiscrub.formats.conll import Conll
from phiscrub.formats.record import Failure, Options, Position, Record
from phiscrub.formats.source import Source

DATA = Path(__file__).parents[3] / "shared" / "data"


def test_conll_2003(tmp_path: Path) -> None:
    first, second = parse(tmp_path, CONLL_2003)
    assert first.notes[0].document.id == "in-1"
    assert first.notes[0].document.text == "EU rejects German British .\nPeter Blackburn"
    assert words(first.notes[0]) == [
        ("EU", "ORG"),
        ("German", "MISC"),
        ("British", "MISC"),
        ("Peter Blackburn", "PER"),
    ]
    assert words(second.notes[0]) == [("Brussels", "LOC")]


def test_conll_2012(tmp_path: Path) -> None:
    first, second = parse(tmp_path, CONLL_2012)
    assert [r.notes[0].document.id for r in (first, second)] == [
        "bc/x/00/x_0000-000",
        "bc/x/00/x_0000-001",
    ]
    assert first.notes[0].document.text == "Ann Lee slept today"
    assert words(first.notes[0]) == [("Ann Lee", "PERSON"), ("today", "DATE")]
    assert second.notes[0].mentions == ()


def test_uner_keeps_the_raw_text_where_the_tokens_stand_in_it(tmp_path: Path) -> None:
    first, second = parse(tmp_path, UNER)
    assert [r.notes[0].document.id for r in (first, second)] == ["P1", "P2"]
    assert first.notes[0].document.text == "'Ann Lee' sov, t ex.\nUmeå"
    assert words(first.notes[0]) == [("Ann Lee", "PER"), ("Umeå", "LOC")]


def test_tabs_blanks_and_a_zero_for_outside(tmp_path: Path) -> None:
    assert words(only(parse(tmp_path, TABBED))) == [
        ("Empire State", "location"),
        ("ESB", "location"),
    ]
    note = only(parse(tmp_path, KLINTAN))
    assert note.document == Document("in", "Gunhild Westman , Visby .")
    assert words(note) == [("Gunhild Westman", "PER"), ("Visby", "LOC")]


def test_suc_parts_the_tag_in_two(tmp_path: Path) -> None:
    note = only(parse(tmp_path, SUC))
    assert note.document.text == "Här log Eva Ek .\nPå KTH"
    assert words(note) == [("Eva Ek", "person"), ("KTH", "inst")]
    assert Conll().sniff(SUC.encode(), PurePath("suc.txt"))


COUNTED = "".join(f"{n}\tw{n}\tl{n}\tNN\t_\n" + "\n" * (n == 3) for n in (1, 2, 3, 1, 2))
NUMBERED = "".join(f"w{n}\tNN\taa01a-{n:03}\n" for n in range(1, 40))


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        (COUNTED, "the first column counts the words of each sentence"),
        (COUNTED.replace("_", "O"), "the first column counts the words of each sentence"),
        (NUMBERED, "the last column is another in almost every row"),
    ],
)
def test_columns_that_are_no_token_and_tag_are_refused(tmp_path: Path, rows: str, why: str) -> None:
    file = tmp_path / "in.conll"
    file.write_text(rows, "utf-8")
    assert Conll().sniff(rows.encode(), file)  # to be refused, not read as another format
    with pytest.raises(InputError, match=why):
        Conll().open(Source(file), Options())


def test_the_last_column_is_the_tag(tmp_path: Path) -> None:
    assert words(only(parse(tmp_path, "w0 B-A-B O\nw1 O B-A-B\n"))) == [("w1", "A-B")]


@pytest.mark.parametrize(
    ("tags", "chunks"),
    [
        ("B-X I-X O B-X", ["a b", "d"]),
        ("I-X I-X B-X I-X", ["a b", "c d"]),
        ("B-X E-X S-X S-X", ["a b", "c", "d"]),
        ("B-X L-X U-X U-X", ["a b", "c", "d"]),
        ("X X 0 X", ["a b", "d"]),
        ("O I-X I-Y O", ["b", "c"]),
        ("(X* *) (X) *", ["a b", "c"]),
    ],
)
def test_schemes_are_told_from_the_tags(tmp_path: Path, tags: str, chunks: list[str]) -> None:
    rows = "".join(f"{word} {tag}\n" for word, tag in zip("abcd", tags.split(), strict=True))
    assert [word for word, _ in words(only(parse(tmp_path, rows)))] == chunks
    assert Conll().sniff(rows.encode(), PurePath("x.conll"))


@pytest.mark.parametrize("text", [CONLL_2003, CONLL_2012, UNER, SUC, TABBED, KLINTAN, "a\tB-X"])
def test_untouched_notes_are_written_byte_by_byte(tmp_path: Path, text: str) -> None:
    records = parse(tmp_path, text)
    assert rewrite(tmp_path, records) == text
    crlf = parse(tmp_path, text.replace("\n", "\r\n"))
    assert rewrite(tmp_path, crlf) == text.replace("\n", "\r\n")
    assert facts([r.notes[0] for r in crlf]) == facts([r.notes[0] for r in records])


@pytest.mark.parametrize("text", [CONLL_2003, CONLL_2012, UNER, SUC, TABBED, KLINTAN])
def test_other_mentions_change_nothing_but_tags(tmp_path: Path, text: str) -> None:
    records = parse(tmp_path, text)
    note = records[0].notes[0]
    more = replace(records[0], notes=(replace(note, mentions=note.mentions[1:]),))
    out = rewrite(tmp_path, [more, *records[1:]])
    back = parse(tmp_path, out)
    assert facts([r.notes[0] for r in back]) == facts([r.notes[0] for r in (more, *records[1:])])
    pairs = list(zip(text.split("\n"), out.split("\n"), strict=True))
    changed = [(old.split(), new.split()) for old, new in pairs if old != new]
    assert 0 < len(changed) <= 2
    columns = 2 if text == SUC else 1
    assert all(sum(a != b for a, b in zip(*pair, strict=True)) == columns for pair in changed)


def test_the_scheme_can_be_changed(tmp_path: Path) -> None:
    records = parse(tmp_path, CONLL_2003)
    out = rewrite(tmp_path, records, Options(scheme="BIOES"))
    tags = [line.split()[-1] for line in out.split("\n") if line]
    assert tags == ["O", "S-ORG", "O", "S-MISC", "S-MISC", "O", "B-PER", "E-PER", "O", "S-LOC"]
    assert parse(tmp_path, out)[0].notes == records[0].notes


def test_a_changed_text_takes_no_other_column_along(tmp_path: Path) -> None:
    records = parse(tmp_path, CONLL_2012)
    changed = replace(plain("[NAME] slept", (0, 6, "X"), name="n"), carry=records[0].carry)
    out = rewrite(tmp_path, [changed, records[1]], Options(tokenizer=Regex()))
    head, _, tail = out.partition("#begin")
    assert not re.search("Ann|Lee|Speaker|today", head)
    assert "Speaker" in tail
    back = parse(tmp_path, out)
    assert facts([r.notes[0] for r in back]) == facts([changed.notes[0], records[1].notes[0]])


def test_a_note_under_another_id_takes_no_comment_along(tmp_path: Path) -> None:
    record = parse(tmp_path, UNER)[0]
    note = record.notes[0]
    renamed = replace(record, notes=(replace(note, document=replace(note.document, id="q")),))
    out = rewrite(tmp_path, [renamed])
    assert "sent_id" not in out
    assert "P1" not in out
    assert facts([only(parse(tmp_path, out))]) == facts(list(renamed.notes))


def test_a_mention_that_cuts_a_token_survives(tmp_path: Path) -> None:
    records = parse(tmp_path, UNER)
    note = records[0].notes[0]
    cut = replace(note, mentions=(Mention(Span(1, 3), "X"),))
    out = rewrite(tmp_path, [replace(records[0], notes=(cut,)), records[1]])
    assert facts([r.notes[0] for r in parse(tmp_path, out)]) == facts([cut, records[1].notes[0]])


def test_a_file_without_marks_is_cut_after_1000_sentences(tmp_path: Path) -> None:
    text = "".join(f"Ann{n}\tB-X\n\n" for n in range(2001))
    records = parse(tmp_path, text)
    assert [r.notes[0].document.id for r in records] == ["in-1", "in-2", "in-3"]
    assert [len(r.notes[0].mentions) for r in records] == [1000, 1000, 1]
    assert rewrite(tmp_path, records) == text
    changed = replace(plain("no", name="in-1"), carry=records[0].carry)
    mixed = rewrite(tmp_path, [changed, *records[1:]], Options(tokenizer=Regex()))
    back = parse(tmp_path, mixed)
    assert facts([r.notes[0] for r in back]) == facts([r.notes[0] for r in (changed, *records[1:])])


@pytest.mark.parametrize("text", [CONLL_2003, CONLL_2012, UNER, "\ufeff" + CONLL_2003])
def test_reading_goes_on_from_every_position(tmp_path: Path, text: str) -> None:
    records = parse(tmp_path, text)
    assert records[-1].after.offset == len(text.encode())
    for index, record in enumerate(records, 1):
        reader = Conll().open(Source(tmp_path / "in.conll"), Options())
        assert list(reader.records(record.after)) == records[index:]
        assert record.after.index == index
    assert isinstance(records[0].after, Position)


def test_a_note_that_cannot_be_read_does_not_stop_those_behind_it(tmp_path: Path) -> None:
    rows = CONLL_2003.replace("rejects VBZ I-VP O", "rejects O")
    path = tmp_path / "in.conll"
    path.write_text(rows)
    failure, record = Conll().open(Source(path), Options()).records()
    assert isinstance(failure, Failure)
    assert str(failure.error).startswith(f"{path}, line 4: the row has 2 of 4 columns")
    assert isinstance(record, Record)
    assert record.notes[0].document.id == "in-2"


@pytest.mark.parametrize(
    ("rows", "kind", "what"),
    [
        ("a\tB-X\nb\tQ-X\n", AnnotationError, "line 2: tag of token 1"),
        ("a\tB-X\nb\t\n", AnnotationError, "line 2: the row has 1 of 2"),
        ("a\tB-X\n \tO\n", AnnotationError, "line 2: the row has an empty"),
        ("a\t(X*\nb\t(Y*\n", AnnotationError, "line 2: tag of token 1"),
        ("a\t*\nb\t(X\nc\t*)\n", AnnotationError, "line 2: tag of token 1 is no bracket"),
        (CONLL_2012.replace("(DATE)", "(DATE"), AnnotationError, "line 5: tag of token 3 is no"),
        ("a\tX*\n", AnnotationError, "line 1: tag of token 0 is no bracket"),
        ("a\t(X*)\nb\t*)\n", AnnotationError, "line 2: .* closes a bracket"),
        ("a\tB-X\nb\0\tO\n", InputError, "line 2.*NUL"),
        (b"a\xc3\xa9\tB-X\nb\xff\tO\n", EncodingError, "line 2, offset 9: byte 0xff"),
        ("-DOCSTART-\tDoc=n\tO\n\na\tO\n", AnnotationError, "line 3: the row is not"),
        ("-DOCSTART-\tDoc=n|Scheme=QQ\tO\n\na\t_\tO\n", SettingsError, "line 1: no tag scheme"),
    ],
)
def test_failures_are_placed(
    tmp_path: Path, rows: str | bytes, kind: type[Exception], what: str
) -> None:
    path = tmp_path / "in.conll"
    path.write_bytes(rows.encode() if isinstance(rows, str) else rows)
    failure, *_ = Conll().open(Source(path), Options()).records()
    assert isinstance(failure, Failure)
    assert isinstance(failure.error, kind)
    assert re.search(what, str(failure.error)), str(failure.error)


def test_a_scheme_that_is_named_is_held_to(tmp_path: Path) -> None:
    path = tmp_path / "in.conll"
    path.write_text("a\tB-X\nb\tE-X\n")
    (failure,) = Conll().open(Source(path), Options(scheme="BIO")).records()
    assert isinstance(failure, Failure)


def test_long_notes_and_lines_are_failures(tmp_path: Path) -> None:
    long = "word O\n" * 30
    text = f"-DOCSTART- O\n\n{long}\n-DOCSTART- O\n\na O\n\n-DOCSTART- O\n\n{'x' * 500} O\n"
    path = tmp_path / "in.conll"
    path.write_text(text)
    found = list(Conll().open(Source(path), Options(max_note=100)).records())
    assert [type(each) for each in found] == [Failure, Record, Failure]
    assert "limit" in str(found[0].error)  # type: ignore[union-attr]
    assert "line 40: the line is too long" in str(found[2].error)  # type: ignore[union-attr]
    assert found[2].after.offset == len(text)


def test_files_without_columns_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "in.conll"
    for text, what in (("", "is empty"), ("\none\ntwo\n", "line 2: has no columns")):
        path.write_text(text)
        with pytest.raises(InputError) as caught:
            Conll().open(Source(path), Options())
        assert what in str(caught.value)


@pytest.mark.parametrize("text", [CONLL_2003, CONLL_2012, UNER, TABBED])
def test_columns_are_told_by_their_content(text: str) -> None:
    assert Conll().sniff(text.encode(), PurePath("x.txt"))
    assert Conll().sniff(text.encode(), None)


def test_bare_labels_need_many_rows_or_a_name() -> None:
    assert not Conll().sniff(KLINTAN.encode(), None)
    assert Conll().sniff(KLINTAN.encode(), PurePath("x.conll"))
    assert Conll().sniff(KLINTAN.encode() + b"och\t0\n" * 20, None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "Patient denies pain.\nBlood type O\n",
        "Smoker NO\nAlcohol NO\nPain O\n" * 20,
        "Pain 0\nNausea 0\n" * 20,
        "Blood B-positive\n",
        "# newdoc\n\nA heading of some Markdown.\n",
        "id,text\n1,B-X\n2,O\n3,B-Y\n",
        "id\ttext\n1\tSeen by B-X\n2\tO\n",
        "HR 88\nBP 120/80\nTemp 37\n" * 10,
        "- take aspirin\n- rest -\n- walk *\n- eat *\n" * 9,
        "1\tThe\tthe\tDET\n2\tdog\tdog\tNOUN\n3\truns\trun\tVERB\n",
        "\0\1\2\3",
        '{"text": "a B-X"}\n' * 4,
    ],
)
def test_notes_and_tables_are_not_taken_for_columns(text: str) -> None:
    assert not Conll().sniff(text.encode(), PurePath("x.txt"))


# What is published


@pytest.mark.skipif(not DATA.exists(), reason="the corpora are not here")
@pytest.mark.parametrize(
    ("name", "notes", "counts"),
    [
        (
            "wikigold/CONLL-format/data/wikigold.conll.txt",
            145,
            {"MISC": 712, "ORG": 898, "PER": 934, "LOC": 1014},
        ),
        (
            "wnut17/emerging.dev.conll",
            2,
            {
                "location": 74,
                "creative-work": 105,
                "person": 470,
                "product": 114,
                "group": 39,
                "corporation": 34,
            },
        ),
        ("uner_sv_talbanken/sv_talbanken-ud-dev.iob2", 8, {"PER": 13, "LOC": 5, "ORG": 5}),
    ],
)
def test_published_files(tmp_path: Path, name: str, notes: int, counts: dict[str, int]) -> None:
    records = read(DATA / name)
    found = [note for record in records for note in record.notes]
    assert len(found) == notes
    assert Counter(m.label for note in found for m in note.mentions) == counts
    layout = Conll().open(Source(DATA / name), Options()).layout
    assert write(tmp_path / "same.conll", records, layout) == (DATA / name).read_bytes()
    write(tmp_path / "own.conll", records)
    assert [note for r in read(tmp_path / "own.conll") for note in r.notes] == found
