"""What evaluate tells of its sides: formats, columns, places that do not fit, nothing at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import phiscrub

TEXT = "Ann Lee, seen 04/12 at Falls City"


def brat(folder: Path, name: str, lines: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.ann").write_text(lines, "utf-8")
    (folder / f"{name}.txt").write_text(TEXT, "utf-8")


def run(*arguments: object) -> tuple[str, str]:
    ended = phiscrub("evaluate", *arguments)
    assert ended.code == 0, ended.err
    return ended.out.decode(), ended.err


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("notes.json", "notes.json"),
        ("json/", "brat/"),
        ("brat/", "notes.csv"),
        ("notes-2006.xml", "notes-2006.xml"),
        ("2006/", "brat/"),
        ("conll/", "conll/"),
        ("conll/", "brat/"),
        ("brat/a.ann", "brat/a.ann"),
    ],
)
def test_the_format_is_told_by_the_files(tmp_path, gold, system):
    brat(tmp_path / "brat", "a", "T1\tPATIENT 0 3\tAnn\nT2\tCITY 23 33\tFalls City\n")
    for side in {gold, system} - {"brat/", "brat/a.ann"}:
        kind = next(k for k in ("json", "csv", "2006", "conll") if k in side)
        kind = "i2b2-2006" if kind == "2006" else kind
        ended = phiscrub("convert", tmp_path / "brat", "-o", f"{tmp_path}/{side}", "--to", kind)
        assert ended.code == 0, ended.err
    out, _ = run("--gold", tmp_path / gold, "--system", tmp_path / system)
    assert "0 of 2 entities leak" in out


def test_tables_are_read_by_the_columns_that_are_named(tmp_path):
    mentions = json.dumps([{"start": 0, "end": 3, "label": "PATIENT"}]).replace('"', '""')
    rows = "".join(f'{at},{at // 2},Ann,"{mentions}"\n' for at in range(6))
    table = tmp_path / "notes.csv"
    table.write_text("NoteID,PatientID,REPORT_BODY,mentions\n" + rows)
    named = ("--column", "REPORT_BODY", "--id-column", "NoteID", "--subject-column", "PatientID")
    sides = ("--gold", table, "--system", table)
    run(*sides, *named, "--json", tmp_path / "out.json", "--compare", table)
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert data["exact"][""]["drawn"] == "3 patients"
    assert list(data["systems"][""]["meddocan.subtrack1.ner"]["per_document"]) == list("012345")
    ended = phiscrub("compare", *sides, "--system", table, *named)
    assert ended.code == 0, ended.err
    assert b"over 3 patients" in ended.out


@pytest.mark.parametrize("kind", ["brat", "xml"])
def test_places_that_are_not_those_of_their_words_are_told_and_scored_all_the_same(tmp_path, kind):
    lines = "T1\tPATIENT {} {}\tAnn Lee\n"
    tag = '<deIdi2b2><TEXT>{}</TEXT><TAGS><NAME start="{}" end="{}" text="Ann Lee" TYPE="PATIENT"/>'
    for side, step in (("gold", 1), ("system", 0)):
        for name, move in (("1-1", step), ("1-2", step), ("1-3", 0)):
            if kind == "brat":
                brat(tmp_path / side, name, lines.format(move, move + 7))
            else:
                (tmp_path / side).mkdir(exist_ok=True)
                text = tag.format(TEXT, move, move + 7) + "</TAGS></deIdi2b2>"
                (tmp_path / side / f"{name}.xml").write_text(text, "utf-8")
    out, err = run("--gold", tmp_path / "gold", "--system", tmp_path / "system")
    told = " ".join(err.split())
    assert "2 of 3 gold files mark places that do not fit their text, and figures may" in told
    assert f"{tmp_path / 'gold'}/1-1" in told
    assert "Lee" not in told
    assert "system" not in told.replace(str(tmp_path), "")
    assert "0.3333" in out


def test_a_side_without_any_annotation_is_told(tmp_path):
    row = {"id": "a", "text": "Ann", "mentions": [{"start": 0, "end": 3, "label": "PATIENT"}]}
    (tmp_path / "some.jsonl").write_text(json.dumps(row) + "\n")
    row["annotations"] = row.pop("mentions")
    (tmp_path / "none.jsonl").write_text(json.dumps(row) + "\n")
    for gold, system, told in (
        ("none", "some", "the gold notes have no annotation"),
        ("some", "none", "the system's notes have no annotation"),
        ("some", "some", None),
    ):
        _, err = run("--gold", tmp_path / f"{gold}.jsonl", "--system", tmp_path / f"{system}.jsonl")
        assert (told or "") in err
        assert ("have no annotation" in err) is (told is not None)


@pytest.mark.parametrize("kind", ["brat", "any"])
def test_what_nobody_annotated_is_left_out_and_told(tmp_path, kind):
    mark = "T1\tPATIENT 0 3\tAnn\n"
    for side in ("gold", "found"):
        brat(tmp_path / side, "a", mark)
    (tmp_path / "gold" / "b.txt").write_text(TEXT, "utf-8")
    sides = ("--gold", tmp_path / "gold", "--system", tmp_path / "found")
    _, told = run(*sides, "--format", kind)
    assert f"{tmp_path / 'gold'}: left out, as they have no .ann: 1 text" in told
    assert told.count("left out") == 1
    tasks = tmp_path / "tasks.jsonl"
    span = {"start": 0, "end": 3, "label": "PATIENT"}
    rows = [
        {"id": own, "text": TEXT, "spans": [span], "answer": own} for own in ("accept", "reject")
    ]
    tasks.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    run("--gold", tasks, "--system", tasks, "--json", tmp_path / "out.json")
    data = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert data["documents"][""]["scored"] == 1
