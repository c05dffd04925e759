"""One name, one role: what all mentions of a name in a note tell of whose it is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from phiscrub.core.errors import SettingsError
from phiscrub.core.wording import listed
from phiscrub.detect.tagging.frame import Frame
from phiscrub.detect.tagging.weights import Floats

NAMED = 0.3  # a word is a name where its roles together are at least so probable
LEAST = 3e-4  # of a share: one mention alone never makes a role impossible for the others
SHORTEST = 3  # letters; initials are shared by too many


class Roles:
    """Shares out the probability of labels that exclude each other for one name in a note.

    `which` tells the role of each tag, float64 of shape ``[tags, roles]``, 0 or 1. As if mentions
    of a name were independent witnesses: a token's share of each role is its own times those of
    the same word, whatever its case, elsewhere in the note, each as far as it is a name there.
    """

    def __init__(self, labels: Sequence[str | None], roles: Sequence[str]) -> None:
        """Take the label of each tag, None for that of nothing, and the labels that are roles."""
        for role in roles:
            if role not in labels:
                known = listed(sorted({label for label in labels if label is not None}))
                hint = f"its labels are {known}"
                raise SettingsError(f"'roles' names no label of the model: {role!r}", hint=hint)
        self.labels = tuple(roles)
        self.which = np.array([[float(label == role) for role in roles] for label in labels])

    def share(self, frame: Frame, own: Floats) -> None:
        """Share out the probability of each role for each token, ``[tokens, roles]``, in place."""
        mass = own.sum(axis=1)
        groups: dict[tuple[int, str], list[int]] = defaultdict(list)
        named = np.flatnonzero(mass >= NAMED)
        notes = np.searchsorted(frame.note_starts, named, side="right")
        for token, note in zip(named.tolist(), notes.tolist(), strict=True):
            word = frame.words[frame.word[token]]
            if len(word) >= SHORTEST and word.isalpha():
                groups[note, word.casefold()].append(token)
        for tokens in groups.values():
            if len(tokens) > 1:
                shares = np.log(np.maximum(own[tokens] / mass[tokens, None], LEAST))
                told = shares * mass[tokens, None]
                pooled = shares + told.sum(axis=0) - told
                pooled = np.exp(pooled - pooled.max(axis=1, keepdims=True))
                own[tokens] = pooled / pooled.sum(axis=1, keepdims=True) * mass[tokens, None]
