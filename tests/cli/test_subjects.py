from __future__ import annotations

from pathlib import Path

import pytest

from command import phiscrub
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
