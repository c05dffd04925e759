"""What a part's settings may name: labels of its set, scores in reach, sources that there are.

A slip there would leave identifiers in notes without a word, so it is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from phiscrub.core.errors import LabelError, SettingsError
from phiscrub.core.labels import label_set
from phiscrub.core.mention import is_of
from phiscrub.core.wording import listed


def check_labels(spoken: str, **named: Iterable[str]) -> None:
    """Raise `LabelError` for a label that the set lacks; the empty set is not known and has all."""
    if not spoken:
        return
    labels = label_set(spoken)
    for key, given in named.items():
        for label in given:
            if label not in labels.labels:
                known = f"known: {listed(labels.labels)}"
                raise LabelError(f"'{key}' names no label of {labels.name}: {label!r}", hint=known)


def check_scores(**given: float) -> None:
    """Raise `SettingsError` for a score that no mention can be held against."""
    for key, score in given.items():
        if not 0.0 <= score <= 1.0:
            raise SettingsError(f"'{key}' is no score: {score}", hint="give one from 0 to 1")


def check_least_scores(least_scores: Mapping[str, float]) -> None:
    """Raise `SettingsError` as `check_scores` does, for scores by label."""
    check_scores(**{f"least_scores.{label}": score for label, score in least_scores.items()})


def check_sources(known: Sequence[str], **named: Iterable[str]) -> None:
    """Raise `SettingsError` for a source that is none of those known, if any are.

    ``patterns`` is known as ``patterns:en/contact``, and the other way round.
    """
    for key, sources in named.items():
        for name in sources if known else ():
            if not any(is_of(name, one) or is_of(one, name) for one in known):
                hint = f"known: {listed(known)}"
                raise SettingsError(f"'{key}' names no source of mentions: {name!r}", hint=hint)
