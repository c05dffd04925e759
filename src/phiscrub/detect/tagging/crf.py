"""A trained CRF as a part: mentions, probabilities, and the next best readings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Self

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set, listed, renaming
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.core.scores import TokenScores
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.tagging.decode import Posterior, n_best, posterior, viterbi
from phiscrub.detect.tagging.engine import Engine
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.model import CrfModel
from phiscrub.detect.tagging.templates import trait_names
from phiscrub.detect.tagging.traits import Traits
from phiscrub.detect.tagging.weights import Floats, Ints

DIGITS = 6  # of a score; what is behind them hangs on the batch
LEAST = 1e-6
MOST_BIAS = 100.0
NO_BIAS: Mapping[str, float] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Settings:
    """The model, a name or a path, and how eager it is.

    With a `threshold`, a token is left alone just where the probability that it is nothing
    identifying is at least that; without, the best tagging of the sentence stands as it is.
    `bias` adds to the scores of a label's tags, in units of the model's weights: 1 makes a label
    e times as likely. Mentions are of `label_set`, by default the model's own.
    """

    model: str
    threshold: float | None = None
    bias: Mapping[str, float] = field(default_factory=dict)
    label_set: str = ""


def build(settings: Settings, toolbox: Toolbox) -> CrfTagger:
    """Load the model."""
    model = CrfModel.load(toolbox.folder("models", settings.model))
    return CrfTagger.of(
        model,
        toolbox,
        threshold=settings.threshold,
        bias=settings.bias,
        labels=settings.label_set,
    )


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to read a sequence, and how probable it is."""

    proba: float
    mentions: tuple[Mention, ...]


class CrfTagger:
    """Finds mentions by a CRF and the traits that its templates ask for.

    `threshold`, `bias` and `labels`, the label set, are as in `Settings`. Raises `SettingsError`
    where the bias is for a label that the model does not give, or a number is out of range.
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
    ) -> Self:
        """Load the traits too; raise `SettingsError` for a model of another language."""
        if model.language != tools.language:
            raise SettingsError(
                f"model {model.name} is for language {model.language!r}, and this is "
                f"{tools.language!r}",
                hint="take a model of that language",
            )
        traits = Traits.of(trait_names(model.parsed_templates()), tools, model.detectors)
        return cls(model, traits, threshold=threshold, bias=bias, labels=labels)

    def __init__(
        self,
        model: CrfModel,
        traits: Traits,
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        labels: str = "",
    ) -> None:
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise SettingsError("'threshold' is no probability", hint="take one from 0 to 1")
        self.model = model
        self._engine = Engine(model, traits)
        self._scheme = scheme(model.scheme)
        self._threshold = threshold
        own = label_set(model.label_set)
        self._names = renaming(own, label_set(labels or own.name))
        self._outside = model.tags.index(OUTSIDE)
        self.labels = frozenset(self._names[label] for label in model.labels)
        self._columns = (OUTSIDE, *sorted(self.labels))
        self._sums = np.zeros((len(model.tags), len(self._columns)))
        for row, tag in enumerate(model.tags):
            self._sums[row, self._columns.index(self._named(tag))] = 1.0
        self._bias = self._biases(bias)

    def scores(self, notes: Sequence[Note]) -> Sequence[TokenScores]:
        """Return for each token the probability of each label, and of `O`, which stands first."""
        frame, _, known = self._weigh(notes)
        proba = (known.proba @ self._sums).astype(np.float32)
        return [TokenScores(self._columns, proba[a:b]) for a, b in _pieces(frame.note_starts)]

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return the mentions; a score is the label's lowest probability among the tokens."""
        frame, scores, known = self._weigh(notes)
        tags = self._settle(frame, scores, known)
        found: list[list[Mention]] = [[] for _ in notes]
        for index, mention in self._mentions(tags, frame, known):
            found[index].append(mention)
        return [tuple(mentions) for mentions in found]

    def tags(self, notes: Sequence[Note]) -> list[list[str]]:
        """Return each note's tags, token by token, as the model has them."""
        frame, scores, known = self._weigh(notes)
        names = [self.model.tags[tag] for tag in self._settle(frame, scores, known).tolist()]
        return [names[a:b] for a, b in _pieces(frame.note_starts)]

    def n_best(self, note: Note, count: int) -> list[list[Reading]]:
        """Return the most probable readings of each sequence of a note, falling.

        Of the `count` best taggings, those that speak of the same mentions are one reading. The
        threshold has no say in it.
        """
        frame, scores, known = self._weigh([note])
        readings = []
        totals = known.log_totals.tolist()
        for (first, end), total in zip(_pieces(frame.starts), totals, strict=True):
            ways = n_best(scores[first:end], self.model.transitions, count)
            found: dict[tuple[Mention, ...], float] = {}
            for score, way in ways:
                tags = np.full(len(frame), self._outside)
                tags[first:end] = way
                mentions = tuple(mention for _, mention in self._mentions(tags, frame, known))
                found[mentions] = found.get(mentions, 0.0) + float(np.exp(score - total))
            sums = sorted(found.items(), key=lambda way: -way[1])
            readings.append([Reading(min(1.0, proba), mentions) for mentions, proba in sums])
        return readings

    def _weigh(self, notes: Sequence[Note]) -> tuple[Frame, Floats, Posterior]:
        """Return the batch, the scores of the tags of its tokens, and what follows from them."""
        for note in notes:
            if note.tokenizer != self.model.tokenizer:
                raise SettingsError(
                    f"model {self.model.name} needs tokenizer {self.model.tokenizer!r}, and the "
                    f"notes were cut by {note.tokenizer!r}",
                    hint=f'set tokenizer = {{ use = "{self.model.tokenizer}" }}',
                )
        frame = Frame.of(notes, self.model.sequence)
        scores = self._engine.emissions(frame) + self._bias
        return frame, scores, posterior(scores, frame.starts, self.model.transitions)

    def _settle(self, frame: Frame, scores: Floats, known: Posterior) -> Ints:
        allowed = None
        if self._threshold is not None:
            is_outside = known.proba[:, self._outside] >= self._threshold
            allowed = np.repeat(~is_outside[:, None], len(self.model.tags), axis=1)
            allowed[:, self._outside] = is_outside
        return viterbi(scores, frame.starts, self.model.transitions, known, allowed)

    def _mentions(
        self, tags: Ints, frame: Frame, known: Posterior
    ) -> Iterator[tuple[int, Mention]]:
        """Yield the mentions that tags speak of, each with the number of its note."""
        is_tagged = tags != self._outside
        is_first = np.zeros(len(tags), dtype=bool)
        is_first[frame.starts[:-1]] = True
        before, after = np.append(False, is_tagged[:-1]), np.append(is_tagged[1:], False)
        firsts = np.flatnonzero(is_tagged & (~before | is_first))
        ends = np.flatnonzero(is_tagged & (~after | np.append(is_first[1:], True))) + 1
        indices = np.searchsorted(frame.note_starts, firsts, side="right") - 1
        names, source = self.model.tags, f"crf:{self.model.name}"
        for first, end, index in zip(firsts.tolist(), ends.tolist(), indices.tolist(), strict=True):
            base = first - int(frame.note_starts[index])
            tokens = frame.notes[index].tokens
            for low, high, name in self._scheme.chunks([names[t] for t in tags[first:end]]):
                label = self._names[name]
                sums = self._sums[:, self._columns.index(label)]
                score = min((known.proba[first + low : first + high] @ sums).tolist())
                span = Span(int(tokens.starts[base + low]), int(tokens.ends[base + high - 1]))
                yield index, Mention(span, label, _rounded(score), source)

    def _named(self, tag: str) -> str:
        return tag if tag == OUTSIDE else self._names[self._scheme.split(tag, 0)[1]]

    def _biases(self, bias: Mapping[str, float]) -> Floats:
        for label, value in bias.items():
            if label not in self.labels:
                raise SettingsError(
                    f"'bias.{label}' is for a label that model {self.model.name} does not give",
                    hint=f"its labels are {listed(sorted(self.labels))}",
                )
            if not abs(value) <= MOST_BIAS:
                raise SettingsError(f"'bias.{label}' is not within {MOST_BIAS:g} of 0")
        return np.array([bias.get(self._named(tag), 0.0) for tag in self.model.tags])


def _rounded(score: float) -> float:
    return min(1.0, max(LEAST, round(score, DIGITS)))


def _pieces(starts: Ints) -> Iterator[tuple[int, int]]:
    return pairwise(starts.tolist())
