"""CoNLL columns of our own: notes come back as they were."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import strategies
from columns import Given, Regex, facts, only, places, plain, read, write
from phiscrub.core.document import Document
from phiscrub.core.errors import (
    AnnotationError,
    LabelError,
    SettingsError,
)
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.note import Note
from phiscrub.core.span import Span
from phiscrub.core.tokens import Tokens
from phiscrub.formats.conll import Conll
from phiscrub.formats.record import Options, Record


@st.composite
def cut_notes(draw: st.DrawFn) -> tuple[Annotated, Note]:
    document = replace(draw(strategies.documents()), id=draw(strategies.texts(0, 12)))
    text = document.text
    mentions = draw(strategies.disjoint_mentions(len(text)))
    cut = Note(document, draw(strategies.tokens(text)), draw(strategies.tokens(text)))
    return Annotated(document, mentions), cut


@given(
    st.lists(cut_notes(), min_size=1, max_size=3),
    st.sampled_from((None, "BIO", "IOB1", "BIOES", "BILOU", "iobes")),
)
def test_reading_what_was_written_gives_the_notes_back(
    tmp_path_factory: pytest.TempPathFactory,
    notes: list[tuple[Annotated, Note]],
    scheme: str | None,
) -> None:
    path = tmp_path_factory.mktemp("conll") / "x.conll"
    tokenizer = Given(tuple(cut for _, cut in notes))
    records = [Record((note,)) for note, _ in notes]
    data = write(path, records, options=Options(scheme=scheme, tokenizer=tokenizer))
    back = read(path, Options(encoding="utf-8"))
    assert facts([r.notes[0] for r in back]) == facts([r.notes[0] for r in records])
    assert Conll().sniff(data, None) or any(ord(c) < 32 for c in data.decode())
    again = write(path.with_name("y"), back)
    assert again == data or scheme not in (None, "BIO")


def test_what_we_write_is_what_other_programs_read_as_conll_2003(tmp_path: Path) -> None:
    record = plain("\n Dr.Ann Lee\n\nnow", (5, 12, "DOCTOR"), name="a b|c")
    data = write(tmp_path / "x", [record], options=Options(tokenizer=Regex()))
    assert data.decode() == (
        "-DOCSTART-\tDoc=a\\sb\\pc|Scheme=BIO|SpacesBefore=\\n\\s\tO\n"
        "\n"
        "Dr\tSpaceAfter=No\tO\n"
        ".\tSpaceAfter=No\tO\n"
        "Ann\t_\tB-DOCTOR\n"
        "Lee\tSpacesAfter=\\n\\n\tI-DOCTOR\n"
        "\n"
        "now\tSpaceAfter=No\tO\n"
        "\n"
    )


def test_tokens_are_cut_at_a_mention_and_white_edges_are_rows(tmp_path: Path) -> None:
    record = plain("3041023MARY x", (4, 12, "ID"))
    path = tmp_path / "x.conll"
    data = write(path, [record], options=Options(tokenizer=Regex())).decode()
    assert [line.split("\t")[::2] for line in data.split("\n")[2:-2]] == [
        ["3041", "O"],
        ["023", "B-ID"],
        ["MARY", "I-ID"],
        ["_", "I-ID"],
        ["x", "O"],
    ]
    assert facts([only(read(path))]) == facts(list(record.notes))


def test_what_stands_in_for_a_mention_is_one_row(tmp_path: Path) -> None:
    record = plain("Dr. [DOCTOR-12], **** ***.", (4, 15, "DOCTOR"), (17, 25, "X"))
    path = tmp_path / "x.conll"
    data = write(path, [record], options=Options(tokenizer=Regex())).decode()
    assert [line.split("\t")[::2] for line in data.split("\n")[2:-2]] == [
        *(["Dr", "O"], [".", "O"], ["[DOCTOR-12]", "B-DOCTOR"], [",", "O"]),
        *(["****", "B-X"], ["***", "I-X"], [".", "O"]),
    ]
    assert facts([only(read(path))]) == facts(list(record.notes))


def test_a_sentence_does_not_end_inside_a_mention(tmp_path: Path) -> None:
    record = plain("12 Main St\nLeeds\nok", (0, 16, "ADDRESS"))
    path = tmp_path / "x.conll"
    data = write(path, [record], options=Options(tokenizer=Regex())).decode()
    assert data.count("\n\n") == 3
    assert places(only(read(path))) == [(0, 16, "ADDRESS")]


def test_a_token_that_looks_like_a_mark_begins_no_note(tmp_path: Path) -> None:
    text = "-DOCSTART- # newdoc -DOCSTART-"
    cut = Note(
        Document("n", text),
        Tokens.of(text, [(m.start(), m.end()) for m in re.finditer(r"\S+", text)]),
        Tokens.of(text, []),
    )
    record = Record((Annotated(cut.document, (Mention(Span(0, 10), "X"),)),))
    path = tmp_path / "x.conll"
    write(path, [record], options=Options(tokenizer=Given((cut,))))
    assert facts([only(read(path))]) == facts(list(record.notes))


def test_notes_of_no_text_and_of_white_space_survive(tmp_path: Path) -> None:
    records = [plain("", name="a"), plain(" \n", name="b"), plain(" ", (0, 1, "X"), name="c")]
    path = tmp_path / "x.conll"
    write(path, records, options=Options(tokenizer=Regex()))
    assert facts([r.notes[0] for r in read(path)]) == facts([r.notes[0] for r in records])


def test_io_cannot_part_mentions_that_touch(tmp_path: Path) -> None:
    options = Options(tokenizer=Regex(), scheme="IO")
    apart = plain("Ann of Leeds", (0, 3, "X"), (7, 12, "X"))
    write(tmp_path / "x.conll", [apart], options=options)
    assert facts([only(read(tmp_path / "x.conll"))]) == facts(list(apart.notes))
    with pytest.raises(AnnotationError, match="BIOES"):
        write(tmp_path / "x", [plain("Ann Lee", (0, 3, "X"), (4, 7, "X"))], options=options)


def test_what_columns_cannot_hold_is_refused_and_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    writer = Conll().create(tmp_path / "x", None, Options(tokenizer=Regex()))
    writer.write(plain("Ann Lee"))
    before = writer.checkpoint()
    with pytest.raises(AnnotationError, match="one label a token"):
        writer.write(plain("Ann Lee", (0, 3, "X"), (2, 7, "Y")))
    with pytest.raises(LabelError, match="white space"):
        writer.write(plain("Ann Lee", (0, 3, "TWO WORDS")))
    assert writer.checkpoint() == before
    writer.close()
    with pytest.raises(SettingsError, match="tokenizer"):
        write(tmp_path / "y", [plain("Ann Lee")])


def test_a_file_goes_on_behind_a_checkpoint(tmp_path: Path) -> None:
    records = [plain("Ann Lee", (0, 7, "X"), name=str(n)) for n in range(4)]
    options = Options(tokenizer=Regex())
    whole = write(tmp_path / "whole", records, options=options)
    writer = Conll().create(tmp_path / "cut", None, options)
    writer.write(records[0])
    writer.write(records[1])
    length = writer.checkpoint()
    writer.write(records[3])
    writer.close()
    writer = Conll().create(tmp_path / "cut", None, options, length)
    writer.write(records[2])
    writer.write(records[3])
    writer.close()
    assert (tmp_path / "cut").read_bytes() == whole
