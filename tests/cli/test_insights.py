"""What is told beside the measures: types of note, risk, and folders of folders."""

from __future__ import annotations

import csv
import json
from pathlib import Path, PurePath

import pytest

from command import phiscrub
from phiscrub.cli.notetypes import note_type

TEXT = "Ann Lee of Falls City came 04/12"
MARKS = ((0, 7, "PATIENT"), (11, 21, "CITY"), (27, 32, "DATE"))


def lines(path: Path, rows: list[dict]) -> Path:
    path.mkdir()
    text = "".join(json.dumps(row) + "\n" for row in rows)
    (path / "notes.jsonl").write_text(text, "utf-8")
    return path


def row(name: str, marks: tuple = MARKS, **more: object) -> dict:
    mentions = [{"start": a, "end": b, "label": label} for a, b, label in marks]
    return {"id": name, "text": TEXT, "mentions": mentions} | more


def xml(path: Path, marks: tuple = MARKS) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    elements = {"PATIENT": "NAME", "CITY": "LOCATION", "DATE": "DATE"}
    tags = "".join(f'<{elements[t]} start="{a}" end="{b}" TYPE="{t}"/>' for a, b, t in marks)
    path.write_text(f"<deIdi2b2><TEXT>{TEXT}</TEXT><TAGS>{tags}</TAGS></deIdi2b2>", "utf-8")


def evaluated(tmp_path: Path, *arguments: object) -> tuple[dict, str]:
    ended = phiscrub("evaluate", *arguments, "--json", tmp_path / "o.json")
    assert ended.code == 0, ended.err
    return json.loads((tmp_path / "o.json").read_text("utf-8")), ended.out.decode()


@pytest.mark.parametrize(
    ("rule", "below", "about", "expected"),
    [
        (None, "ed/a/1.txt", {}, "ed"),
        (None, "1.txt", {}, None),
        (None, "ed/1.txt", {"type": "letter", "note_type": "consult"}, "consult"),
        ("folder", "ed/1.txt", {"type": "letter"}, "ed"),
        ("folder", "1.txt", {"type": "letter"}, None),
        ("name", "01-ed-triage.txt", {}, "ed-triage"),
        ("name", "x/discharge_123.xml", {}, "discharge"),
        ("name", "110-01.xml", {}, None),
        ("ward", "ed/1.txt", {"ward": "7b"}, "7b"),
        ("ward", "ed/1.txt", {"type": "letter"}, None),
    ],
)
def test_a_type_is_where_the_rule_says(rule, below, about, expected):
    assert note_type(rule, PurePath(below), about) == expected


def test_recall_by_type_of_a_key_or_of_metadata(tmp_path):
    gold = lines(
        tmp_path / "gold",
        [row("a", type="letter"), row("b", meta={"type": "ward"}), row("c"), row("d", type="ward")],
    )
    found = [row("a"), row("b", MARKS[1:]), row("c"), row("d", ())]
    system = lines(tmp_path / "system", found)
    data, out = evaluated(tmp_path, "--gold", gold, "--system", system)
    kinds = data["by_type"][""]
    assert list(kinds) == ["ward", "", "letter"]
    assert kinds["ward"]["entities"] == {"entities": 6, "leaked": 4, "recall": pytest.approx(1 / 3)}
    assert kinds["ward"]["all_or_nothing"] == {
        "documents": 2,
        "leaking": 2,
        "all_or_nothing_recall": 0,
    }
    assert kinds["letter"]["tokens"]["recall"] == 1
    assert "(no type)" in out
    data, out = evaluated(
        tmp_path, "--gold", gold, "--system", system, "--by-type", "ward", "--html", tmp_path / "h"
    )
    assert data["by_type"] == {"": {}}
    assert "No note has a type" in out
    assert "No note has a type" in (tmp_path / "h").read_text("utf-8")


def test_a_column_of_a_table_gives_types(tmp_path):
    marks = json.dumps([{"start": s, "end": e, "label": label} for s, e, label in MARKS])
    for side in ("gold", "system"):
        rows = [("a", "7b", marks), ("b", "7c", marks if side == "gold" else "[]")]
        with (tmp_path / f"{side}.csv").open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([("id", "ward", "text", "mentions")])
            csv.writer(file).writerows([(name, ward, TEXT, told) for name, ward, told in rows])
    sides = ("--gold", tmp_path / "gold.csv", "--system", tmp_path / "system.csv")
    data, _ = evaluated(tmp_path, *sides, "--by-type", "ward")
    leaked = {kind: row["entities"]["leaked"] for kind, row in data["by_type"][""].items()}
    assert leaked == {"7c": 3, "7b": 0}


def test_folders_of_folders_are_scored_and_give_types(tmp_path):
    for name in ("ed/1-1.xml", "ward/deep/2-1.xml"):
        xml(tmp_path / "gold" / name)
        xml(tmp_path / "system" / name, MARKS if name.startswith("ed") else MARKS[1:])
    xml(tmp_path / "gold" / ".trash" / "1-1.xml")
    sides = ("--gold", tmp_path / "gold", "--system", tmp_path / "system")
    data, out = evaluated(tmp_path, *sides, "--html", tmp_path / "h")
    assert {k: v["entities"]["leaked"] for k, v in data["by_type"][""].items()} == {
        "ward": 1,
        "ed": 0,
    }
    assert "By type of note" in out
    assert "By type of note" in (tmp_path / "h").read_text("utf-8")
    xml(tmp_path / "system" / "other" / "1-1.xml")
    ended = phiscrub("evaluate", *sides)
    assert ended.code == 2
    assert "is of the same document as" in ended.err


def test_brat_and_any_format_read_below_folders(tmp_path):
    for side in ("gold", "system"):
        folder = tmp_path / side / "ed"
        folder.mkdir(parents=True)
        (folder / "1.txt").write_text(TEXT, "utf-8")
        (folder / "1.ann").write_text("T1\tPATIENT 0 7\tAnn Lee\n", "utf-8")
    for name in ("brat", "any"):
        sides = ("--gold", tmp_path / "gold", "--system", tmp_path / "system")
        data, _ = evaluated(tmp_path, *sides, "--format", name)
        assert list(data["by_type"][""]) == ["ed"]


def test_the_risk_is_told_against_a_threshold(tmp_path):
    gold = lines(tmp_path / "gold", [row(str(n)) for n in range(4)])
    found = [row("0", MARKS[1:]), row("1", MARKS[:1]), row("2", MARKS[:2]), row("3")]
    sides = ("--gold", gold, "--system", lines(tmp_path / "system", found))
    data, out = evaluated(tmp_path, *sides, "--html", tmp_path / "h")
    risk = data["risk"][""]
    assert risk["direct"] == {"documents": 4, "leaking": 1, "all_or_nothing_recall": 0.75}
    assert risk["quasi"] == {"documents": 4, "leaking": 1, "all_or_nothing_recall": 0.75}
    assert risk["probability"] == 0.5
    assert risk["low"] < 0.5 < risk["high"]
    assert risk["assumed"]["direct"] == ["PATIENT"]
    assert not risk["acceptable"]
    assert "above the threshold 0.09" in " ".join(out.split())
    page = (tmp_path / "h").read_text("utf-8")
    assert "Chance that a note identifies its patient: 0.500" in page
    data, out = evaluated(
        tmp_path,
        *sides,
        *("--risk-attempt", 0.1, "--direct", "DATE", "--direct", "CITY", "--risk-threshold", 0.2),
    )
    risk = data["risk"][""]
    assert risk["assumed"]["quasi"] == ["PATIENT"]
    assert risk["probability"] == pytest.approx(0.1 * 2 / 4)
    assert risk["acceptable"]
    assert "within the threshold 0.2, its upper bound too" in " ".join(out.split())
    ended = phiscrub("evaluate", *sides, "--risk-attempt", 2)
    assert ended.code == 2


def test_sides_of_two_formats_are_told_and_scrubbed_texts_too(tmp_path):
    xml(tmp_path / "gold" / "1-1.xml")
    for name, text in (("same", TEXT), ("scrubbed", TEXT.replace("Ann Lee", "*******"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1-1.txt").write_text(text, "utf-8")
        (tmp_path / name / "1-1.ann").write_text("T1\tPATIENT 0 7\tAnn Lee\n", "utf-8")
    data, _ = evaluated(tmp_path, "--gold", tmp_path / "gold", "--system", tmp_path / "same")
    assert data["systems"][""]["entity.exact.PATIENT"]["tp"] == 1
    sides = ("--gold", tmp_path / "same", "--system", tmp_path / "scrubbed")
    assert "texts differ between the sides" in phiscrub("evaluate", *sides).err


@pytest.mark.parametrize("slip", ["PATEINT", "NOMBRE_SUJETO_ASISTENCIA"])
def test_a_direct_label_that_the_notes_cannot_have_is_refused(tmp_path, slip):
    gold, system = lines(tmp_path / "gold", [row("a")]), lines(tmp_path / "system", [row("a", ())])
    sides = ("--gold", gold, "--system", system, "--direct", "PATIENT", "--direct")
    data, _ = evaluated(tmp_path, *sides, "SSN")
    assert data["risk"][""]["assumed"]["direct"] == ["PATIENT"]
    ended = phiscrub("evaluate", *sides, slip)
    assert ended.code == 2
    assert f"the notes have no label {slip}; they have labels CITY, DATE, PATIENT" in ended.err
