"""A run tells how many bytes of its input it has dealt with, all of them in the end."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest

from phiscrub.formats.record import Options
from phiscrub.jobs import run as run_module
from phiscrub.jobs.plan import plan, total_bytes
from phiscrub.jobs.run import Job, Run
from phiscrub.jobs.work import Relabelling

ROWS = 1_500
TEXT = "Dr. Ørtiz 😀 was seen, and will be called"


def steps(source: Path, out: Path, *, resume: bool = False, stop: int = 0) -> tuple[list[int], int]:
    """Copy a file or a folder; return how far each batch has come, and how far there is to go."""
    tasks = plan([str(source)], str(out), None, None)
    reached: list[int] = []

    def tick(size: int) -> None:
        if size:
            reached.append(sum(reached[-1:]) + size)
        if stop and len(reached) == stop:
            raise KeyboardInterrupt

    with suppress(KeyboardInterrupt):
        Run(Job(tasks, Options(), Options(), resume=resume), Relabelling(None), tick).go()
    return reached, total_bytes(tasks)


@pytest.fixture(params=["utf-8", "utf-8-sig", "utf-16", "utf-32", "parquet", "folder"])
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    rows = [(str(number), f"{TEXT} {number}") for number in range(ROWS)]
    path = tmp_path / f"in.{'parquet' if request.param == 'parquet' else 'csv'}"
    if request.param == "parquet":
        pa = pytest.importorskip("pyarrow")
        pq = pytest.importorskip("pyarrow.parquet")
        names, texts = zip(*rows, strict=True)
        pq.write_table(pa.table({"id": names, "text": texts}), path)
    elif request.param == "folder":
        path = tmp_path / "in"
        path.mkdir()
        for name, text in rows:
            (path / f"{name}.txt").write_text(text)
    else:
        lines = "".join(f"{name},{text}\n" for name, text in rows)
        path.write_text(f"id,text\n{lines}", request.param)
    return path


def test_all_bytes_are_told_in_the_end(source: Path, tmp_path: Path) -> None:
    reached, whole = steps(source, tmp_path / f"out{source.suffix}")
    assert reached == sorted(reached)
    assert reached[-1] == whole
    assert 0.3 * whole < reached[0] < 0.4 * whole


def test_a_run_that_goes_on_begins_where_it_was(
    source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_module, "CHECKPOINT_SECONDS", 0.0)
    out = tmp_path / f"out{source.suffix}"
    (before,), _ = steps(source, out, stop=1)
    reached, whole = steps(source, out, resume=True)
    assert reached[0] >= before
    assert reached[1] > before
    assert reached[-1] == whole
