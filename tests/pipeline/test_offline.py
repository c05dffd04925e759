"""Every shipped pipeline runs with what the wheel brings: no torch, no network."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from importlib import resources
from pathlib import Path
from zipfile import ZipFile

import pytest

from phiscrub.pipeline.shipped import RULES, languages, modes, pipeline_names

MOST_BYTES = 20_000_000
MODELS = Path(str(resources.files("phiscrub"))) / "data" / "models"
TEXTS = {
    "en": ("Seen by Dr. Lena Ortiz on 3/14/2020.", "Ortiz"),
    "es": ("Paciente: Nombre: Marta. Apellidos: Ríos Vega. CP: 28046.", "Vega"),
    "sv": ("Dr Anna Lindqvist ringde 2024-03-12.", "Lindqvist"),
}
ALONE = """
import sys, socket
for name in ("torch", "sklearn", "scipy", "pycrfsuite", "gensim", "onnx", "simplemma", "pyarrow"):
    sys.modules[name] = None  # an import of it fails
def refuse(*_, **__):
    raise AssertionError("a network call")
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
import phiscrub
for name, text, words in {cases!r}:
    out = phiscrub.load(name).scrub(text).text
    assert words not in out, name
    print(name, "onnxruntime" in sys.modules)
"""


def ran(*names: str) -> list[str]:
    cases = [(name, *TEXTS[name.partition("-")[0]]) for name in names]
    command = [sys.executable, "-c", ALONE.format(cases=cases)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def test_every_pipeline_runs_alone() -> None:
    assert [line.split()[0] for line in ran(*pipeline_names())] == list(pipeline_names())


def test_only_networks_bring_their_runtime() -> None:
    without = [
        f"{language}-{mode}"
        for language in languages()
        for mode in modes(language)
        if mode in (RULES, "fast")
    ]
    assert all(line.endswith("False") for line in ran(*without))


def test_the_models_are_small_and_whole() -> None:
    files = [file for file in MODELS.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
    for folder in MODELS.iterdir() if MODELS.is_dir() else ():
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        assert set(manifest["files"]) == {f.name for f in folder.iterdir()} - {"manifest.json"}
        for name, digest in manifest["files"].items():
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        for data in manifest["data"]:
            assert data["licence"] == "CC BY 4.0"  # or the model must not ship


def test_the_wheel_holds_models_packs_and_pipelines(tmp_path: Path) -> None:
    wheel = pytest.importorskip("hatchling.builders.wheel")
    root = Path(__file__).parent.parent.parent
    (built,) = wheel.WheelBuilder(str(root)).build(directory=str(tmp_path), versions=["standard"])
    held = set(ZipFile(built).namelist())
    data = root / "src" / "phiscrub" / "data"
    for folder in ("models", "packs", "pipelines", "languages"):
        for file in (data / folder).rglob("*.*"):
            assert f"phiscrub/data/{folder}/{file.relative_to(data / folder)}" in held
