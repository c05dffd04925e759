"""`calibrate` and `audit-sample` from notes to files, and what they refuse."""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import tomllib
from dataclasses import asdict
from importlib import resources
from pathlib import Path

import pytest

from command import phiscrub, small_pipeline
from crf_models import charts, random_model, save
from phiscrub.cli import calibrate
from phiscrub.core.schemes import SCHEMES
from phiscrub.detect.tagging.manifest import read_manifest
from phiscrub.pipeline import tunable
from phiscrub.pipeline.load import load_pipeline
from phiscrub.train.corpus import read_corpus

COUNT = 30
CORPUS = Path(__file__).parent.parent.parent / "corpus" / "en"


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Path:
    """A folder with a model that knows nothing, notes, and a pipeline of rules and the model."""
    folder = tmp_path_factory.mktemp("ours")
    notes, tags = charts(COUNT, 1, lines=6)
    save(random_model(notes), folder / "model")
    lines = []
    for number, (note, own) in enumerate(zip(notes, tags, strict=True)):
        spans = list(note.tokens)
        mentions = [
            {"start": spans[low].start, "end": spans[high - 1].end, "label": label}
            for low, high, label in SCHEMES["BIO"].chunks(own)
        ]
        row = {"id": f"n{number}", "text": note.text, "mentions": mentions}
        lines.append(json.dumps(row | {"subject": f"p{number // 2}"}) + "\n")
    (folder / "gold.jsonl").write_text("".join(lines), "utf-8")
    rules = small_pipeline(folder).read_text()
    (folder / "ours.toml").write_text(f'{rules}[[detector]]\nuse = "crf"\nmodel = "./model"\n')
    return folder


@pytest.fixture(autouse=True)
def short(monkeypatch) -> None:
    """A ladder of a few rungs: each is a run of the pipeline."""
    monkeypatch.setattr(calibrate, "LADDER", (0.999999, 0.99, 0.5))


def calibrated(ours: Path, model: str, *options: object) -> str:
    call = ("calibrate", ours / model, "--data", ours / "gold.jsonl", "--quiet", *options)
    ended = phiscrub(*call)
    assert ended.code == 0, ended.err
    return ended.out.decode()


def test_weighing_once_gives_the_certificate_of_building_at_each_threshold(
    ours, tmp_path, monkeypatch
):
    words = ("--recall", 0.5, "--by", "category", "--json")
    once = calibrated(ours, "ours.toml", *words, "-o", tmp_path / "once.toml")
    monkeypatch.setattr(tunable, "is_careful", lambda _: False)
    again = calibrated(ours, "ours.toml", *words, "-o", tmp_path / "again.toml")
    assert json.loads(once) == json.loads(again)
    assert (tmp_path / "once.toml").read_text() == (tmp_path / "again.toml").read_text()


def test_a_threshold_is_chosen_written_and_shown(ours, tmp_path):
    target = tmp_path / "deep" / "sure.toml"
    target.parent.mkdir()
    out = calibrated(ours, "ours.toml", "--recall", 0.5, "-o", target)
    table = tomllib.loads(target.read_text("utf-8"))
    promised = table["certificate"]
    assert table["detector"][1]["threshold"] == promised["threshold"]
    assert "threshold" not in table["detector"][0]
    assert (promised["recall"], promised["confidence"]) == (0.5, 0.95)
    assert (promised["notes"], promised["measure"]) == (COUNT, "words")
    assert "at least 0.5, with confidence 0.95" in " ".join(out.split())
    pipeline = load_pipeline(str(target))
    assert pipeline.fingerprint == promised["pipeline"]
    note = tmp_path / "note.txt"
    note.write_text("Dr Kalo came 3 / 4")
    shown = " ".join(phiscrub("explain", note, "-p", target).out.decode().split())
    assert "Promised: the share of a patient's identifying words" in shown
    changed = re.sub(r"(?m)^threshold = .*", "threshold = 0.4", target.read_text("utf-8"), count=1)
    target.write_text(changed, "utf-8")
    shown = " ".join(phiscrub("explain", note, "-p", target).out.decode().split())
    assert "void" in shown


def test_whoever_scrubs_is_told_of_a_promise_that_is_void(ours, tmp_path):
    calibrated(ours, "ours.toml", "--recall", 0.2, "-o", tmp_path / "sure.toml")
    (tmp_path / "note.txt").write_text("Seen today.")
    call = ("scrub", tmp_path / "note.txt", "-q", "--replace", "phi", "-p", tmp_path / "sure.toml")
    assert phiscrub(*call).err == ""
    text = (tmp_path / "sure.toml").read_text("utf-8")
    changed = re.sub(r"(?<=\nthreshold = )[0-9.]+", "0.25", text, count=1)
    (tmp_path / "sure.toml").write_text(changed, "utf-8")
    ended = phiscrub(*call)
    assert ended.code == 0
    assert "sure.toml: its certificate is of another pipeline or version" in ended.err


def test_subjects_are_the_units(ours, tmp_path):
    rows = [json.loads(line) for line in (ours / "gold.jsonl").read_text("utf-8").splitlines()]
    held = ("--recall", 0.5, "-o", tmp_path / "s.toml", "--json")
    out = calibrated(ours, "model", *held)
    assert json.loads(out)["certificate"]["patients"] == len({r["subject"] for r in rows})


def rewritten(ours: Path, target: Path, change) -> Path:
    lines = (ours / "gold.jsonl").read_text("utf-8").splitlines()
    rows = [change(number, json.loads(line)) for number, line in enumerate(lines)]
    target.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    return target


def test_notes_that_are_taken_for_patients_are_told(ours, tmp_path):
    def half_named(number, row):
        return row if number % 2 else {key: row[key] for key in row if key != "subject"}

    data = rewritten(ours, tmp_path / "gold.jsonl", half_named)
    held = ("--recall", 0.5, "--json", "--quiet", "-o", tmp_path / "s.toml")
    ended = phiscrub("calibrate", ours / "model", "--data", data, *held)
    assert ended.code == 0, ended.err
    told = "each note taken for a patient: 15 of 30 unnamed"
    assert json.loads(ended.out)["certificate"]["units"] == told
    assert "15 of 30 notes do not say whose they are: each is taken for a patient" in ended.err
    ended = phiscrub("calibrate", ours / "model", "--data", ours / "gold.jsonl", *held)
    assert json.loads(ended.out)["certificate"]["units"] == "every note says whose it is"
    assert "do not say whose they are" not in ended.err
    assert "digits and identifiers" not in ended.err


def test_near_copies_are_told(ours, tmp_path):
    first = json.loads((ours / "gold.jsonl").read_text("utf-8").splitlines()[0])
    name = max(first["mentions"], key=lambda m: m["start"])

    def copied(number, row):
        if number >= 6:
            return row
        before, after = first["text"][: name["start"]], first["text"][name["end"] :]
        other = "Zun" + "a" * number
        own = {**name, "end": name["start"] + len(other)}
        mentions = [m for m in first["mentions"] if m != name] + [own]
        text = f"{before}{other}{after} {number}"
        return row | {"text": text, "mentions": mentions, "subject": f"x{number}"}

    data = rewritten(ours, tmp_path / "gold.jsonl", copied)
    held = ("--recall", 0.5, "--quiet", "-o", tmp_path / "s.toml")
    ended = phiscrub("calibrate", ours / "model", "--data", data, *held)
    assert ended.code == 0, ended.err
    assert "6 of 18 patients have a note that differs from another patient's in" in ended.err
    assert name["start"] > 0


def test_each_category_is_promised_or_those_named(ours, tmp_path):
    held = ("--recall", 0.3, "--on-average", "-o", tmp_path / "s.toml", "--json")
    out = calibrated(ours, "model", *held, "--by", "category")
    promised = json.loads(out)["certificate"]
    assert [one["name"] for one in promised["each"]] == ["DATE", "LOCATION", "NAME"]
    assert promised["confidence"] == "on average"
    out = calibrated(ours, "model", *held, "--by", "label", "--only", "PATIENT")
    promised = json.loads(out)["certificate"]
    assert [one["name"] for one in promised["each"]] == ["PATIENT"]
    assert "is at least 0.3 for PATIENT alone, on average over calib" in promised["promise"]
    assert "one that is refused counts as no leak" in promised["promise"]


def test_only_what_is_named_is_promised(ours, tmp_path):
    """Whatever leaks of other labels, these notes prove it of the one that the rules all find."""
    lines = (ours / "gold.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    for row in rows:
        start = len(row["text"]) + 1
        row["text"] += f" {row['id']}@example.org"
        row["mentions"].append({"start": start, "end": len(row["text"]), "label": "EMAIL"})
    data = tmp_path / "gold.jsonl"
    data.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    rules = '[[detector]]\nuse = "patterns"\npacks = ["en/contact"]\n'
    crf = f'[[detector]]\nuse = "crf"\nmodel = "{ours / "model"}"\nonly = ["DATE"]\n'
    (tmp_path / "p.toml").write_text(f'language = "en"\n{rules}{crf}')
    call = ("calibrate", tmp_path / "p.toml", "--data", data, "--recall", 0.7, "--json", "--quiet")
    by = ("--by", "label", "-o", tmp_path / "s.toml")
    refused = phiscrub(*call, *by)
    assert refused.code == 2
    assert "even at the most careful threshold" in refused.err
    ended = phiscrub(*call, *by, "--only", "EMAIL")
    assert ended.code == 0, ended.err
    out = json.loads(ended.out)
    assert [list(one["recall"]) for one in out["tried"]] == [["EMAIL"]] * len(out["tried"])
    assert "is at least 0.7 for EMAIL alone, with" in out["certificate"]["promise"]
    assert out["certificate"]["patients"] == COUNT // 2
    ended = phiscrub(*call[:-2], *by, "--only", "EMAIL")
    assert "0.7 for EMAIL alone, with confidence" in " ".join(ended.out.decode().split())


def test_copies_are_one_unit(ours, tmp_path):
    rows = [json.loads(line) for line in (ours / "gold.jsonl").read_text("utf-8").splitlines()]
    data = tmp_path / "copies.jsonl"
    copies = [
        {
            "id": f"c{n}",
            "text": rows[0]["text"],
            "mentions": rows[0]["mentions"],
            "subject": f"x{n}",
        }
        for n in range(16)
    ]
    data.write_text("".join(json.dumps(row) + "\n" for row in (*rows, *copies)), "utf-8")
    held = ("--recall", 0.5, "--json", "--quiet", "-o", tmp_path / "s.toml")
    ended = phiscrub("calibrate", ours / "model", "--data", data, *held)
    assert ended.code == 0, ended.err
    promised = json.loads(ended.out)["certificate"]
    assert promised["notes"] == COUNT
    assert f"16 notes of {COUNT + 16} with the text of another" in ended.err


def test_notes_without_mentions_are_refused_in_its_own_words(ours, tmp_path):
    (tmp_path / "bare.jsonl").write_text('{"id": "a", "text": "nothing", "mentions": []}\n')
    ended = phiscrub(
        "calibrate", ours / "model", "--data", tmp_path / "bare.jsonl", "--recall", 0.5
    )
    assert ended.code == 2
    assert "1 note, and not one annotation" in ended.err
    assert "training" not in ended.err


def test_what_the_notes_cannot_support_is_refused_and_nothing_written(ours, tmp_path):
    target = tmp_path / "s.toml"
    call = ("calibrate", ours / "model", "--data", ours / "gold.jsonl", "-o", target, "--quiet")
    ended = phiscrub(*call, "--recall", 0.995)
    assert ended.code == 2
    assert "do not prove a recall of 0.995 with confidence 0.95" in ended.err
    assert "it takes 614" in ended.err
    assert "more notes" in ended.err
    assert not target.exists()


def test_an_earlier_certificate_outlives_a_disk_that_is_full(ours, tmp_path, monkeypatch):
    target = tmp_path / "s.toml"
    calibrated(ours, "model", "--recall", 0.5, "-o", target)
    before = target.read_bytes()

    def full(path, *_):
        path.open("wb").close()
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(Path, "write_bytes", full)
    monkeypatch.setattr(Path, "write_text", full)
    call = ("calibrate", ours / "model", "--data", ours / "gold.jsonl", "-o", target, "--quiet")
    ended = phiscrub(*call, "--recall", 0.4)
    assert ended.code != 0
    assert f"{target}: cannot be written" in ended.err
    assert target.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_notes_that_a_model_learned_from_are_refused(ours, tmp_path):
    model = tmp_path / "model"
    shutil.copytree(ours / "model", model)
    manifest = json.loads((model / "manifest.json").read_text("utf-8"))
    manifest["data"][0]["sha256"] = read_corpus(ours / "gold.jsonl")[0].sha256
    (model / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    ended = phiscrub("calibrate", model, "--data", ours / "gold.jsonl", "--recall", 0.5)
    assert ended.code == 2
    assert "learned from these very notes" in ended.err
    # The same model inside the inverse rule, beside another one.
    inverse = '[[detector]]\nuse = "inverse"\ntagger = { use = "crf", model = "./model" }\n'
    crf = f'[[detector]]\nuse = "crf"\nmodel = "{ours / "model"}"\n'
    (tmp_path / "p.toml").write_text(f'language = "en"\n{inverse}{crf}')
    call = ("calibrate", tmp_path / "p.toml", "--data", ours / "gold.jsonl", "--recall", 0.5)
    assert "learned from these very notes" in phiscrub(*call).err
    (tmp_path / "alone.toml").write_text(f'language = "en"\n{inverse}')
    ended = phiscrub("calibrate", tmp_path / "alone.toml", *call[2:])
    assert ended.code == 2
    assert "taggers inside another detector, as inverse, stay as they are" in ended.err


def test_a_note_that_a_model_learned_from_is_told_whatever_its_id(ours, tmp_path):
    """The certificate says what is known, and a single note among others is enough to refuse."""
    model, target = tmp_path / "model", tmp_path / "s.toml"
    shutil.copytree(ours / "model", model)
    rows = [json.loads(line) for line in (ours / "gold.jsonl").read_text("utf-8").splitlines()]
    texts = [row["text"] + " and so on" * 30 for row in rows]
    data = tmp_path / "held.jsonl"
    named = [row | {"text": text} for row, text in zip(rows, texts, strict=True)]
    data.write_text("".join(json.dumps(row) + "\n" for row in named), "utf-8")
    call = ("calibrate", model, "--data", data, "--recall", 0.5, "--quiet", "-o", target)
    ended = phiscrub(*call)
    assert ended.code == 0, ended.err
    silent = tomllib.loads(target.read_text("utf-8"))["certificate"]["unseen"]
    assert silent.startswith("not known: ")
    assert "does not tell which notes it learned from" in " ".join(ended.err.split())
    manifest = json.loads((model / "manifest.json").read_text("utf-8"))
    shipped = read_manifest(Path(str(resources.files("phiscrub"))) / "data/models/en-crf", "en-crf")
    manifest["data"] = [asdict(one) for one in shipped.data]
    (model / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    assert phiscrub(*call).code == 0
    sure = tomllib.loads(target.read_text("utf-8"))["certificate"]["unseen"]
    assert sure == "no text of 200 characters or more is one that a model learned from"
    note = max((CORPUS / "n-odd").glob("*.txt"), key=lambda file: file.stat().st_size)
    named[7]["text"] = note.read_text("utf-8")
    data.write_text("".join(json.dumps(row) + "\n" for row in named), "utf-8")
    ended = phiscrub(*call)
    assert ended.code == 2
    assert "learned from some of these notes: 1 of 30, n7" in " ".join(ended.err.split())


@pytest.mark.parametrize("given", ["ward/notes/gold.jsonl", "ward/notes", "ward"])
def test_notes_where_a_model_learned_are_told(ours, tmp_path, given):
    model, data = tmp_path / "model", tmp_path / "ward" / "notes"
    shutil.copytree(ours / "model", model)
    manifest = json.loads((model / "manifest.json").read_text("utf-8"))
    manifest["data"][0]["name"] = "ward/notes"
    (model / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    data.mkdir(parents=True)
    shutil.copy(ours / "gold.jsonl", data)
    held = ("--recall", 0.5, "--quiet", "-o", tmp_path / "s.toml")
    ended = phiscrub("calibrate", model, "--data", tmp_path / given, *held)
    assert "learned from notes of ward/notes; where these are among them" in ended.err


def test_bad_options(ours, tmp_path):
    for options, what in (
        (("--recall", 1.5), "recall 1.5 is not between"),
        (("--recall", 0.5, "--only", "NAME"), "--only needs --by"),
        (("--recall", 0.5, "--on-average", "--confidence", 0.95), "has no --confidence"),
        (("--recall", 0.5, "--confidence", 0), "confidence 0"),
        (("--recall", 0.5, "--by", "category", "--only", "X"), "the notes have no category 'X'"),
    ):
        call = ("calibrate", ours / "model", "--data", ours / "gold.jsonl", *options)
        ended = phiscrub(*call, "-o", tmp_path / "s.toml")
        assert ended.code == 2
        assert what in ended.err
    ended = phiscrub(
        "calibrate", ours / "small.toml", "--data", ours / "gold.jsonl", "--recall", 0.5
    )
    assert "has no detector of its own with a model's threshold" in ended.err


def test_a_file_that_cannot_be_written_is_told_before_anything_is_read(ours, tmp_path):
    call = ("calibrate", ours / "model", "--data", tmp_path / "nothing", "--recall", 0.5, "-o")
    (tmp_path / "folder").mkdir()
    for target in (tmp_path / "none" / "s.toml", tmp_path / "folder"):
        ended = phiscrub(*call, target)
        assert ended.code == 2
        assert f"{target}: no pipeline can be written there" in ended.err
