"""Recurrent steps that torch has no layer for, which are compiled for export."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import torch
from torch import Tensor

Loop = Callable[..., Tensor]


def elman_loop(inputs: Tensor, recurrent: Tensor) -> Tensor:
    """Return ``h(t) = sigmoid(inputs(t) + h(t - 1) U)``, ``[b, t, units]``, from h = 0.

    `inputs` holds what the layer below says, with the bias; `recurrent` is U, transposed.
    """
    state = torch.zeros_like(inputs[:, 0])
    states: list[Tensor] = []
    for step in range(inputs.size(1)):
        state = torch.sigmoid(inputs[:, step] + torch.matmul(state, recurrent))
        states.append(state)
    return torch.stack(states, 1)


def jordan_loop(
    inputs: Tensor, recurrent: Tensor, output: Tensor, bias: Tensor, kept: Tensor
) -> Tensor:
    """Return scores ``V h(t) + c`` with ``h(t) = sigmoid(inputs(t) + P(y(t - 1)) U)``.

    ``[b, t, tags]``; P is the softmax of the scores before, 0 at first. `kept` ``[b, units]``
    is the dropout's mask over hidden units, one for all steps of a sequence.
    """
    before = torch.zeros([inputs.size(0), output.size(1)], dtype=inputs.dtype, device=inputs.device)
    told: list[Tensor] = []
    for step in range(inputs.size(1)):
        hidden = torch.sigmoid(inputs[:, step] + torch.matmul(before, recurrent)) * kept
        scores = torch.matmul(hidden, output) + bias
        before = torch.softmax(scores, 1)
        told.append(scores)
    return torch.stack(told, 1)


def exportable(loop: Loop) -> Loop:
    """Return a loop as it is or, in an export, as TorchScript.

    The ONNX exporter writes that as a loop, not unrolled. Training does without: TorchScript
    fuses what has run a few times, and then gives other last digits.
    """
    if not torch.onnx.is_in_onnx_export():
        return loop
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its successors cannot export loops
        made: Loop = torch.jit.script(loop)
    return made
