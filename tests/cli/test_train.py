"""The commands that train, from files to files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command import phiscrub
from training_notes import RECIPE, corpus, write_jsonl


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recipe, training and development notes, and a model."""
    top = tmp_path_factory.mktemp("desk")
    (top / "tiny.toml").write_text(RECIPE)
    write_jsonl(corpus(30), top / "train.jsonl")
    write_jsonl(corpus(10, seed=2, first=100), top / "dev.jsonl")
    sides = ("--train", top / "train.jsonl", "--dev", top / "dev.jsonl")
    ended = phiscrub("train", top / "tiny.toml", *sides, "-o", top / "model", "--licence", "ours")
    assert ended.code == 0, ended.err
    (top / "train.out").write_bytes(ended.out)
    (top / "train.err").write_text(ended.err)
    return top


def test_training_tells_what_it_did_and_quotes_no_note(desk: Path) -> None:
    told = (desk / "train.err").read_text()
    assert "language en" in told
    assert "features have weight" in told
    assert "By label" in (desk / "train.out").read_text()
    report = (desk / "model.report.html").read_text()
    assert "licence ours" in report
    assert "<svg" in report
    assert "Ortiz" not in report + told
    assert (desk / "model.report.html").stat().st_mode & 0o077 == 0


def test_the_model_runs_alone(desk: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    ended = phiscrub("detect", desk / "dev.jsonl", "--model", desk / "model", "-o", out)
    assert ended.code == 0, ended.err
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(rows) == 10
    assert {m["label"] for row in rows for m in row["mentions"]} == {"DOCTOR", "DATE", "HOSPITAL"}
    assert rows[0]["mentions"][0]["source"] == "crf:model"
    scrubbed = phiscrub(
        "scrub", desk / "dev.jsonl", "-p", desk / "model", "-o", tmp_path / "c.jsonl"
    )
    assert scrubbed.code == 0, scrubbed.err
    assert "Dr. Ortiz" not in (tmp_path / "c.jsonl").read_text()


def test_tuning_reports_its_trials(desk: Path, tmp_path: Path) -> None:
    sides = ("--train", desk / "train.jsonl", "--dev", desk / "dev.jsonl")
    ended = phiscrub(
        "train", desk / "tiny.toml", *sides, "-o", tmp_path / "m", "--tune", "0.03", "--json"
    )
    assert ended.code == 0, ended.err
    row = json.loads(ended.out)
    assert row["trials"][0]["change"] == "as the recipe says"
    assert row["trials"][0]["kept"]
    assert row["dev"]["meddocan.subtrack1.ner"]["f1"] > 0.8
    assert "per_document" not in row["dev"]["meddocan.subtrack1.ner"]


def test_cross_validation_in_two_processes(desk: Path, tmp_path: Path) -> None:
    words = (
        "crossval",
        desk / "tiny.toml",
        "--data",
        desk / "train.jsonl",
        "--folds",
        2,
        "--quick",
    )
    ended = phiscrub(*words, "-o", tmp_path / "folds", "-w", 2)
    assert ended.code == 0, ended.err
    assert "±." in ended.out.decode()
    assert "at 95 %, over 30 notes drawn again" in " ".join(ended.out.decode().split())
    again = json.loads(phiscrub(*words, "-o", tmp_path / "folds", "--json").out)
    whole = again["labels"]["all"]
    assert whole["f1"]["mean"] > 0.8
    assert whole["pooled_f1_bounds"][0] <= whole["pooled_f1"] <= whole["pooled_f1_bounds"][1]


def test_patients_stay_whole_where_notes_say_whose_they_are(desk: Path, tmp_path: Path) -> None:
    made = corpus(12, patients=4)
    write_jsonl(made, tmp_path / "whose.jsonl")
    words = ("crossval", desk / "tiny.toml", "--data", tmp_path / "whose.jsonl", "--folds", 2)
    ended = phiscrub(*words, "-o", tmp_path / "folds", "-w", 1, "--quick")
    assert ended.code == 0, ended.err
    assert "do not say whose" not in ended.err
    whose = {note.document.id: note.document.subject.key for note in made.notes}
    files = [json.loads(f.read_text()) for f in (tmp_path / "folds").iterdir()]
    sides = [{whose[name] for name in file["found"]} for file in files]
    assert sum(map(len, sides)) == 4
    words = ("curve", desk / "tiny.toml", "--data", tmp_path / "whose.jsonl", "--sizes", 3)
    assert "tested on 3 notes" in phiscrub(*words, "--quick").out.decode()  # all of one patient
    for command, *more in (("crossval", "--folds", 2, "-w", 1), ("curve", "--sizes", 3)):
        words = (command, desk / "tiny.toml", "--data", desk / "train.jsonl", *more, "--quick")
        assert "30 of 30 notes do not say whose they are" in phiscrub(*words).err
    refused = phiscrub(*words, "--by", "patient")
    assert (refused.code, "does not say whose" in refused.err) == (2, True)


def test_one_note_cannot_be_parted(desk: Path, tmp_path: Path) -> None:
    write_jsonl(corpus(1), tmp_path / "one.jsonl")
    ended = phiscrub("curve", desk / "tiny.toml", "--data", tmp_path / "one.jsonl")
    assert (ended.code, "cannot be parted into notes" in ended.err) == (2, True)


def test_groups_of_notes_are_folds(desk: Path, tmp_path: Path) -> None:
    file = tmp_path / "wards.csv"
    words = ("crossval", desk / "tiny.toml", "--data", desk / "train.jsonl", "--groups", file)
    file.write_text("".join(f"n{i:03},{'north' if i < 12 else 'south'}\n" for i in range(30)))
    ended = phiscrub(*words, "-w", 1, "-q")
    assert "over 2 folds" in ended.out.decode(), ended.err
    file.write_text("".join(f"n{i:03},ward {i % 3}\n" for i in range(30)))
    ended = phiscrub(*words, "--hold-out", "0.2", "-w", 1, "-q")
    assert "over 2 folds" in ended.out.decode(), ended.err  # one of three wards is held out
    file.write_text("n000,north\n")
    ended = phiscrub(*words)
    assert (ended.code, "29 notes of" in ended.err) == (2, True)


def test_curve_and_picture(desk: Path, tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    words = ("--data", desk / "train.jsonl", "--sizes", "3,6,12,24", "--picture", picture)
    ended = phiscrub("curve", desk / "tiny.toml", *words)
    assert ended.code == 0, ended.err
    assert "tested on 6 notes" in ended.out.decode()
    assert picture.read_text().startswith("<svg")


def test_suggestions(desk: Path) -> None:
    words = ("suggest", desk / "model", "--pool", desk / "dev.jsonl", "-n", 3)
    assert "3 of 10 notes" in phiscrub(*words).out.decode()
    assert len(json.loads(phiscrub(*words, "--json").out)) == 3


def test_recipes_are_listed_and_shown() -> None:
    assert "phiscrub-crf" in phiscrub("recipes").out.decode()
    shown = phiscrub("recipes", "berg-dalianis2019-crf").out.decode()
    assert "Berg and Dalianis 2019" in shown
    assert "sv: gazetteers" in shown
    rows = json.loads(phiscrub("recipes", "phiscrub-crf", "--language", "es", "--json").out)
    assert rows[0]["detectors"][0]["packs"][0] == "es/form"


TINY, GOLD = "{top}/tiny.toml", "{top}/train.jsonl"
TRAIN = ("train", TINY, "--train", GOLD, "-o", "{top}/x")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("train", TINY, "--train", "{top}/none", "-o", "{top}/x"), "no such folder"),
        (("train", "no-crf", "--train", GOLD, "-o", "{top}/x"), "no recipe"),
        (("train", TINY, "--train", "{top}/none", "-o", TINY), "is there already and is no"),
        (("train", TINY, "--train", "{top}/none", "-o", "{top}/tiny.toml/x"), "no model can be"),
        ((*TRAIN, "--tune", "1"), "give --dev"),
        ((*TRAIN, "--dev", "d", "--tune", "1", "--init", "en-crf"), "leave --tune or --init out"),
        ((*TRAIN, "--dev", GOLD), "are in"),
        ((*TRAIN, "--without", "magic"), "no group 'magic'"),
        ((*TRAIN, "--labels", "conll"), "conll-2003 lacks"),
        (("crossval", TINY, "--data", GOLD, "--folds", "31"), "fewer than 31 folds"),
        (("crossval", TINY, "--data", GOLD, "--by", "patient"), "does not say whose"),
        (("curve", TINY, "--data", GOLD, "--sizes", "a"), "no list"),
        (("suggest", "{top}", "--pool", GOLD), "is no model"),
        (("detect", GOLD, "--model", "{top}", "-o", "{top}/y"), "is no model"),
    ],
)
def test_bad_input_is_one_clear_line(desk: Path, words: tuple[str, ...], told: str) -> None:
    ended = phiscrub(*(word.replace("{top}", str(desk)) for word in words))
    assert ended.code == 2
    assert told in ended.err.splitlines()[-1]


def test_a_model_that_was_cut_short_is_refused(desk: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in (desk / "model").iterdir():
        (broken / file.name).write_bytes(file.read_bytes())
    weights = broken / "weights.safetensors"
    weights.write_bytes(weights.read_bytes()[:-9])
    ended = phiscrub("detect", desk / "dev.jsonl", "--model", broken, "-o", tmp_path / "out.jsonl")
    assert ended.code == 2
    assert "sha256 differs" in ended.err
