"""Surrogates on the command line: the secret, workers, checks, the linkage file."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64encode

import pytest

from command import phiscrub, small_pipeline
from phiscrub.replace.surrogates import _Note

NOTES = "id,patient,note\n" + "".join(
    f"{n},p{n % 2},Dr. Ortiz rang 422-918{n}.\n" for n in range(6)
)


@pytest.fixture
def place(tmp_path):
    small_pipeline(tmp_path)
    (tmp_path / "secret").write_text("0123456789abcdef0123456789abcdef")
    (tmp_path / "notes.csv").write_text(NOTES)
    (tmp_path / "key").write_bytes(urlsafe_b64encode(secrets.token_bytes(32)))
    return tmp_path


def find_days(place) -> None:
    """Let the pipeline find `3/21` and `3/21/2022`, too."""
    rule = r"""
[[rule]]
name = "day"
label = "DATE"
at = '\d{1,2}'
pattern = '\d{1,2}/\d{1,2}(?:/\d{4})?'
"""
    pack = place / "pack" / "pack.toml"
    pack.write_text(pack.read_text() + rule)


def scrub(place, *more: object, out: str = "out.csv"):
    return phiscrub(
        *("scrub", place / "notes.csv", "-o", place / out, "-p", place / "small.toml"),
        *("--replace", "surrogates", "--subject-column", "patient", *more),
    )


def test_one_worker_or_many_and_every_run_give_the_same(place):
    for out, workers in (("a.csv", 1), ("b.csv", 2), ("c.csv", 1)):
        ended = scrub(place, "--secret-file", place / "secret", "-w", workers, out=out)
        assert ended.code == 0, ended.err
        assert "checked: no note holds" in ended.err
    first = (place / "a.csv").read_text()
    assert first == (place / "b.csv").read_text() == (place / "c.csv").read_text()
    rows = [line.split(",") for line in first.splitlines()[1:]]
    assert {row[2].split()[1] for row in rows[::2]} == {rows[0][2].split()[1]}
    assert rows[0][2].split()[1] != rows[1][2].split()[1]
    assert "Ortiz" not in first
    assert all("555-01" in row[2] for row in rows)


def test_the_word_in_the_singular_is_known_and_others_are_refused_by_name(place):
    singular = ("scrub", place / "notes.csv", "-o", place / "o.csv", "-p", place / "small.toml")
    more = ("--secret-file", place / "secret", "--subject-column", "patient")
    assert phiscrub(*singular, "--replace", "surrogate", *more).code == 0
    assert scrub(place, "--secret-file", place / "secret", out="p.csv").code == 0
    assert (place / "o.csv").read_text() == (place / "p.csv").read_text()
    ended = phiscrub(*singular[:3], place / "q.csv", *singular[4:], "--replace", "surogates")
    assert ended.code == 2
    assert "names no replacer: 'surogates'" in ended.err
    assert not (place / "q.csv").exists()


def test_without_a_secret_runs_cannot_be_linked(place):
    assert scrub(place, out="a.csv").code == scrub(place, out="b.csv").code == 0
    assert (place / "a.csv").read_text() != (place / "b.csv").read_text()


def test_the_linkage_file_opens_with_its_key_alone(place):
    linked = ("--linkage", place / "link", "--linkage-key", place / "key")
    assert scrub(place, *linked).code == 0
    assert b"Ortiz" not in (place / "link").read_bytes()
    told = phiscrub("linkage", place / "link", "--linkage-key", place / "key")
    rows = [json.loads(line) for line in told.out.splitlines()]
    assert {row["original"] for row in rows if row["label"] == "DOCTOR"} == {"Ortiz"}
    assert {row["subject"] for row in rows} == {"p0", "p1"}
    lines = (place / "out.csv").read_text().splitlines()[1:]
    notes = {line.split(",")[0]: line.split(",", 2)[2] for line in lines}
    assert len(rows) == 2 * len(notes)
    assert all(notes[row["note"]].startswith(row["surrogate"], row["start"]) for row in rows)
    (place / "key").write_bytes(urlsafe_b64encode(secrets.token_bytes(32)))
    assert phiscrub("linkage", place / "link", "--linkage-key", place / "key").code == 2


def test_a_note_whose_words_cannot_be_linked_is_kept_back_alone(place, monkeypatch):
    seen = _Note._seen

    def lost(self, index):
        return "" if "4223" in self.text.replace("-", "") else seen(self, index)

    monkeypatch.setattr(_Note, "_seen", lost)
    linked = ("--linkage", place / "link", "--linkage-key", place / "key")
    (place / "notes.csv").write_text(NOTES.replace("422-9183", "422-3183"))
    ended = scrub(place, *linked)
    assert ended.code == 3, ended.err
    assert "Ortiz" not in ended.err
    lines = (place / "out.csv").read_text().splitlines()[1:]
    assert [line.split(",")[0] for line in lines] == ["0", "1", "2", "4", "5"]
    told = phiscrub("linkage", place / "link", "--linkage-key", place / "key")
    assert len(told.out.splitlines()) == 2 * len(lines)


def test_a_linkage_file_that_cannot_be_written_is_told_before_the_run(place):
    key = ("--linkage-key", place / "key")
    assert scrub(place, "--linkage", place / "new" / "link", *key).code == 0
    assert (place / "new" / "link").stat().st_mode & 0o077 == 0
    ended = scrub(place, "--linkage", place / "key" / "link", *key, out="b.csv")
    assert ended.code == 4
    assert "cannot be written" in ended.err
    assert not (place / "b.csv").exists()


def test_an_earlier_linkage_file_stays(place):
    link = ("--linkage", place / "link", "--linkage-key", place / "key")
    assert scrub(place, *link).code == 0
    first = (place / "link").read_bytes()
    ended = scrub(place, *link, out="b.csv")
    assert ended.code == 2
    assert "is there, and stays as it is" in ended.err
    assert (place / "link").read_bytes() == first


def test_no_surrogate_is_a_real_number_of_a_known_patient(place):
    text = (place / "small.toml").read_text()
    (place / "small.toml").write_text(text + '\n[[detector]]\nuse = "subject"\n')
    (place / "patients.csv").write_text("patient_id,phone\np9,555-000-0000\n")
    known = ("--subjects", place / "patients.csv", "--secret-file", place / "secret")
    assert scrub(place, *known, out="a.csv").code == 0
    row = (place / "a.csv").read_text().splitlines()[1]
    taken = row.split("rang ")[1].rstrip(".")
    (place / "patients.csv").write_text(f"patient_id,phone\np9,{taken}\n")
    ended = scrub(place, *known, "-w", 2, out="b.csv")
    assert ended.code == 0, ended.err
    assert "real values" not in ended.err
    assert taken not in (place / "b.csv").read_text()


def test_what_still_stands_is_counted_and_kept_back_on_demand(place):
    (place / "notes.csv").write_text("note\nDr. Ortiz came and Ortiz left.\n")
    plain = phiscrub(
        *("scrub", place / "notes.csv", "-o", place / "o.csv", "-p", place / "small.toml"),
        *("--replace", "surrogates"),
    )
    assert plain.code == 0
    assert "words that were replaced still stand in 1 note: 1 DOCTOR" in plain.err
    quiet = phiscrub(
        *("scrub", place / "notes.csv", "-o", place / "q.csv", "-p", place / "small.toml"),
        *("--replace", "surrogates", "-q"),
    )
    assert quiet.err == "words that were replaced still stand in 1 note: 1 DOCTOR\n"
    kept = phiscrub(
        *("scrub", place / "notes.csv", "-o", place / "p.csv", "-p", place / "small.toml"),
        *("--replace", "surrogates", "--verify"),
    )
    assert kept.code == 3
    assert "Ortiz" not in kept.err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--linkage", "x"), "go together"),
        (("--resume",), "--resume cannot"),
        (("--dates", "never"), "no dates"),
        (("--secret-file", "none"), "no such secret file"),
        (("--keep-weekday", "--shift-days", "6"), "under a week"),
        (("--keep-weekday", "--dates", "keep"), "keep_weekday says nothing of dates 'keep'"),
        (("--keep-weekday", "--dates", "onset"), "keep_weekday says nothing of dates 'onset'"),
    ],
)
def test_what_does_not_go_together(place, options, said):
    ended = scrub(place, *options)
    assert ended.code == 2
    assert said in ended.err


def test_options_of_surrogates_want_surrogates(place):
    ended = phiscrub("scrub", place / "notes.csv", "-p", place / "small.toml", "--verify")
    assert ended.code == 2
    assert "add --replace surrogates" in ended.err


def test_dates_do_not_stay_whole_where_the_policy_lets_only_years_stay(place):
    ended = scrub(place, "--dates", "keep", "--policy", "safe-harbor")
    assert ended.code == 2
    assert "lets only a part of each DATE stay" in ended.err
    assert not (place / "out.csv").exists()


def test_numbers_that_two_patients_share_are_told(place):
    rows = [f"{n},p{n},Rang 422-{n:04}.\n" for n in range(1000, 1150)]  # 90 lines for stories
    (place / "notes.csv").write_text("id,patient,note\n" + "".join(rows))
    ended = scrub(place, "--secret-file", place / "secret")
    assert ended.code == 0, ended.err
    assert "shared by more than one patient: " in ended.err


def test_an_original_in_another_case_is_told(place):
    (place / "notes.csv").write_text("id,patient,note\n1,p1,Dr. Quillfeather of quillfeather.\n")
    ended = scrub(place)
    assert "words that were replaced still stand in 1 note: 1 DOCTOR" in ended.err


def test_dates_without_a_year_are_told_unless_the_metadata_tell_it(place):
    find_days(place)
    notes = [
        {"id": "1", "text": "Seen 3/21."},
        {"id": "2", "text": "Seen 3/21.", "meta": {"date": "2022-03-21"}},
    ]
    (place / "notes.jsonl").write_text("".join(json.dumps(note) + "\n" for note in notes))
    ended = phiscrub(
        *("scrub", place / "notes.jsonl", "-o", place / "o.jsonl", "-p", place / "small.toml"),
        *("--replace", "surrogates"),
    )
    assert ended.code == 0, ended.err
    assert (
        "dates that have no year in their note, and may move by a day too many or too few: 1"
        in ended.err
    )


def test_notes_count_from_the_onset_of_the_table_or_are_told(place):
    find_days(place)
    text = (place / "small.toml").read_text()
    (place / "small.toml").write_text(text + '\n[[detector]]\nuse = "subject"\n')
    (place / "notes.csv").write_text(
        "id,patient,note\n1,p1,Admitted 2/27/2021.\n2,p1,Rang 3/8/2021.\n3,p2,Onset 3/8/2021.\n"
    )
    (place / "patients.csv").write_text("patient_id,onset\np1,2021-02-27\n")
    ended = scrub(place, "--dates", "onset")
    assert "notes that count from a day that was guessed: 2;" in " ".join(ended.err.split())
    ended = scrub(place, "--dates", "onset", "--subjects", place / "patients.csv")
    assert ended.code == 0, ended.err
    assert "guessed" not in ended.err
    lines = (place / "out.csv").read_text().splitlines()
    assert lines[1:] == ["1,p1,Admitted onset.", "2,p1,Rang onset + 9 days.", "3,p2,Onset onset."]


def test_an_onset_that_is_no_day_keeps_the_note_back(place):
    find_days(place)
    line = {"id": "1", "text": "Seen 3/21/2021.", "meta": {"onset": "April 2021"}}
    (place / "notes.jsonl").write_text(json.dumps(line) + "\n")
    ended = phiscrub(
        *("scrub", place / "notes.jsonl", "-o", place / "o.jsonl", "-p", place / "small.toml"),
        *("--replace", "surrogates", "--dates", "onset"),
    )
    assert ended.code == 3
    assert "names no day" in ended.err
    assert "April" not in ended.err


def test_the_summary_in_json_has_what_the_checks_found(place):
    ended = scrub(place, "--json", "-q")
    checked = json.loads(ended.out)["checked"]
    assert checked["notes_left"] == 0
    assert checked["left"] == {}
    assert checked["alone"] <= checked["patients"]
    assert set(checked["alone_by"]) == {"ages", "places", "professions", "years"}
    (place / "notes.csv").write_text("id,patient,note\n1,p1,Dr. Ortiz came and Ortiz left.\n")
    checked = json.loads(scrub(place, "--json", "-q", out="b.csv").out)["checked"]
    assert (checked["notes_left"], checked["left"]) == (1, {"DOCTOR": 1})
