"""From probabilities of tags to mentions and to labels, the same for every tagger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import label_set, renaming
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE, scheme
from phiscrub.core.scores import TokenScores
from phiscrub.core.span import Span
from phiscrub.core.wording import listed
from phiscrub.detect.tagging.decode import Bools
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.roles import Roles
from phiscrub.detect.tagging.weights import Floats, Ints

DIGITS = 6  # of a score; what is behind them hangs on the batch
LEAST = 1e-6
MOST_BIAS = 100.0
NO_BIAS: Mapping[str, float] = MappingProxyType({})
Proba = Floats | NDArray[np.float32]


class Tagging(Protocol):
    """What is known of a model that gives tags; `labels` are those that its tags speak of."""

    @property
    def name(self) -> str: ...  # noqa: D102
    @property
    def label_set(self) -> str: ...  # noqa: D102
    @property
    def tokenizer(self) -> str: ...  # noqa: D102
    @property
    def scheme(self) -> str: ...  # noqa: D102
    @property
    def tags(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def labels(self) -> tuple[str, ...]: ...  # noqa: D102


class Readout:
    """Reads tags as mentions, and their probabilities as those of labels.

    `source` is what mentions name; `labels` the label set that they are of, by default the
    model's own. `threshold` is that which `allowed` is asked with; `bias` adds to the scores of a
    label's tags. `roles` are labels of the model of which a name has one in all of a note, as
    `Roles` finds it. Raises `SettingsError` where bias or role is a label that the model does not
    give, or a number is out of range.
    """

    def __init__(
        self,
        model: Tagging,
        source: str,
        *,
        threshold: float | None = None,
        bias: Mapping[str, float] = NO_BIAS,
        roles: Sequence[str] = (),
        labels: str = "",
    ) -> None:
        if threshold is not None and not 0.0 <= threshold <= 1.0:
            raise SettingsError("'threshold' is no probability", hint="take one from 0 to 1")
        self._model = model
        self._source = source
        self._scheme = scheme(model.scheme)
        self.threshold = threshold
        own = label_set(model.label_set)
        self._names = renaming(own, label_set(labels or own.name))
        self._outside = model.tags.index(OUTSIDE)
        self.labels = frozenset(self._names[label] for label in model.labels)
        self._columns = (OUTSIDE, *sorted(self.labels))
        self._sums = np.zeros((len(model.tags), len(self._columns)))
        for row, tag in enumerate(model.tags):
            self._sums[row, self._columns.index(self._named(tag))] = 1.0
        self._column = self._sums.argmax(axis=1)  # of each tag's label
        self.bias = self._biases(bias)
        self._roles = Roles([self._label(tag) for tag in model.tags], roles)

    def check(self, notes: Sequence[Note]) -> None:
        """Raise `SettingsError` where notes were not cut by the model's tokenizer."""
        model = self._model
        for note in notes:
            if note.tokenizer != model.tokenizer:
                raise SettingsError(
                    f"model {model.name} needs tokenizer {model.tokenizer!r}, and the notes were "
                    f"cut by {note.tokenizer!r}",
                    hint=f'set tokenizer = {{ use = "{model.tokenizer}" }}',
                )

    def allowed(self, proba: Proba, threshold: float | None) -> Bools | None:
        """Return which tags a threshold leaves each token, None where there is none.

        A token is left alone just where the probability of `O` is at least that.
        """
        if threshold is None:
            return None
        is_outside = proba[:, self._outside] >= threshold
        allowed = np.repeat(~is_outside[:, None], len(self._model.tags), axis=1)
        allowed[:, self._outside] = is_outside
        return allowed

    def scores(self, proba: Proba, frame: Frame) -> list[TokenScores]:
        """Return each note's probabilities of `O`, which stands first, and of each label."""
        summed = (proba @ self._sums).astype(np.float32)
        return [TokenScores(self._columns, summed[a:b]) for a, b in pieces(frame.note_starts)]

    def tag_scores(self, proba: Proba, frame: Frame) -> list[TokenScores]:
        """Return each note's probabilities of the model's tags."""
        own, tags = proba.astype(np.float32), self._model.tags
        return [TokenScores(tags, own[a:b]) for a, b in pieces(frame.note_starts)]

    def by_note(self, tags: Ints, frame: Frame, proba: Proba) -> list[tuple[Mention, ...]]:
        """Return the mentions of each note; see `mentions`."""
        return self.by_rounds(frame, [(tags, proba)])

    def by_rounds(
        self, frame: Frame, found: Iterable[tuple[Ints, Proba]]
    ) -> list[tuple[Mention, ...]]:
        """Return the mentions of each note, of tags and probabilities that come in rounds."""
        by_note: list[list[Mention]] = [[] for _ in frame.notes]
        for index, mention in self.mentions(frame, found):
            by_note[index].append(mention)
        return [tuple(mentions) for mentions in by_note]

    def mentions(
        self, frame: Frame, found: Iterable[tuple[Ints, Proba]]
    ) -> Iterator[tuple[int, Mention]]:
        """Yield the mentions that tags speak of, each with the number of its note.

        `found` are the tags and their probabilities, of some tokens at a time. A score is the
        label's lowest probability among the mention's tokens.
        """
        all_tags = [np.zeros(0, dtype=np.int64)]
        own_label: list[float] = []  # of each tagged token
        roles = [np.zeros((0, len(self._roles.labels)))]
        for own_tags, proba in found:  # of the probabilities only what is needed is kept
            all_tags.append(own_tags)
            is_tagged = own_tags != self._outside
            summed = proba[is_tagged] @ self._sums
            columns = self._column[own_tags[is_tagged]]
            own_label += summed[np.arange(len(summed)), columns].tolist()
            if self._roles.labels:
                roles.append(proba @ self._roles.which)
        tags = np.concatenate(all_tags)
        is_tagged = tags != self._outside
        shares: list[list[float]] = []
        logs: list[list[float]] = []
        if self._roles.labels:
            own = np.concatenate(roles)
            self._roles.share(frame, own)
            own = own[is_tagged]
            shares, logs = own.tolist(), np.log(np.maximum(own, LEAST)).tolist()
        is_first = np.zeros(len(tags), dtype=bool)
        is_first[frame.starts[:-1]] = True
        before, after = np.append(False, is_tagged[:-1]), np.append(is_tagged[1:], False)
        firsts = np.flatnonzero(is_tagged & (~before | is_first))
        ends = np.flatnonzero(is_tagged & (~after | np.append(is_first[1:], True))) + 1
        indices = np.searchsorted(frame.note_starts, firsts, side="right") - 1
        bases = frame.note_starts[indices]
        runs = zip(*(r.tolist() for r in (firsts, ends, indices, bases)), strict=True)
        names = [self._model.tags[tag] for tag in tags[is_tagged].tolist()]
        done = 0  # tagged tokens of the runs before
        for first, end, index, base in runs:
            starts, ends_at = frame.notes[index].tokens.offsets()
            last = done + end - first
            for low, high, name in self._scheme.chunks(names[done:last]):
                if name in self._roles.labels:
                    totals = [
                        sum(role) for role in zip(*logs[done + low : done + high], strict=True)
                    ]
                    at = totals.index(max(totals))
                    label = self._names[self._roles.labels[at]]
                    score = min(row[at] for row in shares[done + low : done + high])
                else:
                    label = self._names[name]
                    score = min(own_label[done + low : done + high])
                span = Span(starts[first - base + low], ends_at[first - base + high - 1])
                yield index, Mention(span, label, _rounded(score), self._source)
            done = last

    def _label(self, tag: str) -> str | None:
        return None if tag == OUTSIDE else self._scheme.split(tag, 0)[1]

    def _named(self, tag: str) -> str:
        label = self._label(tag)
        return OUTSIDE if label is None else self._names[label]

    def _biases(self, bias: Mapping[str, float]) -> Floats:
        for label, value in bias.items():
            if label not in self.labels:
                raise SettingsError(
                    f"'bias.{label}' is for a label that model {self._model.name} does not give",
                    hint=f"its labels are {listed(sorted(self.labels))}",
                )
            if not abs(value) <= MOST_BIAS:
                raise SettingsError(f"'bias.{label}' is not within {MOST_BIAS:g} of 0")
        return np.array([bias.get(self._named(tag), 0.0) for tag in self._model.tags])


def pieces(starts: Ints) -> Iterator[tuple[int, int]]:
    """Yield where each piece of a row begins and ends."""
    return pairwise(starts.tolist())


def _rounded(score: float) -> float:
    return min(1.0, max(LEAST, round(score, DIGITS)))
