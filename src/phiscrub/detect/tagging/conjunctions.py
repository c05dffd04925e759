"""Attributes of several traits, found by numbers instead of strings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np

from phiscrub.detect.tagging.templates import Template
from phiscrub.detect.tagging.weights import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Conjunction:
    """The attributes of one template, as pairs that are looked up one after the other.

    Of the template's parts, the first two make a pair, which with the third makes a pair again,
    and so on: ``steps`` holds for each further part the number of its trait's values and the
    sorted keys ``left * size + right``. What the last step finds is a place in `attributes`,
    numbers of the model.
    """

    template: Template
    steps: tuple[tuple[int, Ints], ...] = field(repr=False)
    attributes: Ints = field(repr=False)

    @classmethod
    def of(cls, template: Template, sizes: Sequence[int], values: Ints, attributes: Ints) -> Self:
        """Index the attributes of a template with several parts.

        `sizes` are the numbers of values of the parts' traits; `values`, of shape ``[attributes,
        parts]``, are the numbers of theirs.
        """
        left, steps = values[:, 0], []
        for size, right in zip(sizes[1:], values.T[1:], strict=True):
            keys, left = np.unique(left * size + right, return_inverse=True)
            steps.append((size, keys))
        placed = np.empty(len(attributes), dtype=np.int64)
        placed[left] = attributes
        return cls(template, tuple(steps), placed)

    def find(self, parts: Sequence[Ints]) -> tuple[Ints, Ints]:
        """Return the tokens that have one of the attributes, and which.

        `parts` gives for each part the number of each token's value, negative where the trait
        is silent or its value unknown to the model.
        """
        tokens = np.flatnonzero(parts[0] >= 0)
        left = parts[0][tokens]
        for (size, keys), part in zip(self.steps, parts[1:], strict=True):
            right = part[tokens]
            heard = right >= 0
            tokens, pairs = tokens[heard], left[heard] * size + right[heard]
            places = np.searchsorted(keys, pairs)
            hit = keys[np.minimum(places, len(keys) - 1)] == pairs
            tokens, left = tokens[hit], places[hit]
        return tokens, self.attributes[left]
