"""Steps: what is run again, what goes on, and what is kept."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from phiscrub.core.errors import SettingsError
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import open_sides
from phiscrub.experiments.folding import Folding
from phiscrub.experiments.step import (
    IDENTITY,
    Result,
    Results,
    Step,
    Tick,
    chosen,
    go,
    identities,
    missing,
)
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.corpus import Corpus
from phiscrub.train.crossval import Fold
from phiscrub.train.schedule import Run
from training_notes import corpus, write_jsonl


def quiet(_: str) -> None:
    pass


def counted(
    name: str, done: list[str], *needs: str, makes: Path | None = None, **told: Any
) -> Step:
    def work(results: Results, tick: Tick) -> Result:
        tick("at it")
        done.append(name)
        if makes is not None:
            makes.write_text("made", "utf-8")
        return {"sum": 1 + sum(results[need]["sum"] for need in needs)}

    return Step(name, "train", told, work, needs, () if makes is None else (makes,))


def test_a_step_is_not_run_twice_unless_what_decides_it_changed(tmp_path: Path) -> None:
    done: list[str] = []
    steps = (counted("a", done), counted("b", done, "a"), counted("c", done, "b"))
    told = go(steps, tmp_path, (), quiet)["c"]
    assert told == {"sum": 3, IDENTITY: identities(steps)["c"]}
    go(steps, tmp_path, (), quiet)
    assert done == ["a", "b", "c"]
    changed = (steps[0], counted("b", done, "a", epochs=2), steps[2])
    assert [step.name for step in missing(changed, tmp_path)] == ["b", "c"]
    go(changed, tmp_path, (), quiet)
    assert done == ["a", "b", "c", "b", "c"]


def test_a_step_whose_model_is_gone_is_run_again(tmp_path: Path) -> None:
    done: list[str] = []
    steps = (counted("a", done, makes=tmp_path / "model"),)
    go(steps, tmp_path / "steps", (), quiet)
    (tmp_path / "model").unlink()
    go(steps, tmp_path / "steps", (), quiet)
    assert done == ["a", "a"]


def test_other_rules_make_other_steps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench("any", open_sides(write_jsonl(corpus(20), tmp_path / "notes.jsonl")), tmp_path)
    train, test = bench.data.train, bench.data.test

    def made() -> dict[str, str]:
        recipes = ("kassaie2016-crf", "kassaie2016-lstm")  # rules are heard by the first alone
        steps = [bench.train(one, one, train, None, test) for one in recipes]
        folds = tuple(bench.data.folds(2))
        return identities([*steps, Folding("folds", "kassaie2016-crf", folds).step(bench)])

    first = made()
    assert made() == first
    monkeypatch.setattr(Shelf, "_add", lambda self, _, at: self._digest.update(at.encode()))
    changed = {name for name, identity in made().items() if identity != first[name]}
    assert changed == {"kassaie2016-crf", "folds"}


def test_steps_that_are_asked_for_bring_what_they_need() -> None:
    steps = (counted("a", []), counted("b 1", [], "a"), counted("b 2", []), counted("c", [], "b 1"))
    assert [step.name for step in chosen(steps, ["c"])] == ["a", "b 1", "c"]
    assert [step.name for step in chosen(steps, ["b"])] == ["a", "b 1", "b 2"]
    assert len(chosen(steps, [])) == 4
    with pytest.raises(SettingsError, match="no step 'd'"):
        chosen(steps, ["d"])


def test_a_model_is_only_kept_with_its_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sides = open_sides(write_jsonl(corpus(12), tmp_path / "notes.jsonl"))

    def trained(train: Corpus) -> None:
        step = Bench("any", sides, tmp_path).train(
            "CRF", "kassaie2016-crf", train, None, sides.test
        )
        go((step,), tmp_path / "steps", (), quiet)

    def cut_off(*_: object) -> None:
        raise KeyboardInterrupt

    trained(sides.train)
    files = sorted((tmp_path / "models" / "crf").iterdir())
    before = [file.read_bytes() for file in files]
    monkeypatch.setattr("phiscrub.experiments.bench.tested", cut_off)
    with pytest.raises(KeyboardInterrupt):  # of other notes: what is kept is of the first ones
        trained(sides.train.without([sides.train.notes[0].document.id]))
    assert [file.read_bytes() for file in files] == before


def test_a_broken_result_is_made_anew(tmp_path: Path) -> None:
    done: list[str] = []
    (tmp_path / "a.json").write_text("{", "utf-8")
    assert go((counted("a", done),), tmp_path, (), quiet)["a"]["sum"] == 1


@pytest.mark.parametrize("other", ["text", "version"])
def test_folds_of_other_vectors_or_versions_are_others_and_of_the_same_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    bench = Bench("any", open_sides(write_jsonl(corpus(8), tmp_path / "notes.jsonl")), tmp_path)
    folding = Folding("folds", "kassaie2016-crf", tuple(bench.data.folds(2)), needs=("vectors",))
    ran: list[Path] = []

    def noted(*given: Any) -> list[Fold]:
        ran.append(given[1])
        return []

    monkeypatch.setattr("phiscrub.experiments.folding.run", noted)

    def again(text: str) -> None:
        steps = (counted("vectors", [], text=text), folding.step(bench))
        (tmp_path / "steps" / "folds.json").unlink(missing_ok=True)
        go(steps, tmp_path / "steps", (), quiet)

    again("one")
    again("one")
    assert ran[0] == ran[1]
    if other == "version":
        monkeypatch.setattr("phiscrub.experiments.step.VERSION", "0.0.0")
    again("two" if other == "text" else "one")
    assert ran[2] != ran[0]


@pytest.mark.parametrize("other", ["text", "version"])
def test_checkpoints_of_other_vectors_or_versions_are_others_and_of_the_same_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, other: str
) -> None:
    bench = Bench("any", open_sides(write_jsonl(corpus(8), tmp_path / "notes.jsonl")), tmp_path)
    train, test = bench.data.train, bench.data.test
    seen: list[Path | None] = []

    def cut_off(*_: object, run: Run) -> None:
        seen.append(run.checkpoint)
        raise KeyboardInterrupt

    monkeypatch.setattr("phiscrub.experiments.bench.fit", cut_off)

    def again(text: str) -> None:
        made = bench.train("LSTM", "kassaie2016-lstm", train, None, test, needs=("vectors",))
        with pytest.raises(KeyboardInterrupt):
            go((counted("vectors", [], text=text), made), tmp_path / "steps", (), quiet)

    again("one")
    again("one")
    assert seen[0] == seen[1] is not None
    if other == "version":
        monkeypatch.setattr("phiscrub.experiments.step.VERSION", "0.0.0")
    again("two" if other == "text" else "one")
    assert seen[2] != seen[0]
