"""What is checked over a run is told of all of it: resumed, broken in part, or stopped."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest

from command import Ended, phiscrub, small_pipeline
from phiscrub.cli import surrogating
from phiscrub.core.errors import OutputError
from phiscrub.jobs import read as read_module
from phiscrub.jobs import run as run_module

SECRET = "0123456789abcdef0123456789abcdef"
RULES = r"""
[[rule]]
name = "day"
label = "DATE"
at = '\d{1,2}'
pattern = '\d{1,2}/\d{1,2}(?:/\d{4})?'
[[rule]]
name = "age"
label = "AGE"
at = 'aged'
pattern = 'aged[ ](?P<phi>\d+)'
"""
WRITE = run_module.Run._write


@pytest.fixture
def place(tmp_path: Path) -> Path:
    pack = small_pipeline(tmp_path).parent / "pack" / "pack.toml"
    pack.write_text(pack.read_text() + RULES)
    (tmp_path / "secret").write_text(SECRET)
    (tmp_path / "key").write_bytes(urlsafe_b64encode(secrets.token_bytes(32)))
    folder = tmp_path / "in"
    folder.mkdir()
    for name, patients in (("a", range(70)), ("b", range(35, 105))):
        rows = (f"{n},p{n},{note(n)}\n" for n in patients)
        (folder / f"{name}.csv").write_text("id,patient,note\n" + "".join(rows))
    return tmp_path


def note(patient: int) -> str:
    left = "Ortiz left." if patient % 7 == 0 else ""
    return f"Dr. Ortiz saw one aged {patient % 90} on 3/{patient % 40}. 422-{patient:04}. {left}"


def scrub(place: Path, out: str, *more: object) -> Ended:
    return phiscrub(
        *("scrub", place / "in", "-o", place / out, "-p", place / "small.toml", "-w", 1),
        *("--replace", "surrogates", "--subject-column", "patient", "--json", *more),
    )


def stop_after(batches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    def write(self: run_module.Run, *given: object) -> None:
        nonlocal count
        count += 1
        if count > batches:
            raise KeyboardInterrupt
        WRITE(self, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(run_module.Run, "_write", write)


@pytest.mark.parametrize("dates", ["shift", "onset"])
def test_a_resumed_run_tells_of_all_notes(
    place: Path, monkeypatch: pytest.MonkeyPatch, dates: str
) -> None:
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(read_module, "BATCH_RECORDS", 30)
    more = ("--secret-file", place / "secret", "--dates", dates)
    whole = json.loads(scrub(place, "whole", *more).out)["checked"]
    assert whole["notes_left"] == 20
    assert whole["shared"]["PHONE"]
    assert whole["patients"] > 0
    assert whole["doubts"] if dates == "shift" else whole["guessed"]
    for batches in (1, 3, 4):  # in the first file, behind it, in the second
        out = place / f"out{batches}"
        stop_after(batches, monkeypatch)
        ended = scrub(place, out.name, *more)
        monkeypatch.setattr(run_module.Run, "_write", WRITE)
        assert "the same command with --resume goes on" in ended.err
        assert (out / "a.csv").exists() == (batches > 2)
        told = b"".join(path.read_bytes() for path in (out / ".phiscrub").glob("*.jsonl"))
        assert told
        assert not [word for word in (b"Ortiz", b"ortiz", b"422-", SECRET.encode()) if word in told]
        ended = scrub(place, out.name, *more, "--resume")
        assert ended.code == 0, ended.err
        assert json.loads(ended.out)["checked"] == whole
        assert "still stand in 20 notes" in ended.err


def test_another_secret_cannot_go_on(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(read_module, "BATCH_RECORDS", 30)
    more = ("--secret-file", place / "secret")
    stop_after(1, monkeypatch)
    scrub(place, "out", *more)
    monkeypatch.setattr(run_module.Run, "_write", WRITE)
    (place / "secret").write_text("another secret of more bytes")
    ended = scrub(place, "out", *more, "--resume")
    assert ended.code == 2
    assert "the interrupted run had other input, options or pipeline" in ended.err
    (place / "secret").write_text(SECRET)
    assert scrub(place, "out", *more, "--resume").code == 0


def test_what_is_not_written_of_a_broken_file_is_not_told_of(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_module, "BATCH_RECORDS", 30)
    rows = [{"id": n, "patient": f"p{n}", "note": note(n)} for n in range(70)]
    (place / "in" / "a.csv").unlink()
    (place / "in" / "a.json").write_text(json.dumps(rows)[:-1] + ", {]")
    ended = scrub(place, "out")
    assert ended.code == 3
    told = json.loads(ended.out)
    assert told["broken_files"] == 1
    assert told["checked"]["notes_left"] == 10


def test_a_killed_run_leaves_no_key_behind(place: Path) -> None:
    temporary, out = place / "tmp", place / "out"
    temporary.mkdir()
    (place / "in" / "b.csv").write_text("id,patient,note\n" + f"1,p1,{note(1)}\n" * 40_000)
    run = subprocess.Popen(
        [
            *(sys.executable, "-m", "phiscrub", "scrub", place / "in", "-o", out, "-w", "2"),
            *("-p", place / "small.toml", "--replace", "surrogates"),
        ],
        env={**os.environ, "TMPDIR": str(temporary)},
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not (out / "a.csv").exists():
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.01)
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert not (out / "b.csv").exists()
    assert not list(temporary.iterdir())


@pytest.mark.parametrize("workers", [1, 2])
def test_a_key_of_one_run_is_that_of_all_its_workers(
    place: Path, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(read_module, "BATCH_RECORDS", 30)
    rows = "1,p1,Dr. Ortiz left.\n" * 300
    (place / "in" / "b.csv").write_text("id,patient,note\n" + rows)
    assert scrub(place, "out", "-w", workers).code == 0
    told = {line.split(",", 2)[2] for line in (place / "out" / "b.csv").read_text().splitlines()}
    assert len(told) == 2


@pytest.mark.parametrize("source", ["in/a.csv", "notes"])
def test_no_output_stands_without_its_linkage(
    place: Path, monkeypatch: pytest.MonkeyPatch, source: str
) -> None:
    def full(*_: object) -> str:
        raise OutputError("cannot be written: No space left on device", where="link")

    (place / "notes").mkdir()
    (place / "notes" / "n.txt").write_text(note(1))
    monkeypatch.setattr(surrogating, "sealed", full)
    ended = phiscrub(
        *("scrub", place / source, "-o", place / "out", "-p", place / "small.toml"),
        *("--replace", "surrogates", "--linkage", place / "link", "--linkage-key", place / "key"),
    )
    assert ended.code == 4
    assert "start afresh with another --linkage" in ended.err
    assert not (place / "out").is_file()
    assert not (place / "out" / "n.txt").exists()


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--linkage", "link", "--linkage-key", "key"), "start afresh with another --linkage"),
        ((), "start afresh: the key of a run without --secret-file ends with it"),
        (("--secret-file", "secret"), "the same command with --resume goes on"),
    ],
)
def test_a_stopped_run_is_told_what_to_do(
    place: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(place)
    stop_after(1, monkeypatch)
    ended = scrub(place, "out", *more)
    assert ended.code == 130
    assert said in " ".join(ended.err.split())
    assert ("--resume" in ended.err) == ("--secret-file" in more)


def test_the_linkage_of_a_stopped_run_opens(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stop_after(1, monkeypatch)
    key = ("--linkage-key", place / "key")
    assert scrub(place, "out", "--linkage", place / "link", *key).code == 130
    with (place / "link").open("ab") as file:
        file.write(b"gAAAA")  # where it was killed
    told = phiscrub("linkage", place / "link", *key)
    assert told.code == 0
    rows = [json.loads(line) for line in told.out.splitlines()]
    assert {row["note"] for row in rows} >= {str(n) for n in range(70)}
