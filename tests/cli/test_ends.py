"""How the command ends where its surroundings fail it: a full disk, a closed pipe, a wrong word."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from phiscrub.jobs.run import Run

FULL = Path("/dev/full")
COMMAND = (sys.executable, "-m", "phiscrub")


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return small_pipeline(tmp_path / "pipe")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    file = tmp_path / "t.csv"
    file.write_text("id,text\n" + "1,Dr. Ortiz was here\n" * 20_000)
    return file


@pytest.mark.skipif(not FULL.is_char_device(), reason="no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "given",
    ["scrub {t} -q -p {p}", "convert {t} --to jsonl", "policies", "explain {n} -p {p}", "--help"],
)
def test_a_full_disk_behind_standard_output(
    given: str, unbuffered: str, small: Path, table: Path, tmp_path: Path
) -> None:
    note = tmp_path / "n.txt"
    note.write_text("Dr. Ortiz")
    words = given.format(t=table, p=small, n=note).split()
    with FULL.open("wb") as full:
        ended = subprocess.run(
            [*COMMAND, *words],
            stdout=full,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            text=True,
            check=False,
        )
    assert ended.returncode == 4
    assert len(ended.stderr.splitlines()) == 1
    assert "standard output: cannot be written: No space left on device" in ended.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="pipes as Unix has them")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("given", ["scrub {t} -q -p {p}", "scrub {n} -p {p}", "explain {n} -p {p}"])
def test_a_closed_pipe_ends_quietly(
    given: str, unbuffered: str, small: Path, table: Path, tmp_path: Path
) -> None:
    note = tmp_path / "n.txt"
    note.write_text("Dr. Ortiz was here.\n" * (300 if "explain" in given else 20_000))
    words = given.format(t=table, p=small, n=note).split()
    with subprocess.Popen(
        [*COMMAND, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
        bufsize=0,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(1)
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 141


@pytest.mark.skipif(sys.platform == "win32", reason="signals as Unix has them")
def test_terminated(small: Path, table: Path, tmp_path: Path) -> None:
    table.write_text("id,text\n" + "1,Dr. Ortiz was here\n" * 2_000_000)
    out = tmp_path / "c.csv"
    with subprocess.Popen(
        [*COMMAND, "scrub", table, "-o", out, "-p", small, "-q", "-w", "1"],
        stderr=subprocess.PIPE,
    ) as process:
        deadline = time.monotonic() + 30
        while not (tmp_path / ".c.csv.phiscrub").exists():
            assert time.monotonic() < deadline
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        assert process.stderr is not None
        goes_on = b"phiscrub: terminated; the same command with --resume goes on\n"
        assert process.stderr.read() == goes_on
        assert process.wait() == 143
    assert not out.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("scrub --bogus", "phiscrub scrub: no option --bogus"),
        ("scrub --workers -1", "phiscrub scrub: invalid value for '--workers'"),
        ("nothing", "phiscrub: no such command 'nothing'"),
        ("embed nothing", "phiscrub embed: no such command 'nothing'"),
        ("evaluate", "phiscrub evaluate: missing option '--gold'"),
        ("explain a b", "phiscrub explain: got unexpected extra argument"),
    ],
)
def test_a_usage_error_is_one_line(given: str, said: str) -> None:
    ended = phiscrub(*given.split())
    assert ended.code == 2
    assert len(ended.err.splitlines()) == 1
    assert ended.err.startswith(said)
    assert ended.err.endswith(f"; see {said.partition(':')[0]} --help\n")


def test_no_arguments_show_the_help() -> None:
    ended = phiscrub()
    assert (ended.code, ended.err) == (2, "")
    assert b"scrub" in ended.out


@pytest.mark.parametrize(("given", "goes_on"), [("scrub {t} -p {p}", True), ("convert {t}", False)])
def test_only_what_can_go_on_says_so(
    given: str, goes_on: bool, small: Path, table: Path, tmp_path: Path, monkeypatch
) -> None:
    def stopped(_: Run) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "go", stopped)
    ended = phiscrub(*given.format(t=table, p=small).split(), "-o", tmp_path / "o.csv")
    assert ended.code == 130
    assert "interrupted" in ended.err
    assert ("--resume" in ended.err) == goes_on


def test_what_standard_output_has_no_character_for_is_escaped(small: Path, tmp_path: Path) -> None:
    note = tmp_path / "n\U0001f600.txt"
    note.write_text("Dr. Ortiz née Núñez", "utf-8")
    surroundings = {**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "1"}
    explained, scrubbed, told = (
        subprocess.run(
            [*COMMAND, *words, "-p", small], env=surroundings, capture_output=True, check=True
        ).stdout
        for words in (
            ("explain", note),
            ("scrub", note),
            ("scrub", note, "-o", tmp_path / "\U0001f600é", "--json"),
        )
    )
    assert rb"n\u00e9e N\u00fa\u00f1ez" in explained
    assert scrubbed.decode("utf-8") == "Dr. [DOCTOR-1] née Núñez"
    assert json.loads(told)["output"] == str(tmp_path / "\U0001f600é")
