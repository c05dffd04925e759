"""A trained network as a part: mentions and probabilities, without torch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.scores import TokenScores
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.decode import Posterior, posterior, viterbi
from phiscrub.detect.tagging.frame import Frame, rounds
from phiscrub.detect.tagging.half import Half
from phiscrub.detect.tagging.inputs import Encoded, Encoder
from phiscrub.detect.tagging.manifest import RUN_BY, check_language
from phiscrub.detect.tagging.network import KIND, TOP_HALF, WORDS_HALF, NetworkModel
from phiscrub.detect.tagging.readout import NO_BIAS, Readout, pieces
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.typecache import TypeCache, Vectors
from phiscrub.detect.tagging.weights import Floats, Ints
from phiscrub.detect.tagging.windows import NONE, merged, sliding

BATCH_TOKENS = 2_048
MOST_BATCH_TOKENS = 1 << 20
MOST_THREADS = 1_024
LONGEST = 8_192  # positions in one row; a sequence beyond is no sentence that anybody wrote
MOST_ODDS = 60.0  # a power of e: certain, and still a number
INT, FLOAT, BOOL = "tensor(int64)", "tensor(float)", "tensor(bool)"

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Settings:
    """The model, a name or a path, how eager it is, and what it may take of the machine.

    `threshold`, `bias`, `label_set` and `roles` are as in the part ``crf``. About `batch_tokens`
    tokens are read at a time, by `threads` threads; both change only speed.
    """

    model: str
    threshold: float | None = None
    bias: Mapping[str, float] = field(default_factory=dict)
    label_set: str = ""
    roles: tuple[str, ...] = ()
    threads: int = 1
    batch_tokens: int = BATCH_TOKENS


def build(settings: Settings, toolbox: Toolbox) -> NeuralTagger:
    """Load the model."""
    model = NetworkModel.load(toolbox.folder("models", settings.model))
    return NeuralTagger.of(
        model,
        toolbox,
        threshold=settings.threshold,
        bias=settings.bias,
        labels=settings.label_set,
        roles=settings.roles,
        threads=settings.threads,
        batch_tokens=settings.batch_tokens,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A batch, and the scores of the tags of all its positions.

    `firsts` are the positions that tokens begin at, `starts` those of sequences.
    """

    frame: Frame
    firsts: Ints = field(repr=False)
    starts: Ints = field(repr=False)
    scores: Scores = field(repr=False)


class NeuralTagger:
    """Finds mentions by a network; arguments are as in `Settings`.

    Raises `SettingsError` where the bias is for a label that the model does not give, a number
    is out of range, or the model cannot be run.
    """

    @classmethod
    def of(
        cls,
        model: NetworkModel,
        tools: Toolbox,
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        labels: str = "",
        roles: Sequence[str] = (),
        threads: int = 1,
        batch_tokens: int = BATCH_TOKENS,
    ) -> Self:
        """Load the traits too; raise `SettingsError` for a model of another language."""
        check_language(model, tools)
        if not 1 <= threads <= MOST_THREADS:
            raise SettingsError(f"'threads' is not from 1 to {MOST_THREADS}")
        if not 1 <= batch_tokens <= MOST_BATCH_TOKENS:
            raise SettingsError(f"'batch_tokens' is not from 1 to {MOST_BATCH_TOKENS}")
        readout = Readout(
            model,
            f"{RUN_BY[KIND]}:{model.name}",
            threshold=threshold,
            bias=bias,
            labels=labels,
            roles=roles,
        )
        traits = Traits.of(model.inputs.trait_names, tools, model.detectors)
        return cls(model, traits, readout, threads=threads, batch_tokens=batch_tokens)

    def __init__(
        self,
        model: NetworkModel,
        traits: Traits,
        readout: Readout,
        *,
        threads: int = 1,
        batch_tokens: int = BATCH_TOKENS,
    ) -> None:
        self.model = model
        self._readout = readout
        self._batch_tokens = batch_tokens
        self._encoder = Encoder(model.inputs, traits)
        taken = {"word": INT, "characters": INT, "shown": INT}
        words = Half(model.words, taken, "vectors", name=WORDS_HALF, threads=threads)
        self._types = TypeCache(self._encoder, words)
        taken = {"vectors": FLOAT, "notes": INT, "mask": BOOL}
        self._top = Half(model.top, taken, "scores", name=TOP_HALF, threads=threads)

    @property
    def labels(self) -> frozenset[str]:
        """Every label that it can give."""
        return self._readout.labels

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each label, and of `O`, which stands first."""
        weighed = self.weigh(notes)
        return self._readout.scores(self._likely(weighed), weighed.frame)

    def tag_scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each of the model's tags."""
        weighed = self.weigh(notes)
        return self._readout.tag_scores(self._likely(weighed), weighed.frame)

    def tag_rows(self, notes: Sequence[Note]) -> Iterator[Scores]:
        """Yield the same, the rows of all notes behind each other, some at a time."""
        frame, encoded, starts = self._laid_out(notes)
        for low, high in rounds(starts):
            own = encoded.part(starts[low : high + 1])
            scores = self._top_scores(own, own.starts)
            yield self._likely(Weighed(frame, own.firsts, own.starts, scores))

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions; a score is the label's lowest probability among the tokens."""
        return self.settle(self.weigh(notes), self._readout.threshold)

    def tags(self, notes: Sequence[Note]) -> list[list[str]]:
        """Return each note's tags, token by token, as the model has them."""
        frame, _, tags = self._read(self.weigh(notes), self._readout.threshold)
        names = [self.model.tags[tag] for tag in tags.tolist()]
        return [names[a:b] for a, b in pieces(frame.note_starts)]

    def fed(self, notes: Sequence[Note]) -> Iterator[Mapping[str, NDArray[Any]]]:
        """Yield what the upper half is given for the notes, by batches; see `NetworkModel`."""
        encoded = self._encoder.encode(Frame.of(notes, self.model.sequence))
        rows = self._rows(encoded)
        for positions in self._batches(encoded.starts):
            yield rows.arrays(positions)

    def weigh(self, notes: Sequence[Note]) -> Weighed:
        """Return what the upper half gives for the notes."""
        frame, encoded, starts = self._laid_out(notes)
        return Weighed(frame, encoded.firsts, starts, self._top_scores(encoded, starts))

    def _laid_out(self, notes: Sequence[Note]) -> tuple[Frame, Encoded, Ints]:
        """Return the batch, as it is read, and where the sequences begin that are read at once."""
        self._readout.check(notes)
        frame = Frame.of(notes, self.model.sequence)
        encoded = self._encoder.encode(frame)
        return frame, encoded, _bounded(encoded, frame)

    def settle(self, weighed: Weighed, threshold: float | None) -> list[tuple[Mention, ...]]:
        """Return the mentions at a threshold."""
        frame, proba, tags = self._read(weighed, threshold)
        return self._readout.by_note(tags, frame, proba)

    def _read(self, weighed: Weighed, threshold: float | None) -> tuple[Frame, Scores, Ints]:
        """Return the batch, the probabilities of the tags of its tokens, and the best tags."""
        proba = np.empty_like(weighed.scores)
        tags = np.empty(len(proba), dtype=np.int64)
        for inside, scores, starts in self._rounds(weighed):
            known = self._known(scores, starts)
            proba[inside] = known.proba
            tags[inside] = self._best(scores, starts, known, threshold)
        return weighed.frame, proba[weighed.firsts], tags[weighed.firsts]

    def _likely(self, weighed: Weighed) -> Scores:
        """Return the probabilities of the tags of a batch's tokens."""
        proba = np.empty_like(weighed.scores)
        for inside, scores, starts in self._rounds(weighed):
            proba[inside] = self._known(scores, starts).proba
        return proba[weighed.firsts]

    def _rounds(self, weighed: Weighed) -> Iterator[tuple[slice, Floats, Ints]]:
        """Yield the positions of some sequences at a time, their scores, and the firsts in them."""
        starts = weighed.starts
        for low, high in rounds(starts):
            inside = slice(int(starts[low]), int(starts[high]))
            scores = weighed.scores[inside].astype(np.float64) + self._readout.bias
            yield inside, scores, starts[low : high + 1] - inside.start

    def _known(self, scores: Floats, starts: Ints) -> Posterior:
        """Return the probabilities of tags; where no CRF is the output, each sequence counts 0."""
        if self.model.output == "crf":
            return posterior(scores, starts, self.model.transitions)
        if self.model.output == "sigmoid":
            odds = 1.0 / (1.0 + np.exp(-np.clip(scores, -MOST_ODDS, MOST_ODDS)))
        else:
            odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return Posterior(odds / odds.sum(axis=1, keepdims=True), np.zeros(len(starts) - 1))

    def _best(
        self, scores: Floats, starts: Ints, known: Posterior, threshold: float | None
    ) -> Ints:
        allowed = self._readout.allowed(known.proba, threshold)
        if self.model.output == "crf":
            return viterbi(scores, starts, self.model.transitions, known, allowed)
        weighed = known.proba if allowed is None else np.where(allowed, known.proba, -1.0)
        tags: Ints = weighed.argmax(axis=1)
        return tags

    def _top_scores(self, encoded: Encoded, starts: Ints) -> Scores:
        """Return what the upper half gives each position, float32 ``[positions, tags]``.

        Of windows, it is what the one gives that the paper's rules take. Raises `SettingsError`
        where it is no number.
        """
        rows = self._rows(encoded)
        scores = np.empty((len(encoded.type), len(self.model.tags)), dtype=np.float32)
        if self.model.window:
            self._read_windows(rows, starts, scores)
        else:
            for positions in self._batches(starts):
                inside = positions != NONE
                scores[positions[inside]] = rows.run(self._top, positions, scores.shape[1])[inside]
        if not np.isfinite(scores).all():
            raise SettingsError(f"model {self.model.name} gives scores that are no numbers")
        return scores

    def _rows(self, encoded: Encoded) -> _Rows:
        types, vectors = self._types.look_up(encoded.types)
        return _Rows(types[encoded.type], vectors, encoded.notes)

    def _batches(self, starts: Ints) -> Iterator[Ints]:
        """Yield positions, ``[batch, time]``: windows, or sequences of about one length."""
        tokens = self._batch_tokens
        if self.model.window:
            windows = sliding(starts, self.model.window, self.model.stride)
            count = max(1, tokens // self.model.window)
            yield from (windows[at : at + count] for at in range(0, len(windows), count))
            return
        firsts, sizes = starts[:-1], np.diff(starts)
        order = np.argsort(-sizes, kind="stable")
        low = 0
        while low < len(order):
            longest = int(sizes[order[low]])
            own = order[low : low + max(1, tokens // longest)]
            place = np.arange(longest)
            inside = place < sizes[own, None]
            yield np.where(inside, firsts[own, None] + place, NONE)
            low += len(own)

    def _read_windows(self, rows: _Rows, starts: Ints, scores: Scores) -> None:
        """Read windows, block by block; a block has every window that sees one of its positions."""
        length, tags = self.model.window, self.model.tags
        windows = sliding(starts, length, self.model.stride)
        count = max(1, self._batch_tokens // length)
        block = max(length, self._batch_tokens)
        for first in range(0, len(scores), block):
            end = min(len(scores), first + block)
            low = int(np.searchsorted(windows[:, 0], first - length, side="right"))
            high = int(np.searchsorted(windows[:, 0], end))
            own = windows[low:high]
            seen = [
                rows.run(self._top, own[at : at + count], len(tags))
                for at in range(0, len(own), count)
            ]
            found = merged(own, np.concatenate(seen), tags.index(OUTSIDE))
            skipped = first - int(own[0, 0])
            scores[first:end] = found[skipped : skipped + end - first]


@dataclass(frozen=True, slots=True, eq=False)
class _Rows:
    """The positions of a batch as the upper half takes them: `rows` of `vectors`, and `notes`."""

    rows: Ints = field(repr=False)
    vectors: Vectors = field(repr=False)
    notes: Ints = field(repr=False)

    def arrays(self, positions: Ints) -> Mapping[str, NDArray[Any]]:
        """Return the arrays for rows of positions, of which `NONE` are padding."""
        mask = positions != NONE
        safe = np.where(mask, positions, positions[:, :1])
        vectors = self.vectors.take(self.rows[safe], axis=0)
        return {"vectors": vectors, "notes": self.notes[safe], "mask": mask}

    def run(self, top: Half, positions: Ints, tags: int) -> Scores:
        """Return the scores of rows of positions, ``[batch, time, tags]``."""
        return top.run(tags, **self.arrays(positions))


def _bounded(encoded: Encoded, frame: Frame) -> Ints:
    """Return where sequences begin, those beyond `LONGEST` cut, at sentences where there are."""
    starts = encoded.starts
    if not (np.diff(starts) > LONGEST).any():
        return starts
    breaks = encoded.firsts[Frame.of(frame.notes, "sentence").starts[:-1]]
    cuts: list[int] = []
    for first, end in pieces(starts):
        at = first
        cuts.append(at)
        while end - at > LONGEST:
            near = int(breaks[np.searchsorted(breaks, at + LONGEST, side="right") - 1])
            at = near if near > at else at + LONGEST
            cuts.append(at)
    return np.array([*cuts, starts[-1]], dtype=np.int64)
