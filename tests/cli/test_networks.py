"""Networks and ensembles from the command line, in a program that has no torch."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

from command import phiscrub
from crf_models import random_model
from crf_models import save as save_crf
from network_models import NOTES, runnable, save
from training_notes import RECIPE, corpus, write_jsonl

HEAVY = "torch", "onnx", "gensim", "sklearn", "scipy", "pycrfsuite"
PROGRAM = f"""
import sys
for name in {HEAVY!r}:
    sys.modules[name] = None  # importing it fails
import phiscrub
assert "onnxruntime" not in sys.modules and "numpy" not in sys.modules
from phiscrub.cli.main import main
sys.argv = ["phiscrub", *sys.argv[1:]]
try:
    main()
finally:
    assert "onnxruntime" in sys.modules
    assert not [name for name in {HEAVY!r} if sys.modules.get(name)]
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "notes").mkdir()
    for number, note in enumerate(NOTES):
        (folder / "notes" / f"{number}.txt").write_text(note.text, "utf-8")
    save(runnable("bilstm"), folder / "one")
    save(runnable("residual"), folder / "two")
    save_crf(random_model(NOTES), folder / "crf")
    return folder


def sources(file: Path) -> set[str]:
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return {one["source"] for row in rows for one in row["mentions"]}


def test_a_network_runs_without_torch(desk: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    words = ["detect", str(desk / "notes"), "--model", str(desk / "one"), "-o", str(out)]
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words, "-w", "1"], capture_output=True, check=False
    )
    assert ended.returncode == 0, ended.stderr.decode()
    assert sources(out) == {"neural:bilstm"}


def test_several_models_are_an_ensemble(desk: Path, tmp_path: Path) -> None:
    out = tmp_path / "found.jsonl"
    models = [word for name in ("one", "two", "crf") for word in ("--model", desk / name)]
    assert phiscrub("detect", desk / "notes", *models, "-o", out).code == 0
    assert sources(out) == {"ensemble:bilstm+residual+random"}


def test_a_model_that_is_none(desk: Path, tmp_path: Path) -> None:
    words = ("--model", desk / "one", "--model", desk / "notes", "-o", tmp_path / "out.jsonl")
    ended = phiscrub("detect", desk / "notes", *words)
    assert ended.code == 2
    assert "is no model" in ended.err


NETWORK = """
about = "for tests"
kind = "network"
scheme = "{scheme}"
[network]
architecture = "dilated"
context = {{ filters = 16, dilations = [1] }}
[features]
shapes = ["short_shape 8", "lower 12/256", "gap 2"]
[training]
epochs = 15
batch = 8
rate = 0.02
min_count = 1
taught = {taught}
"""


def test_a_student_has_teachers(tmp_path: Path) -> None:
    """A teacher of another scheme gives its own; both are found in what runs afterwards."""
    gold = write_jsonl(corpus(12), tmp_path / "gold.jsonl")
    others = write_jsonl(corpus(12, seed=3, first=200), tmp_path / "others.jsonl")
    dev = write_jsonl(corpus(6, seed=2, first=100), tmp_path / "dev.jsonl")
    (tmp_path / "crf.toml").write_text(RECIPE)
    (tmp_path / "student.toml").write_text(NETWORK.format(scheme="BIOES", taught=0.9))
    teacher = ("train", tmp_path / "crf.toml", "--train", others, "-o", tmp_path / "crf")
    assert phiscrub(*teacher, "--dev", dev, "--quiet").code == 0
    student = ("train", tmp_path / "student.toml", "--train", gold, "-o", tmp_path / "student")
    student = (*student, "--dev", dev, "--quiet")
    ended = phiscrub(*student, "--teacher", tmp_path / "crf")
    assert ended.code == 0, ended.err
    assert "tags are of scheme BIO, as the teachers' are" in ended.err
    manifest = json.loads((tmp_path / "student" / "manifest.json").read_text())
    assert manifest["settings"]["scheme"] == "BIO"
    assert manifest["training"]["teachers"] == ["crf"]
    read = [Path(one["name"]).name for one in manifest["data"]]
    assert read == ["gold.jsonl", "others.jsonl"]
    assert manifest["training"]["export"]["agreement"] >= 0.999
    both = ("--model", tmp_path / "student", "--model", tmp_path / "crf")
    out = tmp_path / "found.jsonl"
    assert phiscrub("detect", dev, *both, "-o", out).code == 0
    assert sources(out) == {"ensemble:student+crf"}


def test_a_crf_has_no_teachers(desk: Path, tmp_path: Path) -> None:
    gold = write_jsonl(corpus(12), tmp_path / "gold.jsonl")
    (tmp_path / "crf.toml").write_text(RECIPE)
    words = ("train", tmp_path / "crf.toml", "--train", gold, "-o", tmp_path / "x")
    ended = phiscrub(*words, "--teacher", desk / "crf")
    assert ended.code == 2
    assert "is no network: it takes no vectors, teachers, or weights that stay" in ended.err
