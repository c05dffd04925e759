"""Every paper's whole protocol on a dozen invented notes, with fewer variants of a kind."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

for package in ("torch", "gensim", "sklearn", "pycrfsuite"):
    pytest.importorskip(package)

import torch  # noqa: E402

from command import Ended, phiscrub  # noqa: E402
from phiscrub.core.document import Document  # noqa: E402
from phiscrub.core.mention import Annotated, Mention  # noqa: E402
from phiscrub.experiments import inverse_hybrid, kassaie2016, shweta2017  # noqa: E402
from phiscrub.experiments.paper import PAPERS  # noqa: E402
from phiscrub.formats.annotated import read_annotated  # noqa: E402
from phiscrub.train.corpus import Corpus  # noqa: E402
from training_notes import note, write_jsonl  # noqa: E402

Told = dict[str, Any]


def corpus(seed: int, first: int, notes: int = 12) -> Corpus:
    """Return notes of several of the small ones each, so that there are sentences enough."""
    rng = random.Random(seed)
    made = []
    for number in range(first, first + notes):
        parts = [note(0, rng) for _ in range(4)]
        text, mentions = "", list[Mention]()
        for part in parts:
            mentions += [replace(m, span=m.span.shift(len(text))) for m in part.mentions]
            text += part.document.text
        made.append(Annotated(Document(f"n{number:03}", text), tuple(mentions)))
    return Corpus(f"seed-{seed}", tuple(made), "i2b2-2014", "invented")


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("notes")
    write_jsonl(corpus(1, 0), folder / "one.jsonl")
    write_jsonl(corpus(2, 50), folder / "two.jsonl")
    return folder


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr(inverse_hybrid, "VARIANTS", ("d",))
    monkeypatch.setattr(inverse_hybrid, "LEARNERS", ("logistic",))
    monkeypatch.setattr(inverse_hybrid, "FINE", (1,))
    ablations = {"both ways": {"context": {"both_ways": True}}, "rate": {"schedule": {"rate": 0.1}}}
    monkeypatch.setattr(kassaie2016, "ABLATIONS", ablations)
    monkeypatch.setattr(shweta2017, "LEARNT", MappingProxyType({"RNNLM": ("rnnlm", 80)}))


def run(name: str, few: Path, out: Path, *more: object) -> Ended:
    """Run a paper's protocol; as in Spanish, where no recipe asks for a part of speech."""
    extra = () if name == "shweta2017" else ("--extra", few / "two.jsonl")
    data = ("--data", few / "one.jsonl", *extra, "--language", "es")
    return phiscrub("experiment", name, *data, "-o", out, *more)


def read(out: Path, name: str) -> Told:
    told: Told = json.loads((out / f"{name}.json").read_text("utf-8"))
    return told


def table(told: Told, title: str) -> Told:
    return next(own for own in told["tables"] if own["title"].startswith(title))


@pytest.fixture(params=PAPERS)
def paper(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


# What each page must hold: a table, a row's beginning, and the paper's figures in it.
FIGURES = {
    "kassaie2016": (
        ("CRF, one split", ("all",), (0.702, 0.330, 0.363)),
        ("LSTM, one split", ("DOCTOR",), (0.851,)),
        ("Transfer", ("LSTM, first to second",), (0.321, 0.321, 0.275)),
    ),
    "phi-scrubber": (
        ("Networks", ("ID-CNN",), (0.8684,)),
        ("Time of training", ("BiLSTM-CNN",), (6.0, 65)),
    ),
    "berg-dalianis2019": (
        ("Settings", ("CRF", "target"), (0.9376, 0.8653, 0.90)),
        ("Settings", ("LSTM", "target + general text"), (0.8478, 0.8544, 0.85)),
    ),
    "inverse-hybrid": (
        ("Systems", ("b-1",), (0.991, 0.518)),
        ("Systems", ("rules alone",), (0.988, 0.117)),
    ),
    "shweta2017": (
        ("Systems", ("Jordan",), (0.9726, 0.9067, 0.9384)),
        ("Word vectors", ("random",), (0.8962,)),
        ("Categories", ("PROFESSION",), (0.7218, 0.7802, 0.7882)),
    ),
}


def test_the_whole_protocol_runs_resumes_and_shows_the_papers_figures(
    paper: str, few: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ended = run(paper, few, out, "--quick", "-q")
    assert ended.code == 0, ended.err
    drawn = {"berg-dalianis2019": [], "shweta2017": ["one.jsonl"]}.get(
        paper, ["one.jsonl", "two.jsonl"]
    )
    told = [line for line in ended.err.replace("\n", " ").split("dev/") if line.strip()]
    assert [line.split(":")[0].strip() for line in told] == drawn
    told = read(out, paper)
    assert all(step["seconds"] is not None for step in told["steps"].values())
    for title, key, figures in FIGURES[paper]:
        row = next(r for r in table(told, title)["rows"] if tuple(r[: len(key)]) == key)
        cells = [cell for cell in row if isinstance(cell, float | int)]
        assert cells[: len(figures)] == pytest.approx(figures)
    page = (out / f"{paper}.md").read_text("utf-8")
    assert "A smoke run" in page
    assert "one.jsonl" in page
    for own in told["tables"]:
        assert not own["picture"] or (out / own["picture"]).read_text("utf-8").startswith("<svg")
    before = {file: file.stat().st_mtime_ns for file in (out / "steps").iterdir()}
    assert run(paper, few, out, "--quick", "-q").code == 0
    assert {file: file.stat().st_mtime_ns for file in (out / "steps").iterdir()} == before
    assert read(out, paper) == told
    for word in ("Ortiz", "Hillcrest"):  # no text of a note on any page; leaks have their own file
        assert word not in page
        assert word not in (out / f"{paper}.json").read_text("utf-8")


def test_leaks_are_listed_for_their_owner_alone(few: Path, tmp_path: Path) -> None:
    assert run("inverse-hybrid", few, tmp_path, "--quick", "-q", "--only", "rules").code == 0
    files = sorted((tmp_path / "leaks").iterdir())
    assert files
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert files[0].read_text("utf-8").startswith("note\tstart\tend\tlabels\tleaked\taround\n")


def test_tested_notes_are_masked_for_their_owner_alone(few: Path, tmp_path: Path) -> None:
    assert run("inverse-hybrid", few, tmp_path, "--quick", "-q", "--only", "output").code == 0
    files = sorted((tmp_path / "masked").iterdir())
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}
    assert {file.suffix for file in files} == {".txt", ".xml"}
    (marked,) = read_annotated(files[1]).values()
    text = files[0].read_text("utf-8")
    told = read(tmp_path, "inverse-hybrid")
    assert {mention.label for mention in marked.mentions} == {"PHI"}
    assert text.count("PHI") == len(marked.mentions)
    ((_, right, _), *_) = (r for r in table(told, "Output: text")["rows"] if r[0] == "PHI for all")
    assert right.startswith("La Sra. PHI de PHI tomó")
    onset = [r[1] for r in table(told, "Output: text")["rows"] if r[0].startswith("dates")]
    assert "inicio + 3 días" in onset[0]
    assert table(told, "Output: XML")["rows"][0][1].startswith('`<PHI id="P0"')


def test_pages_say_how_long_networks_learned_and_that_it_was_cut_short(
    few: Path, tmp_path: Path
) -> None:
    ended = run("shweta2017", few, tmp_path, "--epochs", "1", "-q", "--only", "Elman, random")
    assert ended.code == 0, ended.err
    told = read(tmp_path, "shweta2017")
    assert told["steps"]["Elman, random"]["epochs"] == 1
    assert told["notes"][0].startswith("Networks learned for at most 1 epoch by `--epochs`")
    assert "| Elman, random | train | 1 |" in (tmp_path / "shweta2017.md").read_text("utf-8")


def test_only_runs_a_step_with_what_it_needs(few: Path, tmp_path: Path) -> None:
    assert run("shweta2017", few, tmp_path, "--quick", "-q", "--only", "Elman, RNNLM").code == 0
    done = {file.stem for file in (tmp_path / "steps").iterdir()}
    assert done == {"vectors-rnnlm", "elman-rnnlm"}
    listed = run("shweta2017", few, tmp_path, "--quick", "--steps", "--json")
    seconds = {row["step"]: row["seconds"] for row in json.loads(listed.out)}
    assert {name for name, took in seconds.items() if took is not None} == {
        "vectors RNNLM",
        "Elman, RNNLM",
    }
    told = read(tmp_path, "shweta2017")
    (row,) = [r for r in table(told, "Systems")["rows"] if r[0] == "CRF"]
    assert row[-3:] == [None, None, None]  # not run is not 0


def test_another_seed_is_another_run(few: Path, tmp_path: Path) -> None:
    words = ("--quick", "-q", "--only", "CRF")
    file = tmp_path / "steps" / "crf.json"
    assert run("shweta2017", few, tmp_path, *words).code == 0
    first = json.loads(file.read_text("utf-8"))["identity"]
    assert run("shweta2017", few, tmp_path, *words, "--seed", "2").code == 0
    assert json.loads(file.read_text("utf-8"))["identity"] != first


def test_only_the_notes_that_own_names_are_called_the_papers(few: Path, tmp_path: Path) -> None:
    words = ("--quick", "-q", "--only", "rules", "--own")
    assert run("inverse-hybrid", few, tmp_path, *words, "extra").code == 0
    first, second = read(tmp_path, "inverse-hybrid")["corpora"]
    assert "stands in for the 2014 i2b2 notes" in first
    assert "is 300 adverse-reaction narratives (VigiBase), as --own extra says" in second
    wrong = run("inverse-hybrid", few, tmp_path, *words, "all")
    assert (wrong.code, "data" in wrong.err) == (2, True)


def test_what_is_wrong_is_one_line(few: Path, tmp_path: Path) -> None:
    ended = run("shweta2017", few, tmp_path, "--only", "Hopfield")
    notice, wrong = ended.err.splitlines()
    assert ended.code == 2
    assert "drawn by chance" in notice
    assert "no step 'Hopfield'" in wrong
    gone = phiscrub("experiment", "shweta2017", "--data", tmp_path / "gone", "-o", tmp_path)
    assert (gone.code, gone.err.count("\n")) == (2, 1)
