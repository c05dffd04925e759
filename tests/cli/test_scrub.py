"""Notes in, clean notes out: every format, every way to say where."""

from __future__ import annotations

import csv
import hashlib
import io
import json
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline

NOTE = "Seen by Dr. Ortiz.\nCall 555-0182.\n"
CLEAN = "Seen by Dr. [DOCTOR].\nCall [PHONE].\n"


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


def plain(text: str) -> str:
    """Drop the numbers of label tags: the small pipeline has one of each label."""
    return text.replace("-1]", "]")


def test_standard_input_to_standard_output(small: Path) -> None:
    ended = phiscrub("scrub", "-p", small, "-q", stdin=NOTE.encode())
    assert (ended.code, plain(ended.out.decode()), ended.err) == (0, CLEAN, "")


def test_a_folder_keeps_its_tree_names_line_ends_and_encodings(small: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    (notes / "ward").mkdir(parents=True)
    raw = {
        "a.txt": b"Dr. Ortiz\r\n555-0182\r\n",
        "ward/b.md": "Dr. Renée saw me".encode("cp1252"),
        "ward/noname": "\ufeffDr. Renée".encode(),
        ".hidden": b"Dr. Ortiz",
    }
    for name, data in raw.items():
        (notes / name).write_bytes(data)
    assert phiscrub("scrub", notes, "-o", tmp_path / "out", "-p", small).code == 0
    found = {
        str(p.relative_to(tmp_path / "out")): p.read_bytes().replace(b"-1]", b"]")
        for p in (tmp_path / "out").rglob("*")
        if p.is_file()
    }
    assert found == {
        "a.txt": b"Dr. [DOCTOR]\r\n[PHONE]\r\n",
        "ward/b.md": b"Dr. [DOCTOR] saw me",
        "ward/noname": "\ufeffDr. [DOCTOR]".encode(),
    }


def test_a_file_to_a_file_and_a_file_to_a_folder(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    assert phiscrub("scrub", note, "-o", tmp_path / "clean.txt", "-p", small).code == 0
    assert phiscrub("scrub", note, "-o", tmp_path / "folder", "-p", small).code == 0
    assert plain((tmp_path / "clean.txt").read_text()) == CLEAN
    assert plain((tmp_path / "folder" / "note.txt").read_text()) == CLEAN


@pytest.mark.parametrize("name", ["clean.d/", "clean.d/."])
def test_a_trailing_slash_names_a_folder(name: str, small: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    for options in ((), ("--to", "jsonl")):
        out = f"{tmp_path}/{name}"
        assert phiscrub("scrub", note, "-o", out, "-p", small, "-q", *options).code == 0
    found = {p.name for p in (tmp_path / "clean.d").iterdir()}
    assert found == {"note.txt", "notes.jsonl"}


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".json", ".parquet"])
def test_columns_that_hold_what_was_removed_are_told(
    suffix: str, small: Path, tmp_path: Path
) -> None:
    row = {"id": "Ortizo", "text": "Dr. Ortiz", "by": "MD Ortiz, 1", "ward": "B", "x": "Ort"}
    source, out = tmp_path / f"t{suffix}", tmp_path / f"c{suffix}"
    names = ["by"]
    if suffix == ".csv":
        source.write_text(f"{','.join(row)}\nOrtizo,Dr. Ortiz,'MD Ortiz; 1',B,Ort\n")
    elif suffix == ".parquet":
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist([row]), source)
    else:
        pieces = [{"text": "Dr", "id": 0}, {"text": "Ortiz", "id": 1}]
        deep = {"tokens": pieces, "n": {"b": True}}
        told = json.dumps(row | deep)
        source.write_text(f"[{told}]" if suffix == ".json" else f"{told}\n")
        names = ["by", "tokens"]
    command = ("scrub", source, "-o", out, "-p", small)
    said = f"and pass through: {', '.join(names)}; drop them"
    assert said in phiscrub(*command, "-q").err
    assert json.loads(phiscrub(*command, "--json").out)["identifying"] == names
    assert "pass through" not in phiscrub(*command[:2], "-p", small, "-o", "-", "--to", "text").err


WORDY = "he came in today and said that he was quite well and that his sleep is better now"


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet"])
def test_columns_that_look_like_notes_are_told(suffix: str, small: Path, tmp_path: Path) -> None:
    rows = [{"id": str(n), "text": "Dr. Ortiz", "dialogue": WORDY, "ward": "B"} for n in range(9)]
    source, out = tmp_path / f"t{suffix}", tmp_path / f"c{suffix}"
    if suffix == ".csv":
        cells = ["id,text,dialogue,ward", *(",".join(row.values()) for row in rows)]
        source.write_text("\n".join(cells) + "\n")
    elif suffix == ".jsonl":
        source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    else:
        pa = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.parquet").write_table(pa.Table.from_pylist(rows), source)
    command = ("scrub", source, "-o", out, "-p", small)
    told = phiscrub(*command)
    assert told.code == 0
    assert told.err.count("columns that look like notes were not scrubbed: dialogue; name") == 1
    assert phiscrub(*command, "-q").err == told.err.splitlines()[0] + "\n"
    assert json.loads(phiscrub(*command, "-q", "--json").out)["unscrubbed"] == ["dialogue"]
    both = phiscrub(*command, "--column", "text", "--column", "dialogue")
    assert "look like notes" not in both.err
    assert (
        "look like notes"
        not in phiscrub(*command[:2], "-p", small, "--to", "text", "-o", tmp_path / "d").err
    )


def test_an_id_that_is_used_twice_is_told_with_its_line(small: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,text\n1,a\n1,b\n")
    ended = phiscrub("scrub", table, "-o", tmp_path / "out", "--to", "text", "-p", small, "-q")
    assert ended.code == 3
    assert f"{table}, record 2, line 3: the note's id is used twice" in ended.err


def test_other_columns_pass_through_untouched(small: Path, tmp_path: Path) -> None:
    table = tmp_path / "notes.csv"
    table.write_bytes(
        b'"id";code;note;"x"\r\n1;"007";"Dr. Ortiz ""said""\n555-0182";\r\n2;;;""\r\n'
    )
    assert phiscrub("scrub", table, "-o", tmp_path / "clean.csv", "-p", small).code == 0
    clean = (tmp_path / "clean.csv").read_bytes().replace(b"-1]", b"]")
    expected = b'"id";code;note;"x"\r\n1;"007";"Dr. [DOCTOR] ""said""\n[PHONE]";\r\n2;;;""\r\n'
    assert clean == expected


@pytest.mark.parametrize("name", ["i2b2", "meddocan", "brat", "jsonl", "conll", "csv", "parquet"])
def test_every_format_of_annotated_notes_holds_no_identifier(
    name: str, small: Path, tmp_path: Path
) -> None:
    if name == "parquet":
        pytest.importorskip("pyarrow")
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    suffix = {"i2b2": "xml", "meddocan": "xml", "brat": "ann"}.get(name, name)
    marked, clean, back = (tmp_path / f"{n}.{suffix}" for n in ("marked", "clean", "back"))
    assert phiscrub("detect", note, "-o", marked, "--to", name, "-p", small).code == 0
    assert phiscrub("scrub", marked, "-o", clean, "-p", small).code == 0
    for file in (clean, clean.with_suffix(".txt")):
        if file.exists():
            assert b"Ortiz" not in file.read_bytes()
            assert b"0182" not in file.read_bytes()
    assert phiscrub("convert", clean, "-o", back, "--to", "jsonl").code == 0
    row = json.loads(back.read_text())
    words = [row["text"][m["start"] : m["end"]] for m in row["mentions"]]
    assert [plain(w) for w in words] == ["[DOCTOR]", "[PHONE]"]


def test_another_label_set_in_the_output(small: Path) -> None:
    ended = phiscrub("scrub", "-p", small, "-q", "--labels", "conll", stdin=NOTE.encode())
    assert plain(ended.out.decode()) == "Seen by Dr. [PER].\nCall [PHI].\n"


def test_the_audit_says_what_was_done_and_no_text(small: Path, tmp_path: Path) -> None:
    note, audit = tmp_path / "note.txt", tmp_path / "audit.jsonl"
    note.write_text(NOTE)
    phiscrub("scrub", note, "-o", tmp_path / "clean.txt", "-p", small, "--audit", audit)
    rows = [json.loads(line) for line in audit.read_text().splitlines()]
    (row,) = [row for row in rows if row["row"] == "note"]
    assert row["mentions"] == {"DOCTOR": 1, "PHONE": 1}
    assert row["characters"] == len(NOTE)
    clean = (tmp_path / "clean.txt").read_bytes()
    assert row["output_sha256"] == hashlib.sha256(clean).hexdigest()
    assert "Ortiz" not in audit.read_text()


def test_the_summary_as_json(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    ended = phiscrub("scrub", note, "-o", tmp_path / "c.txt", "-p", small, "--json")
    row = json.loads(ended.out)
    assert (row["notes"], row["written"], row["quarantined"]) == (1, 1, 0)
    assert row["mentions"] == {"DOCTOR": 1, "PHONE": 1}


def test_a_broken_note_never_reaches_the_output_and_the_others_do(
    small: Path, tmp_path: Path
) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "good.txt").write_text(NOTE)
    (notes / "bad.txt").write_bytes("é Dr. Ortiz ".encode() + b"\xff\n")
    ended = phiscrub("scrub", notes, "-o", tmp_path / "out", "-p", small)
    assert ended.code == 3
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["good.txt"]
    (row,) = map(json.loads, (tmp_path / "out.quarantine.jsonl").read_text().splitlines())
    assert (Path(row["source"]).name, row["line"], row["offset"]) == ("bad.txt", 1, 13)
    assert "Ortiz" not in ended.err


def test_a_broken_row_is_kept_back_and_the_rest_of_the_table_is_not(
    small: Path, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes(b"id,note\n1,Dr. Ortiz\n2,a,b\n3,555-0182\n")
    ended = phiscrub("scrub", table, "-o", tmp_path / "c.csv", "-p", small)
    assert ended.code == 3
    rows = list(csv.reader(io.StringIO(plain((tmp_path / "c.csv").read_text()))))
    assert rows == [["id", "note"], ["1", "Dr. [DOCTOR]"], ["3", "[PHONE]"]]
    (row,) = map(json.loads, (tmp_path / "c.csv.quarantine.jsonl").read_text().splitlines())
    assert row["line"] == 3


def test_where_all_that_was_kept_back_is_listed_is_true(small: Path, tmp_path: Path) -> None:
    table, listed = tmp_path / "t.csv", tmp_path / "c.csv.quarantine.jsonl"
    table.write_bytes(b"id,note\n" + b"1,a,b\n" * 9 + b"2,Dr. Ortiz\n")
    ended = phiscrub("scrub", table, "-p", small)
    assert ended.code == 3
    assert "… and 4 more; give --quarantine FILE to have all listed" in ended.err
    ended = phiscrub("scrub", table, "-o", tmp_path / "c.csv", "-p", small)
    assert f"… and 4 more; {listed} lists all" in ended.err
    assert len(listed.read_text().splitlines()) == 9


def test_a_table_that_breaks_half_way_leaves_no_output(small: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes(b'id,note\n1,Dr. Ortiz\n2,"never closed\n')
    ended = phiscrub("scrub", table, "-o", tmp_path / "c.csv", "-p", small)
    assert ended.code == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "c.csv.quarantine.jsonl",
        "pipe",
        "t.csv",
    ]


def test_table_notes_become_files_under_their_ids(small: Path, tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_bytes(b"id,note\na/../b,Dr. Ortiz\n.c,555-0182\n.c,again\n")
    ended = phiscrub("detect", table, "-o", tmp_path / "out", "--to", "brat", "-p", small)
    assert ended.code == 3  # the second .c is kept back: one would overwrite the other
    names = sorted(p.name for p in (tmp_path / "out").iterdir())
    assert names == ["%2Ec.ann", "%2Ec.txt", "a%2F..%2Fb.ann", "a%2F..%2Fb.txt"]


def test_notes_of_a_folder_into_one_file(small: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    for name in "ab":
        (notes / f"{name}.txt").write_text(NOTE)
    assert phiscrub("detect", notes, "-o", tmp_path / "f.jsonl", "-p", small).code == 0
    rows = [json.loads(line) for line in (tmp_path / "f.jsonl").read_text().splitlines()]
    assert [row["id"] for row in rows] == ["a", "b"]
    assert [m["label"] for m in rows[0]["mentions"]] == ["DOCTOR", "PHONE"]


def test_explain_says_who_said_what(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    ended = phiscrub("explain", note, "-p", small)
    assert ended.code == 0
    assert "patterns:./pack:doctor" in ended.out.decode()


def test_a_progress_bar_is_for_terminals(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "note.txt"
    note.write_text(NOTE)
    ended = phiscrub("scrub", note, "-o", tmp_path / "c.txt", "-p", small)
    assert "1 of 1 note scrubbed" in ended.err
    assert "\x1b" not in ended.err
