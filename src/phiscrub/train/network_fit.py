"""The trainer of every network: epochs over batches, judged on development notes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from phiscrub.core.errors import SettingsError
from phiscrub.core.schemes import scheme
from phiscrub.detect.tagging.inputs import FIRST, NOTHING, UNKNOWN
from phiscrub.train.apply import apply, vectors_of
from phiscrub.train.checkpoint import (
    Checkpoint,
    read_checkpoint,
    remove_checkpoint,
    write_checkpoint,
)
from phiscrub.train.distil import distance
from phiscrub.train.figures import Judge, names_of, score
from phiscrub.train.optimising import (
    Averaged,
    deterministic,
    device_of,
    is_plain,
    optimiser_of,
    optimiser_state,
    put,
    set_optimiser_state,
)
from phiscrub.train.rows import Positions, Rows, class_weights
from phiscrub.train.schedule import Run, Schedule
from phiscrub.train.steps import Step, best_step
from phiscrub.train.trained import Trained

OF_THE_WORD = ("word", "lower", "fold", "lemma")  # traits that word dropout hides too
MINUTE = 60.0


@dataclass(frozen=True, slots=True, eq=False)
class Task:
    """What a network is trained on and judged by, and which of its weights stay as they are.

    `identity` is a hash of all that decides the outcome; `frozen` are beginnings of the names of
    weights. `lessons` are what teachers think of the positions of `train`, as `distil.lessons`
    gives it.
    """

    train: Positions = field(repr=False)
    dev: Positions | None = field(default=None, repr=False)
    identity: str = ""
    frozen: tuple[str, ...] = ()
    lessons: NDArray[np.float32] | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Ended:
    """The epochs of a training, and why it ended."""

    steps: tuple[Step, ...]
    stopped: str


def train_network(
    trained: Trained,
    task: Task,
    schedule: Schedule,
    run: Run,
    tick: Callable[[Step], None],
) -> Ended:
    """Train a network in place; it is left with the weights of the best epoch, on the CPU.

    Raises `SettingsError` where the loss is no number any more, with the epoch and batch, and
    where there is no such device.
    """
    device = device_of(run.device)
    with deterministic(device, run.seed):
        trained.network.to(device)
        try:
            return _Training(trained, task, schedule, run, device).go(tick)
        finally:
            trained.network.to("cpu")


class _Training:
    """All that changes while a network is trained."""

    def __init__(
        self,
        trained: Trained,
        task: Task,
        schedule: Schedule,
        run: Run,
        device: torch.device,
    ) -> None:
        self.trained, self.task, self.schedule = trained, task, schedule
        self.run, self.device = run, device
        self.network, style = trained.network, scheme(trained.scheme)
        windows = trained.settings.windows
        self.rows = Rows.of(task.train, windows.length, windows.stride, trained.outside)
        self.judge = None
        if task.dev is not None:
            self.judge = Judge.of(
                task.dev, trained.tags, style, trained.label_set, schedule.measure
            )
        names = dict(zip(trained.tags, names_of(trained.tags, style), strict=True))
        self.weights = torch.from_numpy(
            class_weights(
                task.train,
                trained.tags,
                schedule.class_weights,
                lambda tag: schedule.weights.get(names[tag], 1.0),
            )
        ).to(device)
        for name, weight in self.network.named_parameters():
            weight.requires_grad_(not name.startswith(task.frozen) if task.frozen else True)
        self.named = dict(self.network.named_parameters())
        self.learning = {n: w for n, w in self.named.items() if w.requires_grad}
        if not self.learning:
            raise SettingsError("every weight is frozen", hint="freeze fewer")
        if self.network.words.vectors is not None:
            self.network.words.vectors.sparse = is_plain(schedule)
        self.optimiser = optimiser_of(schedule, self.learning.values())
        self.average = Averaged(self.learning, schedule.average) if schedule.average else None
        self.hidden = _columns_of(trained, OF_THE_WORD)
        self.epoch, self.batch, self.step, self.loss = 0, 0, 0, 0.0
        self.best: dict[str, Tensor] | None = None
        self.steps: list[Step] = []
        self.begun = self.written = time.monotonic()

    def go(self, tick: Callable[[Step], None]) -> Ended:
        """Run all epochs that are left."""
        self._resume()
        for step in self.steps:
            tick(step)
        stopped = self._stopped()
        while not stopped:
            self._epoch()
            tick(self.steps[-1])
            stopped = self._stopped()
        if self.best is not None:
            put(self.learning, self.best)
        if self.run.checkpoint is not None:
            remove_checkpoint(self.run.checkpoint)
        return Ended(tuple(self.steps), stopped)

    def _stopped(self) -> str:
        """Say why training ends now, '' where it does not.

        Epochs before the first find are no sign that all is learnt: few notes take several.
        """
        best, patience = best_step(self.steps), self.schedule.patience
        waited = self.judge is not None and 0 < patience <= len(self.steps) - best
        if waited and self.steps[best - 1].f1:
            return f"no gain after epoch {best}"
        if self.epoch < self.schedule.epochs:
            return ""
        done = f"all {self.schedule.epochs} epochs done"
        return f"{done}, epoch {best} was best" if self.judge is not None else done

    def _epoch(self) -> None:
        rng = np.random.default_rng((self.run.seed, self.epoch))
        same = self.schedule.same_length
        batches = self.rows.batches(self.schedule.batch, rng, same_length=same)
        self.network.train()
        for rows in batches[self.batch :]:
            self.loss += self._learn(rows, len(batches))
            self.batch += 1
        mean = self.loss / len(batches)
        self.epoch, self.batch, self.loss = self.epoch + 1, 0, 0.0
        value = None
        if self.average is None:
            value = self._judged()
        else:
            with self.average.in_place():
                value = self._judged()
        seconds = time.monotonic() - self.begun
        self.steps.append(Step(self.epoch, mean, value, seconds))
        if value is None or best_step(self.steps) == len(self.steps):
            own = self.average.mean if self.average is not None else self.learning
            self.best = {name: weight.detach().clone() for name, weight in own.items()}

    def _learn(self, rows: NDArray[np.int64], batches: int) -> float:
        """Take one step downhill; return the loss before it."""
        rate = self.schedule.rate_at(self.step, batches)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        drawn = self._random()
        is_mixed = self.schedule.mixed and self.device.type == "cuda"
        with torch.autocast(self.device.type, torch.bfloat16, enabled=is_mixed):
            loss = self._loss(rows)
        if not torch.isfinite(loss):
            kept = self.run.checkpoint is not None and self.written > self.begun
            last = f"the last good checkpoint is in {self.run.checkpoint}" if kept else ""
            raise SettingsError(
                f"the loss is no number any more at epoch {self.epoch + 1}, batch {self.batch + 1}",
                hint="; ".join(filter(None, ("lower training.rate or set training.clip", last))),
            )
        if time.monotonic() - self.written > MINUTE * self.run.minutes:
            self._write(drawn)  # as it was before this batch, now that its loss is a number
        loss.backward()  # type: ignore[no-untyped-call]
        if self.schedule.clip:
            nn.utils.clip_grad_norm_(self.learning.values(), self.schedule.clip)
        self.optimiser.step()
        self.step += 1
        if self.average is not None:
            self.average.update(self.step)
        return float(loss.detach())

    def _loss(self, rows: NDArray[np.int64]) -> Tensor:
        train = self.task.train
        place, tags, mask = self.rows.matrix(rows)
        types, inverse = np.unique(train.type[place], return_inverse=True)
        characters = train.numbers.characters[types]
        width = max(1, int((characters != 0).sum(axis=1).max()))
        own = (train.numbers.word[types], characters[:, :width], train.numbers.shown[types])
        word, letters, shown = (torch.from_numpy(one).to(self.device) for one in own)
        if self.schedule.word_dropout:
            is_hidden = torch.rand(len(word), device=self.device) < self.schedule.word_dropout
            word = torch.where(is_hidden & (word >= FIRST), UNKNOWN, word)
            hides = is_hidden[:, None] & torch.tensor(self.hidden, device=self.device)
            shown = torch.where(hides, NOTHING, shown)
        notes = torch.from_numpy(train.notes[place]).to(self.device)
        if self.schedule.trait_dropout:
            lost = torch.rand(notes.shape, device=self.device) < self.schedule.trait_dropout
            notes = torch.where(lost, NOTHING, notes)
        ids = torch.from_numpy(inverse.reshape(place.shape)).to(self.device)
        vectors = vectors_of(self.network, self.network.words(word, letters, shown), ids, notes)
        seen, gold = torch.from_numpy(mask).to(self.device), torch.from_numpy(tags).to(self.device)
        stages = [scores.float() for scores in self.network.stages(vectors, seen)]
        with torch.autocast(self.device.type, enabled=False):  # sums over paths need all digits
            loss = self.network.loss_of(stages, seen, gold, self.weights)
            if self.task.lessons is None:
                return loss
            lessons = torch.from_numpy(self.task.lessons[place]).to(self.device)
            apart = distance(self.network, stages, seen, lessons)
            return (1 - self.schedule.taught) * loss + self.schedule.taught * apart

    def _judged(self) -> float | None:
        """Return what the network is worth on the development notes; None without any."""
        if self.judge is None:
            return None
        dev, windows = self.judge.positions, self.trained.settings.windows
        applied = apply(
            self.network,
            dev.numbers,
            dev.type,
            dev.notes,
            dev.starts,
            window=(windows.length, windows.stride),
            outside=self.trained.outside,
        )
        own = self.schedule
        by_entity = own.measure == "entity_f1"
        judged = self.judge.entities if by_entity else self.judge.masked
        return score(judged(applied.tags), own.measure, own.least_precision)

    def _random(self) -> dict[str, Tensor]:
        """Return where torch's generators stand."""
        states = {"random/cpu": torch.get_rng_state()}
        if self.device.type == "cuda":
            states["random/gpu"] = torch.cuda.get_rng_state(self.device)
        return states

    def _write(self, drawn: Mapping[str, Tensor]) -> None:
        """Write a checkpoint, if there is a folder for it."""
        self.written = time.monotonic()
        if self.run.checkpoint is None:
            return
        tensors: dict[str, Tensor] = {f"network/{n}": w for n, w in self.learning.items()}
        state = optimiser_state(self.optimiser, self.learning)
        tensors |= {f"optimiser/{n}": t for n, t in state.items()}
        if self.average is not None:
            tensors |= {f"average/{n}": t for n, t in self.average.mean.items()}
        if self.best is not None:
            tensors |= {f"best/{n}": t for n, t in self.best.items()}
        tensors |= drawn
        told = {
            "epoch": self.epoch,
            "batch": self.batch,
            "step": self.step,
            "loss": self.loss,
            "seconds": self.written - self.begun,
            "steps": [asdict(step) for step in self.steps],
        }
        write_checkpoint(self.run.checkpoint, Checkpoint(told, tensors), self.task.identity)

    def _resume(self) -> None:
        """Go on from a checkpoint, if that is asked and there is one."""
        if not self.run.resume or self.run.checkpoint is None:
            return
        found = read_checkpoint(self.run.checkpoint, self.task.identity)
        if found is None:
            return
        told: Any = found.told
        self.epoch, self.batch, self.step = told["epoch"], told["batch"], told["step"]
        self.loss = told["loss"]
        self.steps = [Step(**one) for one in told["steps"]]
        self.begun -= told["seconds"]
        put(self.learning, _part(found, "network/"))
        set_optimiser_state(self.optimiser, self.learning, _part(found, "optimiser/"))
        if self.average is not None:
            mean = _part(found, "average/")
            self.average.mean = {n: mean[n].to(w.device) for n, w in self.learning.items()}
        self.best = _part(found, "best/") or None
        torch.set_rng_state(found.tensors["random/cpu"])
        if "random/gpu" in found.tensors and self.device.type == "cuda":
            torch.cuda.set_rng_state(found.tensors["random/gpu"], self.device)


def _part(checkpoint: Checkpoint, prefix: str) -> dict[str, Tensor]:
    return {
        name.removeprefix(prefix): tensor
        for name, tensor in checkpoint.tensors.items()
        if name.startswith(prefix)
    }


def _columns_of(trained: Trained, traits: Iterable[str]) -> NDArray[np.bool_]:
    """Return which columns of word traits are of those named."""
    wanted, columns = set(traits), list[bool]()
    for one in trained.word_shown:
        columns += [one.trait in wanted] * one.hashes
    return np.array(columns, dtype=np.bool_)
