from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from typing import Any, cast

import pytest

import synth_notes
from phiscrub.formats.record import Format, Options
from phiscrub.formats.registry import get_format
from phiscrub.formats.source import Source
from phiscrub.jobs import read, run
from phiscrub.jobs.copies import Copies, CopyWork
from phiscrub.jobs.plan import Item, Task
from phiscrub.jobs.run import Job, Run
from phiscrub.synthesize.noise import Rates
from phiscrub.synthesize.synthesizer import Origin, Settings

WORK = CopyWork(
    Settings(5, noise=Rates(typos=0.05)),
    Copies.of([Origin(note) for note in synth_notes.notes()], 17),
    1,
)


@dataclass(frozen=True)
class Interrupted:
    """Work that the user stops before a batch."""

    work: CopyWork
    at: int

    @property
    def fingerprint(self) -> str:
        return self.work.fingerprint

    def run(self, batches: Any) -> Iterator[Any]:
        for number, batch in enumerate(self.work.run(batches)):
            if number == self.at:
                raise KeyboardInterrupt
            yield batch


def job(folder: Path, out: str) -> Job:
    source = folder / "gold"
    source.touch()
    item = Item(Source(source), cast(Format, WORK.copies), PurePath("copies"))
    return Job((Task((item,), get_format("jsonl"), folder / out),), Options(), Options())


def test_an_interrupted_run_goes_on_to_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "CHECKPOINT_SECONDS", 0.0)
    monkeypatch.setattr(read, "BATCH_RECORDS", 4)
    assert Run(job(tmp_path, "whole.jsonl"), WORK, lambda _: None).go().written == 17
    cut = job(tmp_path, "cut.jsonl")
    with pytest.raises(KeyboardInterrupt):
        Run(cut, Interrupted(WORK, 3), lambda _: None).go()
    assert not (tmp_path / "cut.jsonl").exists()
    Run(replace(cut, resume=True), WORK, lambda _: None).go()
    assert (tmp_path / "cut.jsonl").read_bytes() == (tmp_path / "whole.jsonl").read_bytes()


def test_other_notes_or_settings_are_another_run() -> None:
    fewer = Copies.of(WORK.copies.origins[:1], 17)
    others = (
        replace(WORK, copies=fewer),
        replace(WORK, settings=replace(WORK.settings, seed=6)),
        replace(WORK, copies=replace(WORK.copies, count=18)),
    )
    assert len({WORK.fingerprint, *(other.fingerprint for other in others)}) == 4
    assert replace(WORK, workers=2).fingerprint == WORK.fingerprint
