"""Our decoder and python-crfsuite's, on the same model and 100,000 tokens."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from crf_models import TEMPLATES, attributes, charts, random_model, traits_of
from phiscrub.core.errors import SettingsError
from phiscrub.detect.tagging.crf_weights import CrfWeights
from phiscrub.detect.tagging.crfsuite_file import read_crfsuite
from phiscrub.detect.tagging.decode import posterior, viterbi
from phiscrub.detect.tagging.engine import Engine
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.templates import parse_templates

pycrfsuite = pytest.importorskip("pycrfsuite")
SETTINGS = {
    "lbfgs": {"c1": 0.02, "c2": 0.02, "max_iterations": 40},
    "ap": {"max_iterations": 5},
}


def trained(algorithm: str, file: Path) -> CrfWeights:
    notes, tags = charts(30, seed=1)
    frame = Frame.of(notes, "sentence")
    rows = attributes(frame, traits_of(TEMPLATES), parse_templates(TEMPLATES))
    flat = [tag for own in tags for tag in own]
    trainer = pycrfsuite.Trainer(algorithm, SETTINGS[algorithm], verbose=False)
    for row, (low, high) in zip(rows, pairwise(frame.starts.tolist()), strict=True):
        trainer.append(row, flat[low:high])
    trainer.train(str(file))
    return read_crfsuite(file.read_bytes(), str(file))


@pytest.mark.parametrize(("algorithm", "tokens"), [("lbfgs", 100_000), ("ap", 10_000)])
def test_labels_and_marginals_are_those_of_crfsuite(
    algorithm: str, tokens: int, tmp_path: Path
) -> None:
    own = trained(algorithm, tmp_path / "model")
    notes, _ = charts(tokens // 170, seed=2)
    frame = Frame.of(notes, "sentence")
    assert len(frame) >= tokens
    model = random_model(notes[:1])
    parts = ("tags", "attributes", "pointers", "columns", "weights", "transitions")
    model = type(model)(
        **{name: getattr(model, name) for name in model.__slots__ if name not in parts},
        **{name: getattr(own, name) for name in parts},
    )
    engine = Engine(model, traits_of(model.templates))
    scores = np.concatenate([own for _, own in engine.emissions(frame)])
    known = posterior(scores, frame.starts, model.transitions)
    found = [model.tags[t] for t in viterbi(scores, frame.starts, model.transitions, known)]

    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    expected, worst, at = [], 0.0, 0
    for row in attributes(frame, traits_of(TEMPLATES), parse_templates(TEMPLATES)):
        expected += tagger.tag(row)
        for place in range(len(row)):
            theirs = [tagger.marginal(tag, place) for tag in model.tags]
            worst = max(worst, np.abs(known.proba[at] - theirs).max())
            at += 1
    assert found == expected
    assert worst < 1e-6
    assert 0.01 < found.count("O") / len(found) < 0.99


def test_weights_are_read_to_the_last_digit_that_crfsuite_shows(tmp_path: Path) -> None:
    own = trained("lbfgs", tmp_path / "model")
    tagger = pycrfsuite.Tagger()
    tagger.open(str(tmp_path / "model"))
    shown = tagger.info()
    assert list(own.tags) == tagger.labels()
    bounds = zip(own.attributes, pairwise(own.pointers.tolist()), strict=True)
    weights = {
        (text, own.tags[own.columns[i]]): own.weights[i]
        for text, (a, b) in bounds
        for i in range(a, b)
    }
    assert weights.keys() == shown.state_features.keys()
    for key, weight in shown.state_features.items():
        assert weights[key] == pytest.approx(weight, abs=1e-6)
    for (left, right), weight in shown.transitions.items():
        row, column = own.tags.index(left), own.tags.index(right)
        assert own.transitions[row, column] == pytest.approx(weight, abs=1e-6)


def test_what_crfsuite_did_not_write_is_refused(tmp_path: Path) -> None:
    trained("ap", tmp_path / "model")
    data = (tmp_path / "model").read_bytes()
    for other in (b"", b"lCRF", data[:40], data[:2_000], data[: len(data) // 2], b"x" + data[1:]):
        with pytest.raises(SettingsError, match=r"^model: is no model file of CRFsuite"):
            read_crfsuite(other, "model")
