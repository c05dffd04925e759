"""Networks against slow references: loops in numpy, all taggings, finite differences."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402

from phiscrub.core.schemes import scheme  # noqa: E402
from phiscrub.detect.tagging.inputs import Shown  # noqa: E402
from phiscrub.train.architectures import (  # noqa: E402
    Characters,
    Dilated,
    Elman,
    Jordan,
    Recurrent,
    Residual,
)
from phiscrub.train.networks.convolutions import DilatedContext, ResidualContext  # noqa: E402
from phiscrub.train.networks.crf_layer import CrfLayer, never  # noqa: E402
from phiscrub.train.networks.elman import ElmanContext  # noqa: E402
from phiscrub.train.networks.jordan import JordanContext  # noqa: E402
from phiscrub.train.networks.loops import elman_loop, jordan_loop, run  # noqa: E402
from phiscrub.train.networks.recurrent import RecurrentContext  # noqa: E402
from phiscrub.train.networks.sequences import BothWays, around, turned  # noqa: E402
from phiscrub.train.networks.tables import Tables  # noqa: E402
from phiscrub.train.networks.words import CharacterPeaks, CharacterStates  # noqa: E402

WIDTH, TAGS = 5, 4
LENGTHS = (6, 1, 4)
CONTEXTS = {
    "lstm": lambda: RecurrentContext(Recurrent(7, layers=2, hidden=3), WIDTH, TAGS),
    "one way": lambda: RecurrentContext(Recurrent(7, both_ways=False), WIDTH, TAGS),
    "elman": lambda: ElmanContext(Elman((6, 5), window=5), WIDTH, TAGS),
    "jordan": lambda: JordanContext(Jordan(6, window=3), WIDTH, TAGS),
    "dilated": lambda: DilatedContext(Dilated(8, blocks=2), WIDTH, TAGS),
    "residual": lambda: ResidualContext(Residual(8, recurrent=3), WIDTH, TAGS),
}


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(1)


def batch() -> tuple[Tensor, Tensor]:
    mask = torch.arange(max(LENGTHS)) < torch.tensor(LENGTHS)[:, None]
    vectors = torch.randn(len(LENGTHS), max(LENGTHS), WIDTH)
    return torch.where(mask[..., None], vectors, 1e3), mask  # padding that would be seen


def sigmoid(values: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-values))


def window(rows: np.ndarray, at: int, half: int, edge: np.ndarray) -> np.ndarray:
    places = range(at - half, at + half + 1)
    return np.concatenate([rows[p] if 0 <= p < len(rows) else edge for p in places])


@pytest.mark.parametrize("name", CONTEXTS)
def test_padding_and_neighbours_in_a_batch_change_nothing(name: str) -> None:
    context = CONTEXTS[name]().eval()
    vectors, mask = batch()
    together = context.stages(vectors, mask)[-1]
    for row, length in enumerate(LENGTHS):
        alone = context.stages(
            vectors[row : row + 1, :length], torch.ones(1, length, dtype=torch.bool)
        )[-1]
        assert torch.allclose(together[row, :length], alone[0], atol=1e-5)


def test_elman_is_the_papers_equation() -> None:
    context = ElmanContext(Elman((6, 5), window=5), WIDTH, TAGS).eval()
    vectors, mask = batch()
    told = context.stages(vectors, mask)[-1].detach().numpy()
    weights = {n: w.detach().double().numpy() for n, w in context.named_parameters()}
    for row, length in enumerate(LENGTHS):
        rows = vectors[row, :length].double().numpy()
        below = [window(rows, at, 2, weights["edge"]) for at in range(length)]
        for layer, units in enumerate((6, 5)):
            w, b = weights[f"inputs.{layer}.weight"], weights[f"inputs.{layer}.bias"]
            u, h, states = weights[f"recurrent.{layer}"], np.zeros(units), []
            for given in below:
                h = sigmoid(w @ given + u.T @ h + b)
                states.append(h)
            below = states
        scores = [weights["output.weight"] @ h + weights["output.bias"] for h in below]
        assert np.allclose(told[row, :length], scores, atol=1e-4)


def test_jordan_is_the_papers_equation() -> None:
    context = JordanContext(Jordan(6, window=3), WIDTH, TAGS).eval()
    vectors, mask = batch()
    told = context.stages(vectors, mask)[-1].detach().numpy()
    weights = {n: w.detach().double().numpy() for n, w in context.named_parameters()}
    for row, length in enumerate(LENGTHS):
        rows, before = vectors[row, :length].double().numpy(), np.zeros(TAGS)
        for at in range(length):
            given = window(rows, at, 1, weights["edge"])
            h = sigmoid(
                weights["inputs.weight"] @ given
                + weights["recurrent.weight"] @ before
                + weights["inputs.bias"]
            )
            scores = weights["output.weight"] @ h + weights["output.bias"]
            before = np.exp(scores - scores.max())
            before /= before.sum()
            assert np.allclose(told[row, at], scores, atol=1e-4)


def sizes(steps: int) -> dict[str, tuple[int, ...]]:
    return {
        "inputs": (2, steps, 4),
        "square": (4, 4),
        "recurrent": (3, 4),
        "output": (4, 3),
        "bias": (3,),
        "wanted": (2, steps, 4),
    }


@pytest.mark.parametrize("steps", [1, 2, 7])
def test_the_loops_own_gradients_are_those_that_torch_works_out(steps: int) -> None:
    torch.manual_seed(3)
    draw = {name: torch.randn(size, dtype=torch.float64) for name, size in sizes(steps).items()}
    kept = (torch.rand(2, 4, dtype=torch.float64) < 0.7).double() / 0.7
    calls = (
        (elman_loop, (draw["inputs"], draw["square"])),
        (jordan_loop, (draw["inputs"], draw["recurrent"], draw["output"], draw["bias"], kept)),
    )
    for loop, given in calls:
        told = []
        for forward in (loop, lambda *own: run(loop, *own)):  # noqa: B023 - called at once
            own = [value.clone().requires_grad_(value is not kept) for value in given]
            scores = forward(*own)
            (scores * draw["wanted"][..., : scores.shape[-1]]).sum().backward()
            told.append([scores, *(value.grad for value in own if value.requires_grad)])
        for one, other in zip(*told, strict=True):
            torch.testing.assert_close(one, other)


def test_the_loops_learn_in_mixed_precision_too() -> None:
    inputs, square = (torch.randn(size, requires_grad=True) for size in ((2, 3, 4), (4, 4)))
    with torch.autocast("cpu", torch.bfloat16):
        states = run(elman_loop, torch.matmul(inputs, square), square)
        scores = run(jordan_loop, inputs, square, square, square[0], torch.ones(2, 4))
    (states.float().sum() + scores.float().sum()).backward()
    assert inputs.grad is not None
    assert bool(torch.isfinite(inputs.grad).all())


def test_weights_of_the_recurrent_papers_are_drawn_from_their_range() -> None:
    for context in (ElmanContext(Elman(), 20, TAGS), JordanContext(Jordan(), 20, TAGS)):
        for weight in context.parameters():
            assert weight.abs().max() <= 1.0
        assert context.output.weight.abs().max() > 0.8


def test_an_lstm_reads_backwards_what_it_reads_forwards() -> None:
    both = BothWays(WIDTH, 3, both=True, forget_bias=1.0)
    forward = both.ways[0]
    assert isinstance(forward, nn.LSTM)
    gates = forward.bias_ih_l0 + forward.bias_hh_l0
    assert gates.tolist() == [0.0] * 3 + [1.0] * 3 + [0.0] * 6  # input, forget, cell, output
    vectors, mask = batch()
    both.ways[1].load_state_dict(forward.state_dict())
    there = both(vectors, mask)
    back = turned(both(turned(vectors, mask), mask), mask)
    for row, length in enumerate(LENGTHS):
        swapped = torch.cat((back[row, :length, 3:], back[row, :length, :3]), dim=-1)
        assert torch.allclose(there[row, :length], swapped, atol=1e-6)
    last = both.last(vectors, mask)
    for row, length in enumerate(LENGTHS):
        ends = torch.cat((there[row, length - 1, :3], there[row, 0, 3:]))
        assert torch.allclose(last[row], ends, atol=1e-6)


def test_neighbours_stand_side_by_side_and_the_edge_beyond() -> None:
    values = torch.arange(1.0, 7.0).reshape(1, 6, 1)
    mask = torch.tensor([[True, True, True, True, False, False]])
    told = around(values, mask, range(-2, 3, 2), torch.tensor([9.0]))
    assert told[0, :4].tolist() == [[9, 1, 3], [9, 2, 4], [1, 3, 9], [2, 4, 9]]


@pytest.mark.parametrize("encoder", [CharacterStates, CharacterPeaks])
def test_a_words_vector_hangs_on_its_own_characters_alone(encoder: type[nn.Module]) -> None:
    reads = encoder(Characters(4, units=6), 9).eval()
    short = torch.tensor([[3, 5, 2]])
    padded = torch.tensor([[3, 5, 2, 0, 0], [7, 7, 7, 7, 7], [0, 0, 0, 0, 0]])
    told = reads(padded)
    assert torch.allclose(told[:1], reads(short), atol=1e-6)
    assert torch.isfinite(told).all()
    assert not torch.allclose(reads(torch.tensor([[2, 5, 3]])), reads(short))


def test_hashes_of_a_trait_are_added_up_and_nothing_is_zero() -> None:
    tables = Tables([Shown("a", 3, buckets=7, hashes=2), Shown("b", 2, values=("x",))])
    told = tables(torch.tensor([[3, 5, 2], [0, 0, 0]]))
    first, second = (table.weight for table in tables.tables)
    assert torch.allclose(told[0], torch.cat((first[3] + first[5], second[2])))
    assert told[1].tolist() == [0.0] * 5


def enumerated(crf: CrfLayer, scores: Tensor, gold: list[int]) -> float:
    steps = crf.transitions()
    ways = {}
    for way in product(range(scores.shape[1]), repeat=len(scores)):
        own = sum(scores[at, tag] for at, tag in enumerate(way))
        own = own + sum(steps[a, b] for a, b in pairwise(way))
        ways[way] = own + crf.first[way[0]] + crf.last[way[-1]]
    total = torch.logsumexp(torch.stack(list(ways.values())), 0)
    return float((total - ways[tuple(gold)]).detach())


def test_the_crfs_loss_is_that_of_all_taggings() -> None:
    crf = CrfLayer(TAGS).double()
    for weight in crf.parameters():
        nn.init.normal_(weight)
    lengths = [4, 1, 3]
    mask = torch.arange(4) < torch.tensor(lengths)[:, None]
    scores = 2 * torch.randn(3, 4, TAGS, dtype=torch.float64)
    gold = torch.randint(TAGS, (3, 4))
    told = crf.losses(crf.edged(scores, mask), mask, gold)
    for row, length in enumerate(lengths):
        slow = enumerated(crf, scores[row, :length], gold[row, :length].tolist())
        assert abs(float(told[row].detach()) - slow) < 1e-9


def test_the_crfs_gradients_are_those_of_finite_differences() -> None:
    crf = CrfLayer(TAGS).double()
    for weight in crf.parameters():
        nn.init.normal_(weight)
    mask = torch.arange(4) < torch.tensor([4, 2])[:, None]
    gold = torch.randint(TAGS, (2, 4))

    class Loss(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.crf = crf

        def forward(self, scores: Tensor) -> Tensor:
            return crf.losses(crf.edged(scores, mask), mask, gold)

    def loss(scores: Tensor, *weights: Tensor) -> Tensor:
        named = dict(zip(("crf.steps", "crf.first", "crf.last"), weights, strict=True))
        told: Tensor = torch.func.functional_call(Loss(), named, (scores,))
        return told

    given = [torch.randn(2, 4, TAGS), crf.steps, crf.first, crf.last]
    points = [g.detach().double().clone().requires_grad_() for g in given]
    assert torch.autograd.gradcheck(loss, points)


@pytest.mark.parametrize("name", ["elman", "jordan", "dilated"])
def test_gradients_of_contexts_are_those_of_finite_differences(name: str) -> None:
    context = CONTEXTS[name]().double().eval()
    vectors, mask = batch()
    point = torch.where(mask[..., None], vectors, 0.0).double().requires_grad_()
    weight = next(w for n, w in context.named_parameters() if "weight" in n)
    context.stages(point, mask)[-1][mask].square().sum().backward()
    for given in (point, weight):
        assert given.grad is not None
        flat, grad = given.detach().reshape(-1), given.grad.reshape(-1)
        places = torch.linspace(0, len(flat) - 1, 7).long().tolist()
        for at in places:
            values = []
            for step in (1e-6, -1e-6):
                before = float(flat[at])
                flat[at] = before + step
                with torch.no_grad():
                    values.append(float(context.stages(point, mask)[-1][mask].square().sum()))
                flat[at] = before
            assert abs((values[0] - values[1]) / 2e-6 - float(grad[at])) < 1e-4


def test_what_a_scheme_never_writes_is_never_worth_anything() -> None:
    tags = scheme("BIO").tags(["A", "B"])
    ruled_out = never(scheme("BIO"), tags)
    pairs = {(tags[a], tags[b]) for a, b in ruled_out.nonzero().tolist()}
    assert pairs == {("O", "I-A"), ("O", "I-B"), *_across("A", "B"), *_across("B", "A")}
    crf = CrfLayer(len(tags), ruled_out)
    scores = torch.zeros(1, 2, len(tags))
    mask = torch.ones(1, 2, dtype=torch.bool)
    outside, inside = tags.index("O"), tags.index("I-A")
    good = crf.losses(scores, mask, torch.tensor([[outside, outside]]))
    bad = crf.losses(scores, mask, torch.tensor([[outside, inside]]))
    assert float((bad - good).detach()) == pytest.approx(60.0)


def _across(one: str, other: str) -> set[tuple[str, str]]:
    return {(f"{prefix}-{one}", f"I-{other}") for prefix in "BI"}
