from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path, PurePath

import pytest

from phiscrub.core.errors import InputError, MissingError
from phiscrub.formats.annotated import documents, fixed_set, read_annotated, read_gold, read_placed
from phiscrub.formats.record import Options

MENTIONS = '[{""start"": 0, ""end"": 3, ""label"": ""NAME""}]'


def brat(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.txt").write_text("Ann was seen", "utf-8")
    (folder / f"{name}.ann").write_text("T1\tNAME 0 3\tAnn\n", "utf-8")


def table(path: Path, ids: Sequence[str] = ("a", "b"), column: str = "text") -> Path:
    rows = "".join(f'{name},"Ann was seen","{MENTIONS}",ward {name}\n' for name in ids)
    path.write_text(f"id,{column},mentions,ward\n{rows}", "utf-8")
    return path


def test_every_format_below_a_folder_is_read_and_hidden_files_are_not(tmp_path: Path) -> None:
    brat(tmp_path / "ed" / "night", "one")
    brat(tmp_path / ".trash", "two")
    brat(tmp_path, ".three")
    table(tmp_path / "more.csv")
    (tmp_path / "readme.txt").write_text("no marks here", "utf-8")
    found = read_placed(tmp_path)
    assert {name: placed.path for name, placed in found.items()} == {
        "one": PurePath("ed/night/one.txt"),
        "a": PurePath("more.csv"),
        "b": PurePath("more.csv"),
    }
    assert all(len(placed.note.mentions) == 1 for placed in found.values())
    assert {document.id for document in documents(tmp_path)} == {"one", "a", "b", "readme"}


@pytest.mark.parametrize("suffix", ["jsonl", "json"])
def test_what_nobody_annotated_is_no_gold_and_is_told(tmp_path: Path, suffix: str) -> None:
    file = tmp_path / f"tasks.{suffix}"
    spans = [{"start": 0, "end": 3, "label": "NAME"}]
    answers = ("accept", "reject", "ignore", "yes")
    rows = [{"id": own, "text": "Ann was seen", "spans": spans, "answer": own} for own in answers]
    rows.append({"id": "void", "text": None, "answer": "reject"})
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    gold = read_gold(file)
    assert (sorted(gold.notes), gold.declined, gold.unmarked) == (["accept", "yes"], 2, 0)
    assert all(len(placed.note.mentions) == 1 for placed in gold.notes.values())
    assert len(list(documents(file))) == 4
    for name in ("loose", "more"):
        (tmp_path / f"{name}.txt").write_text("Ann was seen", "utf-8")
    assert read_gold(tmp_path).notices(tmp_path) == (
        f"{tmp_path}: left out, as their annotator rejected or skipped them (answer): 2 records",
    )
    brat(tmp_path, "one")
    assert read_gold(tmp_path).notices(tmp_path)[0] == (
        f"{tmp_path}: left out, as they have no .ann: 2 texts"
    )
    file.write_text(json.dumps(rows[1]), "utf-8")
    with pytest.raises(MissingError, match=r"no annotated notes; .*skipped.*: 1 record"):
        read_annotated(file)


def test_options_and_a_forced_format_are_heard(tmp_path: Path) -> None:
    file = table(tmp_path / "gold", column="story")
    with pytest.raises(MissingError, match="no annotated notes"):
        read_annotated(file)
    found = read_annotated(file, Options(text_columns=("story",)), "csv")
    assert [note.document.text for note in found.values()] == ["Ann was seen"] * 2


def test_two_notes_of_one_id_are_an_error(tmp_path: Path) -> None:
    table(tmp_path / "one.csv")
    table(tmp_path / "two.csv", ["c", "a"])
    with pytest.raises(InputError, match=r"two\.csv.*a second note has the id a"):
        read_annotated(tmp_path)


def test_what_a_record_says_beside_its_texts(tmp_path: Path) -> None:
    of_table = read_placed(table(tmp_path / "t.csv"))["a"]
    assert of_table.about == {"id": "a", "ward": "ward a"}
    assert "ward a" not in repr(of_table)
    line = '{"id": "a", "text": "Ann", "mentions": [], "ward": "7b", "beds": 3}\n'
    (tmp_path / "t.jsonl").write_text(line, "utf-8")
    assert read_placed(tmp_path / "t.jsonl")["a"].about == {
        "id": "a",
        "ward": "7b",
        "beds": "3",
    }


def test_a_parquet_row_says_its_words_and_whole_numbers(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    columns = {
        "id": ["a", "b"],
        "text": ["Ann", "Bo"],
        "mentions": ["[]", "[]"],
        "ward": pa.array(["7b", None]).dictionary_encode(),
        "code": [4, 5],
        "cost": [0.5, 1.5],
    }
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    found = read_placed(tmp_path / "t.parquet")
    assert found["a"].about == {"id": "a", "ward": "7b", "code": "4"}
    assert found["b"].about == {"id": "b", "code": "5"}


def test_label_sets_of_formats_must_not_differ(tmp_path: Path) -> None:
    table(tmp_path / "more.csv")
    assert fixed_set(read_placed(tmp_path).values(), tmp_path) is None
    (tmp_path / "1.xml").write_text(
        "<deIdi2b2><TEXT><![CDATA[Ann]]></TEXT><TAGS>"
        '<NAME id="P0" start="0" end="3" text="Ann" TYPE="PATIENT"/></TAGS></deIdi2b2>',
        "utf-8",
    )
    assert fixed_set(read_placed(tmp_path / "1.xml").values(), tmp_path) == "i2b2-2014"
    with pytest.raises(InputError, match="labels of another set"):
        fixed_set(read_placed(tmp_path).values(), tmp_path)
