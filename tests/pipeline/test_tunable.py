"""A pipeline at many thresholds, its notes weighed once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from command import small_pipeline
from crf_models import charts, random_model, save
from phiscrub.core.document import Document
from phiscrub.core.mention import Mention
from phiscrub.pipeline import tunable
from phiscrub.pipeline.tunable import Tunable
from phiscrub.pipeline.weighed import Weighed
from phiscrub.tokenize.clinical import Clinical

THRESHOLDS = (0.999999, 0.3, 0.05)
TAGGERS = {
    "crf": 'use = "crf"\nmodel = "./crf1"\nroles = ["PATIENT"]\n',
    "ensemble": 'use = "ensemble"\nmodels = ["./crf1", "./crf2"]\n',
    "neural": 'use = "neural"\nmodel = "en-tagger"\n',
    "routed": 'use = "crf"\nmodel = "./crf1"\nonly = ["PATIENT"]\nmap = { PATIENT = "DOCTOR" }\n',
}
NOTES, _ = charts(4, seed=3, lines=5)
DOCUMENTS = [
    Document("seen", "Seen by Dr. Ortiz, tel. 555-0182, on 3 / 4 in Kalo."),
    Document("disguised", "Seen by Dr. Or\u200btiz in Ka\u00adlo, Vi\uff52en."),
    *(note.document for note in NOTES),
]


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("ours")
    for seed in (1, 2):
        save(replace(random_model(NOTES, seed=seed), name=f"crf{seed}"), folder / f"crf{seed}")
    rules = small_pipeline(folder).read_text()
    for name, table in TAGGERS.items():
        (folder / f"{name}.toml").write_text(f"{rules}[[detector]]\n{table}")
    return folder


def found(folder: Path, name: str, batch: int) -> list[list[list[Mention]]]:
    made = Tunable.load(str(folder / f"{name}.toml"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tunable, "CHARACTERS", batch)
        return [[list(cover) for cover in own] for _, own in made.covers(DOCUMENTS, THRESHOLDS)]


@pytest.mark.parametrize("name", TAGGERS)
def test_covers_are_those_of_the_pipeline_built_at_each_threshold(ours: Path, name: str) -> None:
    made = Tunable.load(str(ours / f"{name}.toml"))
    alone = [[list(cover) for cover in made.at(t).covers(DOCUMENTS)] for t in THRESHOLDS]
    assert found(ours, name, 200_000) == alone
    assert alone[0] != alone[1] != alone[2]
    assert any("phone" in mention.source for cover in alone[0] for mention in cover)


def test_notes_are_cut_once_as_far_as_memory_goes(ours: Path, monkeypatch) -> None:
    cut: list[str] = []
    plain = Clinical.tokenize

    def counted(self, documents):
        cut.extend(own.id for own in documents if own.id != "probe")
        return plain(self, documents)

    monkeypatch.setattr(Clinical, "tokenize", counted)
    whole = found(ours, "crf", 200_000)
    assert len(cut) == len(DOCUMENTS)
    cut.clear()
    monkeypatch.setattr(tunable, "HELD", 2)
    assert found(ours, "crf", 1) == whole  # a batch a note, of which two are held
    assert len(cut) == 2 + len(THRESHOLDS) * (len(DOCUMENTS) - 2)


def test_only_thresholds_that_are_asked_for_are_worked_on(ours: Path, monkeypatch) -> None:
    asked: list[float] = []
    plain = Weighed.covers

    def noted(self, threshold):
        asked.append(threshold)
        return plain(self, threshold)

    monkeypatch.setattr(Weighed, "covers", noted)
    made = Tunable.load(str(ours / "crf.toml"))
    next(made.covers(DOCUMENTS, THRESHOLDS))
    assert asked == [THRESHOLDS[0]]


def test_a_tagger_that_cannot_be_read_again_is_built_again(ours: Path, monkeypatch) -> None:
    whole = found(ours, "ensemble", 200_000)
    monkeypatch.setattr(tunable, "is_careful", lambda _: False)
    assert found(ours, "ensemble", 200_000) == whole
