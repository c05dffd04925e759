"""What an earlier run wrote of a note that is now kept back stays, and is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from phiscrub.jobs import run as run_module

LEAKS = "Seen by Dr. Ortiz. Ortiz will call.\n"
CLEAN = "Seen by Dr. Gomez.\n"
BAD = b"\x00\x01\x02\xff\xfe" * 9
SURROGATES = ("--replace", "surrogates")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


def names(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def outputs(audit: Path) -> list[str]:
    rows = map(json.loads, audit.read_text().splitlines())
    return sorted(row["file"] for row in rows if row["row"] == "output")


def test_what_stands_of_a_note_that_is_kept_back_is_counted(small: Path, tmp_path: Path) -> None:
    notes, out, audit = tmp_path / "notes", tmp_path / "out", tmp_path / "audit.jsonl"
    notes.mkdir()
    (notes / "a.txt").write_text(LEAKS)
    (notes / "b.txt").write_text(CLEAN)
    command = ("scrub", notes, "-o", out, "-p", small, *SURROGATES)
    assert phiscrub(*command).code == 0
    before = (out / "a.txt").read_bytes()
    ended = phiscrub(*command, "--verify", "--audit", audit)
    assert ended.code == 3
    assert f"files in {out} that this run did not write: 1;" in ended.err
    assert (out / "a.txt").read_bytes() == before
    assert outputs(audit) == [str(out / "b.txt")]


def test_a_mistaken_option_takes_nothing_away(small: Path, tmp_path: Path) -> None:
    tables, out = tmp_path / "tables", tmp_path / "out"
    tables.mkdir()
    for name in "ab":
        (tables / f"{name}.csv").write_text(f"id,note\n1,{CLEAN}")
    command = ("scrub", tables, "-o", out, "-p", small)
    assert phiscrub(*command).code == 0
    assert phiscrub(*command, "--column", "nota").code == 3
    assert names(out) == ["a.csv", "b.csv"]


def test_of_a_broken_table_no_file_of_a_row_goes_out(small: Path, tmp_path: Path) -> None:
    tables, out = tmp_path / "tables", tmp_path / "out"
    tables.mkdir()
    (tables / "a.json").write_text('[{"id": "1", "text": "Dr. Ortiz"}, {"id"')
    (tables / "b.json").write_text('[{"id": "1", "text": "Dr. Ortiz"}]')
    ended = phiscrub("scrub", tables, "-o", out, "-p", small, "--to", "text", "--json")
    assert ended.code == 3
    assert names(out) == ["b/1.txt"]
    assert json.loads(ended.out)["foreign"] == 0


def test_names_are_known_again_when_a_run_goes_on(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, out, audit = tmp_path / "t.csv", tmp_path / "out", tmp_path / "audit.jsonl"
    rows = [f'{n},"Dr. Ortiz"' for n in range(1_500)]
    table.write_text("\n".join(["id,text", *rows, '3,"Dr. Gomez"', ""]))
    command = ("scrub", table, "-o", out, "-p", small, "--to", "text", "--audit", audit)
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    account, seen = run_module.Run._account, []

    def stop(run: object, *told: object) -> None:
        seen.append(1)
        if len(seen) == 1_200:
            raise KeyboardInterrupt
        account(run, *told)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(run_module.Run, "_account", stop)
        assert phiscrub(*command).code == 130
    ended = phiscrub(*command, "--resume", "--json")
    assert ended.code == 3
    assert "the note's id is used twice" in ended.err
    assert json.loads(ended.out)["foreign"] == 0
    assert outputs(audit) == sorted(str(path) for path in out.iterdir())


def test_files_that_a_run_did_not_write_are_counted_and_stay(small: Path, tmp_path: Path) -> None:
    notes, out = tmp_path / "notes", tmp_path / "out"
    notes.mkdir()
    for name in "abc":
        (notes / f"{name}.txt").write_text(CLEAN)
    command = ("scrub", notes, "-o", out, "-p", small, "--audit", out / "audit.jsonl")
    assert "did not write" not in phiscrub(*command).err
    assert "did not write" not in phiscrub(*command).err
    (notes / "a.txt").unlink()
    (out / "ward").mkdir()
    (out / "ward" / ".old").touch()
    (out / "circle").symlink_to("circle")
    ended = phiscrub(*command, "-q")
    assert f"files in {out} that this run did not write: 3;" in ended.err
    assert json.loads(phiscrub(*command, "--json").out)["foreign"] == 3
    assert names(out) == ["a.txt", "audit.jsonl", "b.txt", "c.txt", "ward/.old"]


def test_a_folder_of_an_earlier_run_stays_where_one_cannot_be_read(
    small: Path, tmp_path: Path
) -> None:
    notes, out = tmp_path / "notes", tmp_path / "out"
    (notes / "ward").mkdir(parents=True)
    for name in ("a.txt", "ward/b.txt"):
        (notes / name).write_text(CLEAN)
    command = ("scrub", notes, "-o", out, "-p", small)
    assert phiscrub(*command).code == 0
    (notes / "ward").rename(tmp_path / "away")
    (notes / "ward").symlink_to(tmp_path / "away")
    ended = phiscrub(*command, "--json")
    assert (ended.code, json.loads(ended.out)["foreign"]) == (3, 1)
    assert names(out) == ["a.txt", "ward/b.txt"]
