"""Export: what runs equals torch, and whole numbers stand only where tags stay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("onnx")

import onnx
import onnxruntime
import torch
from onnx import TensorProto, helper, numpy_helper

from crf_models import charts
from network_models import NETWORKS, NOTES, fresh, runnable
from phiscrub.core.errors import PhiscrubError
from phiscrub.detect.tagging.neural import NeuralTagger
from phiscrub.pipeline.shelf import Shelf
from phiscrub.train import export as exporting
from phiscrub.train.export import export
from phiscrub.train.quantise import Range, products, quantise_products, quantise_tables, ranges

OTHERS, _ = charts(4, seed=9, lines=6)  # notes that no list was made from


@pytest.mark.parametrize("name", NETWORKS)
def test_what_runs_equals_torch(name: str) -> None:
    runs = NeuralTagger.of(runnable(name), Shelf("en", None))
    by_torch = fresh(name).tagger()
    for own, other in zip(runs.tag_scores(OTHERS), by_torch.tag_scores(OTHERS), strict=True):
        assert own.labels == other.labels
        np.testing.assert_allclose(own.proba, other.proba, atol=2e-5)
    spans = [[(m.span, m.label) for m in note] for note in runs.detect(OTHERS)]
    assert spans == [[(m.span, m.label) for m in note] for note in by_torch.detect(OTHERS)]
    assert any(spans)


def test_an_export_that_differs_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "CLOSE", -1.0)
    with pytest.raises(PhiscrubError, match="other probabilities in ONNX Runtime"):
        export(fresh("dilated"), NOTES[:1])


def test_whole_numbers_where_tags_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"architecture": "residual", "context": {"units": 96, "dilations": [1]}}
    trained = fresh("residual", table=table, traits=["lower 24/512", "gap 3"], gain=1.0)
    floats = export(trained, NOTES, whole=False).model
    monkeypatch.setattr(exporting, "AGREED", 0.0)
    eager = export(trained, NOTES)
    total = int(eager.proof["products"].split()[2])
    assert eager.proof["products"] == f"{total} of {total} int8"
    assert eager.proof["tables"] == "int8"
    assert len(eager.model.top) < 0.5 * len(floats.top)
    assert len(eager.model.words) < 0.5 * len(floats.words)
    monkeypatch.setattr(exporting, "AGREED", 1.01)
    never = export(trained, NOTES)
    assert (never.model.words, never.model.top) == (floats.words, floats.top)
    assert never.proof["agreement"] == 1.0


def test_whole_numbers_agree_on_other_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "AGREED", 0.0)
    trained = fresh("residual", gain=1.0)
    model = export(trained, NOTES).model
    by_torch = trained.tagger().tag_scores(OTHERS)
    for batch_tokens in (1, 4096):
        runs = NeuralTagger.of(model, Shelf("en", None), batch_tokens=batch_tokens)
        for own, other in zip(runs.tag_scores(OTHERS), by_torch, strict=True):
            assert float(np.abs(own.proba - other.proba).max()) < 0.05
    alone = NeuralTagger.of(model, Shelf("en", None), batch_tokens=1).detect(OTHERS)
    assert alone == NeuralTagger.of(model, Shelf("en", None)).detect(OTHERS)


def test_a_recurrence_is_no_product_of_the_graph() -> None:
    """What stands in a loop stays in floats; what feeds it is found."""
    top = export(fresh("jordan"), NOTES[:1], whole=False).model.top
    inner = [n for n in onnx.load_from_string(top).graph.node if n.op_type == "Loop"]
    assert len(inner) == 1
    assert len(products(top)) == 1
    known = {name: Range(-1.0, 1.0) for name in products(top)}
    onnxruntime.InferenceSession(quantise_products(top, known))


def model_of(nodes: list[Any], weights: Mapping[str, np.ndarray], given: Any) -> bytes:
    told = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["a", "b", "c"])
    stored = [numpy_helper.from_array(array, name) for name, array in weights.items()]
    graph = helper.make_graph(nodes, "g", [given], [told], stored)
    opset = [helper.make_opsetid("", 17)]
    data: bytes = helper.make_model(graph, opset_imports=opset, ir_version=8).SerializeToString()
    return data


def run(data: bytes, **arrays: np.ndarray) -> np.ndarray:
    found: np.ndarray = onnxruntime.InferenceSession(data).run(None, arrays)[0]
    return found


def test_products_by_hand() -> None:
    chance = np.random.default_rng(3)
    matrix = chance.normal(size=(40, 7)).astype(np.float32) * [[1, 9, 0.1, 1, 1, 1, 0]]
    given = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["a", "b", 40])
    node = helper.make_node("MatMul", ["x", "w"], ["y"], name="one")
    data = model_of([node], {"w": matrix.astype(np.float32)}, given)
    assert products(data) == ["one"]
    x = chance.uniform(-1, 3, size=(2, 5, 40)).astype(np.float32)
    seen = ranges(data, [{"x": x[:1], "more": x}, {"x": x[1:]}])
    assert seen == {"one": Range(float(x.min()), float(x.max()))}
    whole = quantise_products(data, seen)
    step = (seen["one"].high - seen["one"].low) / 255
    bound = 40 * (
        step * np.abs(matrix).max(axis=0) + np.abs(x).max() * np.abs(matrix).max(axis=0) / 63
    )
    assert (np.abs(run(whole, x=x) - run(data, x=x)) <= bound + 1e-6).all()
    assert (run(whole, x=x)[..., 6] == 0).all()
    beyond = run(whole, x=np.full((1, 1, 40), 99.0, np.float32))
    np.testing.assert_allclose(beyond, run(whole, x=np.full((1, 1, 40), x.max(), np.float32)))
    assert len(whole) < len(data) + 1500
    assert quantise_products(data, {}) == data


def test_tables_by_hand() -> None:
    chance = np.random.default_rng(4)
    table = chance.normal(size=(50, 16)).astype(np.float32) * chance.uniform(0, 5, size=(50, 1))
    table[0] = 0.0
    given = helper.make_tensor_value_info("x", TensorProto.INT64, ["a", "b"])
    node = helper.make_node("Gather", ["t", "x"], ["y"], name="one", axis=0)
    data = model_of([node], {"t": table.astype(np.float32)}, given)
    small = quantise_tables(data)
    x = np.arange(50).reshape(10, 5)
    assert len(small) < 0.6 * len(data)
    apart = np.abs(run(small, x=x).reshape(50, 16) - table)
    assert (apart <= np.abs(table).max(axis=1, keepdims=True) / 127 / 2 + 1e-6).all()
    assert not run(small, x=np.zeros((1, 1), np.int64)).any()


def test_exporting_leaves_the_network_as_it_is() -> None:
    trained = fresh("bilstm-crf")
    before = {name: weight.clone() for name, weight in trained.network.state_dict().items()}
    export(replace(trained, name="other"), NOTES[:1])
    after = trained.network.state_dict()
    assert all(torch.equal(weight, after[name]) for name, weight in before.items())
