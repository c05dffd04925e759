"""Recurrent steps that torch has no layer for, which are compiled for export.

While a network learns their gradients are worked out here, not step by step by torch: sentences
are short, and what torch notes of each step takes longer than the step.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from torch.autograd import Function

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


class _Elman(Function):
    """`elman_loop` and its gradient."""

    @staticmethod
    def forward(ctx: Any, inputs: Tensor, recurrent: Tensor) -> Tensor:
        states = elman_loop(inputs, recurrent)
        ctx.save_for_backward(recurrent, states)
        return states

    @staticmethod
    def backward(ctx: Any, *given: Tensor) -> tuple[Tensor, Tensor]:
        recurrent, states = ctx.saved_tensors
        slopes, back = states * (1 - states), recurrent.t()
        told = given[0] * slopes
        for step in range(states.size(1) - 2, -1, -1):
            told[:, step] += torch.matmul(told[:, step + 1], back) * slopes[:, step]
        before = states[:, :-1].flatten(0, 1)
        return told, torch.matmul(before.t(), told[:, 1:].flatten(0, 1))


class _Jordan(Function):
    """`jordan_loop` and its gradient; none for the dropout's mask."""

    @staticmethod
    def forward(ctx: Any, *given: Tensor) -> Tensor:
        inputs, recurrent, output, _, kept = given
        scores = jordan_loop(*given)
        ctx.save_for_backward(inputs, recurrent, output, kept, scores)
        return scores

    @staticmethod
    def backward(ctx: Any, *given: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, None]:
        inputs, recurrent, output, kept, scores = ctx.saved_tensors
        tags = torch.softmax(scores, 2)
        before = torch.cat((torch.zeros_like(tags[:, :1]), tags[:, :-1]), 1)
        hidden = torch.sigmoid(inputs + torch.matmul(before, recurrent))
        slopes, back, out = hidden * (1 - hidden) * kept[:, None], recurrent.t(), output.t()
        wanted, told = given[0].clone(), torch.empty_like(inputs)
        for step in range(scores.size(1) - 1, -1, -1):
            told[:, step] = torch.matmul(wanted[:, step], out) * slopes[:, step]
            if step:
                own = torch.matmul(told[:, step], back)
                mean = (own * tags[:, step - 1]).sum(1, keepdim=True)
                wanted[:, step - 1] += tags[:, step - 1] * (own - mean)
        flat = wanted.flatten(0, 1)
        of_output = torch.matmul((hidden * kept[:, None]).flatten(0, 1).t(), flat)
        of_recurrent = torch.matmul(before.flatten(0, 1).t(), told.flatten(0, 1))
        return told, of_recurrent, of_output, flat.sum(0), None


LEARNING: dict[Loop, type[Function]] = {elman_loop: _Elman, jordan_loop: _Jordan}


def run(loop: Loop, *given: Tensor) -> Tensor:
    """Run a loop: with its own gradient where one is wanted, in an export as TorchScript.

    The ONNX exporter writes that as a loop, not unrolled. Training does without: TorchScript
    fuses what has run a few times, and then gives other last digits. In mixed precision torch works
    the gradient out: it knows which numbers are halves.
    """
    if not torch.onnx.is_in_onnx_export():
        if torch.is_grad_enabled() and not torch.is_autocast_enabled(given[0].device.type):
            learnt: Tensor = LEARNING[loop].apply(*given)  # type: ignore[no-untyped-call]
            return learnt
        return loop(*given)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # its successors cannot export loops
        made: Loop = torch.jit.script(loop)
    return made(*given)
