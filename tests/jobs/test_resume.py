"""An interrupted run goes on: nothing lost, nothing done twice, the same bytes."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from phiscrub.jobs import run as run_module
from phiscrub.jobs.plan import Task

ROWS = 6_000
SLOW = """
import phiscrub.jobs.run
from phiscrub.cli.main import main
phiscrub.jobs.run.CHECKPOINT_SECONDS = 0
main()
"""


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


def make_table(path: Path, encoding: str = "utf-8") -> None:
    words = "was seen, and will be called. " * 10
    rows = (f'{i},"Dr. Ortiz {words}\n555-{i % 10_000:04d}"\n' for i in range(ROWS))
    path.write_text("id,note\n" + "".join(rows), encoding)


def make_folder(path: Path) -> None:
    path.mkdir()
    for i in range(2_200):
        (path / f"{i:04d}.txt").write_text(f"Dr. Ortiz, 555-{i:04d}\n")


def tree(path: Path) -> dict[str, bytes]:
    files = [path] if path.is_file() else [p for p in path.rglob("*") if p.is_file()]
    return {str(p.relative_to(path)): p.read_bytes() for p in files}


def read_audit(path: Path) -> list[dict[str, object]]:
    """Read the rows, outputs by their names below their folder; check the last one."""
    *above, last = path.read_bytes().splitlines(keepends=True)
    rows = [json.loads(line) for line in above]
    for row in rows:
        if row["row"] == "output":
            row["file"] = Path(row["file"]).name.removeprefix("whole").removeprefix("broken")
    end = json.loads(last)
    assert end.pop("rows_sha256") == hashlib.sha256(b"".join(above)).hexdigest()
    assert end["rows"] == len(rows)
    return [*rows, end]


@pytest.mark.parametrize("suffix", [".csv", ".jsonl", ".parquet", ""])
@pytest.mark.parametrize("stop", [1, 2, 3])
def test_an_interrupted_run_resumes_to_the_same_bytes(
    suffix: str, stop: int, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if suffix == ".parquet":
        pytest.importorskip("pyarrow")
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    source = tmp_path / f"in{suffix}"
    if suffix:
        make_table(tmp_path / "in.csv")
        if suffix != ".csv":
            phiscrub("convert", tmp_path / "in.csv", "-o", source, "--to", suffix[1:], "-q")
    else:
        make_folder(source)
    whole, broken = tmp_path / f"whole{suffix}", tmp_path / f"broken{suffix}"
    for out, audit in ((whole, "a1"), (broken, "a2")):
        assert out.name
        command = ("scrub", source, "-o", out, "-p", small, "--audit", tmp_path / audit, "-q")
        if out is broken:
            interrupt_after(stop, monkeypatch)
            ended = phiscrub(*command)
            assert ended.code == 130
            assert "--resume" in ended.err
            assert not broken.is_file()
            assert not (tmp_path / "a2").exists()
            monkeypatch.undo()
            monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
            command = (*command, "--resume")
        assert phiscrub(*command).code == 0
    assert tree(whole) == tree(broken)
    one, two = (read_audit(tmp_path / name) for name in ("a1", "a2"))
    assert one == two
    assert not list(tmp_path.rglob("*.phiscrub"))


def interrupt_after(batches: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop in the middle of a batch's writing, some batches on."""
    original = run_module.Run._write
    count = 0

    def write(
        self: run_module.Run,
        task: Task,
        batch: list,  # type: ignore[type-arg]
        results: list,  # type: ignore[type-arg]
        output: object,
    ) -> None:
        nonlocal count
        count += 1
        if count > batches:
            original(self, task, batch[: len(batch) // 2], results[: len(batch) // 2], output)  # type: ignore[arg-type]
            raise KeyboardInterrupt
        original(self, task, batch, results, output)  # type: ignore[arg-type]

    monkeypatch.setattr(run_module.Run, "_write", write)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_run_that_is_stopped_early_goes_on_from_its_last_batch(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str
) -> None:
    make_table(tmp_path / "in.csv", encoding)
    read, done = run_module.batches, []

    def stopped(found: object) -> object:
        for batch in read(found):  # type: ignore[arg-type]
            if len(done) == 2:
                raise KeyboardInterrupt
            done.append(len(batch))
            yield batch

    monkeypatch.setattr(run_module, "batches", stopped)
    command = ("scrub", tmp_path / "in.csv", "-o", tmp_path / "out.csv", "-p", small, "-w", 1)
    assert phiscrub(*command).code == 130
    monkeypatch.undo()
    wrote, original = [], run_module.Run._write

    def write(self: run_module.Run, task: Task, batch: list, *rest: object) -> None:  # type: ignore[type-arg]
        wrote.append(len(batch))
        original(self, task, batch, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(run_module.Run, "_write", write)
    assert phiscrub(*command, "--resume").code == 0
    assert sum(wrote) == ROWS - sum(done)
    assert (tmp_path / "out.csv").read_text(encoding).count("[DOCTOR-1]") == ROWS


def test_killed_with_nine(small: Path, tmp_path: Path) -> None:
    make_table(tmp_path / "in.csv")
    whole, killed = tmp_path / "whole.csv", tmp_path / "killed.csv"
    assert phiscrub("scrub", tmp_path / "in.csv", "-o", whole, "-p", small, "-q").code == 0
    command = [sys.executable, "-c", SLOW, "scrub", tmp_path / "in.csv", "-o", killed, "-p", small]
    journal = tmp_path / ".killed.csv.phiscrub" / "journal.jsonl"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 30
        while not (journal.exists() and journal.read_bytes().count(b"\n") >= 2):
            assert time.monotonic() < deadline
            assert process.poll() is None, "ended before it could be killed"
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
    assert not killed.exists()
    done = phiscrub("scrub", tmp_path / "in.csv", "-o", killed, "-p", small, "-q", "--resume")
    assert done.code == 0
    assert killed.read_bytes() == whole.read_bytes()


def test_resume_refuses_another_run(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    make_table(tmp_path / "in.csv")
    command = ("scrub", tmp_path / "in.csv", "-o", tmp_path / "out.csv", "-p", small)
    interrupt_after(2, monkeypatch)
    assert phiscrub(*command).code == 130
    monkeypatch.undo()
    other = phiscrub(*command, "--resume", "--labels", "hipaa")
    assert other.code == 2
    assert "start afresh without it" in other.err
    assert f"{tmp_path / '.out.csv.phiscrub'}: the interrupted run" in other.err
    assert (tmp_path / ".out.csv.phiscrub" / "journal.jsonl").exists()  # the right one still can
    assert phiscrub(*command, "--resume", "-q").code == 0
    assert phiscrub(*command, "-q").code == 0  # afresh


def test_what_came_by_a_pipe_cannot_be_gone_on_with(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    make_table(tmp_path / "in.csv")
    stdin = (tmp_path / "in.csv").read_bytes()
    command = ("scrub", "-", "-o", tmp_path / "out.csv", "-p", small, "-q")
    interrupt_after(2, monkeypatch)
    ended = phiscrub(*command, stdin=stdin)
    assert ended.code == 130
    assert "--resume" not in ended.err
    monkeypatch.undo()
    ended = phiscrub(*command, "--resume", stdin=stdin)
    assert ended.code == 2
    assert "by a pipe" in ended.err
    assert not (tmp_path / "out.csv").exists()
    assert phiscrub(*command, stdin=stdin).code == 0
    assert (tmp_path / "out.csv").read_bytes().count(b"555-") == 0


def test_workers_change_only_speed(small: Path, tmp_path: Path) -> None:
    make_table(tmp_path / "in.csv")
    one, two = tmp_path / "one.csv", tmp_path / "two.csv"
    for out, workers in ((one, 1), (two, 2)):
        command = ("scrub", tmp_path / "in.csv", "-o", out, "-p", small, "-q", "-w", workers)
        assert phiscrub(*command).code == 0
    assert one.read_bytes() == two.read_bytes()
