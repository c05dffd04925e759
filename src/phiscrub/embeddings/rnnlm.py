"""The word vectors of a recurrent language model, in torch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import InputError, SettingsError
from phiscrub.embeddings.text import Text
from phiscrub.embeddings.vectors import Vectors

if TYPE_CHECKING:
    import torch

STREAMS = 32  # pieces of the text read side by side
STEPS = 16  # words through which errors are carried back
HELD = 20  # one sequence in so many is kept for validation
RATE = 0.01
RANGE = 0.1  # of first weights
CLIP = 5.0
LEAST_GAIN = 1.003  # of the validation loss; below it the rate is halved, as in the toolkit


def train_rnnlm(
    text: Text,
    *,
    dimensions: int,
    epochs: int,
    seed: int,
    threads: int,
    tick: Callable[[str, int], None],
) -> Vectors:
    """Learn to tell the next word, and return the weights from each word to the hidden layer.

    ``h(t) = sigmoid(U w(t) + W h(t-1))``, ``y(t) = softmax(V h(t))``; a word's vector is its
    column of U. Source: Mikolov et al. 2010, whose toolkit gave Shweta 2017 its vectors of 80
    dimensions. As there, the rate is halved once the validation loss hardly falls; other than
    there, many pieces of the text are read side by side, weights move by Adam, and the softmax is
    the adaptive one of Grave et al. 2017, which like the toolkit's classes spares the rare words.
    Raises `InputError` where the loss is no number, `SettingsError`
    where torch is not installed.
    """
    try:
        import torch  # noqa: PLC0415 - heavy, and an extra
    except ImportError:
        raise SettingsError(
            "vectors of a language model need the package torch",
            hint="pip install 'phiscrub[train]'",
        ) from None
    learned, held = streams(text)
    with _threads(threads):
        model = _Model.drawn(len(text.words), dimensions, seed)
        optimiser = torch.optim.Adam(model.weights(), lr=RATE)
        best, kept, halving = float("inf"), model.vectors(), False
        for epoch in range(1, epochs + 1):
            told = f"epoch {epoch} of {epochs}"
            if best < float("inf"):
                told += f", perplexity {np.exp(best):.0f}"
            _learn(model, optimiser, learned, partial(tick, told))
            loss = _loss(model, held)
            halving = halving or loss * LEAST_GAIN > best
            if loss < best:
                best, kept = loss, model.vectors()
            if halving:
                for group in optimiser.param_groups:
                    group["lr"] /= 2
    return Vectors(text.words, kept)


def streams(text: Text) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the words to learn from and those to validate on, each ``[streams, words]``.

    Words are numbered from 1; after each sequence stands 0, its end. Raises `InputError` where
    the text is too short for either.
    """
    parts: tuple[list[NDArray[np.int64]], list[NDArray[np.int64]]] = ([], [])
    sequences = np.split(text.word.astype(np.int64), text.starts[1:-1])
    for number, words in enumerate(one for one in sequences if len(one)):
        parts[number % HELD == HELD - 1].append(np.append(words + 1, 0))
    if not parts[1]:
        raise InputError(
            f"a text of fewer than {HELD} sentences is too short for a language model",
            hint="give more notes",
        )
    learned, held = (np.concatenate(part) for part in parts)
    return _side_by_side(learned), _side_by_side(held)


def _side_by_side(words: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut a row of words into streams of one length; the few words that are over are left out."""
    count = min(STREAMS, max(1, len(words) // 2))
    length = len(words) // count
    return words[: count * length].reshape(count, length)


@dataclass(frozen=True, slots=True, eq=False)
class _Model:
    """U ``[words + 1, d]``, W ``[d, d]``, and V within the softmax; number 0 ends a sequence."""

    into: torch.Tensor
    back: torch.Tensor
    out: torch.nn.AdaptiveLogSoftmaxWithLoss

    @classmethod
    def drawn(cls, words: int, dimensions: int, seed: int) -> _Model:
        import torch  # noqa: PLC0415 - heavy, and an extra

        size = words + 1
        cuts = sorted({max(1, size // 8), max(1, size // 2)} - {size})
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            into, back = (
                (torch.rand(rows, dimensions) * 2 * RANGE - RANGE).requires_grad_()
                for rows in (size, dimensions)
            )
            out = torch.nn.AdaptiveLogSoftmaxWithLoss(
                dimensions, size, cuts, div_value=1.0, head_bias=True
            )
        return cls(into, back, out)

    def weights(self) -> list[torch.Tensor]:
        """Return all that is learned."""
        return [self.into, self.back, *self.out.parameters()]

    def vectors(self) -> NDArray[np.float32]:
        """Return the words' vectors, without that of the end."""
        found: NDArray[np.float32] = self.into.detach()[1:].numpy().copy()
        return found

    def states(
        self, words: torch.Tensor, hidden: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the hidden layer after each word ``[steps, streams, d]``, and the last of it.

        `words` is ``[steps, streams]``, `hidden` ``[streams, d]``.
        """
        import torch  # noqa: PLC0415 - heavy, and an extra

        states = []
        for told in torch.nn.functional.embedding(words, self.into):
            hidden = torch.sigmoid(told + hidden @ self.back.T)
            states.append(hidden)
        return torch.stack(states), hidden


def _learn(
    model: _Model,
    optimiser: torch.optim.Optimizer,
    text: NDArray[np.int64],
    tick: Callable[[int], None],
) -> None:
    import torch  # noqa: PLC0415 - heavy, and an extra

    for number, (words, following, hidden) in enumerate(_windows(model, text), 1):
        states, last = model.states(words, hidden[0])
        loss = model.out(states.flatten(0, 1), following.flatten()).loss
        if not torch.isfinite(loss):
            raise InputError(f"the loss is no number at batch {number}", hint="another --seed")
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.weights(), CLIP)
        optimiser.step()
        hidden[0] = last.detach()
        tick(words.numel())


def _loss(model: _Model, text: NDArray[np.int64]) -> float:
    """Return the mean loss of a word."""
    import torch  # noqa: PLC0415 - heavy, and an extra

    total, count = 0.0, 0
    with torch.no_grad():
        for words, following, hidden in _windows(model, text):
            states, hidden[0] = model.states(words, hidden[0])
            total += float(model.out(states.flatten(0, 1), following.flatten()).output.sum())
            count += words.numel()
    return -total / count


def _windows(
    model: _Model, text: NDArray[np.int64]
) -> Iterator[tuple[torch.Tensor, torch.Tensor, list[torch.Tensor]]]:
    """Yield words ``[steps, streams]``, those that follow, and a place for the state between."""
    import torch  # noqa: PLC0415 - heavy, and an extra

    rows = torch.from_numpy(np.ascontiguousarray(text.T))
    hidden = [torch.zeros(rows.shape[1], len(model.back))]
    for start in range(0, len(rows) - 1, STEPS):
        end = min(start + STEPS, len(rows) - 1)
        yield rows[start:end], rows[start + 1 : end + 1], hidden


@contextmanager
def _threads(number: int) -> Iterator[None]:
    """Give torch so many threads for a while; the sums depend on their number."""
    import torch  # noqa: PLC0415 - heavy, and an extra

    before = torch.get_num_threads()
    torch.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before)
