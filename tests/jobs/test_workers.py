"""Workers end with the run that began them, whatever ends it and whatever they are at."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import small_pipeline

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends signals as Unix has them")

RUN = """
import os, signal, sys, time
from pathlib import Path
from phiscrub.jobs.workers import in_parallel

FOLDER, STATE = Path(sys.argv[1]), sys.argv[2]

def begin(_):
    pass

def work(batch):
    (FOLDER / f"worker-{os.getpid()}").touch()
    while STATE == "busy" or len(list(FOLDER.glob("worker-*"))) < 2:
        pass
    return ["x" * 10_000_000] if STATE == "sending" else [batch]

if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        for _ in in_parallel(((n, n) for n in range(4)), 2, begin, None, work):
            (FOLDER / "yielded").touch()
            time.sleep(60)
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.fixture(autouse=True)
def _interruptible() -> Iterator[None]:
    """Hand no ignored Ctrl-C on, as a test run in the background would."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def begun(folder: Path, state: str) -> subprocess.Popen[bytes]:
    """Start a run, and come back when both workers are in the state.

    Workers and their helpers write where the run writes its errors, so that reading them to the
    end is waiting for all of them.
    """
    script = folder / "run.py"
    script.write_text(RUN)
    command = [sys.executable, str(script), str(folder), state]
    run = subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True)
    wanted = "worker-*" if state == "busy" else "yielded"
    deadline = time.monotonic() + 30
    while len(list(folder.glob(wanted))) < (2 if state == "busy" else 1):
        assert time.monotonic() < deadline
        assert run.poll() is None
        time.sleep(0.01)
    return run


def said(run: subprocess.Popen[bytes]) -> str:
    """Return what was written on standard error till the last process ended."""
    try:
        return run.communicate(timeout=8)[1].decode()  # about one, on a machine at rest
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        pytest.fail("workers were left behind")


@pytest.mark.parametrize("state", ["idle", "busy", "sending"])
def test_a_killed_run_leaves_no_worker_behind(state: str, tmp_path: Path) -> None:
    run = begun(tmp_path, state)
    run.kill()
    assert "Traceback" not in said(run)
    assert run.returncode == -signal.SIGKILL


@pytest.mark.parametrize("state", ["idle", "busy", "sending"])
@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("all_", [True, False], ids=["group", "run"])
def test_a_stopped_run_ends_its_workers_without_a_word(
    state: str, sign: int, all_: bool, tmp_path: Path
) -> None:
    run = begun(tmp_path, state)
    (os.killpg if all_ else os.kill)(run.pid, sign)
    assert said(run) == ""
    assert run.returncode == 128 + sign


def test_ctrl_c_while_workers_begin_is_one_line(tmp_path: Path) -> None:
    notes = tmp_path / "in.csv"
    notes.write_text("id,note\n" + '1,"Dr. Ortiz, 555-0182"\n' * 60_000)
    pipeline = small_pipeline(tmp_path / "pipe")
    for wait in (0.0, 0.3, 0.9):
        command = ["scrub", notes, "-o", tmp_path / f"{wait}.csv", "-p", pipeline, "-w", 2, "-q"]
        run = subprocess.Popen(
            [sys.executable, "-m", "phiscrub", *map(str, command)],
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        deadline = time.monotonic() + 30
        while not (tmp_path / f".{wait}.csv.phiscrub").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        time.sleep(wait)
        os.killpg(run.pid, signal.SIGINT)
        lines = said(run).splitlines()
        assert run.returncode == 130
        assert len(lines) == 1, lines
        assert "interrupted" in lines[0]
