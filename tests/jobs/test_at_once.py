"""Runs at the same time: those of different files go on beside each other, of the same one not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Annotated
from phiscrub.formats.record import Options
from phiscrub.jobs.ledger import Journal
from phiscrub.jobs.plan import plan
from phiscrub.jobs.run import Job, Run
from phiscrub.jobs.work import Processor, Relabelling, Result

T = TypeVar("T")
HOLD = """
import sys
from pathlib import Path
from phiscrub.jobs.ledger import Journal
with Journal(Path(sys.argv[1]), None).held():
    print("held", flush=True)
    sys.stdin.read()
"""
WITHOUT_LOCKS = """
import sys
sys.modules["fcntl"] = None
from phiscrub.cli.main import main
main()
"""


@dataclass
class Meanwhile:
    """Begins another run in the midst of one."""

    other: Run
    fingerprint = ""
    refused: str = ""

    def run(
        self, batches: Iterable[tuple[T, Sequence[Annotated]]]
    ) -> Iterator[tuple[T, list[Result]]]:
        try:
            self.other.go()
        except SettingsError as error:
            self.refused = str(error)
        yield from Relabelling(None).run(batches)


def copying(source: Path, out: Path, processor: Processor | None = None) -> Run:
    job = Job(plan([str(source)], str(out), None, None), Options(), Options())
    return Run(job, processor or Relabelling(None), lambda _: None)


@pytest.mark.parametrize("suffix", [".txt", ".csv"])
def test_other_files_of_a_folder(suffix: str, tmp_path: Path) -> None:
    a, b, out = tmp_path / f"a{suffix}", tmp_path / f"b{suffix}", tmp_path / "out"
    for path in (a, b):
        path.write_text("id,note\n1,x\n")
    meanwhile = Meanwhile(copying(b, out / b.name))
    assert copying(a, out / a.name, meanwhile).go().written == 1
    assert not meanwhile.refused
    assert sorted(path.name for path in out.iterdir()) == [a.name, b.name]


@pytest.mark.parametrize("suffix", ["", ".csv"])
def test_the_same_output_is_refused(suffix: str, tmp_path: Path) -> None:
    source, out = tmp_path / f"in{suffix}", tmp_path / f"out{suffix}"
    if suffix:
        source.write_text("id,note\n1,x\n")
    else:
        source.mkdir()
        (source / "a.txt").write_text("x")
    meanwhile = Meanwhile(copying(source, out))
    assert copying(source, out, meanwhile).go().written == 1
    assert "another run is writing there; " in meanwhile.refused
    assert copying(source, out).go().written == 1
    assert len(list(tmp_path.rglob("*"))) == (2 if suffix else 4)


def test_a_run_that_was_killed_holds_nothing(tmp_path: Path) -> None:
    journal, command = Journal(tmp_path / "run", None), [sys.executable, "-c", HOLD]
    pipe = subprocess.PIPE
    with subprocess.Popen([*command, journal.folder], stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(SettingsError, match="another run is writing there"), journal.held():
            pass
        other.kill()
    with journal.held():
        pass


def test_runs_go_without_a_lock_where_the_system_has_none(tmp_path: Path) -> None:
    source, out = tmp_path / "in.csv", tmp_path / "out.jsonl"
    source.write_text("id,note\n1,x\n")
    command = [sys.executable, "-c", WITHOUT_LOCKS, "convert", source, "-o", out, "--to", "jsonl"]
    subprocess.run(command, check=True, timeout=60)
    assert sorted(tmp_path.iterdir()) == [source, out]
