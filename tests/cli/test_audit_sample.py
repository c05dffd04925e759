"""The command audit-sample: what is drawn, and how a review is judged."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from command import phiscrub


@pytest.fixture
def drawn(tmp_path) -> Path:
    cleaned = tmp_path / "clean"
    cleaned.mkdir()
    for number in range(40):
        (cleaned / f"n{number}.txt").write_text(f"note {number} of [DOCTOR]")
    folder = tmp_path / "review"
    ended = phiscrub("audit-sample", cleaned, "--bound", 0.1, "-o", folder)
    assert ended.code == 0, ended.err
    return folder


def fill(folder: Path, leaks: dict[int, object], done: int | None = None) -> list[dict[str, str]]:
    with (folder / "review.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(io.StringIO(file.read().replace(";", ","))))
    for number, row in enumerate(rows[:done]):
        row |= {"reviewed": "yes", "leaks": str(leaks.get(number, 0))}
    with (folder / "review.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0], delimiter=";")  # as spreadsheets of Europe save it
        writer.writeheader()
        writer.writerows(rows)
    return rows


def judged(folder: Path) -> dict:
    ended = phiscrub("audit-sample", "--result", folder / "review.csv", "--json")
    assert ended.code == 0, ended.err
    return json.loads(ended.out)["verdict"]


def test_a_sample_is_written_and_judged(drawn):
    rows = fill(drawn, {})
    assert [row["words"] for row in rows] == ["4"] * len(rows)
    for row in rows:
        file = drawn / row["file"]
        assert file.read_text() == f"note {row['note'].removeprefix('n')} of [DOCTOR]"
        assert file.stat().st_mode & 0o077 == 0
    assert judged(drawn)["is_within"]
    out = phiscrub("audit-sample", "--result", drawn / "review.csv").out.decode()
    assert "The bound of 10.000% is kept" in out
    fill(drawn, {3: 2})
    found = judged(drawn)
    assert (found["leaking"], found["left"], found["is_within"]) == (1, 2, False)


def test_each_draw_is_new_unless_its_seed_is_given(drawn, tmp_path):
    def places(name: str, *options: object) -> list[str]:
        folder = tmp_path / name
        ended = phiscrub("audit-sample", tmp_path / "clean", "--bound", 0.1, *options, "-o", folder)
        assert ended.code == 0, ended.err
        return (folder / "review.csv").read_text("utf-8").splitlines()

    first = (drawn / "review.csv").read_text("utf-8").splitlines()
    seed = json.loads((drawn / "plan.json").read_text("utf-8"))["seed"]
    assert places("new") != first
    assert places("same", "--seed", seed) == first


def test_a_review_that_stops_early_is_a_smaller_sample(drawn):
    rows = fill(drawn, {}, done=5)
    found = judged(drawn)
    assert found["reviewed"] == 5 < len(rows)
    assert not found["is_within"]
    out = " ".join(phiscrub("audit-sample", "--result", drawn / "review.csv").out.decode().split())
    assert "whenever and why ever the review ended" in out
    assert f"can be shown by all {len(rows)} drawn notes alone" in out


def test_rows_are_those_that_were_drawn_each_once_and_in_order(drawn):
    sheet = drawn / "review.csv"
    fill(drawn, {})
    head, *lines = sheet.read_text("utf-8").splitlines()
    for changed, line in (
        ([*lines[:3], lines[2], *lines[4:]], 5),  # copied over another
        (lines[::-1], 2),  # sorted again
        ([*lines[:6], lines[6].replace(";4;", ";5;"), *lines[7:]], 8),  # of another draw
    ):
        sheet.write_text("\n".join([head, *changed]))
        ended = phiscrub("audit-sample", "--result", sheet)
        assert ended.code == 2
        assert f"line {line}: is not the row of notes/" in ended.err
        assert "keep each row once" in ended.err
    sheet.write_text("\n".join([head, *lines, lines[0]]))
    assert f"has {len(lines) + 1} notes" in phiscrub("audit-sample", "--result", sheet).err


def test_no_note_has_more_leaks_than_words(drawn):
    fill(drawn, {2: 5})
    ended = phiscrub("audit-sample", "--result", drawn / "review.csv")
    assert ended.code == 2
    assert "line 4: has more leaks, 5, than the note has words, 4" in ended.err


def test_a_sheet_that_is_no_sample_is_refused(drawn):
    sheet = drawn / "review.csv"
    empty = sheet.read_text("utf-8")
    assert "no note is reviewed" in phiscrub("audit-sample", "--result", sheet).err
    lines = empty.splitlines()
    for line, what in (
        (f"{lines[2]}", "line 2: this note was passed by"),
        (lines[2].replace(",,", ",yes,"), "line 3: has no number of leaks"),
        (lines[2].replace(",,", ",perhaps,"), "line 3: says neither"),
    ):
        changed = [*lines[:2], line, lines[3].replace(",,", ",yes,0"), *lines[4:]]
        sheet.write_text("\n".join(changed))
        assert what in phiscrub("audit-sample", "--result", sheet).err
    sheet.write_text("\n".join(lines[:-1]))
    assert "were drawn" in phiscrub("audit-sample", "--result", sheet).err
    sheet.write_text(empty.replace("leaks", "leak"))
    assert "lacks one of the columns" in phiscrub("audit-sample", "--result", sheet).err
    (drawn / "plan.json").unlink()
    ended = phiscrub("audit-sample", "--result", sheet)
    assert ended.code == 2
    assert "beside the plan" in ended.err


def test_a_sample_goes_to_a_new_folder(drawn):
    ended = phiscrub("audit-sample", drawn.parent / "clean", "-o", drawn)
    assert ended.code == 4
    assert "is there and not empty" in ended.err
    assert phiscrub("audit-sample").code == 2
    assert phiscrub("audit-sample", drawn, "--result", drawn / "review.csv").code == 2


def test_empty_notes_are_left_out_and_counted(tmp_path):
    cleaned = tmp_path / "clean"
    cleaned.mkdir()
    for number in range(9):
        (cleaned / f"n{number}.txt").write_text(f"note {number} of [DOCTOR]")
    (cleaned / "a.txt").write_bytes(b"")
    (cleaned / "n4b.txt").write_text(" \n\t\n")
    ended = phiscrub("audit-sample", cleaned, "--bound", 0.1, "-o", tmp_path / "r")
    assert ended.code == 0, ended.err
    assert ended.err.strip() == "2 empty notes left out: where nothing is, nothing leaks"
    assert json.loads((tmp_path / "r" / "plan.json").read_text())["population"] == 9
    assert {row["note"] for row in fill(tmp_path / "r", {})} == {f"n{n}" for n in range(9)}
    for file in cleaned.glob("n?.txt"):
        file.unlink()
    ended = phiscrub("audit-sample", cleaned, "-o", tmp_path / "s")
    assert ended.code != 0
    assert "holds only empty notes" in ended.err
