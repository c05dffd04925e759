"""ONNX models made smaller and faster: products and tables of whole numbers instead of floats.

Ranges are fixed beforehand, not taken from each batch, so that a batch still changes only speed;
weights have seven bits, so that processors that add pairs of products in 16 bits do not overflow.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import onnx
import onnxruntime
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

MATRIX = 2
STEPS = 255  # of an unsigned byte
WEIGHT_MOST = 63
TABLE_MOST = 127
SMALLEST = 1e-12


@dataclass(frozen=True, slots=True)
class Range:
    """The least and greatest number that were seen; both sides include 0."""

    low: float = 0.0
    high: float = 0.0

    def joined(self, values: NDArray[np.floating[Any]]) -> Range:
        """Return the range with some values in it."""
        if not values.size:
            return self
        return Range(min(self.low, float(values.min())), max(self.high, float(values.max())))


def products(data: bytes) -> list[str]:
    """Return the names of the products with a constant matrix, the largest first."""
    graph = onnx.load_from_string(data).graph
    sizes = {one.name: len(one.raw_data) for one in graph.initializer}
    found = [node for node in graph.node if _is_product(node, graph)]
    return [node.name for node in sorted(found, key=lambda n: (-sizes[n.input[1]], n.name))]


def ranges(data: bytes, fed: Iterable[Mapping[str, NDArray[Any]]]) -> dict[str, Range]:
    """Return the range of what each product is given, over all the batches that `fed` yields."""
    model = onnx.load_from_string(data)
    inputs = {n.name: n.input[0] for n in model.graph.node if _is_product(n, model.graph)}
    own = {one.name for one in model.graph.input}
    watched = sorted(set(inputs.values()) - own)
    model.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in watched)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    seen = dict.fromkeys(inputs.values(), Range())
    for arrays in fed:
        given = {name: array for name, array in arrays.items() if name in own}
        told = dict(zip(watched, session.run(watched, given), strict=True)) if watched else {}
        for name in seen:
            seen[name] = seen[name].joined({**given, **told}[name])
    return {node: seen[name] for node, name in inputs.items()}


def quantise_products(data: bytes, named: Mapping[str, Range]) -> bytes:
    """Return the model with the named products in whole numbers.

    What a product is given is rounded to 256 steps over its range, and cut off beyond it; its
    weights have a scale a column.
    """
    model = onnx.load_from_string(data)
    graph = model.graph
    weights = {one.name: one for one in graph.initializer}
    nodes = []
    for node in graph.node:
        if node.name not in named:
            nodes.append(node)
            continue
        own = named[node.name]
        step = max(own.high - own.low, SMALLEST) / STEPS
        matrix = numpy_helper.to_array(weights[node.input[1]])
        scales = np.maximum(np.abs(matrix).max(axis=0), SMALLEST) / WEIGHT_MOST
        whole = np.rint(matrix / scales).astype(np.int8)
        at, zero = node.output[0], round(-own.low / step)
        graph.initializer.extend(
            (
                numpy_helper.from_array(np.array(step, dtype=np.float32), f"{at}:step"),
                numpy_helper.from_array(np.array(zero, dtype=np.uint8), f"{at}:zero"),
                numpy_helper.from_array(whole, f"{at}:whole"),
                numpy_helper.from_array((scales * step).astype(np.float32), f"{at}:scales"),
            )
        )
        given = [f"{at}:bytes", f"{at}:whole", f"{at}:zero"]
        nodes += (
            helper.make_node(
                "QuantizeLinear", [node.input[0], f"{at}:step", f"{at}:zero"], [f"{at}:bytes"]
            ),
            helper.make_node("MatMulInteger", given, [f"{at}:sums"]),
            helper.make_node("Cast", [f"{at}:sums"], [f"{at}:floats"], to=TensorProto.FLOAT),
            helper.make_node("Mul", [f"{at}:floats", f"{at}:scales"], [at]),
        )
    return _with(model, nodes)


def quantise_tables(data: bytes) -> bytes:
    """Return the model with the tables that it looks vectors up in as bytes, a scale a row."""
    model = onnx.load_from_string(data)
    graph = model.graph
    weights = {one.name: one for one in graph.initializer}
    nodes = []
    for node in graph.node:
        table = weights.get(node.input[0]) if node.op_type == "Gather" else None
        if table is None or table.data_type != TensorProto.FLOAT or len(table.dims) != MATRIX:
            nodes.append(node)
            continue
        rows = numpy_helper.to_array(table)
        scales = np.maximum(np.abs(rows).max(axis=1, keepdims=True), SMALLEST) / TABLE_MOST
        at, where = node.output[0], node.input[1]
        graph.initializer.extend(
            (
                numpy_helper.from_array(np.rint(rows / scales).astype(np.int8), f"{at}:rows"),
                numpy_helper.from_array(scales.astype(np.float32), f"{at}:scales"),
            )
        )
        nodes += (
            helper.make_node("Gather", [f"{at}:rows", where], [f"{at}:whole"], axis=0),
            helper.make_node("Cast", [f"{at}:whole"], [f"{at}:floats"], to=TensorProto.FLOAT),
            helper.make_node("Gather", [f"{at}:scales", where], [f"{at}:scale"], axis=0),
            helper.make_node("Mul", [f"{at}:floats", f"{at}:scale"], [at]),
        )
    return _with(model, nodes)


def _is_product(node: Any, graph: Any) -> bool:
    if node.op_type != "MatMul":
        return False
    return any(
        one.name == node.input[1] and len(one.dims) == MATRIX and one.data_type == TensorProto.FLOAT
        for one in graph.initializer
    )


def _with(model: Any, nodes: Iterable[Any]) -> bytes:
    """Return the model with other nodes, without the weights that they no longer use."""
    graph, nodes = model.graph, list(nodes)
    del graph.node[:]
    graph.node.extend(nodes)
    used = {name for node in nodes for name in _read_by(node)}
    kept = [one for one in graph.initializer if one.name in used]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    onnx.checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data


def _read_by(node: Any) -> Iterable[str]:
    """Yield the names that a node reads, those of the graphs within it too."""
    yield from node.input
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from _read_by(inner)
