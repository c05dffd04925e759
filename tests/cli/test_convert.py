"""Annotations from one format to another, and what keeps its place on the way."""

from __future__ import annotations

import json
import shutil
from importlib import resources
from pathlib import Path

import pytest

from columns import CONLL_2003, CONLL_2012, TABBED, UNER
from command import phiscrub, small_pipeline
from phiscrub.formats.annotated import read_annotated

SPANISH = (("a", "Ver a Ana en Leeds.", ("NOMBRE_SUJETO_ASISTENCIA 6 9", "TERRITORIO 13 18")),)
OTHERS = (
    "R1\tOf Arg1:T7 Arg2:T2\nE1\tDOCTOR:T7 Who:T2\nA1\tSure T7\n*\tEquiv T7 T2\n"
    "N1\tReference T7 Wiki:1\tAnn Lee\n#1\tAnnotatorNotes T7\tAnn Lee of Leeds\n"
)
ANN = f"T7\tDOCTOR 8 15\tAnn Lee\n{OTHERS}T2\tPHONE 22 30\t555-0182\n"
TEXT = "Seen by Ann Lee, call 555-0182."


def put(folder: Path, notes: tuple[tuple[str, str, tuple[str, ...]], ...]) -> Path:
    folder.mkdir()
    for name, text, marks in notes:
        (folder / f"{name}.txt").write_text(text)
        lines = []
        for number, mark in enumerate(marks, 1):
            start, end = map(int, mark.split()[1:])
            lines.append(f"T{number}\t{mark}\t{text[start:end]}\n")
        (folder / f"{name}.ann").write_text("".join(lines))
    return folder


def labels(path: Path) -> list[str]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [mention["label"] for row in rows for mention in row["mentions"]]


@pytest.mark.parametrize("by", ["brat", "jsonl", "conll", "csv", "parquet"])
@pytest.mark.parametrize("named", [(), ("--source-labels", "meddocan")])
def test_the_labels_tell_their_set(tmp_path: Path, by: str, named: tuple[str, ...]) -> None:
    source = put(tmp_path / "brat", SPANISH)
    if by != "brat":
        phiscrub("convert", source, "-o", tmp_path / f"in.{by}", "--to", by)
        source = tmp_path / f"in.{by}"
    out = tmp_path / "out.jsonl"
    ended = phiscrub("convert", source, "-o", out, "--to", "jsonl", "--labels", "i2b2", *named)
    assert (ended.code, labels(out)) == (0, ["PATIENT", "CITY"])
    ended = phiscrub("convert", source, "-o", tmp_path / "xml", "--to", "i2b2", *named)
    assert ended.code == 0, ended.err
    out = tmp_path / "all.xml"
    assert phiscrub("convert", source, "-o", out, "--to", "i2b2-2006", *named).code == 0
    assert phiscrub("convert", out, "-o", tmp_path / "back.jsonl", "--to", "jsonl").code == 0
    assert labels(tmp_path / "back.jsonl") == ["PATIENT", "LOCATION"]


def test_notes_without_an_annotation_are_told(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    mark = {"start": 0, "end": 7, "label": "PATIENT"}
    for key in ("annotations", "mentions"):
        source.write_text(json.dumps({"id": "a", "text": "Ann Lee.", key: [mark]}) + "\n")
        ended = phiscrub("convert", source, "-o", out, "--quiet")
        assert ended.code == 0
        assert ("no annotation was found: in JSON" in ended.err) == (key == "annotations")


def test_a_table_is_told_the_one_column_that_is_read(tmp_path: Path) -> None:
    marks = json.dumps([{"start": 0, "end": 3, "label": "PATIENT"}]).replace('"', '""')
    (tmp_path / "in.csv").write_text(f'id,text,spans\na,Ann Lee.,"{marks}"\n')
    ended = phiscrub("convert", tmp_path / "in.csv", "-o", tmp_path / "out.jsonl", "--to", "jsonl")
    assert "in tables in the column mentions" in ended.err
    train = ("train", "phiscrub-crf", "--train", tmp_path / "in.csv", "-o", tmp_path / "model")
    ended = phiscrub(*train)
    assert ended.code == 2
    assert "in tables in the column mentions" in ended.err


@pytest.mark.parametrize("to", ["jsonl", "json", "csv", "brat"])
def test_what_an_annotator_rejected_or_skipped_is_left_out(tmp_path: Path, to: str) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out"
    lone = {"text": "Ann Lee.", "spans": [{"start": 0, "end": 7, "label": "PATIENT"}]}
    answers = ("accept", "reject", "ignore", "42", ["reject"], None)
    rows = [{"id": f"n{at}", **lone, "answer": own} for at, own in enumerate(answers)]
    rows.append({"id": "n6", "text": "Denies pain.", "spans": [], "answer": "ignore"})
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    file = out if to == "brat" else out / f"in.{to}"
    ended = phiscrub("convert", source, "-o", file, "--to", to)
    assert ended.code == 0, ended.err
    assert "4 of 4 notes converted" in ended.err
    assert "rejected or skipped them (answer): 3 records" in ended.err
    found = read_annotated(out)
    assert sorted(found) == ["n0", "n3", "n4", "n5"]
    assert all(len(note.mentions) == 1 for note in found.values())
    told = phiscrub("convert", source, "-o", file, "--to", to, "--json")
    assert json.loads(told.out)["declined"] == 3


@pytest.mark.parametrize("to", ["brat", "jsonl", "text"])
def test_texts_without_marks_are_left_out_beside_texts_with_some(tmp_path: Path, to: str) -> None:
    source = put(tmp_path / "in", SPANISH)
    (source / "deep").mkdir()
    for name in ("b.txt", "deep/c.txt", "annotation.conf"):
        (source / name).write_text("Ver a Eva.\n")
    out = tmp_path / ("out.jsonl" if to == "jsonl" else "out")
    ended = phiscrub("convert", source, "-o", out, "--to", to)
    assert ended.code == 0, ended.err
    assert "left out, as they have no .ann: 3 texts" in ended.err
    assert "1 of 1 note converted" in ended.err
    written = [out] if to == "jsonl" else [file for file in out.rglob("*") if file.is_file()]
    assert {file.stem for file in written} <= {"a", "out"}
    told = phiscrub("convert", source, "-o", out, "--to", to, "--json")
    assert json.loads(told.out)["unmarked"] == 3
    ended = phiscrub("convert", source, "-o", tmp_path / "all", "--from", "text")
    assert "4 of 4 notes converted" in ended.err
    (source / "a.ann").unlink()
    ended = phiscrub("convert", source, "-o", tmp_path / "bare")
    assert "4 of 4 notes converted" in ended.err
    assert "left out" not in ended.err


OWN = (("a", "Ver a Ana en Leeds, asma.", ("PERSON 6 9", "TOWN 13 18", "DIAGNOSIS 20 24")),)


@pytest.mark.parametrize("by", ["brat", "jsonl", "csv"])
def test_own_labels_are_mapped(tmp_path: Path, by: str) -> None:
    source = put(tmp_path / "in", OWN)
    if by != "brat":
        phiscrub("convert", source, "-o", tmp_path / f"in.{by}", "--to", by)
        source = tmp_path / f"in.{by}"
    maps = ("--map", "PERSON=PATIENT", "--map", "TOWN=CITY")
    to = ("-o", tmp_path / "out.jsonl", "--to", "jsonl")
    ended = phiscrub("convert", source, *to, *maps)
    assert ended.code == 3
    assert "label DIAGNOSIS" in ended.err
    assert "--map" in ended.err
    ended = phiscrub("convert", source, *to, *maps, "--map", "DIAGNOSIS=")
    assert (ended.code, labels(tmp_path / "out.jsonl")) == (0, ["PATIENT", "CITY"])
    spanish = ("--map", "PERSON=NOMBRE_SUJETO_ASISTENCIA", "--map", "TOWN=TERRITORIO")
    own = (*spanish, "--map", "DIAGNOSIS=", "--labels", "meddocan")
    assert phiscrub("convert", source, *to, *own).code == 0
    assert labels(tmp_path / "out.jsonl") == ["NOMBRE_SUJETO_ASISTENCIA", "TERRITORIO"]


def test_labels_of_a_set_stay_beside_mapped_ones(tmp_path: Path) -> None:
    source = put(tmp_path / "in", (("a", "Ann, Leeds", ("PERSON 0 3", "CITY 5 10")),))
    to = ("-o", tmp_path / "out", "--to", "i2b2")
    assert phiscrub("convert", source, *to, "--map", "PERSON=PATIENT").code == 0
    back = ("-o", tmp_path / "back.jsonl", "--to", "jsonl")
    assert phiscrub("convert", tmp_path / "out", *back).code == 0
    assert labels(tmp_path / "back.jsonl") == ["PATIENT", "CITY"]


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("PERSON", "'PERSON' is no OWN=LABEL"),
        ("=PATIENT", "'=PATIENT' is no OWN=LABEL"),
        ("PERSON=HUMAN", "label HUMAN is not in label set i2b2-2014"),
    ],
)
def test_a_map_that_maps_nothing_is_refused(tmp_path: Path, said: str, told: str) -> None:
    source = put(tmp_path / "in", OWN)
    ended = phiscrub("convert", source, "-o", tmp_path / "out", "--map", said)
    assert ended.code == 2
    assert told in ended.err
    assert not (tmp_path / "out").exists()


def test_all_notes_decide_together(tmp_path: Path) -> None:
    shared = ("b", "Leeds", ("HOSPITAL 0 5",))
    out = tmp_path / "out.jsonl"
    source = put(tmp_path / "in", (*SPANISH, shared))
    assert phiscrub("convert", source, "-o", out, "--to", "jsonl", "--labels", "i2b2").code == 0
    assert labels(out) == ["PATIENT", "CITY", "HOSPITAL"]


@pytest.mark.parametrize(
    ("label", "said"),
    [("PROTEIN", "no label set has label PROTEIN"), ("ORG", "alike")],
)
def test_labels_that_tell_no_set_are_refused_with_the_remedy(
    tmp_path: Path, label: str, said: str
) -> None:
    source = put(tmp_path / "in", (("a", "Leeds", (f"{label} 0 5",)),))
    out = tmp_path / "out.jsonl"
    ended = phiscrub("convert", source, "-o", out, "--to", "jsonl", "--labels", "i2b2")
    assert (ended.code, out.exists()) == (2, False)
    assert said in ended.err
    assert "--source-labels" in ended.err
    assert ended.err.count("\n") == 1


@pytest.mark.parametrize("form", ["i2b2", "i2b2-2006", "meddocan"])
def test_formats_with_a_set_refuse_strange_labels_alike(tmp_path: Path, form: str) -> None:
    source = put(tmp_path / "in", (("a", "Leeds", ("PROTEIN 0 5",)), ("b", "x", ("DATE 0 1",))))
    ended = phiscrub("convert", source, "-o", tmp_path / "out", "--to", form)
    assert ended.code == 3
    assert "label PROTEIN is not in label set" in ended.err
    assert "--source-labels" in ended.err


@pytest.mark.parametrize("text", [CONLL_2003, CONLL_2012, UNER, TABBED])
def test_columns_keep_all_that_they_have(tmp_path: Path, text: str) -> None:
    source, out = tmp_path / "in.conll", tmp_path / "out.conll"
    source.write_text(text)
    assert phiscrub("convert", source, "-o", out).code == 0
    assert out.read_text() == text


def test_scrubbed_columns_are_made_anew(tmp_path: Path) -> None:
    source, out = tmp_path / "in.conll", tmp_path / "out.conll"
    rows = "-DOCSTART- -X- O O\n\nDr. dr. X O\nOrtiz ortiz X B-PER\nslept sleep X O\n\n"
    source.write_text(rows + "-DOCSTART- -X- O O\n\nHe he X O\nslept sleep X O\n")
    pipeline = small_pipeline(tmp_path / "pipe")
    assert phiscrub("scrub", source, "-o", out, "-p", pipeline, "--labels", "i2b2").code == 0
    found = [line.split("\t") for line in out.read_text().splitlines() if line]
    assert ["[DOCTOR-1]", "_", "B-DOCTOR"] in found
    assert "ortiz" not in out.read_text().lower()
    assert "sleep" not in out.read_text()
    assert {len(row) for row in found} == {3}


@pytest.mark.parametrize("suffix", [".conll", ".iob", ".bio"])
def test_ragged_rows_are_refused_with_their_line(tmp_path: Path, suffix: str) -> None:
    source = tmp_path / f"in{suffix}"
    source.write_text("John B-PER\nfoo\nbar O X\n")
    ended = phiscrub("convert", source, "-o", tmp_path / "out.jsonl", "--to", "jsonl")
    assert ended.code == 3
    assert f"{source}, line 2: the row has 1 of 2 columns" in ended.err
    source.write_text("foo\nJohn B-PER\n")
    ended = phiscrub("convert", source, "-o", tmp_path / "out2.jsonl", "--to", "jsonl")
    assert ended.code in (2, 3)
    assert f"{source}, line 1: " in ended.err
    again = ("convert", source, "-o", tmp_path / "out3.jsonl", "--to", "jsonl")
    assert phiscrub(*again, "--from", "text").code == 0


def test_brat_keeps_what_stands_beside_its_mentions(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text(TEXT)
    (source / "a.ann").write_text(ANN)
    ended = phiscrub("convert", source, "-o", tmp_path / "out")
    assert (ended.code, "left out" in ended.err) == (0, False)
    assert (tmp_path / "out" / "a.ann").read_text() == ANN
    renamed = phiscrub("convert", source, "-o", tmp_path / "new", "--labels", "meddocan")
    assert renamed.code == 0
    kept = ANN.replace("DOCTOR", "NOMBRE_PERSONAL_SANITARIO").replace("PHONE", "NUMERO_TELEFONO")
    assert (tmp_path / "new" / "a.ann").read_text() == kept


def test_what_no_other_format_holds_is_counted_and_never_scrubbed_output(tmp_path: Path) -> None:
    source = tmp_path / "in"
    source.mkdir()
    (source / "a.txt").write_text(TEXT)
    (source / "a.ann").write_text(ANN)
    ended = phiscrub("convert", source, "-o", tmp_path / "out.jsonl", "--to", "jsonl")
    assert "left out as no mentions (relations, attributes, comments): 6 annotations" in ended.err
    pipeline = small_pipeline(tmp_path / "pipe")
    for text in (TEXT, "Seen by Ann Lee, call nobody 19."):  # nothing is found in the second
        (source / "a.txt").write_text(text)
        (source / "a.ann").write_text(f"T7\tDOCTOR 8 15\tAnn Lee\n{OTHERS}")
        out = tmp_path / f"out{len(text)}"
        ended = phiscrub("scrub", source, "-o", out, "-p", pipeline)
        assert (
            "left out as no mentions (relations, attributes, comments): 6 annotations" in ended.err
        )
        assert "Leeds" not in ended.err + (out / "a.ann").read_text()
        assert "T7" not in (out / "a.ann").read_text()


@pytest.mark.parametrize("label", ["[/OWN]", "[bold]", ":smile:"])
def test_a_label_of_ones_own_is_told_as_it_is_written(label: str, tmp_path: Path) -> None:
    source = tmp_path / "own.jsonl"
    mention = {"start": 0, "end": 3, "label": label}
    source.write_text(json.dumps({"id": "n", "text": "Ann came.", "mentions": [mention]}) + "\n")
    ended = phiscrub("convert", source, "-o", tmp_path / "out.jsonl")
    assert (ended.code, label in ended.err) == (0, True)
    scored = phiscrub("evaluate", "--gold", source, "--system", tmp_path / "out.jsonl")
    told = label.rpartition("/")[2]  # what stands before a slash is a category
    assert (scored.code, told in scored.out.decode()) == (0, True)


def test_notes_of_one_name_keep_their_folders_in_one_file(tmp_path: Path) -> None:
    source, out = tmp_path / "in", tmp_path / "out.jsonl"
    source.mkdir()
    for folder in ("a", "b"):
        put(source / folder, (("n1", "Seen by Ann.", ("DOCTOR 8 11",)),))
    put(source / "c", (("n2", "Seen by Ann.", ("DOCTOR 8 11",)),))
    assert phiscrub("convert", source, "-o", out, "--to", "jsonl").code == 0
    ids = [json.loads(line)["id"] for line in out.read_text().splitlines()]
    assert sorted(ids) == ["a/n1", "b/n1", "n2"]
    assert phiscrub("evaluate", "--gold", out, "--system", out).code == 0
    assert phiscrub("convert", source, "-o", tmp_path / "back", "--to", "i2b2").code == 0
    assert sorted(p.name for p in (tmp_path / "back").rglob("*.xml")) == ["n1.xml"] * 2 + ["n2.xml"]


def test_notes_that_share_more_than_a_name_get_more_of_their_path(tmp_path: Path) -> None:
    sources = [tmp_path / name for name in ("one", "two")]
    for source in sources:
        source.mkdir()
        put(source / "x", (("n1", "Seen by Ann.", ("DOCTOR 8 11",)),))
    for name in ("n2.txt", "n2.text"):
        (sources[0] / "x" / name).write_text("Seen.")
    out = tmp_path / "out.jsonl"
    small = small_pipeline(tmp_path)
    assert phiscrub("detect", *sources, "-o", out, "--to", "jsonl", "-p", small).code == 0
    ids = [json.loads(line)["id"] for line in out.read_text().splitlines()]
    files = [str(source / "x" / "n1.txt") for source in sources]
    assert sorted(ids) == sorted([*files, "x/n2.text", "x/n2.txt"]), ids


def test_notes_of_one_name_are_still_of_their_patients(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / "in" / folder).mkdir(parents=True)
        (tmp_path / "in" / folder / "123-01.txt").write_text("Seen with zorblat today.")
    known = tmp_path / "known.csv"
    known.write_text("patient_id,last_name\n123,Zorblat\n")
    to = ("-o", tmp_path / "out.jsonl", "--to", "jsonl", "--subjects", known)
    ended = phiscrub("scrub", tmp_path / "in", *to)
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert ended.code == 0, ended.err
    assert [row["id"] for row in rows] == ["a/123-01", "b/123-01"]
    assert not any("zorblat" in row["text"] for row in rows)


def test_labels_that_become_one_are_told(tmp_path: Path) -> None:
    places = (("a", "In Leeds, Ohio.", ("CITY 3 8", "STATE 10 14")),)
    source = put(tmp_path / "in", places)
    told = "written as TERRITORIO alike: CITY, STATE"
    for kind, merges in (("meddocan", True), ("jsonl", False)):
        ended = phiscrub("convert", source, "-o", tmp_path / f"{kind}/", "--to", kind)
        assert (ended.code, told in ended.err) == (0, merges), ended.err


def test_notes_are_not_put_beside_a_model(tmp_path: Path) -> None:
    source = put(tmp_path / "in", SPANISH)
    model = tmp_path / "model"
    shutil.copytree(str(resources.files("phiscrub") / "data" / "models" / "sv-crf"), model)
    before = sorted(model.iterdir())
    for out in (model, model / "notes", model / "notes.jsonl"):
        ended = phiscrub("convert", source, "-o", out, "--to", "jsonl")
        assert (ended.code, sorted(model.iterdir())) == (2, before)
        assert f"{model}: is a model's folder" in ended.err


def test_a_place_that_cannot_be_made_is_named_as_given(tmp_path: Path) -> None:
    source = put(tmp_path / "in", SPANISH)
    (tmp_path / "file").write_text("")
    ended = phiscrub("detect", source, "-o", tmp_path / "file" / "under" / "y.jsonl", "-p", "es")
    assert ended.code == 4
    assert f"{tmp_path}/file/under: cannot be written" in ended.err
    assert "--resume" not in ended.err


def test_an_empty_side_is_told(tmp_path: Path) -> None:
    source = put(tmp_path / "in", SPANISH)
    (tmp_path / "empty").mkdir()
    ended = phiscrub("evaluate", "--gold", tmp_path / "empty", "--system", source)
    assert "empty: holds no notes" in ended.err


def test_a_found_text_is_the_one_that_was_read_its_byte_order_mark_too(tmp_path: Path) -> None:
    source, out = tmp_path / "notes", tmp_path / "out"
    source.mkdir()
    text = "\ufeffCall 555-0182 or Dr. Ortiz.\r\n".encode()
    (source / "n.txt").write_bytes(text)
    words = ("--to", "brat", "-p", small_pipeline(tmp_path))
    assert phiscrub("detect", source, "-o", out, *words).code == 0
    assert (out / "n.txt").read_bytes() == text
    (note,) = read_annotated(out).values()
    found = [note.document.text[m.span.start : m.span.end] for m in note.mentions]
    assert sorted(found) == ["555-0182", "Ortiz"]
