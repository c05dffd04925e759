"""Workers are no more than the cores that a run may take."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from phiscrub.jobs import cores


@pytest.mark.parametrize(
    ("quota", "count"), [("max 100000", 3), ("150000 100000", 2), ("9000 100000", 1), ("", 3)]
)
def test_the_mask_and_the_containers_quota_count(
    quota: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 5}, raising=False)
    monkeypatch.setattr(os, "cpu_count", lambda: 64)
    monkeypatch.setattr(cores, "QUOTA", tmp_path / "cpu.max")
    if quota:
        cores.QUOTA.write_text(quota)
    assert cores.usable_cores() == count
