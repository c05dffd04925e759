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
    assert sources(out) == {"network:bilstm"}


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
