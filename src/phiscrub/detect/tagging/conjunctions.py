"""Attributes of several traits, found by numbers instead of strings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from phiscrub.detect.tagging.templates import Template

Ints = NDArray[np.int64]
Vocabulary = Mapping[str, int]
Known = Sequence[tuple[tuple[str, ...], int]]  # the values of attributes, and their numbers


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
    def of(
        cls,
        template: Template,
        known: Known,
        vocabularies: Mapping[str, Vocabulary],
    ) -> Conjunction:
        """Index the attributes of a template with several parts."""
        traits = [trait for trait, _ in template.parts]
        columns = [
            np.array([vocabularies[trait][values[i]] for values, _ in known], dtype=np.int64)
            for i, trait in enumerate(traits)
        ]
        left, steps = columns[0], []
        for trait, right in zip(traits[1:], columns[1:], strict=True):
            size = len(vocabularies[trait])
            keys, left = np.unique(left * size + right, return_inverse=True)
            steps.append((size, keys))
        attributes = np.empty(len(known), dtype=np.int64)
        attributes[left] = [number for _, number in known]
        return cls(template, tuple(steps), attributes)

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


def vocabularies_of(
    conjunctions: Iterable[tuple[Template, Known]],
) -> dict[str, dict[str, int]]:
    """Return a number for each value that a trait has in attributes of any of the templates."""
    found: dict[str, dict[str, int]] = {}
    for template, known in conjunctions:
        for i, (trait, _) in enumerate(template.parts):
            values = found.setdefault(trait, {})
            for written, _ in known:
                values.setdefault(written[i], len(values))
    return found
