"""A trained CRF as a part: mentions, probabilities, and the next best readings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.scores import TokenScores
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.decode import Posterior, n_best, posterior, viterbi
from phiscrub.detect.tagging.engine import Engine
from phiscrub.detect.tagging.frame import Frame, Round
from phiscrub.detect.tagging.manifest import check_language
from phiscrub.detect.tagging.model import KIND, CrfModel
from phiscrub.detect.tagging.readout import NO_BIAS, Readout, pieces
from phiscrub.detect.tagging.templates import trait_names
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.weights import Floats, Ints


@dataclass(frozen=True, slots=True)
class Settings:
    """The model, a name or a path, and how eager it is.

    With a `threshold`, a token is left alone just where the probability that it is nothing
    identifying is at least that: a higher one finds more, and 0 nothing at all. Without, the best
    tagging of the sentence stands as it is.
    `bias` adds to the scores of a label's tags, in units of the model's weights: 1 makes a label
    e times as likely. `roles` are labels of the model, such as PATIENT and DOCTOR, of which a name
    has one in all of a note: the one that its mentions together tell. Mentions are of `label_set`,
    by default the model's own.
    """

    model: str
    threshold: float | None = None
    bias: Mapping[str, float] = field(default_factory=dict)
    label_set: str = ""
    roles: tuple[str, ...] = ()


def build(settings: Settings, toolbox: Toolbox) -> CrfTagger:
    """Load the model."""
    model = CrfModel.load(toolbox.folder("models", settings.model))
    return CrfTagger.of(
        model,
        toolbox,
        threshold=settings.threshold,
        bias=settings.bias,
        labels=settings.label_set,
        roles=settings.roles,
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a sequence, and how probable it is."""

    proba: float
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """A round, the scores of the tags of its tokens, and what follows from them."""

    round: Round
    scores: Floats = field(repr=False)
    known: Posterior


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A batch, and what a model thinks of it."""

    frame: Frame
    parts: tuple[Part, ...] = field(repr=False)
    tags: int

    @property
    def proba(self) -> Floats:
        """The probabilities of the tags of all tokens, ``[tokens, tags]``."""
        return np.concatenate([np.zeros((0, self.tags)), *(p.known.proba for p in self.parts)])


class CrfTagger:
    """Finds mentions by a CRF and the traits that its templates ask for.

    `threshold`, `bias`, `roles` and `labels`, the label set, are as in `Settings`. Raises
    `SettingsError` where bias or role is for a label that the model does not give, or a number is
    out of range.
    """

    @classmethod
    def of(
        cls,
        model: CrfModel,
        tools: Toolbox,
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        labels: str = "",
        roles: Sequence[str] = (),
    ) -> Self:
        """Load the traits too; raise `SettingsError` for a model of another language."""
        check_language(model, tools)
        traits = Traits.of(trait_names(model.parsed_templates()), tools, model.detectors)
        return cls(model, traits, threshold=threshold, bias=bias, labels=labels, roles=roles)

    def __init__(
        self,
        model: CrfModel,
        traits: Traits,
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        labels: str = "",
        roles: Sequence[str] = (),
    ) -> None:
        self.model = model
        self._readout = Readout(
            model,
            f"{KIND}:{model.name}",
            threshold=threshold,
            bias=bias,
            labels=labels,
            roles=roles,
        )
        self._engine = Engine(model, traits)
        self._outside = model.tags.index(OUTSIDE)

    @property
    def labels(self) -> frozenset[str]:
        """Every label that it can give."""
        return self._readout.labels

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each label, and of `O`, which stands first."""
        own = self.weigh(notes)
        return self._readout.scores(own.proba, own.frame)

    def tag_scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each of the model's tags."""
        own = self.weigh(notes)
        return self._readout.tag_scores(own.proba, own.frame)

    def tag_rows(self, notes: Sequence[Note]) -> Iterator[NDArray[np.float32]]:
        """Yield the same, the rows of all notes behind each other, some at a time."""
        for part in self._parts(self._frame(notes)):
            yield part.known.proba.astype(np.float32)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions; a score is the label's lowest probability among the tokens."""
        frame = self._frame(notes)
        return self._settled(frame, self._parts(frame), self._readout.threshold)

    def tags(self, notes: Sequence[Note]) -> list[list[str]]:
        """Return each note's tags, token by token, as the model has them."""
        own = self.weigh(notes)
        names = [
            self.model.tags[tag]
            for part in own.parts
            for tag in self._tags(part, self._readout.threshold).tolist()
        ]
        return [names[a:b] for a, b in pieces(own.frame.note_starts)]

    def n_best(self, note: Note, count: int) -> list[list[Reading]]:
        """Return the most probable readings of each sequence of a note, falling.

        Of the `count` best taggings, those that speak of the same mentions are one reading. The
        threshold has no say in it.
        """
        own, transitions = self.weigh([note]), self.model.transitions
        frame, proba = own.frame, own.proba
        ways = [
            (part.round.first + first, n_best(part.scores[first:end], transitions, count), total)
            for part in own.parts
            for (first, end), total in zip(
                pieces(part.round.starts), part.known.log_totals.tolist(), strict=True
            )
        ]
        readings = []
        for first, taggings, total in ways:
            found: dict[tuple[Mention, ...], float] = {}
            for score, way in taggings:
                tags = np.full(len(frame), self._outside)
                tags[first : first + len(way)] = way
                read = self._readout.mentions(frame, [(tags, proba)])
                mentions = tuple(mention for _, mention in read)
                found[mentions] = found.get(mentions, 0.0) + float(np.exp(score - total))
            sums = sorted(found.items(), key=lambda way: -way[1])
            readings.append([Reading(min(1.0, proba), mentions) for mentions, proba in sums])
        return readings

    def weigh(self, notes: Sequence[Note]) -> Weighed:
        """Return what the model thinks of the notes' tokens."""
        frame = self._frame(notes)
        return Weighed(frame, tuple(self._parts(frame)), len(self.model.tags))

    def settle(self, weighed: Weighed, threshold: float | None) -> list[tuple[Mention, ...]]:
        """Return the mentions at a threshold."""
        return self._settled(weighed.frame, weighed.parts, threshold)

    def _frame(self, notes: Sequence[Note]) -> Frame:
        self._readout.check(notes)
        return Frame.of(notes, self.model.sequence)

    def _parts(self, frame: Frame) -> Iterator[Part]:
        for own, emitted in self._engine.emissions(frame):
            scores = emitted + self._readout.bias
            yield Part(own, scores, posterior(scores, own.starts, self.model.transitions))

    def _settled(
        self, frame: Frame, parts: Iterable[Part], threshold: float | None
    ) -> list[tuple[Mention, ...]]:
        found = ((self._tags(part, threshold), part.known.proba) for part in parts)
        return self._readout.by_rounds(frame, found)

    def _tags(self, own: Part, threshold: float | None) -> Ints:
        allowed = self._readout.allowed(own.known.proba, threshold)
        starts, transitions = own.round.starts, self.model.transitions
        return viterbi(own.scores, starts, transitions, own.known, allowed)
