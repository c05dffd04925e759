"""Several models as one: the mean of what they think of each token, decoded together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, Self, cast

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE, Scheme, scheme
from phiscrub.core.scores import TokenScores
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.decode import posterior, viterbi
from phiscrub.detect.tagging.frame import Frame, rounds
from phiscrub.detect.tagging.manifest import part_of, read_manifest
from phiscrub.detect.tagging.readout import NO_BIAS, Readout, Tagging
from phiscrub.detect.tagging.weights import Floats, Ints

KIND = "ensemble"
SHARED = "BIO"  # the scheme that every other which tells beginnings can be read as
LEAST = 1e-9  # a probability of nothing still leaves a tag the last choice
Rows = NDArray[np.float32]
NEVER = -60.0  # what a step that the scheme does not write adds to a tagging's logarithm


@dataclass(frozen=True, slots=True)
class Settings:
    """The models, names or paths, and what each counts, by default all the same.

    `threshold`, `bias`, `label_set` and `roles` are as in the part ``crf``; `threads` are for
    networks.
    """

    models: tuple[str, ...]
    weights: tuple[float, ...] = ()
    threshold: float | None = None
    bias: Mapping[str, float] = field(default_factory=dict)
    label_set: str = ""
    roles: tuple[str, ...] = ()
    threads: int = 1


def build(settings: Settings, toolbox: Toolbox) -> EnsembleTagger:
    """Load the models."""
    members = []
    for at, name in enumerate(settings.models):
        manifest = read_manifest(toolbox.folder("models", name), name)
        use = part_of(manifest, name)
        table = {"use": use, "model": name, "label_set": manifest.label_set}
        threads = {"threads": settings.threads} if use == "neural" else {}
        members.append(cast(Member, toolbox.detector(table | threads, f"models[{at}]")))
    return EnsembleTagger(
        members,
        settings.weights,
        threshold=settings.threshold,
        bias=settings.bias,
        labels=settings.label_set,
        roles=settings.roles,
    )


class Modelled(Tagging, Protocol):
    """A model that reads notes in sequences of some kind."""

    @property
    def sequence(self) -> str: ...  # noqa: D102


class Member(Protocol):
    """A tagger that tells the probabilities of its model's tags.

    `tag_rows` yields those of all tokens in order, ``[tokens, tags]``, of some at a time.
    """

    @property
    def model(self) -> Modelled: ...  # noqa: D102
    def tag_rows(self, notes: Sequence[Note]) -> Iterator[Rows]: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Agreed:
    """What the members of an ensemble have in common: it is a model without weights."""

    name: str
    label_set: str
    tokenizer: str
    scheme: str
    sequence: str
    tags: tuple[str, ...]
    labels: tuple[str, ...]

    @classmethod
    def of(cls, models: Sequence[Modelled]) -> Self:
        """Find it; raise `SettingsError` where tokenizer, labels or schemes do not go together.

        Members of one scheme keep it; others are read as `SHARED`.
        """
        if not models:
            raise SettingsError("an ensemble of no model", hint="name two or more")
        first = models[0]
        for model in models[1:]:
            for what in ("tokenizer", "label_set", "labels"):
                if getattr(model, what) != getattr(first, what):
                    raise SettingsError(
                        f"models {first.name} and {model.name} differ in {what.replace('_', ' ')}",
                        hint="train the members of an ensemble on the same notes, or use a stack",
                    )
        same = all(model.scheme == first.scheme for model in models)
        style = scheme(first.scheme if same else SHARED)
        if not same:
            for model in models:
                own = scheme(model.scheme)
                if own.begin == own.inside:
                    raise SettingsError(
                        f"model {model.name} tags in {own.name}, which tells no beginnings",
                        hint="an ensemble of several schemes needs BIO, BIOES or BILOU",
                    )
        sequences = {model.sequence for model in models}
        return cls(
            name="+".join(model.name for model in models),
            label_set=first.label_set,
            tokenizer=first.tokenizer,
            scheme=style.name,
            sequence=first.sequence if len(sequences) == 1 else "note",
            tags=style.tags(first.labels),
            labels=first.labels,
        )


class EnsembleTagger:
    """Finds mentions by the weighted mean of several taggers' probabilities.

    `weights` are one a member, by default all the same; other arguments are as in `Settings`.
    Raises `SettingsError` where the members do not go together, or a number is out of range.
    """

    def __init__(
        self,
        members: Sequence[Member],
        weights: Sequence[float] = (),
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        labels: str = "",
        roles: Sequence[str] = (),
    ) -> None:
        self.model = Agreed.of([member.model for member in members])
        weighed = np.array(weights or [1.0] * len(members))
        if len(weighed) != len(members) or not (weighed > 0).all():
            raise SettingsError("'weights' are not one above 0 for each model")
        shares = weighed / weighed.sum()
        style = scheme(self.model.scheme)
        self._members = [
            (member, share * read_as(member.model, style, self.model.tags))
            for member, share in zip(members, shares.tolist(), strict=True)
        ]
        tags = self.model.tags
        steps = [[style.follows(left, right) for right in tags] for left in tags]
        self._steps = np.where(steps, 0.0, NEVER)
        self._first = np.where([style.follows(None, tag) for tag in tags], 0.0, NEVER)
        self._last = np.where([style.follows(tag, None) for tag in tags], 0.0, NEVER)
        self._readout = Readout(
            self.model,
            f"{KIND}:{self.model.name}",
            threshold=threshold,
            bias=bias,
            labels=labels,
            roles=roles,
        )
        self._odds = np.exp(self._readout.bias)

    @property
    def labels(self) -> frozenset[str]:
        """Every label that it can give."""
        return self._readout.labels

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the mean probability of each label, and of `O`, the first."""
        frame, proba = self.weigh(notes)
        return self._readout.scores(proba, frame)

    def tag_scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the mean probability of each tag of `model`."""
        frame, proba = self.weigh(notes)
        return self._readout.tag_scores(proba, frame)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions of the well-formed tagging whose mean probabilities are highest.

        A score is the label's lowest mean probability among the tokens.
        """
        frame = self._frame(notes)
        return self._settled(frame, self._rows(frame), self._readout.threshold)

    def weigh(self, notes: Sequence[Note]) -> tuple[Frame, Floats]:
        """Return the batch and the mean probabilities of its tokens' tags, ``[tokens, tags]``."""
        frame = self._frame(notes)
        return frame, np.concatenate([np.zeros((0, len(self.model.tags))), *self._rows(frame)])

    def settle(
        self, weighed: tuple[Frame, Floats], threshold: float | None
    ) -> list[tuple[Mention, ...]]:
        """Return the mentions at a threshold."""
        frame, proba = weighed
        blocks = (proba[starts[0] : starts[-1]] for starts in _rounds(frame))
        return self._settled(frame, blocks, threshold)

    def _frame(self, notes: Sequence[Note]) -> Frame:
        self._readout.check(notes)
        return Frame.of(notes, self.model.sequence)

    def _rows(self, frame: Frame) -> Iterator[Floats]:
        """Yield, round by round, the mean probabilities."""
        members = [
            (_Queue(member.tag_rows(frame.notes)), shares) for member, shares in self._members
        ]
        for starts in _rounds(frame):
            proba = np.zeros((starts[-1] - starts[0], len(self.model.tags)))
            for rows, shares in members:
                proba += rows.take(len(proba)) @ shares
            yield proba

    def _settled(
        self, frame: Frame, blocks: Iterable[Floats], threshold: float | None
    ) -> list[tuple[Mention, ...]]:
        found = (
            (self._tags(starts - starts[0], proba, threshold), proba)
            for starts, proba in zip(_rounds(frame), blocks, strict=True)
        )
        return self._readout.by_rounds(frame, found)

    def _tags(self, starts: Ints, proba: Floats, threshold: float | None) -> Ints:
        """Return the best well-formed tagging.

        Steps are allowed or not, and nothing else: where the likeliest tags of a sequence's tokens
        go together, no tagging is better. Only the other sequences are decoded.
        """
        allowed = self._readout.allowed(proba, threshold)
        likely = np.maximum(proba, LEAST) * self._odds
        weighed = likely if allowed is None else np.where(allowed, likely, 0.0)
        tags: Ints = weighed.argmax(axis=1)
        is_wrong = np.append(False, self._steps[tags[:-1], tags[1:]] < 0)
        is_wrong[starts[:-1]] = self._first[tags[starts[:-1]]] < 0
        is_wrong[starts[1:] - 1] |= self._last[tags[starts[1:] - 1]] < 0
        broken = np.logical_or.reduceat(is_wrong, starts[:-1])
        if not broken.any():
            return tags
        lengths = np.diff(starts)
        inside = np.repeat(broken, lengths)
        own = np.append(0, np.cumsum(lengths[broken]))
        scores = np.log(likely[inside])
        scores[own[:-1]] += self._first
        scores[own[1:] - 1] += self._last
        known = posterior(scores, own, self._steps)
        some = None if allowed is None else allowed[inside]
        tags[inside] = viterbi(scores, own, self._steps, known, some)
        return tags


class _Queue:
    """Rows that come in blocks, and are taken in others."""

    def __init__(self, blocks: Iterator[Rows]) -> None:
        self._blocks = blocks
        self._held: list[Rows] = []

    def take(self, count: int) -> Rows:
        while sum(map(len, self._held)) < count:
            self._held.append(next(self._blocks))
        rows = np.concatenate(self._held)
        self._held = [rows[count:].copy()]
        return rows[:count]


def _rounds(frame: Frame) -> Iterator[Ints]:
    """Yield where the sequences of each round begin, and where its last ends."""
    for low, high in rounds(frame.starts):
        yield frame.starts[low : high + 1]


def read_as(model: Tagging, style: Scheme, tags: Sequence[str]) -> Floats:
    """Return which tag of another scheme each of a model's tags is, ``[own, others]``, 0 or 1.

    The same scheme is read as it is; of others, beginnings as beginnings, the rest as insides.
    """
    own = scheme(model.scheme)
    which = np.zeros((len(model.tags), len(tags)))
    for row, tag in enumerate(model.tags):
        read = tag
        if tag != OUTSIDE and own.name != style.name:
            prefix, label = own.split(tag, row)
            opens = prefix in (own.begin, own.single)
            read = f"{style.begin if opens else style.inside}-{label}"
        which[row, tags.index(read)] = 1.0
    return which
