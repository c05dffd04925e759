"""What all protocols share: sides of a corpus, steps, tables, pictures, statistics, thresholds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phiscrub.core.errors import InputError, SettingsError
from phiscrub.detect.inverse_features import ALWAYS, PHI, SAFE
from phiscrub.evaluate.sample import Sample
from phiscrub.experiments.bench import Bench
from phiscrub.experiments.corpus import Reading, open_sides, played, recast
from phiscrub.experiments.figures import figures, training_tokens, triple
from phiscrub.experiments.folding import Folding
from phiscrub.experiments.picture import DOTS, Frame, Series, draw
from phiscrub.experiments.statistics import pearson
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
from phiscrub.experiments.table import Table, side_by_side
from phiscrub.experiments.words import NEVER, Sheet, alone, best_pairs, searched
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train.crossval import Fold
from phiscrub.train.schedule import Run
from training_notes import corpus, write_jsonl

FLOATS = st.lists(st.floats(-1e3, 1e3).map(lambda x: round(x, 3)), min_size=3, max_size=20)


def quiet(_: str) -> None:
    pass


# Corpora


def test_a_file_is_split_by_the_record_always_alike(tmp_path: Path) -> None:
    file = write_jsonl(corpus(20), tmp_path / "notes.jsonl")
    one, other = open_sides(file), open_sides(file)
    assert one.sha256 == other.sha256
    ids = [{n.document.id for n in side.notes} for side in (one.train, one.test)]
    assert ids[0] | ids[1] == {n.document.id for n in one.whole.notes}
    assert not ids[0] & ids[1]
    assert len(ids[1]) == 5
    assert one.language == "en"


def test_folders_named_train_and_dev_are_the_sides(tmp_path: Path) -> None:
    for side, seed, first in (("train", 1, 0), ("dev", 2, 20)):
        (tmp_path / side).mkdir()
        write_jsonl(corpus(4, seed, first), tmp_path / side / "notes.jsonl")
    sides = open_sides(tmp_path, Reading(language="sv"))
    assert (len(sides.train), len(sides.test), len(sides.whole)) == (4, 4, 8)
    assert sides.language == "sv"
    train, held = sides.held_out(0.25)
    assert {n.document.id for n in (*train.notes, *held.notes)} == {
        n.document.id for n in sides.train.notes
    }
    assert sum(len(fold) for fold in sides.folds(3)) == 8


def test_the_same_notes_on_both_sides_are_refused(tmp_path: Path) -> None:
    for side in ("train", "dev"):
        (tmp_path / side).mkdir()
        write_jsonl(corpus(4), tmp_path / side / "notes.jsonl")
    with pytest.raises(SettingsError, match="keep them apart"):
        open_sides(tmp_path)


def test_one_note_cannot_be_split(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be parted"):
        open_sides(write_jsonl(corpus(1), tmp_path / "notes.jsonl"))


def test_only_columns_are_cut(tmp_path: Path) -> None:
    rows = "".join(f"Anna B-PER\nsaw O\nLund{n} B-LOC\n\n" for n in range(12))
    columns = tmp_path / "news.conll"
    columns.write_text(rows, "utf-8")
    assert len(open_sides(columns, Reading(cut=2)).whole) > 4
    notes = write_jsonl(corpus(8), tmp_path / "notes.jsonl")
    assert len(open_sides(notes, Reading(cut=1)).whole) == 8


def test_labels_are_recast_and_what_a_set_lacks_is_dropped() -> None:
    own = corpus(3)
    assert recast(own, "i2b2-2014") is own
    assert set(recast(own, "ontonotes-5").labels) == {"PERSON", "ORG", "DATE"}
    assert set(recast(own, "i2b2-2006").labels) == {"DOCTOR", "HOSPITAL", "DATE"}


def test_only_the_user_says_that_notes_are_the_papers_own() -> None:
    assert "stands in for the clinic's notes" in played("the clinic's notes", corpus(2), own=False)
    assert "is the clinic's notes, as --own says" in played(
        "the clinic's notes", corpus(2), own=True
    )


# Steps


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


# Tables and pictures


def test_a_table_shows_what_is_known() -> None:
    rows: Mapping[tuple[str, ...], Any] = {
        ("CRF",): ((0.95, None), None),
        ("a|b",): (None, (1, 5e-78)),
    }
    told = side_by_side("T", "about", ("system",), ("P", "p"), rows)
    lines = told.markdown().splitlines()
    assert lines[4:] == [
        "| system | paper P | paper p | ours P | ours p |",
        "| --- | ---: | ---: | ---: | ---: |",
        "| CRF | 0.950 | – | – | – |",
        "| a\\|b | – | – | 1 | 5e-78 |",
    ]
    assert told.json()["rows"][0] == ("CRF", 0.95, None, None, None)
    assert "![T](t.svg)" in Table("T", "", ("a",), (), "t.svg").markdown()


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)  # noqa: S314 - our own


def test_a_picture_is_xml_with_every_point_inside_its_frame() -> None:
    series = [
        Series("a < b", ((0.5, 0.2), (0.9, 0.4), (0.1, 9.0))),
        Series("c", ((0.5, 0.5),), DOTS),
    ]
    root = parsed(draw(series, "x & y", "up", Frame((0.0, 0.0), (1.0, 1.0))))
    circles = [e for e in root.iter() if e.tag.endswith("circle")]
    assert len(circles) == 3
    assert all(0 <= float(c.attrib["cx"]) <= 640 for c in circles)
    assert parsed(draw([Series("none", ())], "x", "y")) is not None


# Statistics


@settings(max_examples=40)
@given(FLOATS, st.integers(0, 1000))
def test_pearson_is_numpys_and_bounded(xs: list[float], seed: int) -> None:
    ys = np.random.default_rng(seed).uniform(-1, 1, len(xs)).tolist()
    found = pearson(xs, ys)
    if found.r is None:
        assert np.std(xs) == 0
        return
    assert found.r == pytest.approx(np.corrcoef(xs, ys)[0, 1], abs=1e-9)
    assert found.p is not None
    assert 0 <= found.p <= 1
    assert pearson(ys, xs).r == pytest.approx(found.r, abs=1e-9)


def test_pearson_of_known_values() -> None:
    found = pearson([1, 2, 3, 4, 5], [2, 1, 4, 3, 5])
    assert (found.r, found.p) == (pytest.approx(0.8), pytest.approx(0.10409, abs=1e-5))
    assert pearson([1, 2], [1, 2]).r is None
    assert pearson([1, 2, 3], [2, 4, 6]).p == pytest.approx(0, abs=1e-6)


# Figures


def test_figures_count_mentions_categories_words_and_masking() -> None:
    text = "Dr. Ann Lee saw Bo Ek in May."
    gold = ((4, 11, "DOCTOR"), (16, 21, "PATIENT"), (25, 28, "DATE"))
    found = ((4, 7, "DOCTOR"), (16, 21, "DOCTOR"), (25, 28, "DATE"))
    told = figures([Sample("n", text, gold, found)], "i2b2-2014")
    assert told["mentions"]["all"] == [1, 2, 2]
    assert told["partly"]["DOCTOR"] == [1, 0, 1]
    assert told["categories"]["NAME"] == [1, 1, 1]  # the patient is taken for a doctor: a name
    assert told["tokens"]["DOCTOR"] == [1, 1, 2]
    assert told["masking"]["all"] == [4, 1, 0]  # Lee alone stays
    assert told["masking"]["hipaa.corrected"][:2] == [3, 0]  # a doctor's name is none of HIPAA's
    assert triple(told["masking"]["all"])[1] == 0.8


def test_words_to_learn_from_are_counted_by_label() -> None:
    assert training_tokens(corpus(5))["DOCTOR"] == 5


# Thresholds


def sheet(rng: np.random.Generator, words: int = 400) -> tuple[Sheet, np.ndarray[Any, Any]]:
    gold = rng.random(words) < 0.2
    verdicts = np.where(rng.random(words) < 0.6, SAFE, np.where(gold, ALWAYS, PHI)).astype(np.uint8)
    safe = np.clip(np.where(gold, 0.2, 0.95) + rng.normal(0, 0.15, words), 0, 1)
    return Sheet(verdicts, gold, gold & (rng.random(words) < 0.5)), safe


def test_points_are_those_of_the_rule_written_out() -> None:
    own, safe = sheet(np.random.default_rng(1))
    least = {SAFE: 0.8, PHI: 0.9, ALWAYS: NEVER}
    masked = [not s > least[v] for s, v in zip(safe.tolist(), own.verdicts.tolist(), strict=True)]
    hits = sum(m and g for m, g in zip(masked, own.gold.tolist(), strict=True))
    recall, precision, _ = own.ruled(safe, 0.8, 0.9)
    assert recall == pytest.approx(hits / own.gold.sum(), abs=1e-5)
    assert precision == pytest.approx(hits / sum(masked), abs=1e-5)


def test_searched_thresholds_reach_what_is_wanted_on_the_notes_they_were_chosen_on() -> None:
    rng = np.random.default_rng(2)
    (held, safe), (test, found) = sheet(rng), sheet(rng)
    targets = (0.95, 0.99)
    two = searched(held, safe, test, found, targets)
    one = alone(held, safe, test, found, targets)
    for row in (*two["targets"], *one["targets"]):
        assert row["held"][0] >= row["wanted"]
        assert row["low"] <= row["high"]
    assert two["curve"] == sorted(two["curve"])
    assert {row["wanted"] for row in two["targets"]} == set(targets)
    assert {row["wanted"] for row in one["targets"]} == set(targets)


SURE = st.sampled_from([0.0, 0.1, 0.5, 0.6, 0.9, 1.0])
WORDS = st.lists(st.tuples(st.sampled_from([SAFE, PHI, ALWAYS]), st.booleans(), SURE), min_size=1)


@settings(max_examples=150)
@given(WORDS.filter(lambda words: any(gold for _, gold, _ in words)))
def test_no_two_thresholds_are_better_than_those_that_are_found(
    words: list[tuple[int, bool, float]],
) -> None:
    verdicts, gold, told = (np.array(column) for column in zip(*words, strict=True))
    own, safe = Sheet(verdicts.astype(np.uint8), gold, gold), told.astype(np.float64)
    targets = (0.0, 0.3, 0.5, 0.8, 1.0)
    steps = (0.0, 0.05, 0.1, 0.3, 0.5, 0.55, 0.6, 0.7, 0.9, 0.95, 1.0)
    points = [own.ruled(safe, low, high) for low in steps for high in steps if low <= high]
    found = best_pairs(own, safe, targets)
    assert set(found) == set(targets)
    for target, (low, high) in found.items():
        assert low <= high
        recall, precision, _ = own.ruled(safe, low, high)
        assert recall >= target
        assert precision == max(p for r, p, _ in points if r >= target)
    one = best_pairs(own.unruled, safe, targets)
    assert all(low == high for low, high in one.values())


def test_rules_reach_what_the_network_reaches_alone() -> None:
    gold = np.array([True] * 10)  # the safe one is the one of which the network is surest
    verdicts = np.array([SAFE] + [PHI] * 9, dtype=np.uint8)
    own, safe = Sheet(verdicts, gold, gold), np.array([0.9, *np.linspace(0.1, 0.5, 9)])
    (row,) = searched(own, safe, own, safe, (0.999,))["targets"]
    assert (row["low"], row["high"], row["test"][0]) == (0.9, 0.9, 1.0)
