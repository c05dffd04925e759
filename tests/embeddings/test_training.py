"""Vectors learned from invented notes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from command import phiscrub
from phiscrub.core.document import Document
from phiscrub.core.errors import InputError, SettingsError
from phiscrub.embeddings.normalise import Normalise
from phiscrub.embeddings.rnnlm import streams
from phiscrub.embeddings.study import study
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.training import Training, train
from phiscrub.tokenize.clinical import Clinical

SIDES, PARTS, PAINS = ("left", "right"), ("knee", "hip", "wrist"), ("aches", "hurts", "burns")
NOTES = [
    f"The {side} {part} {pain} since 20{year}. She rests the {part}, seen at home."
    for year in (10, 11, 12, 13)
    for side in SIDES
    for part in PARTS
    for pain in PAINS
]


def text(notes: list[str], digits: str = "glued") -> Text:
    cut = Clinical().tokenize([Document(str(at), note) for at, note in enumerate(notes)])
    return Text.of(cut, Normalise(digits))


def nothing(_: str, __: int) -> None:
    return


def needed(algorithm: str) -> None:
    pytest.importorskip("torch" if algorithm == "rnnlm" else "gensim")


@pytest.mark.parametrize("algorithm", ["cbow", "skip-gram", "rnnlm"])
def test_the_same_seed_gives_the_same_vectors(algorithm: str) -> None:
    needed(algorithm)
    own = Training(algorithm, 6, epochs=2, min_count=30, subwords=30)
    made = [train(text(NOTES), own, Normalise("glued"), "x", nothing) for _ in range(2)]
    assert np.array_equal(made[0].vectors.matrix, made[1].vectors.matrix)
    assert made[0].vectors.words == made[1].vectors.words
    assert "UNK" in made[0].vectors.words
    assert made[0].subwords is not None
    other = Training(algorithm, 6, epochs=2, min_count=30, seed=2)
    found = train(text(NOTES), other, Normalise("glued"), "x", nothing)
    assert not np.array_equal(found.vectors.matrix, made[0].vectors.matrix)


def test_the_same_vectors_in_another_process(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "n.txt").write_text("\n".join(NOTES))
    made = []
    for seed in ("1", "2"):
        out = tmp_path / f"{seed}.safetensors"
        call = [sys.executable, "-m", "phiscrub", "embed", "train", str(tmp_path / "notes"), "-q"]
        call += ["-o", str(out), "--dimensions", "4", "--epochs", "1"]
        done = subprocess.run(
            call, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        assert done.stdout == done.stderr == b""
        made.append(out.read_bytes().replace(f'"name": "{seed}"'.encode(), b""))
    assert made[0] == made[1]


@pytest.mark.parametrize("algorithm", ["cbow", "skip-gram", "rnnlm"])
def test_words_in_one_place_lie_near(algorithm: str) -> None:
    needed(algorithm)
    own = Training(algorithm, 12, 2, epochs=6 if algorithm == "rnnlm" else 40, min_count=2)
    told: list[int] = []
    seen = text(NOTES)
    made = train(seen, own, Normalise("glued"), "x", lambda _, size: told.append(size))
    assert sum(told) == pytest.approx(seen.tokens * own.rounds, rel=0.2)
    units = made.vectors.units()
    at = made.vectors.index
    # "left" and "right" stand in the same places; "left" and "rests" never do
    assert units[at["left"]] @ units[at["right"]] > units[at["left"]] @ units[at["rests"]]


def test_a_language_model_step_against_numpy() -> None:
    torch = pytest.importorskip("torch")
    from phiscrub.embeddings.rnnlm import _Model  # noqa: PLC0415 - needs torch

    model = _Model.drawn(5, 3, 1)
    words = np.array([[1, 0], [2, 4], [5, 5]])
    into, back = model.into.detach().numpy(), model.back.detach().numpy()
    hidden, wanted = np.zeros((2, 3)), []
    for step in words:
        hidden = 1 / (1 + np.exp(-(into[step] + hidden @ back.T)))
        wanted.append(hidden)
    states, last = model.states(torch.from_numpy(words), torch.zeros(2, 3))
    assert states.detach().numpy() == pytest.approx(np.array(wanted), abs=1e-6)
    assert np.array_equal(states[-1].detach().numpy(), last.detach().numpy())
    assert model.vectors().shape == (5, 3)
    assert np.array_equal(model.vectors(), into[1:])
    scores = model.out.log_prob(states[-1])
    assert scores.exp().sum(dim=1).tolist() == pytest.approx([1, 1])


def test_streams_hold_the_text_in_order() -> None:
    seen = text(NOTES).cut(1)
    learned, held = streams(seen)
    numbered = [[seen.words.index(word) + 1 for word in sequence] + [0] for sequence in seen]
    kept = [n for at, row in enumerate(numbered) if at % 20 == 19 for n in row]
    rest = [n for at, row in enumerate(numbered) if at % 20 != 19 for n in row]
    assert learned.ravel().tolist() == rest[: learned.size]
    assert held.ravel().tolist() == kept[: held.size]
    assert len(rest) - learned.size < 32
    with pytest.raises(InputError, match="too short for a language model"):
        streams(text(["One."]))


@pytest.mark.parametrize(
    "wrong", [{"algorithm": "glove"}, {"window": 0}, {"epochs": -1}, {"threads": 0}]
)
def test_settings_that_are_none(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError):
        Training(**wrong)  # type: ignore[arg-type]


def test_a_study() -> None:
    pytest.importorskip("gensim")
    from phiscrub.embeddings.analogies import read_questions  # noqa: PLC0415

    asked = read_questions(": x\nknee hip\naches hurts\nleft right\nno none\n", "q")
    steps = []
    done = study(
        text(NOTES),
        asked,
        Training("cbow", 5, epochs=2),
        Normalise("glued"),
        tick=steps.append,
        inner=nothing,
    )
    assert (done.questions, done.skipped) == (6, 6)
    assert [step.notes for step in done.steps] == [18, 36, 54, 72]
    assert list(done.steps) == steps
    assert len(done.changes) == 3
    for before, after, change in zip(done.steps, done.steps[1:], done.changes, strict=False):
        assert change.difference == pytest.approx(after.similarity - before.similarity)
        assert change.freedom == 5
    assert done.steps[-1].tokens == text(NOTES).tokens
    with pytest.raises(InputError, match="too few for 4 parts"):
        study(
            text(NOTES[:3]),
            asked,
            Training(),
            Normalise(),
            tick=steps.append,
            inner=nothing,
        )
    with pytest.raises(InputError, match="of 2 questions 0 can be asked"):
        study(
            text(NOTES),
            read_questions("no none\nyes none\n", "q"),
            Training("cbow", 5, epochs=1),
            Normalise(),
            tick=steps.append,
            inner=nothing,
        )


def test_the_commands(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    notes = tmp_path / "notes"
    notes.mkdir()
    for at, note in enumerate(NOTES):
        (notes / f"{at}.txt").write_text(note)
    out = tmp_path / "v.safetensors"
    common = ("--dimensions", 5, "--epochs", 1)
    ended = phiscrub("embed", "train", notes, "-o", out, "--subwords", 20, "--json", *common)
    assert ended.code == 0, ended.err
    assert b'"notes": 72' in ended.out
    assert "epoch 1 of 1" in ended.err
    near = phiscrub("embed", "neighbours", out, "knee", "-n", 3, "--json")
    assert near.code == 0
    assert near.out.count(b"[") == 4
    for target in ("v.bin", "v.vec", "v.glove"):
        assert phiscrub("embed", "convert", out, tmp_path / target, "-q").code == 0
    (tmp_path / "q.txt").write_text(": x\nknee hip\nleft right\naches hurts\n")
    for file in (out, tmp_path / "v.bin"):
        asked = phiscrub("embed", "analogies", file, "--questions", tmp_path / "q.txt")
        assert asked.code == 0
        assert b"all" in asked.out
    shares = phiscrub(
        *("embed", "coverage", tmp_path / "v.bin", out, "--notes", notes),
        *("-o", tmp_path / "both.txt"),
    )
    assert shares.code == 0, shares.err
    assert b"unknown" in shares.out
    assert (tmp_path / "both.txt").exists()
    studied = phiscrub(
        *("embed", "study", notes, "--questions", tmp_path / "q.txt"),
        *("--picture", tmp_path / "s.html", *common),
    )
    assert studied.code == 0, studied.err
    assert (tmp_path / "s.html").read_text().startswith("<!doctype html>")
    for wrong in (
        ("embed", "train", notes, "-o", tmp_path / "v.pkl"),
        ("embed", "train", notes, "-o", out, "--digits", "hash"),
        ("embed", "train", notes, "-o", out, "--min-count", 999),
        ("embed", "neighbours", tmp_path / "none.bin", "x"),
        ("embed", "analogies", out, "--questions", "xx"),
        ("embed", "study", notes, "--picture", "x.png"),
    ):
        ended = phiscrub(*wrong)
        assert ended.code == 2, wrong
        assert ended.err.strip().count("\n") == 0, ended.err


@pytest.mark.parametrize(("algorithm", "package"), [("cbow", "gensim"), ("rnnlm", "torch")])
def test_a_package_that_is_missing(
    algorithm: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in (package, "gensim.models"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(SettingsError, match=f"need the package {package}; pip install"):
        train(text(NOTES), Training(algorithm), Normalise(), "x", nothing)


def test_a_loss_that_is_no_number_stops() -> None:
    torch = pytest.importorskip("torch")
    from phiscrub.embeddings.rnnlm import _learn, _Model  # noqa: PLC0415 - needs torch

    seen = text(NOTES).cut(1)
    model = _Model.drawn(len(seen.words), 3, 1)
    with torch.no_grad():
        model.into.fill_(float("nan"))
    optimiser = torch.optim.Adam(model.weights())
    with pytest.raises(InputError, match="the loss is no number at batch 1"):
        _learn(model, optimiser, streams(seen)[0], nothing_of)


def nothing_of(_: int) -> None:
    return
