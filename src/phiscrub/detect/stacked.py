"""Learned stacking: what several detectors say of a token, weighed as was learned (paper 4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self, cast

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.contracts import Detector, Tagger
from phiscrub.core.errors import SettingsError
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.scores import TokenScores
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.inverse_features import WordLists, Words, features
from phiscrub.detect.stacked_model import KIND, Floats, StackModel
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.readout import NO_BIAS, Readout

LEAST = 1e-6  # a probability nearer to 0 or 1 says no more
NEVER = float(np.log(LEAST))  # the log odds of that, nearly
REACH = 2  # tokens to either side of which is asked how likely they are to be anything
VERDICTS = ("rule-safe", "rule-phi", "rule-always")

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Settings:
    """The model, a name or a path; the rest as in the part ``crf``.

    The models and packs that it asks are in its own folder, or ship with phiscrub.
    """

    model: str
    threshold: float | None = None
    bias: Mapping[str, float] = field(default_factory=dict)
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> StackedTagger:
    """Load the model and build the detectors that it asks."""
    model = StackModel.load(toolbox.folder("models", settings.model), settings.model)
    return StackedTagger(
        model,
        toolbox,
        threshold=settings.threshold,
        bias=settings.bias,
        labels=settings.label_set,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Witnesses:
    """The detectors that are asked, and the inverse rule's lists where they are asked too.

    A tagger tells the log odds of each label, any other detector the highest score of its
    mentions. Of the neighbours within `REACH`, the highest of either over all labels is told.
    """

    detectors: tuple[Detector, ...]
    lists: WordLists | None = None

    @classmethod
    def of(
        cls, tables: Sequence[Mapping[str, Any]], lists: str, label_set: str, tools: Toolbox
    ) -> Self:
        """Build the detectors that tables declare; they speak a label set where they can."""
        built = tuple(
            tools.detector(table, f"detectors[{at}]", label_set) for at, table in enumerate(tables)
        )
        asked = WordLists.load(tools.folder("inverse", lists), lists, tools) if lists else None
        return cls(built, asked)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of what is told, in order."""
        names = []
        for at, detector in enumerate(self.detectors):
            names += [f"{at}:{label}" for label in _told(detector)]
            names += [f"{at}:any[{step}]" for step in _steps()]
        if self.lists is not None:
            names += [*self.lists.features, *VERDICTS]
        return tuple(names)

    def rows(self, notes: Sequence[Note]) -> Rows:
        """Return what is told of every token of all notes, ``[tokens, columns]``."""
        parts = [self._of_detector(detector, notes) for detector in self.detectors]
        if self.lists is not None:
            asked = self.lists
            parts.append(_stacked([_rules(note, asked) for note in notes], len(asked.features) + 3))
        return np.concatenate(parts, axis=1)

    def _of_detector(self, detector: Detector, notes: Sequence[Note]) -> Rows:
        labels = _told(detector)
        if hasattr(detector, "scores"):
            scores = cast(Tagger, detector).scores(notes)
            told, nothing = [_odds(own, labels) for own in scores], NEVER
        else:
            found = detector.detect(notes)
            told = [_claims(n, own, labels) for n, own in zip(notes, found, strict=True)]
            nothing = 0.0
        width = len(labels) + 2 * REACH
        return _stacked([_with_neighbours(own, nothing) for own in told], width)


class StackedTagger:
    """Finds mentions by a learned combination; tokens of one label side by side are one mention.

    Arguments are as in `Settings`; raises `SettingsError` where the detectors do not tell what
    the model learned from.
    """

    def __init__(
        self,
        model: StackModel,
        tools: Toolbox,
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        labels: str = "",
    ) -> None:
        self.model = model
        self._asked = Witnesses.of(model.detectors, model.lists, model.label_set, tools)
        if self._asked.columns != model.columns:
            raise SettingsError(
                f"the detectors of model {model.name} tell other things than it learned from",
                hint="train it again with these models and rules",
            )
        self._readout = Readout(
            model, f"{KIND}ed:{model.name}", threshold=threshold, bias=bias, labels=labels
        )

    @property
    def labels(self) -> frozenset[str]:
        """Every label that it can give."""
        return self._readout.labels

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each label, and of `O`, which stands first."""
        frame, proba = self.weigh(notes)
        return self._readout.scores(proba, frame)

    def tag_scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each class."""
        frame, proba = self.weigh(notes)
        return self._readout.tag_scores(proba, frame)

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions; a score is the label's lowest probability among the tokens."""
        return self.settle(self.weigh(notes), self._readout.threshold)

    def weigh(self, notes: Sequence[Note]) -> tuple[Frame, Floats]:
        """Return the batch and the probabilities of its tokens' classes, ``[tokens, classes]``."""
        self._readout.check(notes)
        frame = Frame.of(notes, self.model.sequence)
        rows = self._asked.rows(notes) if notes else np.zeros((0, len(self.model.columns)), "f4")
        return frame, self.model.proba(rows)

    def settle(
        self, weighed: tuple[Frame, Floats], threshold: float | None
    ) -> list[tuple[Mention, ...]]:
        """Return the mentions at a threshold."""
        frame, proba = weighed
        odds = np.log(np.maximum(proba, LEAST)) + self._readout.bias
        allowed = self._readout.allowed(proba, threshold)
        if allowed is not None:
            odds = np.where(allowed, odds, -np.inf)
        return self._readout.by_note(odds.argmax(axis=1), frame, proba)


def _told(detector: Detector) -> tuple[str, ...]:
    labels = tuple(sorted(detector.labels))
    return (OUTSIDE, *labels) if hasattr(detector, "scores") else labels


def _steps() -> list[int]:
    return [step for step in range(-REACH, REACH + 1) if step]


def _odds(scores: TokenScores, labels: Sequence[str]) -> Rows:
    order = [scores.labels.index(label) for label in labels]
    proba = np.clip(scores.proba[:, order].astype(np.float64), LEAST, 1 - LEAST)
    odds = np.log(proba / (1 - proba))
    odds[:, labels.index(OUTSIDE)] *= -1  # so that, as elsewhere, high is something
    return odds.astype(np.float32)


def _claims(note: Note, mentions: Sequence[Mention], labels: Sequence[str]) -> Rows:
    told = np.zeros((len(note.tokens), len(labels)), dtype=np.float32)
    for mention in mentions:
        inside = note.tokens.within(mention.span)
        own = told[inside.start : inside.stop, labels.index(mention.label)]
        np.maximum(own, mention.score, out=own)
    return told


def _with_neighbours(told: Rows, nothing: float) -> Rows:
    """Append the highest of what is told of each token around; beyond the note is nothing."""
    edge = np.full(REACH, nothing)
    wide = np.concatenate([edge, told.max(axis=1, initial=nothing), edge])
    around = [wide[REACH + step : REACH + step + len(told)] for step in _steps()]
    return np.column_stack([told, *around]).astype(np.float32)


def _rules(note: Note, lists: WordLists) -> Rows:
    words = Words.of(note)
    told = features(note, words, lists)
    verdicts = np.eye(len(VERDICTS), dtype=np.bool_)[lists.verdicts(told)]
    own = np.concatenate([told, verdicts], axis=1).astype(np.float32)
    rows = np.zeros((len(note.tokens), own.shape[1]), dtype=np.float32)
    at = np.searchsorted(words.ends, note.tokens.starts, side="right")
    inside = (at < len(words)) & (
        np.append(words.starts, len(note.text) + 1)[at] < note.tokens.ends
    )
    rows[inside] = own[at[inside]]
    return rows


def _stacked(parts: Sequence[Rows], width: int) -> Rows:
    return np.concatenate([np.zeros((0, width), dtype=np.float32), *parts])
