"""The inverse rule (paper 4, inverse-hybrid): every word is masked until it is shown safe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from phiscrub.core.contracts import Tagger
from phiscrub.core.errors import SettingsError
from phiscrub.core.labels import HUB, UNNAMED, label_set, renaming
from phiscrub.core.mention import Mention
from phiscrub.core.note import Note
from phiscrub.core.schemes import OUTSIDE
from phiscrub.core.scores import TokenScores
from phiscrub.core.span import Span
from phiscrub.core.toolbox import Toolbox
from phiscrub.detect.inverse_features import SAFE, WordLists, Words, features

LABELS = ("phi", "tagger")
BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
LEAST = 1e-6
DIGITS = 6
NEVER = np.inf  # above every probability: no word passes

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Settings:
    """The tagger's table, as of a detector (none: the rules alone), and what is safe enough.

    A word stays where the tagger's probability that it is nothing identifying exceeds a
    threshold: `low` where the rules call it safe, `high` where they call it PHI; where they know
    it for a date, a street or a number, none is high enough. `lists` names a folder of lists, by
    default that of the pipeline's language. `labels` is ``phi``, one label for all, or
    ``tagger``, the most likely one. With `merge`, words on one line with only marks and blanks
    between them are one mention.
    """

    tagger: Mapping[str, Any] = field(default_factory=dict)
    low: float = 0.8
    high: float = 0.9
    lists: str = ""
    labels: str = "phi"
    merge: bool = False
    label_set: str = HUB


def build(settings: Settings, toolbox: Toolbox) -> Inverse:
    """Build the tagger and load the lists; raise `SettingsError` where settings do not fit."""
    if settings.labels not in LABELS:
        raise SettingsError(f"'labels' is {settings.labels!r}", hint=f"known: {', '.join(LABELS)}")
    if not 0 <= settings.low <= settings.high <= 1:
        raise SettingsError("'low' and 'high' are no rising probabilities", hint="0 to 1")
    if not settings.tagger and settings.labels == "tagger":
        raise SettingsError("'labels' asks a tagger that is not there", hint="name a tagger")
    name = settings.lists or toolbox.language
    lists = WordLists.load(toolbox.folder("inverse", name), name, toolbox)
    tagger = None
    if settings.tagger:
        made = toolbox.detector(settings.tagger, "tagger", settings.label_set)
        tagger = as_tagger(made, "tagger")
    label = ""
    if settings.labels == "phi":
        label = renaming(label_set(HUB), label_set(settings.label_set))[UNNAMED]
    return Inverse(lists, tagger, settings.low, settings.high, label, settings.merge)


def as_tagger(detector: object, at: str) -> Tagger:
    """Return a detector that gives probabilities; raise `SettingsError` where it gives none."""
    if not hasattr(detector, "scores"):
        raise SettingsError(
            f"'{at}' gives no probabilities",
            hint="name a crf, neural, ensemble or stacked, without 'only' and 'map'",
        )
    return cast(Tagger, detector)


@dataclass(frozen=True, slots=True, eq=False)
class Inverse:
    """Masks every word whose probability of being nothing does not exceed its threshold.

    `label` is that of all mentions; empty, each has the tagger's most likely one. Without a
    tagger, every word that the rules do not call safe is masked.
    """

    lists: WordLists = field(repr=False)
    tagger: Tagger | None
    low: float = 0.8
    high: float = 0.9
    label: str = UNNAMED
    merge: bool = False

    @property
    def labels(self) -> frozenset[str]:
        """The one label, or the tagger's."""
        if self.label or self.tagger is None:
            return frozenset({self.label})
        return self.tagger.labels

    def detect(self, notes: Sequence[Note]) -> Sequence[tuple[Mention, ...]]:
        """Return a mention a masked word, or a run of them; a score is the word's risk."""
        if self.tagger is None:
            return [self._masked(note, None) for note in notes]
        told = self.tagger.scores(notes)
        return [self._masked(note, scores) for note, scores in zip(notes, told, strict=True)]

    def _masked(self, note: Note, scores: TokenScores | None) -> tuple[Mention, ...]:
        words = Words.of(note)
        verdicts = self.lists.verdicts(features(note, words, self.lists))
        if scores is None:
            safe, labels = np.where(verdicts == SAFE, 1.0, 0.0), [self.label] * len(words)
            masked = verdicts != SAFE
        else:
            risks = by_word(note, words, scores)
            safe = risks[:, scores.labels.index(OUTSIDE)]
            labels = self._labels(risks, scores.labels)
            masked = ~(safe > np.array([self.low, self.high, NEVER])[verdicts])
        source = f"inverse:{'rules' if scores is None else 'tagger'}"
        found = [
            Mention(Span(int(words.starts[at]), int(words.ends[at])), labels[at], risk, source)
            for at, risk in ((at, _risk(float(safe[at]))) for at in np.flatnonzero(masked).tolist())
        ]
        return tuple(_merged(note.text, found)) if self.merge else tuple(found)

    def _labels(self, risks: Floats, names: Sequence[str]) -> list[str]:
        if self.label:
            return [self.label] * len(risks)
        others = [column for column, name in enumerate(names) if name != OUTSIDE]
        return [names[others[at]] for at in risks[:, others].argmax(axis=1).tolist()]


def by_word(note: Note, words: Words, scores: TokenScores) -> Floats:
    """Return for each word the least of its tokens' probabilities of `O`, the most of others'.

    Of shape ``[words, labels]``. A word that no token covers, as under a tokenizer that knows
    ASCII alone, is not safe at all.
    """
    outside = scores.labels.index(OUTSIDE)
    first = np.searchsorted(note.tokens.ends, words.starts, side="right")
    last = np.searchsorted(note.tokens.starts, words.ends, side="left")
    risks = np.zeros((len(words), len(scores.labels)))
    proba = scores.proba.astype(np.float64)
    for reach in range(int((last - first).max(initial=0))):
        rows = np.flatnonzero(first + reach < last)
        own = proba[first[rows] + reach]
        low = np.minimum(risks[rows, outside], own[:, outside]) if reach else own[:, outside]
        risks[rows] = np.maximum(risks[rows], own)
        risks[rows, outside] = low
    return risks


def _merged(text: str, mentions: Sequence[Mention]) -> Iterator[Mention]:
    """Yield runs of mentions of one label as one; its score is the highest of theirs."""
    run: Mention | None = None
    for mention in mentions:
        if run is None:
            run = mention
        elif run.label == mention.label and _joins(text[run.span.end : mention.span.start]):
            score = max(run.score, mention.score)
            run = replace(run, span=Span(run.span.start, mention.span.end), score=score)
        else:
            yield run
            run = mention
    if run is not None:
        yield run


def _joins(between: str) -> bool:
    return not any(letter in BREAKS or letter.isalnum() for letter in between)


def _risk(safe: float) -> float:
    return min(1.0, max(LEAST, round(1 - safe, DIGITS)))
