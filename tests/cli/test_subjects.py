from __future__ import annotations

from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from phiscrub.core.document import Subject
from phiscrub.core.errors import InputError
from phiscrub.detect.subjects import read_subjects, written_subjects

NOTES = (
    "id,patient_id,note\n"
    '1,P1,"Mr. Abel Kovacz was seen. Dr. Lena Ortizzo will call."\n'
    '2,P1,"kovacz slept well, as ortizzo had said."\n'
    '3,P2,"the kovacz score was low"\n'
)


def test_a_name_of_one_note_goes_from_the_patients_other_notes(tmp_path: Path) -> None:
    notes, table, clean = (tmp_path / n for n in ("notes.csv", "patients.csv", "clean.csv"))
    notes.write_text(NOTES, "utf-8")
    asked = ("--column", "note", "--subject-column", "patient_id")
    assert phiscrub("subjects", str(notes), "-o", str(table), *asked).code == 0
    assert table.stat().st_mode & 0o077 == 0
    known = read_subjects(table)
    assert ("PATIENT", "Abel Kovacz") in known["P1"].known
    assert known["P2"].known == ()
    done = phiscrub("scrub", str(notes), "-o", str(clean), *asked, "--subjects", str(table))
    assert done.code == 0
    _, _, second, third, *_ = clean.read_text("utf-8").splitlines()
    assert "kovacz" not in second
    assert "ortizzo" not in second
    assert "kovacz" in third


def test_files_called_patient_and_record_say_whose_they_are(tmp_path: Path) -> None:
    folder, table, clean = (tmp_path / n for n in ("notes", "patients.csv", "clean"))
    folder.mkdir()
    for name, line in (
        ("101-01", "Mr. Abel Kovacz was seen. Dr. Lena Ortizzo will call."),
        ("101-02", "kovacz slept well, as ortizzo had said."),
        ("102-01", "the kovacz score was low"),
        ("diary", "the kovacz score was low"),
    ):
        (folder / f"{name}.txt").write_text(line, "utf-8")
    done = phiscrub("subjects", str(folder), "-o", str(table))
    assert done.code == 0, done.err
    assert set(read_subjects(table)) == {"101", "102"}
    done = phiscrub("scrub", str(folder), "-o", f"{clean}/", "--subjects", str(table))
    assert done.code == 0, done.err
    texts = {file.stem: file.read_text("utf-8") for file in clean.rglob("*.txt")}
    assert "kovacz" not in texts["101-02"]
    assert "ortizzo" not in texts["101-02"]
    assert "kovacz" in texts["102-01"]
    assert "kovacz" in texts["diary"]


def test_the_row_of_a_note_goes_before_that_of_its_patient(tmp_path: Path) -> None:
    folder, table, clean = (tmp_path / n for n in ("notes", "patients.csv", "clean"))
    folder.mkdir()
    (folder / "101-01.txt").write_text("the kovacz score, the ortizzo score", "utf-8")
    table.write_text("id,PATIENT\n101,Abel Kovacz\n101-01,Lena Ortizzo\n", "utf-8")
    assert phiscrub("scrub", folder, "-o", f"{clean}/", "--subjects", table).code == 0
    (text,) = [file.read_text("utf-8") for file in clean.rglob("*.txt")]
    assert "kovacz" in text
    assert "ortizzo" not in text


@pytest.fixture
def keyed(tmp_path: Path) -> tuple[object, ...]:
    """Return the begin of a command whose pipeline knows subjects and loads at once."""
    small = small_pipeline(tmp_path)
    small.write_text(small.read_text() + '\n[[detector]]\nuse = "subject"\n')
    (tmp_path / "notes.csv").write_text(NOTES, "utf-8")
    (tmp_path / "patients.csv").write_text("id,PATIENT\np1,Abel Kovacz\nP2,Ann Lund\n", "utf-8")
    known = ("--subjects", tmp_path / "patients.csv", "-o", tmp_path / "clean.csv")
    return ("scrub", tmp_path / "notes.csv", "-p", small, *known)


def test_keys_that_match_no_note_are_told_even_when_quiet(keyed: tuple[object, ...]) -> None:
    done = phiscrub(*keyed, "--subject-column", "patient_id", "-q")
    assert done.code == 0, done.err
    assert "of no patient that --subjects knows: 2 of 3 notes; " in done.err
    assert "are the keys written alike" in done.err


def test_a_table_that_says_nothing_of_patients_is_refused(
    keyed: tuple[object, ...], tmp_path: Path
) -> None:
    done = phiscrub(*keyed)
    assert done.code == 2
    assert "name it with --subject-column" in done.err
    assert not (tmp_path / "clean.csv").exists()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    notes = tmp_path / "notes.csv"
    notes.write_text(NOTES, "utf-8")
    for words, what in (
        (("--column", "note"), "no file to write"),
        (("--column", "note", "-o", str(tmp_path / "x.csv")), "no note says whose it is"),
        (("-o", str(tmp_path / "x.csv"), "--label", "WORD"), "--label WORD is none of"),
    ):
        done = phiscrub("subjects", str(notes), *words)
        assert done.code == 2
        assert what in " ".join(done.err.split())


@pytest.mark.parametrize("words", ["Ann Lee", "O'Neil, Ann", 'Ann "Nan" Lee', "Ann\tLee"])
def test_written_subjects_are_read_as_the_same(tmp_path: Path, words: str) -> None:
    own = {
        "P1": Subject("P1", (("LOCATION-OTHER", "the mill"), ("PATIENT", words), ("PATIENT", "B"))),
        "P2": Subject("P2", (), "2021-02-27"),
    }
    file = tmp_path / "subjects.csv"
    file.write_text(written_subjects(own), "utf-8")
    assert dict(read_subjects(file)) == own


def test_a_patient_has_one_onset(tmp_path: Path) -> None:
    file = tmp_path / "subjects.csv"
    file.write_text("id,onset\na,2021-02-27\na,\na,2021-02-27\n")
    assert read_subjects(file)["a"].onset == "2021-02-27"
    file.write_text("id,onset\na,2021-02-27\na,2021-02-28\n")
    with pytest.raises(InputError, match="another onset"):
        read_subjects(file)


def test_auto_reads_each_note_by_its_own_language(tmp_path: Path) -> None:
    notes, table = tmp_path / "notes.csv", tmp_path / "patients.csv"
    notes.write_text(
        "id,patient_id,note\n"
        '1,P1,"Mr. Abel Kovacz was seen. Dr. Lena Ortizzo will call."\n'
        '2,P1,"Acude a consulta la paciente Elena Quintarro Vega, remitida por su médico."\n',
        "utf-8",
    )
    asked = ("--column", "note", "--subject-column", "patient_id", "-p", "auto")
    done = phiscrub("subjects", str(notes), "-o", str(table), *asked)
    assert done.code == 0, done.err
    known = read_subjects(table)["P1"].known
    assert ("PATIENT", "Abel Kovacz") in known
    assert ("PATIENT", "Elena Quintarro Vega") in known
