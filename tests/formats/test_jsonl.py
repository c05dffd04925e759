from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.document import Document, Subject
from phiscrub.core.errors import InputError
from phiscrub.core.mention import Annotated, Mention
from phiscrub.core.span import Span
from phiscrub.formats.json_object import SLACK
from phiscrub.formats.jsonl import JsonLines
from phiscrub.formats.record import Failure, Options, Record
from phiscrub.formats.source import Source

TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)


def put(folder: Path, data: bytes | str, name: str = "t.jsonl") -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def read(path: Path, **options: object) -> list[Record | Failure]:
    return list(JsonLines().open(Source(path), Options(**options)).records())  # type: ignore[arg-type]


def notes(items: list[Record | Failure]) -> list[Annotated]:
    return [note for item in items if isinstance(item, Record) for note in item.notes]


def failures(items: list[Record | Failure]) -> list[str]:
    return [str(item.error) for item in items if isinstance(item, Failure)]


def changed(record: Record, text: str | None) -> Record:
    if text is None:
        return record
    return replace(
        record, notes=tuple(Annotated(replace(n.document, text=text)) for n in record.notes)
    )


def copy(path: Path, out: Path, change: str | None = None, **options: object) -> bytes:
    settings_ = Options(**options)  # type: ignore[arg-type]
    reader = JsonLines().open(Source(path), settings_)
    writer = JsonLines().create(out, reader.layout, settings_)
    for item in reader.records():
        if isinstance(item, Record):
            writer.write(changed(item, change))
    writer.close()
    return out.read_bytes()


@st.composite
def files(draw: st.DrawFn) -> tuple[bytes, list[dict[str, object]]]:
    rows, lines = [], []
    for _ in range(draw(st.integers(0, 4))):
        others = st.dictionaries(TEXTS.map(lambda key: f"x{key}"), VALUES, max_size=3)
        row: dict[str, object] = {**draw(others), "note": draw(TEXTS), **draw(others)}
        space = draw(st.sampled_from([(", ", ": "), (",", ":"), (" ,\t", " :  ")]))
        line = json.dumps(row, ensure_ascii=draw(st.booleans()), separators=space)
        rows.append(row)
        lines.append(draw(st.sampled_from(["", " "])) + line)
    end = draw(st.sampled_from(["\n", "\r\n", "\n\n"]))
    return (
        end.join(["{}", *lines])[2:].lstrip("\r\n") + draw(st.sampled_from(["", end]))
    ).encode(), rows


@settings(max_examples=100, deadline=None)
@given(files(), TEXTS)
def test_lines_pass_through_and_only_texts_change(
    tmp_path_factory: pytest.TempPathFactory,
    file: tuple[bytes, list[dict[str, object]]],
    text: str,
) -> None:
    folder, (data, rows) = tmp_path_factory.mktemp("j"), file
    path = put(folder, data or b"\n")
    items = read(path)
    assert failures(items) == []
    assert [note.document.text for note in notes(items)] == [row["note"] for row in rows]
    assert copy(path, folder / "same.jsonl") == path.read_bytes()
    out = copy(path, folder / "out.jsonl", change=text).decode()
    lines = [line for line in out.split("\n") if line.strip()]
    assert [json.loads(line) for line in lines] == [{**row, "note": text} for row in rows]


def test_only_the_texts_bytes_are_touched(tmp_path: Path) -> None:
    line = '\ufeff{"n":1.50, "text" : "A\\u006en", "id":"7","z":[1,  {"text":"Ann"}]}\r\n'
    path = put(tmp_path, line)
    assert notes(read(path))[0].document == Document("7", "Ann")
    assert copy(path, tmp_path / "same") == line.encode()
    assert copy(path, tmp_path / "o", change='é"').decode() == line.replace('"A\\u006en"', '"é\\""')


@pytest.mark.parametrize("at", range(5))
def test_resuming_at_every_record_gives_the_bytes_of_one_run(tmp_path: Path, at: int) -> None:
    path = put(tmp_path, '{"text":"a"}\n\nbad\n{"text":"b","k":0}\r\n{"text":"c"}')
    once = copy(path, tmp_path / "once", change="X")
    reader, out = JsonLines().open(Source(path), Options()), tmp_path / "out"
    items = list(reader.records())
    writer = JsonLines().create(out, reader.layout, Options())
    length = 0
    for index, item in enumerate(items):
        if index == at:
            length = writer.checkpoint()
        if isinstance(item, Record):
            writer.write(changed(item, "X" if index < at else "lost"))
    writer.close()
    writer = JsonLines().create(out, reader.layout, Options(), length)
    rest = reader.records(items[at - 1].after) if at else reader.records()
    for item in rest:
        if isinstance(item, Record):
            writer.write(changed(item, "X"))
    writer.close()
    assert out.read_bytes() == once


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"text": "a"', "no JSON object"),
        (b'{"text": "a"} x', "no JSON object"),
        (b'{"text": "a",}', "no JSON object"),
        (b'{"text" "a"}', "no JSON object"),
        (b'["text"]', "no JSON object"),
        (b'"text"', "no JSON object"),
        (b"[" * 100_000, "no JSON object"),
        (b'{"text": ' + b"[" * 100_000, "no JSON object"),
        (b'{"text": "a\tb"}', "no JSON object"),
        (b"{}", "no key that is usual for notes"),
        (b'{"body": "a"}', "the keys are body"),
        (b'{"text": 1}', "no string"),
        (b'{"text": "a", "text": "b"}', "2 keys are called 'text'"),
        (b'{"text": "a", "id": 1, "id": 2}', "2 keys are called 'id'"),
        (b'{"text": "a", "id": 1.5}', "neither a string nor a whole number"),
        (b'{"text": "a", "note": "b"}', "--column"),
        (b'{"text": "\\u0000"}', "NUL character"),
        (b'{"text": "\\ud800"}', "unpaired surrogate"),
        (b'{"text": "\xff"}', "byte 0xff is not utf-8"),
        (b'{"text": "a", "mentions": {}}', "not a list"),
        (b'{"text": "a", "mentions": [{"start":0,"end":2,"label":"A"}]}', "ends behind the text"),
        (b'{"text": "a", "mentions": [{"start":true,"end":1,"label":"A"}]}', "whole number"),
        (b'{"text": "' + b"a" * 101 + b'"}', "the limit is"),
        (b'{"text": "' + b"a" * (2 * SLACK) + b'"}', "the line is too long"),
    ],
    ids=range(24),
)
def test_a_bad_line_fails_alone_and_says_where(tmp_path: Path, line: bytes, words: str) -> None:
    path = put(tmp_path, b'{"text": "one"}\n' + line + b'\n{"text": "two"}\n')
    items = read(path, max_note=100)
    assert [note.document.text for note in notes(items)] == ["one", "two"]
    (message,) = failures(items)
    assert message.startswith(f"{path}, record 2, line 2")
    assert words in message
    assert items[1].after.offset == len(line) + 17


def test_ids_subjects_nulls_and_several_texts(tmp_path: Path) -> None:
    path = put(
        tmp_path,
        '{"note_id": 7, "subject": "p", "a": "x", "b": null}\n{"a": "", "b": "y", "mrn": 3}\n',
    )
    found = notes(read(path, text_columns=("a", "b")))
    assert [note.document.id for note in found] == ["7/a", "t-2/a", "t-2/b"]
    assert found[0].document.subject == Subject("p")
    assert copy(path, tmp_path / "o", text_columns=("a", "b")) == path.read_bytes()
    assert notes(read(path, text_columns=("a",), subject_column="mrn"))[1].document == Document(
        "t-2", "", Subject("3")
    )


def test_a_record_may_lack_what_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, '{"k": 7, "a": "x", "p": "q"}\n{"b": "y"}\n{"k": 8, "c": "z"}\n')
    named = {"text_columns": ("a", "b"), "id_column": "k", "subject_column": "p"}
    found = [note.document for note in notes(read(path, **named))]
    assert found == [Document("7/a", "x", Subject("q")), Document("t-2/b", "y")]
    (message,) = failures(read(path, **named))
    assert "record 3, line 3: no key 'a'; the keys are k, c" in message
    assert copy(path, tmp_path / "o", **named) == b"".join(path.read_bytes().splitlines(True)[:2])


def test_mentions_are_written_anew(tmp_path: Path) -> None:
    line = '{"mentions":[{"start":0,"end":3,"label":"N","words":"Ann"}],"text":"Ann Lee"}\n'
    path = put(tmp_path, line)
    assert notes(read(path))[0].mentions == (Mention(Span(0, 3), "N"),)
    out = copy(path, tmp_path / "out").decode()
    assert "words" not in out
    assert notes(read(tmp_path / "out"))[0] == replace(
        notes(read(path))[0], document=Document("out-1", "Ann Lee")
    )
    assert json.loads(copy(path, tmp_path / "o", change="b")) == {"mentions": [], "text": "b"}


@pytest.mark.parametrize(
    "member",
    [
        '"label": [[0, 3, "N"]]',
        '"labels": [[0, 3, "N"]]',
        '"entities": [{"id": 1, "label": "N", "start_offset": 0, "end_offset": 3}]',
        '"spans": [{"start": 0, "end": 3, "token_start": 0, "token_end": 0, "label": "N"}]',
        '"label": [{"start": 0, "end": 3, "text": "Ann", "labels": ["N"]}]',
    ],
)
def test_mentions_of_other_programs(tmp_path: Path, member: str) -> None:
    path = put(tmp_path, '{"text": "Ann Lee", ' + member + "}\n")
    (note,) = notes(read(path))
    assert note.mentions == (Mention(Span(0, 3), "N"),)
    copy(path, tmp_path / "out")
    assert notes(read(tmp_path / "out"))[0].mentions == note.mentions
    assert "Ann" not in copy(path, tmp_path / "none", change="Bo").decode()


@pytest.mark.parametrize(
    "label", ['"benign"', "3", "[]", '["benign", "sent"]', "[[1, 2]]", "[[0, 1, 0]]", "null"]
)
def test_a_label_of_another_kind_passes_through(tmp_path: Path, label: str) -> None:
    path = put(tmp_path, '{"text": "Ann", "label": ' + label + ', "spans" : {}}\n')
    assert notes(read(path))[0].mentions == ()
    assert copy(path, tmp_path / "out") == path.read_bytes()


@pytest.mark.parametrize(
    ("member", "words"),
    [
        ('"label": [[0, 3, "N"], [0, 1]]', "mention 2 is not an object"),
        ('"label": [{"start": 0, "end": 3, "labels": ["N", "M"]}]', "label or source of mention 1"),
        ('"label": [[0, 9, "N"]]', "ends behind the text"),
        ('"data": {}, "annotations": []', "is Label Studio's whole export; export it anew"),
    ],
)
def test_odd_mentions_of_other_programs_are_refused(
    tmp_path: Path, member: str, words: str
) -> None:
    (message,) = failures(read(put(tmp_path, '{"text": "Ann Lee", ' + member + "}\n")))
    assert words in message


def test_notes_of_other_formats_read_back(tmp_path: Path) -> None:
    given_notes = [
        Annotated(
            Document("a", "é\n\u2028b", Subject("p"), {"k": "v"}),
            (Mention(Span(0, 1), "N", 0.25, "rules:x"), Mention(Span(0, 2), "M")),
        ),
        Annotated(Document("b", "")),
    ]
    out = tmp_path / "o.jsonl"
    writer = JsonLines().create(out, object(), Options())
    writer.write(Record(tuple(given_notes)))
    writer.close()
    assert notes(read(out)) == [
        replace(given_notes[0], mentions=given_notes[0].mentions),
        given_notes[1],
    ]
    assert set(json.loads(out.read_text("utf-8").split("\n")[0])) == {
        "id",
        "text",
        "mentions",
        "subject",
        "meta",
    }


def test_an_empty_file_has_no_records_and_utf_16_is_refused(tmp_path: Path) -> None:
    assert read(put(tmp_path, "")) == []
    with pytest.raises(InputError, match="convert it to UTF-8"):
        read(put(tmp_path, '{"text": "a"}'.encode("utf-16")))


def test_latin_1_by_option_escapes_what_it_lacks(tmp_path: Path) -> None:
    path = put(tmp_path, '{"text": "é"}\n'.encode("latin-1"))
    assert copy(path, tmp_path / "o", change="Ω", encoding="latin-1") == b'{"text": "\\u03a9"}\n'


def test_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with put(tmp_path, '{"text": "a"}\n' * 3000).open("rb") as file:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(file))
        items = list(JsonLines().open(Source(None), Options()).records())
    assert [note.document.id for note in notes(items)] == [f"stdin-{i}" for i in range(1, 3001)]


@pytest.mark.parametrize(
    ("head", "name", "accepted"),
    [
        (b"", "t.jsonl", True),
        (b'\xef\xbb\xbf\n {"text": "a"}\nnonsense', None, True),
        (b'{"text": "' + b"a" * 1000, None, True),
        (b'{\n  "text": "a"\n}\n', "t.json", False),
        (b"{curly} words\n", None, False),
        (b"[1]\n", None, False),
        (b"plain", None, False),
        (b"\xff\xfe{\0", None, False),
    ],
)
def test_detection(head: bytes, name: str | None, accepted: bool) -> None:
    assert JsonLines().sniff(head, None if name is None else Path(name)) is accepted


def test_about_tells_words_however_deep_before_numbers(tmp_path: Path) -> None:
    tokens = [{"text": "Ann", "start": 0}, {"text": "Lee", "start": 4, "ws": True}]
    row = {"text": "Ann Lee", "tokens": tokens, "mrn": 417, "none": None, "mentions": []}
    reader = JsonLines().open(Source(put(tmp_path, json.dumps(row))), Options())
    (record,) = reader.records()
    assert isinstance(record, Record)
    assert reader.about(record) == {"tokens": "Ann Lee 0 4", "mrn": "417"}
